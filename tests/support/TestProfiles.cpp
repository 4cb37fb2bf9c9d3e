// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TestProfiles.h"

#include <charconv>
#include <map>
#include <random>
#include <sstream>

namespace perilune::test {

namespace {

constexpr std::uint32_t exactMetrics = 1u << static_cast<unsigned>(Metric::Time)
    | 1u << static_cast<unsigned>(Metric::RawTime) | 1u << static_cast<unsigned>(Metric::Calls);

void addTime(CallTree::Input& node, std::uint64_t nanoseconds)
{
    node.self[static_cast<std::size_t>(Metric::Time)] += nanoseconds;
    node.self[static_cast<std::size_t>(Metric::RawTime)] += nanoseconds;
}

void setCalls(CallTree::Input& node, std::uint64_t calls)
{
    node.self[static_cast<std::size_t>(Metric::Calls)] = calls;
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
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

    void add(const std::string& line)
    {
        const std::size_t space =
            line.find(' ',
                      line.rfind(';') == std::string::npos ? line.starts_with("[C] ") ? 4 : 0
                                                           : startOfLeafName(line));
        const std::string path = line.substr(0, space);
        std::istringstream rest(space == std::string::npos ? "" : line.substr(space));
        std::uint32_t node = 0;
        for (const std::string& name : split(path, ';'))
            node = childOf(node, functionOf(name));
        std::string word;
        while (rest >> word) {
            if (word.starts_with("calls="))
                setCalls(m_nodes[node], std::stoull(word.substr(6)));
            else
                addTime(m_nodes[node], static_cast<std::uint64_t>(std::stod(word) * 1000 + 0.5));
        }
    }

    std::shared_ptr<const Profile> take()
    {
        m_profile.tree = CallTree::build(m_nodes, exactMetrics);
        m_profile.run.status = RunStatus::Done;
        m_profile.run.script = "test.lua";
        m_profile.run.luaVersion = "Lua 5.4";
        m_profile.run.wallTime = m_profile.tree->totalTime(m_profile.tree->root());
        return std::make_shared<const Profile>(std::move(m_profile));
    }

private:
    static std::size_t startOfLeafName(const std::string& line)
    {
        const std::size_t leaf = line.rfind(';') + 1;
        return line.compare(leaf, 4, "[C] ") == 0 ? leaf + 4 : leaf;
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
    std::uint32_t childOf(std::uint32_t parent, FunctionId function)
    {
        const auto [entry, isNew] = m_children.try_emplace(
            {parent, function.value()}, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew) {
            CallTree::Input node;
            node.parent = parent;
            node.function = function;
            setCalls(node, 1);
            m_nodes.push_back(node);
        }
        return entry->second;
    }

    Profile m_profile;
    std::vector<CallTree::Input> m_nodes;
    std::map<std::string, FunctionId> m_functions;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_children;
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
    nodes[0].function = FunctionId(0);
    setCalls(nodes[0], 1);
    for (std::uint32_t index = 1; index < nodeCount; ++index) {
        // Hanging most nodes under recent ones makes the tree deep.
        std::uint32_t parent = 0;
        do
            parent =
                random() % 4 == 0 ? random() % index : index - 1 - random() % std::min(index, 50u);
        while (depths[parent] >= maximumDepth);
        nodes[index].parent = parent;
        depths[index] = depths[parent] + 1;
        nodes[index].function = FunctionId(1 + random() % (functionCount - 1));
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
