// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Duration.h"
#include "core/profile/Id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perilune {

/// What a node or function can weigh. Time is in nanoseconds, Bytes in bytes, the others are
/// counts.
enum class Metric : std::uint8_t
{
    Time,    ///< Corrected for the recorder's own cost.
    RawTime, ///< As the clock showed it.
    Calls,
    Samples,
    Bytes,  ///< Allocated.
    Blocks, ///< Allocated.
};
inline constexpr std::size_t metricCount = 6;

/// The calling context tree: a node is one function reached by one path. Immutable once built.
///
/// Nodes are numbered so that a parent comes before its children and the children of a node are
/// contiguous, heaviest total time first; node 0 is the root, the host program. A walk is therefore
/// a loop over indices, never a recursion. A metric that was not measured has no column; its values
/// read as 0 and `has()` is false.
class CallTree
{
public:
    /// One node as it is given to the constructor; `parent` refers to the input order.
    struct Input
    {
        /// Smaller than the node's own index; anything else is taken for the root, element 0.
        std::uint32_t parent = UINT32_MAX;
        FunctionId function;
        bool isTailCall = false;                          ///< Reached by tail calls.
        std::array<std::uint64_t, metricCount> self = {}; ///< By Metric; Calls: the activations.
    };

    /// An empty tree: a root without function and nothing beneath it.
    static std::shared_ptr<const CallTree> empty();

    /// Builds a tree; `measured` is a bit set of 1 << Metric. `newIndex`, where given, receives for
    /// each input node its NodeId value.
    static std::shared_ptr<const CallTree> build(const std::vector<Input>& nodes,
                                                 std::uint32_t measured,
                                                 std::vector<std::uint32_t>* newIndex = nullptr);

    NodeId root() const { return NodeId(0); }
    std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(m_parent.size()); }
    bool has(Metric metric) const
    {
        return (m_measured & (1u << static_cast<unsigned>(metric))) != 0;
    }
    std::uint32_t measured() const { return m_measured; }

    FunctionId function(NodeId node) const { return FunctionId(m_function[node.value()]); }
    bool isTailCall(NodeId node) const { return m_tail[node.value()] != 0; }
    /// Invalid for the root.
    NodeId parent(NodeId node) const { return NodeId(m_parent[node.value()]); }
    /// Where its children begin; no node of its own when it has none.
    NodeId firstChild(NodeId node) const { return NodeId(m_firstChild[node.value()]); }
    std::uint32_t childCount(NodeId node) const { return m_childCount[node.value()]; }
    NodeId child(NodeId node, std::uint32_t row) const
    {
        return NodeId(m_firstChild[node.value()] + row);
    }
    /// Position among its siblings.
    std::uint32_t rowInParent(NodeId node) const;
    std::uint32_t depth(NodeId node) const; ///< 0 for the root; walks up.

    std::uint64_t callCount(NodeId node) const { return self(Metric::Calls, node); }
    std::uint64_t self(Metric metric, NodeId node) const;
    /// Self of the node and of everything beneath it.
    std::uint64_t total(Metric metric, NodeId node) const;
    Duration selfTime(NodeId node) const;
    Duration totalTime(NodeId node) const;

    /// Whole columns, as long as nodeCount(), or empty when the metric was not measured.
    const std::vector<std::uint64_t>& selfColumn(Metric metric) const;
    const std::vector<std::uint64_t>& totalColumn(Metric metric) const;

private:
    std::vector<std::uint32_t> number(const std::vector<Input>& nodes);
    void fillColumns(const std::vector<Input>& nodes, const std::vector<std::uint32_t>& oldIndex);

    std::vector<std::uint32_t> m_function;
    std::vector<std::uint32_t> m_parent;
    std::vector<std::uint32_t> m_firstChild;
    std::vector<std::uint32_t> m_childCount;
    std::vector<std::uint8_t> m_tail;
    std::array<std::vector<std::uint64_t>, metricCount> m_self;
    std::array<std::vector<std::uint64_t>, metricCount> m_total;
    std::uint32_t m_measured = 0;
};

} // namespace perilune
