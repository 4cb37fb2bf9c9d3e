// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TestProfiles.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace perilune::test {

namespace {

constexpr std::uint32_t bitOf(Metric metric)
{
    return 1u << static_cast<unsigned>(metric);
}

constexpr std::uint32_t exactMetrics =
    bitOf(Metric::Time) | bitOf(Metric::RawTime) | bitOf(Metric::Calls);

std::uint64_t& figure(CallTree::Input& node, Metric metric)
{
    return node.self[static_cast<std::size_t>(metric)];
}

void addTime(CallTree::Input& node, std::uint64_t nanoseconds)
{
    figure(node, Metric::Time) += nanoseconds;
    figure(node, Metric::RawTime) += nanoseconds;
}

void setCalls(CallTree::Input& node, std::uint64_t calls)
{
    figure(node, Metric::Calls) = calls;
}

std::uint64_t nanosecondsIn(std::string_view microseconds)
{
    return static_cast<std::uint64_t>(std::stod(std::string(microseconds)) * 1000 + 0.5);
}

std::vector<std::string> split(std::string_view text, std::string_view separator)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + separator.size());
    }
}

/// A line taken apart: "main;work 30 calls=2" has the path "main;work" and the words "30" and
/// "calls=2". Names may hold spaces.
struct StackLine
{
    std::string path;
    std::vector<std::string> words;
};

StackLine takeApart(std::string_view line)
{
    static constexpr std::string_view keys[] = {"calls=", "raw=", "bytes=", "blocks=", "samples="};
    const auto isFigure = [](std::string_view word) {
        return (!word.empty() && word.find_first_not_of("0123456789.") == std::string_view::npos)
            || std::any_of(std::begin(keys), std::end(keys),
                           [word](std::string_view key) { return word.starts_with(key); });
    };
    StackLine result;
    for (std::size_t space = line.rfind(' '); space != std::string_view::npos;
         space = line.rfind(' ')) {
        const std::string_view word = line.substr(space + 1);
        if (!isFigure(word))
            break;
        result.words.emplace_back(word);
        line.remove_suffix(line.size() - space);
    }
    std::reverse(result.words.begin(), result.words.end());
    result.path = line;
    return result;
}

/// Collects functions and nodes as stacks mention them.
class StackReader
{
public:
    StackReader()
    {
        Function host;
        host.name = "(interpreter)";
        host.kind = FunctionKind::Host;
        m_profile.functions.push_back(host);
        m_nodes.emplace_back();
        m_nodes[0].function = FunctionId(0);
        setCalls(m_nodes[0], 1);
    }

    void add(const std::string& text)
    {
        const StackLine line = takeApart(text);
        if (const auto ends = split(line.path, " => "); ends.size() == 2) {
            addTailEdge(ends[0], ends[1], line.words);
            return;
        }
        const std::uint32_t node = nodeAt(line.path);
        for (const std::string& word : line.words)
            addFigure(m_nodes[node], word);
    }

    std::shared_ptr<const Profile> take()
    {
        std::vector<std::uint32_t> newIndex;
        m_profile.tree = CallTree::build(m_nodes, m_measured, &newIndex);
        for (TailEdge& edge : m_profile.tailEdges) {
            edge.from = NodeId(newIndex[edge.from.value()]);
            edge.to = NodeId(newIndex[edge.to.value()]);
        }
        m_profile.run.hasMemory = m_profile.tree->has(Metric::Bytes);
        m_profile.run.status = RunStatus::Done;
        m_profile.run.script = "test.lua";
        m_profile.run.luaVersion = "Lua 5.4";
        m_profile.run.wallTime = m_profile.tree->totalTime(m_profile.tree->root());
        return std::make_shared<const Profile>(std::move(m_profile));
    }

private:
    void addTailEdge(const std::string& from, const std::string& to,
                     const std::vector<std::string>& words)
    {
        TailEdge edge{NodeId(nodeAt(from)), NodeId(nodeAt(to)), 1};
        for (const std::string& word : words)
            edge.calls = std::stoull(word.substr(word.find('=') + 1));
        m_profile.tailEdges.push_back(edge);
    }

    void addFigure(CallTree::Input& node, const std::string& word)
    {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) {
            addTime(node, nanosecondsIn(word));
            return;
        }
        const std::string key = word.substr(0, equals);
        const std::string value = word.substr(equals + 1);
        if (key == "raw") {
            figure(node, Metric::RawTime) = nanosecondsIn(value);
            return;
        }
        const Metric metric = key == "calls" ? Metric::Calls
            : key == "bytes"                 ? Metric::Bytes
            : key == "blocks"                ? Metric::Blocks
                                             : Metric::Samples;
        m_measured |= bitOf(metric);
        figure(node, metric) = std::stoull(value);
    }

    std::uint32_t nodeAt(const std::string& path)
    {
        std::uint32_t node = 0;
        for (const std::string& name : split(path, ";")) {
            const bool isTailCall = name.starts_with('>');
            node = childOf(node, functionOf(name.substr(isTailCall ? 1 : 0)), isTailCall);
        }
        return node;
    }

    FunctionId functionOf(const std::string& text)
    {
        const auto [entry, isNew] = m_functions.try_emplace(
            text, FunctionId(static_cast<std::uint32_t>(m_profile.functions.size())));
        if (isNew)
            m_profile.functions.push_back(describe(text));
        return entry->second;
    }
    Function describe(const std::string& text)
    {
        Function function;
        function.name = text;
        if (text.starts_with("[C] ")) {
            function.name = text.substr(4);
            function.kind = FunctionKind::C;
            return function;
        }
        if (text.starts_with("[main] ")) {
            function.name = "main chunk " + text.substr(7);
            function.kind = FunctionKind::Main;
            function.line = 0;
            function.source = sourceOf(text.substr(7));
            return function;
        }
        const std::size_t at = text.find('@');
        function.name = text.substr(0, at);
        std::string file = "test.lua";
        function.line = static_cast<int>(m_profile.functions.size());
        if (at != std::string::npos) {
            const std::size_t colon = text.rfind(':');
            file = text.substr(at + 1, colon - at - 1);
            function.line = std::stoi(text.substr(colon + 1));
        }
        function.lastLine = function.line;
        function.source = sourceOf(file);
        return function;
    }
    SourceId sourceOf(const std::string& file)
    {
        for (std::uint32_t index = 0; index < m_profile.sources.size(); ++index)
            if (m_profile.sources[index].label == file)
                return SourceId(index);
        Source source;
        source.chunkName = "@" + file;
        source.label = file;
        source.kind = format::SourceKind::File;
        m_profile.sources.push_back(source);
        return SourceId(static_cast<std::uint32_t>(m_profile.sources.size() - 1));
    }
    std::uint32_t childOf(std::uint32_t parent, FunctionId function, bool isTailCall)
    {
        const auto [entry, isNew] = m_children.try_emplace(
            {parent, function.value(), isTailCall}, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew) {
            CallTree::Input node;
            node.parent = parent;
            node.function = function;
            node.isTailCall = isTailCall;
            setCalls(node, 1);
            m_nodes.push_back(node);
        }
        return entry->second;
    }

    Profile m_profile;
    std::vector<CallTree::Input> m_nodes;
    std::map<std::string, FunctionId> m_functions;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> m_children;
    std::uint32_t m_measured = exactMetrics;
};

Profile profileWithFunctions(std::uint32_t functionCount)
{
    Profile profile;
    for (std::uint32_t file = 0; file < functionCount / 50 + 1; ++file) {
        Source source;
        source.label = "module" + std::to_string(file) + ".lua";
        source.chunkName = "@" + source.label;
        source.kind = format::SourceKind::File;
        profile.sources.push_back(source);
    }
    for (std::uint32_t index = 0; index < functionCount; ++index) {
        Function function;
        function.name = index == 0 ? "(interpreter)" : "function" + std::to_string(index);
        function.kind = index == 0 ? FunctionKind::Host : FunctionKind::Lua;
        if (index > 0) {
            function.source = SourceId(index / 50);
            function.line = static_cast<int>(index % 50 * 10 + 1);
            function.lastLine = function.line + 8;
        }
        profile.functions.push_back(function);
    }
    return profile;
}

std::shared_ptr<const Profile> finish(Profile profile, const std::vector<CallTree::Input>& nodes)
{
    profile.tree = CallTree::build(nodes, exactMetrics);
    profile.run.status = RunStatus::Done;
    profile.run.script = "generated.lua";
    profile.run.wallTime = profile.tree->totalTime(profile.tree->root());
    return std::make_shared<const Profile>(std::move(profile));
}

} // namespace

std::shared_ptr<const Profile> profileFrom(const std::vector<std::string>& stacks)
{
    StackReader reader;
    for (const std::string& stack : stacks)
        reader.add(stack);
    return reader.take();
}

std::shared_ptr<const CallTree> treeFrom(const std::vector<std::string>& stacks)
{
    return profileFrom(stacks)->tree;
}

std::shared_ptr<const Profile> largeProfile(std::uint32_t nodeCount, std::uint32_t functionCount,
                                            std::uint32_t seed, std::uint32_t maximumDepth)
{
    std::mt19937 random(seed);
    std::vector<CallTree::Input> nodes(nodeCount);
    std::vector<std::uint32_t> depths(nodeCount, 0);
    std::unordered_set<std::uint64_t> paths; // parent and function of each node
    nodes[0].function = FunctionId(0);
    setCalls(nodes[0], 1);
    for (std::uint32_t index = 1; index < nodeCount; ++index) {
        std::uint32_t parent = 0;
        std::uint32_t function = 0;
        do {
            // Hanging most nodes under recent ones makes the tree deep.
            parent =
                random() % 4 == 0 ? random() % index : index - 1 - random() % std::min(index, 50u);
            function = 1 + random() % (functionCount - 1);
        } while (depths[parent] >= maximumDepth
                 || !paths.insert((std::uint64_t(parent) << 32) | function).second);
        nodes[index].parent = parent;
        depths[index] = depths[parent] + 1;
        nodes[index].function = FunctionId(function);
        setCalls(nodes[index], 1 + random() % 1000);
        addTime(nodes[index], random() % 100000);
    }
    return finish(profileWithFunctions(functionCount), nodes);
}

std::shared_ptr<const Profile> deepProfile(std::uint32_t depth, std::uint32_t functionCount)
{
    std::vector<CallTree::Input> nodes(depth + 1);
    nodes[0].function = FunctionId(0);
    setCalls(nodes[0], 1);
    for (std::uint32_t index = 1; index <= depth; ++index) {
        nodes[index].parent = index - 1;
        nodes[index].function = FunctionId(1 + index % (functionCount - 1));
        setCalls(nodes[index], 1);
        addTime(nodes[index], 1000);
    }
    return finish(profileWithFunctions(functionCount), nodes);
}

std::vector<std::string> textOf(const Profile& profile)
{
    const CallTree& tree = *profile.tree;
    std::vector<std::string> lines;
    std::vector<std::pair<NodeId, std::size_t>> open{{tree.root(), 0}};
    while (!open.empty()) {
        const auto [node, depth] = open.back();
        open.pop_back();
        if (node != tree.root()) {
            std::ostringstream line;
            line << std::string((depth - 1) * 2, ' ') << profile.function(tree.function(node)).name
                 << " self=" << static_cast<double>(tree.self(Metric::Time, node)) / 1000
                 << " total=" << static_cast<double>(tree.total(Metric::Time, node)) / 1000
                 << " calls=" << tree.callCount(node);
            lines.push_back(line.str());
        }
        for (std::uint32_t row = tree.childCount(node); row-- > 0;)
            open.emplace_back(tree.child(node, row), depth + 1);
    }
    return lines;
}

} // namespace perilune::test
