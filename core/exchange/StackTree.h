// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// The stacks of a call tree as the formats know them: every path of functions once, and none
/// deeper than a bound.
///
/// A call tree may have one path twice, reached by calls and by tail calls; here they are one.
/// Nodes past the bound are added together by function beneath a node of cutFunction(). Node 0 is
/// the root, a parent comes before its children.
class StackTree
{
public:
    /// `functionCount`: of the profile; it is the number of the function that marks a cut.
    StackTree(const CallTree& tree, std::uint32_t functionCount, std::uint32_t maximumDepth);

    std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(m_parent.size()); }
    std::uint32_t function(std::uint32_t node) const { return m_function[node]; }
    std::uint32_t cutFunction() const { return m_cutFunction; }
    bool hasCut() const { return m_hasCut; }

    /// The sums of a column of the call tree by node of this tree; empty for an empty column.
    std::vector<std::uint64_t> sums(const std::vector<std::uint64_t>& column) const;

    /// Functions from the node up to the root, which is left out unless it is the node itself.
    void findStack(std::uint32_t node, std::vector<std::uint32_t>& leafFirst) const;

private:
    class Merger;

    std::vector<std::uint32_t> m_parent;
    std::vector<std::uint32_t> m_function;
    std::vector<std::uint32_t> m_mergedNode; ///< By node of the call tree.
    std::uint32_t m_cutFunction;
    bool m_hasCut = false;
};

} // namespace perilune
