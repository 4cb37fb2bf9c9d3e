// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cases/RecordedCalls.h"

#include <algorithm>

namespace perilune::test {

using format::none;

RecordedCalls::RecordedCalls(const RecordingSnapshot& snapshot)
    : m_snapshot(snapshot)
    , m_functions(snapshot.functions.size())
{
    countNodes();
    countFoldedTailCalls();
}

std::uint32_t RecordedCalls::functionOf(std::uint32_t node) const
{
    return m_snapshot.nodes[node].function & ~format::tailCallBit;
}

bool RecordedCalls::isTailCalled(std::uint32_t node) const
{
    return (m_snapshot.nodes[node].function & format::tailCallBit) != 0;
}

void RecordedCalls::addCalls(std::uint32_t caller, std::uint32_t callee, std::uint64_t calls,
                             bool isTail)
{
    if (calls == 0)
        return;
    const auto add = [&](CallCount& count) {
        count.calls += calls;
        count.tailCalls += isTail ? calls : 0;
    };
    add(m_functions[callee]);
    add(m_edges[{caller, callee}]);
}

/// Calls of a node come from its parent, but for tail calls that were folded onto it.
void RecordedCalls::countNodes()
{
    std::vector<std::uint64_t> folded(m_snapshot.nodes.size(), 0);
    for (const format::TailEdgeRecord& edge : m_snapshot.tailEdges)
        folded[edge.to] += edge.calls;
    std::vector<bool> isKnown(m_functions.size(), false);
    for (std::uint32_t node = 0; node < m_snapshot.nodes.size(); ++node) {
        const format::NodeRecord& record = m_snapshot.nodes[node];
        const std::uint32_t function = functionOf(node);
        if (!isKnown[function] && record.calls > 0)
            m_entryOrder.push_back(function);
        isKnown[function] = isKnown[function] || record.calls > 0;
        if (record.parent != none)
            addCalls(functionOf(record.parent), function, record.calls - folded[node],
                     isTailCalled(node));
    }
}

void RecordedCalls::countFoldedTailCalls()
{
    for (const format::TailEdgeRecord& edge : m_snapshot.tailEdges)
        addCalls(functionOf(edge.from), functionOf(edge.to), edge.calls, true);
}

CallCount RecordedCalls::edge(std::uint32_t caller, std::uint32_t callee) const
{
    const auto found = m_edges.find({caller, callee});
    return found != m_edges.end() ? found->second : CallCount();
}

std::uint64_t RecordedCalls::deepest(std::uint32_t function) const
{
    // Activations below a node's own, and with it: a tail call takes the place of its maker.
    std::vector<std::uint64_t> below(m_snapshot.nodes.size(), 0), with(m_snapshot.nodes.size(), 0);
    std::uint64_t deepest = 0;
    for (std::uint32_t node = 0; node < m_snapshot.nodes.size(); ++node) {
        const std::uint32_t parent = m_snapshot.nodes[node].parent;
        if (parent != none)
            below[node] = isTailCalled(node) ? below[parent] : with[parent];
        with[node] = below[node] + (functionOf(node) == function ? 1 : 0);
        deepest = std::max(deepest, with[node]);
    }
    return deepest;
}

/// With the interval since the last event, when the process died in it.
std::uint64_t RecordedCalls::selfTicks(std::uint32_t node) const
{
    const format::Header& header = m_snapshot.header;
    const bool isOpen = node == header.currentNode && header.endTicks > header.lastTicks;
    return m_snapshot.nodes[node].selfTicks + (isOpen ? header.endTicks - header.lastTicks : 0);
}

double RecordedCalls::secondsOf(std::uint64_t ticks) const
{
    return static_cast<double>(ticks) / m_snapshot.header.ticksPerSecond;
}

double RecordedCalls::selfSeconds(std::uint32_t function) const
{
    std::uint64_t ticks = 0;
    for (std::uint32_t node = 0; node < m_snapshot.nodes.size(); ++node)
        if (functionOf(node) == function)
            ticks += selfTicks(node);
    return secondsOf(ticks);
}

double RecordedCalls::totalSeconds(std::uint32_t function) const
{
    std::vector<bool> isInside(m_snapshot.nodes.size(), false);
    std::uint64_t ticks = 0;
    for (std::uint32_t node = 0; node < m_snapshot.nodes.size(); ++node) {
        const format::NodeRecord& record = m_snapshot.nodes[node];
        isInside[node] =
            functionOf(node) == function || (record.parent != none && isInside[record.parent]);
        if (isInside[node])
            ticks += selfTicks(node);
    }
    return secondsOf(ticks);
}

double RecordedCalls::seconds() const
{
    std::uint64_t ticks = 0;
    for (std::uint32_t node = 0; node < m_snapshot.nodes.size(); ++node)
        ticks += selfTicks(node);
    return secondsOf(ticks);
}

} // namespace perilune::test
