// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionNodes.h"

#include "core/analysis/DepthFirst.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace perilune {

std::shared_ptr<const FunctionNodes> FunctionNodes::compute(std::shared_ptr<const CallTree> tree)
{
    auto result = std::make_shared<FunctionNodes>();
    result->m_tree = std::move(tree);
    result->groupByFunction();
    result->findOutermost();
    return result;
}

std::span<const std::uint32_t> FunctionNodes::nodesOf(FunctionId function) const
{
    if (function.value() >= functionCount())
        return {};
    const std::uint32_t first = m_first[function.value()];
    return std::span(m_nodes).subspan(first, m_first[function.value() + 1] - first);
}

void FunctionNodes::groupByFunction()
{
    std::uint32_t highest = 0;
    for (std::uint32_t node = 0; node < m_tree->nodeCount(); ++node)
        highest = std::max(highest, functionOf(node).value());
    m_first.assign(std::size_t(highest) + 2, 0);
    for (std::uint32_t node = 0; node < m_tree->nodeCount(); ++node)
        ++m_first[functionOf(node).value() + 1];
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    m_nodes.resize(m_tree->nodeCount());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    for (std::uint32_t node = 0; node < m_tree->nodeCount(); ++node)
        m_nodes[next[functionOf(node).value()]++] = node;
}

void FunctionNodes::findOutermost()
{
    m_isOutermost.resize(m_tree->nodeCount());
    std::vector<std::uint32_t> onPath(functionCount(), 0);
    walkDepthFirst(
        *m_tree,
        [&](std::uint32_t node) { m_isOutermost[node] = onPath[functionOf(node).value()]++ == 0; },
        [&](std::uint32_t node) { --onPath[functionOf(node).value()]; });
}

} // namespace perilune
