// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/OverheadCorrection.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace perilune {

using format::FunctionKind;

namespace {

struct EventCosts
{
    double callBefore;
    double callAfter;
    double returnBefore;
    double returnAfter;
};

/// Adds up the cost of every event of a recording on the nodes that were charged with it.
class OverheadCounter
{
public:
    explicit OverheadCounter(const RecordingSnapshot& snapshot)
        : m_snapshot(snapshot)
        , m_calibration(snapshot.header.calibration)
        , m_overhead(snapshot.nodes.size(), 0.0)
        , m_foldedInto(snapshot.nodes.size(), 0)
        , m_tailCallsBy(snapshot.nodes.size(), 0)
        , m_chainBase(snapshot.nodes.size(), 0)
    {
    }

    std::vector<double> count()
    {
        countTailCalls();
        for (const format::NodeLineRecord& line : m_snapshot.nodeLines)
            m_overhead[line.node] += static_cast<double>(line.hits) * m_calibration.lineEvent;
        for (std::uint32_t node = 1; node < m_snapshot.nodes.size(); ++node)
            addNode(node);
        return std::move(m_overhead);
    }

private:
    const format::FunctionRecord& functionOf(std::uint32_t node) const
    {
        return m_snapshot.functions[m_snapshot.nodes[node].function & ~format::tailCallBit];
    }
    bool isTail(std::uint32_t node) const
    {
        return (m_snapshot.nodes[node].function & format::tailCallBit) != 0;
    }
    bool isC(std::uint32_t node) const { return functionOf(node).kind == FunctionKind::C; }

    EventCosts costsOf(std::uint32_t node) const
    {
        const format::Calibration& c = m_calibration;
        return isC(node)
            ? EventCosts{c.cCallBefore, c.cCallAfter, c.cReturnBefore, c.cReturnAfter}
            : EventCosts{c.luaCallBefore, c.luaCallAfter, c.luaReturnBefore, c.luaReturnAfter};
    }

    void countTailCalls()
    {
        for (const format::TailEdgeRecord& edge : m_snapshot.tailEdges) {
            m_foldedInto[edge.to] += edge.calls;
            m_tailCallsBy[edge.from] += edge.calls;
            m_overhead[edge.from] += static_cast<double>(edge.calls) * costsOf(edge.to).callBefore;
        }
        for (std::uint32_t node = 1; node < m_snapshot.nodes.size(); ++node) {
            const std::uint32_t parent = m_snapshot.nodes[node].parent;
            // Nothing is tail-called by the host; in a damaged file it may say so.
            m_chainBase[node] = isTail(node) && parent != 0 ? m_chainBase[parent] : node;
            if (isTail(node))
                m_tailCallsBy[parent] += callsFromParent(node);
        }
    }
    std::uint64_t callsFromParent(std::uint32_t node) const
    {
        const std::uint64_t calls = m_snapshot.nodes[node].calls;
        return calls - std::min(calls, m_foldedInto[node]);
    }

    void addNode(std::uint32_t index)
    {
        const format::NodeRecord& node = m_snapshot.nodes[index];
        const EventCosts costs = costsOf(index);
        const std::uint64_t ended = m_tailCallsBy[index] + node.lostReturns;
        const auto calls = static_cast<double>(node.calls);
        const auto returns = static_cast<double>(node.calls - std::min(node.calls, ended));
        m_overhead[node.parent] += static_cast<double>(callsFromParent(index)) * costs.callBefore;
        m_overhead[index] += calls * costs.callAfter + returns * costs.returnBefore;
        m_overhead[m_snapshot.nodes[m_chainBase[index]].parent] += returns * costs.returnAfter;
        if (!isC(index) && isC(node.parent))
            m_overhead[index] += calls * m_calibration.fromCExtra;
        if (isC(index) && changesCoroutine(index))
            m_overhead[index] += calls * m_calibration.switchCost;
    }

    bool changesCoroutine(std::uint32_t node) const
    {
        const std::string_view name = m_snapshot.string(functionOf(node).name);
        return name == "coroutine.yield" || name == "coroutine.resume"
            || name == "coroutine.wrap resumer";
    }

    const RecordingSnapshot& m_snapshot;
    const format::Calibration& m_calibration;
    std::vector<double> m_overhead;
    std::vector<std::uint64_t> m_foldedInto;  ///< Tail calls that came back to the node.
    std::vector<std::uint64_t> m_tailCallsBy; ///< Tail calls made by the node.
    std::vector<std::uint32_t> m_chainBase;   ///< The node whose call began the activation.
};

} // namespace

std::vector<double> recordingOverhead(const RecordingSnapshot& snapshot)
{
    return OverheadCounter(snapshot).count();
}

} // namespace perilune
