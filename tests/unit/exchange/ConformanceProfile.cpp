// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/exchange/ConformanceProfile.h"

#include <initializer_list>
#include <utility>
#include <vector>

namespace perilune::test {

namespace {

constexpr std::uint64_t largerThanDouble = (std::uint64_t(1) << 53) + 1;

class Builder
{
public:
    Builder()
    {
        m_profile.run.script = "dir/hard \"names\".lua";
        m_profile.run.arguments = {"--all", "<b>"};
        m_profile.run.status = RunStatus::Done;
        m_profile.run.startedAtUnixMs = 1700000000000;
        m_profile.run.luaVersion = "Lua 5.4";
        addSource("dir/hard.lua");
        addSource("lib/with,comma \"quoted\".lua");
        Function host;
        host.name = "(interpreter)";
        host.kind = FunctionKind::Host;
        m_profile.functions.push_back(host);
        addNode(UINT32_MAX, 0, 1, 0);
    }

    std::uint32_t lua(const std::string& name, std::uint32_t source, int line,
                      std::uint32_t ordinal)
    {
        Function function;
        function.name = name;
        function.source = SourceId(source);
        function.line = line;
        function.lastLine = line + 2;
        function.ordinal = ordinal;
        function.kind = line == 0 ? FunctionKind::Main : FunctionKind::Lua;
        return add(function);
    }

    std::uint32_t c(const std::string& name)
    {
        Function function;
        function.name = name;
        function.kind = FunctionKind::C;
        return add(function);
    }

    std::uint32_t addNode(std::uint32_t parent, std::uint32_t function, std::uint64_t calls,
                          std::uint64_t nanoseconds, bool isTailCall = false)
    {
        CallTree::Input node;
        node.parent = parent;
        node.function = FunctionId(function);
        node.isTailCall = isTailCall;
        const auto set = [&node](Metric metric, std::uint64_t value) {
            node.self[static_cast<std::size_t>(metric)] = value;
        };
        set(Metric::Time, nanoseconds);
        set(Metric::RawTime, nanoseconds + 10 * calls);
        set(Metric::Calls, calls);
        set(Metric::Bytes, calls * 40);
        set(Metric::Blocks, calls);
        m_nodes.push_back(node);
        return static_cast<std::uint32_t>(m_nodes.size() - 1);
    }

    std::shared_ptr<const Profile> take()
    {
        std::uint32_t measured = 0;
        for (const Metric metric :
             {Metric::Time, Metric::RawTime, Metric::Calls, Metric::Bytes, Metric::Blocks})
            measured |= 1u << static_cast<unsigned>(metric);
        m_profile.tree = CallTree::build(m_nodes, measured);
        m_profile.run.wallTime = m_profile.tree->totalTime(m_profile.tree->root());
        return std::make_shared<const Profile>(std::move(m_profile));
    }

private:
    void addSource(const std::string& label)
    {
        Source source;
        source.chunkName = '@' + label;
        source.label = label;
        source.path = "/home/someone/" + label;
        source.kind = format::SourceKind::File;
        m_profile.sources.push_back(source);
    }

    std::uint32_t add(const Function& function)
    {
        m_profile.functions.push_back(function);
        return static_cast<std::uint32_t>(m_profile.functions.size() - 1);
    }

    Profile m_profile;
    std::vector<CallTree::Input> m_nodes;
};

} // namespace

std::shared_ptr<const Profile> conformanceProfile()
{
    Builder build;
    const auto main = build.lua("main chunk dir/hard.lua", 0, 0, 0);
    const auto recursive = build.lua("recursive", 0, 10, 1);
    const auto even = build.lua("even", 0, 20, 2);
    const auto odd = build.lua("odd", 0, 24, 3);
    const auto tail = build.lua("tail", 0, 30, 4);
    const auto generator = build.lua("generator", 0, 40, 5);
    const auto firstAnonymous = build.lua("function <dir/hard.lua:50>", 0, 50, 6);
    const auto secondAnonymous = build.lua("function <dir/hard.lua:50>", 0, 50, 7);
    const auto semicolon = build.lua("a;b \"c\" (d) [e] <f> {g} |h|", 1, 60, 1);
    const auto number = build.lua("(3) three", 1, 70, 2);
    const auto formula = build.lua("=1+1, \"x\"", 1, 80, 3);
    const auto twoLines = build.lua("two\nlines\r\n", 1, 90, 4);
    const auto foreign = build.lua("größe_数_🌙", 1, 100, 5);
    const auto invalid = build.lua("bad\xFF\xC3(bytes", 1, 110, 6);
    const auto unused = build.lua("without time", 1, 120, 7);
    const auto huge = build.lua("huge", 1, 130, 8);
    const auto sort = build.c("table.sort");
    const auto resume = build.c("coroutine.resume");

    const auto root = 0u;
    const auto top = build.addNode(root, main, 1, 1000);
    auto deeper = build.addNode(top, recursive, 1, 100);
    for (int depth = 0; depth < 4; ++depth)
        deeper = build.addNode(deeper, recursive, 2, 10);
    const auto firstEven = build.addNode(top, even, 3, 40);
    const auto firstOdd = build.addNode(firstEven, odd, 6, 50);
    build.addNode(build.addNode(firstOdd, even, 6, 60), odd, 6, 70);
    build.addNode(top, tail, 5, 300);
    build.addNode(build.addNode(top, tail, 2, 30, true), sort, 4, 17);
    const auto resumed = build.addNode(top, resume, 9, 90);
    build.addNode(resumed, generator, 9, 900);
    build.addNode(top, firstAnonymous, 1, 11);
    build.addNode(top, secondAnonymous, 1, 22);
    for (const auto& [function, time] :
         std::initializer_list<std::pair<std::uint32_t, std::uint64_t>>{{semicolon, 1001},
                                                                        {number, 1002},
                                                                        {formula, 1003},
                                                                        {twoLines, 1004},
                                                                        {foreign, 1005},
                                                                        {invalid, 1006}})
        build.addNode(top, function, 7, time);
    build.addNode(top, unused, 4, 0);
    build.addNode(top, huge, 1, largerThanDouble);
    return build.take();
}

std::map<std::uint32_t, std::uint64_t> selfTimesOf(const Profile& profile)
{
    std::map<std::uint32_t, std::uint64_t> times;
    const CallTree& tree = *profile.tree;
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node)
        times[tree.function(NodeId(node)).value()] += tree.self(Metric::Time, NodeId(node));
    return times;
}

std::map<std::string, std::uint64_t> selfTimesByName(const Profile& profile)
{
    std::map<std::string, std::uint64_t> times;
    for (const auto& [function, time] : selfTimesOf(profile)) {
        if (function != 0 || time != 0)
            times[profile.functions[function].name] += time;
    }
    return times;
}

std::map<std::string, std::uint64_t> callsByName(const Profile& profile)
{
    std::map<std::string, std::uint64_t> calls;
    const CallTree& tree = *profile.tree;
    for (std::uint32_t node = 1; node < tree.nodeCount(); ++node)
        calls[profile.function(tree.function(NodeId(node))).name] += tree.callCount(NodeId(node));
    return calls;
}

} // namespace perilune::test
