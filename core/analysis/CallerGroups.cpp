// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/CallerGroups.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

} // namespace

CallerGrouper::CallerGrouper(std::shared_ptr<const FunctionNodes> nodes, CallerWeight weight,
                             Metric order)
    : m_nodes(std::move(nodes))
    , m_weight(weight)
    , m_order(static_cast<std::size_t>(order))
    , m_groupOfFunction(m_nodes->profile().functions.size(), none)
{
    const CallTree& tree = m_nodes->tree();
    for (std::size_t index = 0; index < metricCount; ++index) {
        const auto metric = static_cast<Metric>(index);
        const bool isSelf = weight == CallerWeight::Self || metric == Metric::Calls;
        if (tree.has(metric))
            m_columns.emplace_back(index,
                                   isSelf ? &tree.selfColumn(metric) : &tree.totalColumn(metric));
    }
}

bool CallerGrouper::isCalledByFunction(std::uint32_t node) const
{
    return m_nodes->tree().parent(NodeId(node)).value() != 0;
}

void CallerGrouper::addOrigin(CallerGroup& group, std::uint32_t origin, std::uint32_t node) const
{
    group.hasCallers = group.hasCallers || isCalledByFunction(node);
    for (const auto& [metric, column] : m_columns)
        group.weight[metric] += (*column)[origin];
}

CallerGroup CallerGrouper::weightOf(FunctionId function) const
{
    CallerGroup group;
    group.function = function;
    for (const std::uint32_t node : m_nodes->nodesOf(function))
        if (node != 0 && (m_weight == CallerWeight::Self || m_nodes->isOutermost(node)))
            addOrigin(group, node, node);
    return group;
}

CallerGroup CallerGrouper::stacksOf(FunctionId function) const
{
    CallerGroup group = weightOf(function);
    for (const std::uint32_t node : m_nodes->nodesOf(function))
        if (node != 0 && (m_weight == CallerWeight::Self || m_nodes->isOutermost(node)))
            group.steps.push_back({node, node});
    return group;
}

std::vector<CallerGroup> CallerGrouper::callersOf(const std::vector<CallerGroup::Step>& steps)
{
    std::vector<CallerGroup> callers;
    for (const CallerGroup::Step step : steps) {
        if (!isCalledByFunction(step.node))
            continue;
        const std::uint32_t caller = m_nodes->tree().parent(NodeId(step.node)).value();
        const FunctionId function = m_nodes->functionOf(caller);
        std::uint32_t& index = m_groupOfFunction[function.value()];
        if (index == none) {
            index = static_cast<std::uint32_t>(callers.size());
            callers.emplace_back();
            callers.back().function = function;
        }
        callers[index].steps.push_back({step.origin, caller});
        addOrigin(callers[index], step.origin, caller);
    }
    for (const CallerGroup& caller : callers)
        m_groupOfFunction[caller.function.value()] = none;
    std::sort(callers.begin(), callers.end(),
              [this](const CallerGroup& a, const CallerGroup& b) { return isHeavier(a, b); });
    return callers;
}

/// Equal ones are in the order of their ids.
bool CallerGrouper::isHeavier(const CallerGroup& a, const CallerGroup& b) const
{
    return a.weight[m_order] != b.weight[m_order] ? a.weight[m_order] > b.weight[m_order]
                                                  : a.function < b.function;
}

} // namespace perilune
