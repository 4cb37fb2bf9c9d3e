// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/CallerGroups.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

} // namespace

CallerGrouper::CallerGrouper(std::shared_ptr<const FunctionNodes> nodes)
    : m_nodes(std::move(nodes))
    , m_groupOfFunction(m_nodes->functionCount(), none)
{
    for (std::size_t metric = 0; metric < metricCount; ++metric)
        if (tree().has(static_cast<Metric>(metric)))
            m_metrics.push_back(metric);
}

void CallerGrouper::add(CallerGroup& group, CallerGroup::Step step) const
{
    const bool isOutermost = m_nodes->isOutermost(step.origin);
    for (const std::size_t metric : m_metrics) {
        const NodeId origin(step.origin);
        group.self[metric] += tree().self(static_cast<Metric>(metric), origin);
        if (isOutermost)
            group.total[metric] += tree().total(static_cast<Metric>(metric), origin);
    }
    group.hasCallers = group.hasCallers || tree().parent(NodeId(step.node)).value() != 0;
}

std::vector<CallerGroup> CallerGrouper::functions() const
{
    // In the order of the nodes, which is that of the columns in memory.
    std::vector<CallerGroup> groups(m_nodes->functionCount());
    for (std::uint32_t node = 1; node < tree().nodeCount(); ++node)
        add(groups[m_nodes->functionOf(node).value()], {node, node});
    for (std::uint32_t function = 0; function < groups.size(); ++function)
        groups[function].function = FunctionId(function);
    std::erase_if(groups, [this](const CallerGroup& group) {
        const auto nodes = m_nodes->nodesOf(group.function);
        return nodes.empty() || nodes.back() == 0;
    });
    return groups;
}

std::vector<CallerGroup::Step> CallerGrouper::stepsOf(FunctionId function, Stacks stacks) const
{
    const auto nodes = m_nodes->nodesOf(function);
    std::vector<CallerGroup::Step> steps;
    steps.reserve(nodes.size());
    for (const std::uint32_t node : nodes)
        if (node != 0 && (stacks == Stacks::All || m_nodes->isOutermost(node)))
            steps.push_back({node, node});
    return steps;
}

CallerGroup CallerGrouper::groupOf(FunctionId function, std::vector<CallerGroup::Step> steps) const
{
    CallerGroup group;
    group.function = function;
    for (const CallerGroup::Step step : steps)
        add(group, step);
    group.steps = std::move(steps);
    return group;
}

std::vector<CallerGroup> CallerGrouper::callersOf(const std::vector<CallerGroup::Step>& steps)
{
    std::vector<CallerGroup> callers;
    for (const CallerGroup::Step step : steps) {
        const std::uint32_t caller = tree().parent(NodeId(step.node)).value();
        if (caller == 0)
            continue;
        const FunctionId function = m_nodes->functionOf(caller);
        std::uint32_t& index = m_groupOfFunction[function.value()];
        if (index == none) {
            index = static_cast<std::uint32_t>(callers.size());
            callers.emplace_back();
            callers.back().function = function;
        }
        callers[index].steps.push_back({step.origin, caller});
        add(callers[index], callers[index].steps.back());
    }
    for (const CallerGroup& caller : callers)
        m_groupOfFunction[caller.function.value()] = none;
    return callers;
}

} // namespace perilune
