// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perilune {

/// Where each function is in a call tree. Immutable.
class FunctionNodes
{
public:
    /// Takes O(nodes + functions) time.
    static std::shared_ptr<const FunctionNodes> compute(std::shared_ptr<const CallTree> tree);

    const CallTree& tree() const { return *m_tree; }
    /// Larger than the ids of all functions in the tree.
    std::uint32_t functionCount() const { return static_cast<std::uint32_t>(m_first.size() - 1); }
    /// The nodes of a function, as NodeId values in ascending order; empty for one that did not
    /// run.
    std::span<const std::uint32_t> nodesOf(FunctionId function) const;
    /// Whether no node above has the same function.
    bool isOutermost(std::uint32_t node) const { return m_isOutermost[node] != 0; }
    /// The function of a node; the host's, 0, where the tree has none.
    FunctionId functionOf(std::uint32_t node) const
    {
        const FunctionId function = m_tree->function(NodeId(node));
        return function.isValid() ? function : FunctionId(0);
    }

private:
    void groupByFunction();
    void findOutermost();

    std::shared_ptr<const CallTree> m_tree;
    std::vector<std::uint32_t> m_first; ///< In m_nodes, by function; one more at the end.
    std::vector<std::uint32_t> m_nodes;
    std::vector<std::uint8_t> m_isOutermost; ///< By node.
};

} // namespace perilune
