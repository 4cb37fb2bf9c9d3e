// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionNodes.h"

#include "core/analysis/DepthFirst.h"

#include <numeric>
#include <utility>

namespace perilune {

std::shared_ptr<const FunctionNodes> FunctionNodes::compute(std::shared_ptr<const Profile> profile)
{
    auto result = std::make_shared<FunctionNodes>();
    result->m_profile = std::move(profile);
    if (!result->m_profile->functions.empty()) {
        result->groupByFunction();
        result->findOutermost();
    }
    return result;
}

FunctionId FunctionNodes::functionOf(std::uint32_t node) const
{
    const FunctionId function = tree().function(NodeId(node));
    return function.value() < m_profile->functions.size() ? function : FunctionId(0);
}

std::span<const std::uint32_t> FunctionNodes::nodesOf(FunctionId function) const
{
    if (function.value() >= m_profile->functions.size())
        return {};
    const std::uint32_t first = m_first[function.value()];
    return std::span(m_nodes).subspan(first, m_first[function.value() + 1] - first);
}

void FunctionNodes::groupByFunction()
{
    m_first.assign(m_profile->functions.size() + 1, 0);
    for (std::uint32_t node = 0; node < tree().nodeCount(); ++node)
        ++m_first[functionOf(node).value() + 1];
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    m_nodes.resize(tree().nodeCount());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (std::uint32_t node = 0; node < tree().nodeCount(); ++node)
        m_nodes[next[functionOf(node).value()]++] = node;
}

void FunctionNodes::findOutermost()
{
    m_isOutermost.resize(tree().nodeCount());
    std::vector<std::uint32_t> onPath(m_profile->functions.size(), 0);
    walkDepthFirst(
        tree(),
        [&](std::uint32_t node) { m_isOutermost[node] = onPath[functionOf(node).value()]++ == 0; },
        [&](std::uint32_t node) { --onPath[functionOf(node).value()]; });
}

} // namespace perilune
