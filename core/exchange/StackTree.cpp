// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/StackTree.h"

#include "core/exchange/PathMap.h"

#include <algorithm>

namespace perilune {

/// Builds the tree node by node, in the order of the call tree.
class StackTree::Merger
{
public:
    Merger(StackTree& result, std::uint32_t expectedNodes, std::uint32_t maximumDepth)
        : m_result(result)
        , m_paths(expectedNodes)
        , m_maximumDepth(std::max(maximumDepth, 3u))
    {
    }

    void addRoot(std::uint32_t function) { append(0, function, 0); }

    /// The merged node for a call of `function` beneath the merged node `parent`.
    std::uint32_t enter(std::uint32_t parent, std::uint32_t function)
    {
        // Two levels are kept for the mark of the cut and the leaf.
        if (m_depth[parent] + 2 < m_maximumDepth)
            return childOf(parent, function);
        const bool isBeneathCut =
            m_result.m_function[m_result.m_parent[parent]] == m_result.m_cutFunction;
        const std::uint32_t cut =
            isBeneathCut ? m_result.m_parent[parent] : childOf(parent, m_result.m_cutFunction);
        m_result.m_hasCut = true;
        return childOf(cut, function);
    }

private:
    std::uint32_t childOf(std::uint32_t parent, std::uint32_t function)
    {
        const auto next = static_cast<std::uint32_t>(m_result.m_parent.size());
        const std::uint32_t node = m_paths.findOrInsert(parent, function, next);
        if (node == next)
            append(parent, function, m_depth[parent] + 1);
        return node;
    }

    void append(std::uint32_t parent, std::uint32_t function, std::uint32_t depth)
    {
        m_result.m_parent.push_back(parent);
        m_result.m_function.push_back(function);
        m_depth.push_back(depth);
    }

    StackTree& m_result;
    PathMap m_paths;
    std::vector<std::uint32_t> m_depth;
    std::uint32_t m_maximumDepth;
};

StackTree::StackTree(const CallTree& tree, std::uint32_t functionCount, std::uint32_t maximumDepth)
    : m_cutFunction(functionCount)
{
    const std::uint32_t count = tree.nodeCount();
    m_mergedNode.resize(count);
    m_parent.reserve(count);
    m_function.reserve(count);
    Merger merger(*this, count, maximumDepth);
    merger.addRoot(tree.function(tree.root()).value());
    for (std::uint32_t index = 1; index < count; ++index) {
        const NodeId node(index);
        m_mergedNode[index] =
            merger.enter(m_mergedNode[tree.parent(node).value()], tree.function(node).value());
    }
}

std::vector<std::uint64_t> StackTree::sums(const std::vector<std::uint64_t>& column) const
{
    std::vector<std::uint64_t> result;
    if (column.empty())
        return result;
    result.resize(nodeCount());
    for (std::size_t node = 0; node < column.size(); ++node)
        result[m_mergedNode[node]] += column[node];
    return result;
}

void StackTree::findStack(std::uint32_t node, std::vector<std::uint32_t>& leafFirst) const
{
    leafFirst.clear();
    do {
        leafFirst.push_back(m_function[node]);
        node = m_parent[node];
    } while (node != 0);
}

} // namespace perilune
