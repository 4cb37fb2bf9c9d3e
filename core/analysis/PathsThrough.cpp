// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/PathsThrough.h"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace perilune {

namespace {

constexpr std::uint32_t nowhere = UINT32_MAX;

/// Nodes of `function` and beneath it, in the order of nodes: callers come before what they call.
std::vector<bool> nodesBeneath(const CallTree& tree, FunctionId function)
{
    std::vector<bool> isBeneath(tree.nodeCount());
    for (std::uint32_t node = 1; node < tree.nodeCount(); ++node) {
        const NodeId parent = tree.parent(NodeId(node));
        isBeneath[node] = isBeneath[parent.value()] || tree.function(NodeId(node)) == function;
    }
    return isBeneath;
}

void addSelf(CallTree::Input& input, const CallTree& tree, NodeId node)
{
    for (std::size_t metric = 0; metric < metricCount; ++metric)
        input.self[metric] += tree.self(static_cast<Metric>(metric), node);
}

/// Collects the nodes of a part together with where they come from.
class PartBuilder
{
public:
    explicit PartBuilder(const CallTree& tree)
        : m_tree(tree)
    {
    }

    std::uint32_t add(std::uint32_t parent, NodeId node)
    {
        m_inputs.push_back({parent, m_tree.function(node), m_tree.isTailCall(node), {}});
        m_original.push_back(node);
        return static_cast<std::uint32_t>(m_inputs.size() - 1);
    }
    CallTree::Input& input(std::uint32_t index) { return m_inputs[index]; }

    PartialTree take() const
    {
        PartialTree part;
        std::vector<std::uint32_t> newIndex;
        part.tree = CallTree::build(m_inputs, m_tree.measured(), &newIndex);
        part.original.resize(newIndex.size());
        for (std::size_t i = 0; i < newIndex.size(); ++i)
            part.original[newIndex[i]] = m_original[i];
        return part;
    }

private:
    const CallTree& m_tree;
    std::vector<CallTree::Input> m_inputs;
    std::vector<NodeId> m_original;
};

} // namespace

PartialTree pathsThrough(const CallTree& tree, FunctionId function)
{
    const std::vector<bool> isBeneath = nodesBeneath(tree, function);
    std::vector<bool> isKept = isBeneath;
    for (std::uint32_t node = tree.nodeCount(); node-- > 1;) {
        if (isKept[node])
            isKept[tree.parent(NodeId(node)).value()] = true;
    }
    PartBuilder part(tree);
    std::vector<std::uint32_t> place(tree.nodeCount(), nowhere);
    place[0] = part.add(nowhere, tree.root());
    for (std::uint32_t node = 1; node < tree.nodeCount(); ++node) {
        if (!isKept[node])
            continue;
        place[node] = part.add(place[tree.parent(NodeId(node)).value()], NodeId(node));
        if (isBeneath[node])
            addSelf(part.input(place[node]), tree, NodeId(node));
    }
    return part.take();
}

PartialTree calleesBeneath(const CallTree& tree, FunctionId function)
{
    const std::vector<bool> isBeneath = nodesBeneath(tree, function);
    PartBuilder part(tree);
    std::vector<std::uint32_t> place(tree.nodeCount(), nowhere);
    std::unordered_map<std::uint64_t, std::uint32_t> children; // by place of the parent, function
    for (std::uint32_t node = 1; node < tree.nodeCount(); ++node) {
        if (!isBeneath[node])
            continue;
        const std::uint32_t parent = place[tree.parent(NodeId(node)).value()];
        const FunctionId callee = tree.function(NodeId(node));
        const std::uint64_t key = (std::uint64_t(parent) << 32) | callee.value();
        const auto [found, isNew] = children.try_emplace(key, 0);
        if (isNew)
            found->second = part.add(parent, NodeId(node));
        place[node] = found->second;
        addSelf(part.input(place[node]), tree, NodeId(node));
    }
    if (children.empty())
        part.add(nowhere, tree.root());
    return part.take();
}

} // namespace perilune
