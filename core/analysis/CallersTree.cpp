// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/CallersTree.h"

#include "core/analysis/CallerGroups.h"

#include <queue>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace perilune {

namespace {

/// Grows the tree at its heaviest open end.
class CallersTreeBuilder
{
public:
    explicit CallersTreeBuilder(const std::shared_ptr<const FunctionNodes>& nodes)
        : m_grouper(nodes)
    {
    }

    void build(FunctionId function, std::uint32_t maximumNodes)
    {
        add(m_grouper.groupOf(function,
                              m_grouper.stepsOf(function, CallerGrouper::Stacks::Outermost)),
            UINT32_MAX);
        while (!m_open.empty() && m_nodes.size() < maximumNodes) {
            const std::uint32_t node = m_open.top().second;
            m_open.pop();
            for (CallerGroup& caller : m_grouper.callersOf(std::exchange(m_steps[node], {}))) {
                const Weight weight = weightOf(caller);
                for (std::size_t metric = 0; metric < metricCount; ++metric)
                    m_nodes[node].self[metric] -= weight[metric];
                add(std::move(caller), node);
            }
        }
    }

    CallersTree take() const
    {
        return {CallTree::build(m_nodes, m_grouper.nodes().tree().measured()), !m_open.empty()};
    }

private:
    using Weight = std::array<std::uint64_t, metricCount>;

    /// Of calls those of the function itself, not those beneath it.
    static Weight weightOf(const CallerGroup& group)
    {
        constexpr auto calls = static_cast<std::size_t>(Metric::Calls);
        Weight weight = group.total;
        weight[calls] = group.self[calls];
        return weight;
    }

    void add(CallerGroup group, std::uint32_t parent)
    {
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
        m_nodes.back().parent = parent;
        m_nodes.back().function = group.function;
        m_nodes.back().self = weightOf(group);
        m_steps.emplace_back();
        if (!group.hasCallers)
            return;
        m_steps.back() = std::move(group.steps);
        m_open.emplace(group.total[static_cast<std::size_t>(Metric::Time)], node);
    }

    CallerGrouper m_grouper;
    std::vector<CallTree::Input> m_nodes;
    std::vector<std::vector<CallerGroup::Step>> m_steps; ///< By node, while it is open.
    std::priority_queue<std::pair<std::uint64_t, std::uint32_t>> m_open; ///< Weight and node.
};

} // namespace

CallersTree computeCallersTree(const std::shared_ptr<const FunctionNodes>& nodes,
                               FunctionId function, std::uint32_t maximumNodes)
{
    if (function.value() == 0 || nodes->nodesOf(function).empty())
        return {CallTree::empty(), false};
    CallersTreeBuilder builder(nodes);
    builder.build(function, maximumNodes);
    return builder.take();
}

} // namespace perilune
