// SPDX-License-Identifier: GPL-3.0-or-later
#include "GeneratedProfile.h"

#include <array>
#include <cmath>
#include <random>
#include <string>

namespace perilune::bench {

namespace {

constexpr std::array words = {"read",  "parse", "token", "emit",  "visit", "scan",
                              "merge", "sort",  "split", "match", "draw",  "load",
                              "save",  "next",  "push",  "find",  "check", "count",
                              "fold",  "apply", "solve", "build", "print", "close"};

std::string wordOf(std::uint32_t index)
{
    return words[index % words.size()];
}

Function hostFunction()
{
    Function function;
    function.name = "perilune-runner";
    function.kind = FunctionKind::Host;
    return function;
}

Function libraryFunction(std::uint32_t index)
{
    Function function;
    function.name = (index % 3 == 0       ? "string."
                         : index % 3 == 1 ? "table."
                                          : "io.")
        + wordOf(index);
    if (index >= 3 * words.size())
        function.name += std::to_string(index);
    function.kind = FunctionKind::C;
    return function;
}

Function luaFunction(std::uint32_t index, std::uint32_t file)
{
    Function function;
    const char* separator = index % 4 == 0 ? ":" : ".";
    function.name = "module" + std::to_string(file) + separator + wordOf(index) + "_"
        + wordOf(index / 24) + std::to_string(index);
    if (index % 17 == 0)
        function.name =
            "function <src/module" + std::to_string(file) + ".lua:" + std::to_string(index) + ">";
    function.source = SourceId(file);
    function.line = static_cast<int>(1 + index % 4000);
    function.lastLine = function.line + 12;
    function.ordinal = index;
    return function;
}

void addFunctions(Profile& profile, const GeneratedShape& shape)
{
    profile.functions.push_back(hostFunction());
    for (std::uint32_t file = 0; file < shape.fileCount; ++file) {
        Source source;
        source.label =
            "src/package" + std::to_string(file % 12) + "/module" + std::to_string(file) + ".lua";
        source.chunkName = "@" + source.label;
        source.kind = format::SourceKind::File;
        profile.sources.push_back(source);
    }
    while (profile.functions.size() < shape.functionCount) {
        const auto index = static_cast<std::uint32_t>(profile.functions.size());
        profile.functions.push_back(index % 10 == 0 ? libraryFunction(index / 10)
                                                    : luaFunction(index, index % shape.fileCount));
    }
}

/// Picks indices below `count`, the low ones far more often.
std::uint32_t skewed(std::mt19937& random, std::uint32_t count)
{
    const double uniform = static_cast<double>(random()) / 4294967296.0;
    return static_cast<std::uint32_t>(std::pow(uniform, 3.0) * count);
}

CallTree::Input nodeUnder(std::uint32_t parent, std::uint32_t function, std::mt19937& random)
{
    CallTree::Input node{parent, FunctionId(function), random() % 50 == 0, {}};
    const double uniform = static_cast<double>(random()) / 4294967296.0;
    const auto time = static_cast<std::uint64_t>(std::pow(10.0, 1.0 + 5.0 * uniform * uniform));
    const std::uint64_t calls = 1 + random() % 100;
    const auto set = [&node](Metric metric, std::uint64_t value) {
        node.self[static_cast<std::size_t>(metric)] = value;
    };
    set(Metric::Time, time);
    set(Metric::RawTime, time + calls * 12);
    set(Metric::Calls, calls);
    set(Metric::Bytes, random() % 5 == 0 ? time / 3 : 0);
    set(Metric::Blocks, random() % 5 == 0 ? calls : 0);
    return node;
}

constexpr std::uint32_t bitOf(Metric metric)
{
    return 1u << static_cast<unsigned>(metric);
}

constexpr std::uint32_t exactMetrics = bitOf(Metric::Time) | bitOf(Metric::RawTime)
    | bitOf(Metric::Calls) | bitOf(Metric::Bytes) | bitOf(Metric::Blocks);

} // namespace

std::shared_ptr<const Profile> generateProfile(const GeneratedShape& shape)
{
    auto profile = std::make_shared<Profile>();
    addFunctions(*profile, shape);
    std::mt19937 random(shape.seed);
    std::vector<CallTree::Input> nodes{CallTree::Input{UINT32_MAX, FunctionId(0), false, {}}};
    std::vector<std::uint32_t> depth{0};
    nodes.reserve(shape.nodeCount);
    while (nodes.size() < shape.nodeCount) {
        // A parent among the latest nodes makes paths, one among all of them makes branches.
        const auto count = static_cast<std::uint32_t>(nodes.size());
        const bool isNear = random() % 8 != 0;
        const std::uint32_t back = 1 + static_cast<std::uint32_t>(random() % 12);
        std::uint32_t parent = isNear && back < count ? count - back : random() % count;
        while (depth[parent] >= shape.typicalDepth)
            parent = nodes[parent].parent;
        const std::uint32_t function = 1 + skewed(random, shape.functionCount - 1);
        nodes.push_back(nodeUnder(parent, function, random));
        depth.push_back(depth[parent] + 1);
    }
    profile->tree = CallTree::build(nodes, exactMetrics);
    profile->run.script = "generated.lua";
    profile->run.status = RunStatus::Done;
    return profile;
}

std::shared_ptr<const Profile> generateDeepProfile(std::uint32_t depth)
{
    auto profile = std::make_shared<Profile>();
    GeneratedShape shape;
    shape.functionCount = 50;
    shape.fileCount = 3;
    addFunctions(*profile, shape);
    std::mt19937 random(shape.seed);
    std::vector<CallTree::Input> nodes{CallTree::Input{UINT32_MAX, FunctionId(0), false, {}}};
    while (nodes.size() < depth) {
        const auto parent = static_cast<std::uint32_t>(nodes.size() - 1);
        nodes.push_back(nodeUnder(parent, 1 + parent % 49, random));
    }
    profile->tree = CallTree::build(nodes, exactMetrics);
    profile->run.script = "deep.lua";
    profile->run.status = RunStatus::Done;
    return profile;
}

} // namespace perilune::bench
