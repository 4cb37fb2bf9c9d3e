// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace perilune {

/// Builds a profile with another tree: each node of the old one is placed under a node of the new
/// one, merged into one, or dropped. A parent is to be decided on before its children. What nobody
/// decides on is dropped; the new root is there from the start.
class TreeRewriter
{
public:
    static constexpr std::uint32_t nowhere = UINT32_MAX;

    /// What becomes of folded tail calls when their nodes move.
    enum class EdgeFate
    {
        Keep,
        Forget,  ///< They are ordinary calls of the new tree.
        Internal ///< They happen inside one node of the new tree and are no calls any more.
    };

    explicit TreeRewriter(const Profile& profile);

    const Profile& profile() const { return m_profile; }
    const CallTree& tree() const { return *m_profile.tree; }
    std::uint32_t nodeCount() const { return tree().nodeCount(); }
    FunctionId function(std::uint32_t node) const { return tree().function(NodeId(node)); }
    std::uint32_t parent(std::uint32_t node) const { return tree().parent(NodeId(node)).value(); }
    bool isTailCall(std::uint32_t node) const { return tree().isTailCall(NodeId(node)); }

    /// Adds a function, for nodes that stand for several.
    FunctionId addFunction(Function function);

    /// The old root's costs are the new root's.
    void keepRoot();
    /// Makes `node` a child of `newParent` with this function, or adds it to the one that is there.
    void place(std::uint32_t node, std::uint32_t newParent, FunctionId function, bool isTailCall);
    /// As place(), with its own function and tail flag.
    void place(std::uint32_t node, std::uint32_t newParent);
    /// As place(), but nothing of what it did itself is kept.
    void placeWithoutCosts(std::uint32_t node, std::uint32_t newParent);
    /// Adds the costs of `node`, but for its calls, to a node of the new tree.
    void mergeInto(std::uint32_t node, std::uint32_t newNode);

    /// Where an old node is in the new tree, or `nowhere`.
    std::uint32_t target(std::uint32_t node) const { return m_target[node]; }
    bool isPlaced(std::uint32_t node) const { return m_isPlaced[node] != 0; }
    /// The function of a node of the new tree.
    FunctionId newFunction(std::uint32_t newNode) const { return m_nodes[newNode].function; }
    /// Of a node of the new tree; 0 for the root.
    std::uint32_t newDepth(std::uint32_t newNode) const { return m_depth[newNode]; }
    /// Whether `outer` is `inner` or above it in the new tree. Walks up.
    bool isAtOrAbove(std::uint32_t outer, std::uint32_t inner) const;

    /// Adds a folded tail call between two old nodes to the new tree.
    void addTailEdge(std::uint32_t from, std::uint32_t to, std::uint64_t calls);

    /// The new profile. `fateOf` is asked about tail edges whose ends are both in the new tree;
    /// without it, those to a node that was placed are kept.
    std::shared_ptr<const Profile>
    finish(const std::function<EdgeFate(const TailEdge&)>& fateOf = nullptr);

private:
    std::uint32_t findOrAddChild(std::uint32_t newParent, FunctionId function, bool isTailCall);
    void addCosts(std::uint32_t node, std::uint32_t newNode);
    void moveTailEdges(const std::function<EdgeFate(const TailEdge&)>& fateOf);
    EdgeFate defaultFate(const TailEdge& edge) const;
    void copyTheRest(Profile& result, const std::vector<std::uint32_t>& newIndex) const;

    const Profile& m_profile;
    std::vector<Function> m_addedFunctions;
    std::vector<CallTree::Input> m_nodes;    ///< The new tree.
    std::vector<std::uint32_t> m_depth;      ///< By new node.
    std::vector<std::uint32_t> m_slots;      ///< Hash table of the new nodes.
    std::vector<std::uint32_t> m_target;     ///< By old node.
    std::vector<std::uint8_t> m_isPlaced;    ///< By old node.
    std::vector<std::uint8_t> m_hasOwnLines; ///< By old node: it is what it was.
    std::vector<TailEdge> m_tailEdges;       ///< Between new nodes, not yet numbered anew.
};

} // namespace perilune
