// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perilune {

/// Where each function is in the call tree of a profile. Immutable.
class FunctionNodes
{
public:
    /// Takes O(nodes + functions) time.
    static std::shared_ptr<const FunctionNodes> compute(std::shared_ptr<const Profile> profile);

    const Profile& profile() const { return *m_profile; }
    const CallTree& tree() const { return *m_profile->tree; }
    /// The nodes of a function, as NodeId values in ascending order; empty for one that did not
    /// run.
    std::span<const std::uint32_t> nodesOf(FunctionId function) const;
    /// Whether no node above has the same function.
    bool isOutermost(std::uint32_t node) const { return m_isOutermost[node] != 0; }
    /// The function of a node; the host where the tree has none.
    FunctionId functionOf(std::uint32_t node) const;

private:
    void findOutermost();
    void groupByFunction();

    std::shared_ptr<const Profile> m_profile;
    std::vector<std::uint32_t> m_first; ///< In m_nodes, by function; one more at the end.
    std::vector<std::uint32_t> m_nodes;
    std::vector<std::uint8_t> m_isOutermost; ///< By node.
};

} // namespace perilune
