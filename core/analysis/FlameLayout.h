// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace perilune {

/// How the children of a frame follow each other from left to right.
enum class FlameOrder : std::uint8_t
{
    Weight, ///< Heaviest first.
    Name,   ///< By the rank that is given with each function.
};

/// One frame of a flame graph in units of its metric, `level` counted from the root.
struct FlameBar
{
    NodeId node;
    std::uint32_t level = 0;
    std::uint64_t start = 0;
    std::uint64_t width = 0; ///< Never 0.

    std::uint64_t end() const { return start + width; }
};

/// What a view draws of one level: one frame, or neighbouring frames that are too narrow to be told
/// apart and the gaps between them.
struct FlameSpan
{
    std::uint32_t firstBar = 0;
    std::uint32_t barCount = 1;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    bool isMerged = false; ///< All of its frames are narrower than asked for; it may be only one.
};

/// Where the frames of a call tree lie in a flame graph, for one metric and order. Immutable.
///
/// Positions are in units of the metric: a frame is as wide as its total, its children begin where
/// it begins and what is left at its end is its self. Bars are numbered level by level from the
/// root and from left to right, so each level is a sorted array and everything on the screen is
/// found by binary search. Nodes that weigh nothing have no bar; `leftOutCount()` tells how many
/// there are.
class FlameLayout
{
public:
    /// Lays out the whole tree. `rankOfFunction` has an entry for every function in the tree; it is
    /// needed for FlameOrder::Name only. A metric that the tree does not have gives no bars.
    static std::shared_ptr<const FlameLayout>
    build(std::shared_ptr<const CallTree> tree, Metric metric, FlameOrder order,
          const std::vector<std::uint32_t>& rankOfFunction);

    const CallTree& tree() const { return *m_tree; }
    const std::shared_ptr<const CallTree>& sharedTree() const { return m_tree; }
    Metric metric() const { return m_metric; }
    FlameOrder order() const { return m_order; }

    std::uint64_t wholeWidth() const { return m_wholeWidth; } ///< Of the root; 0 without bars.
    std::uint32_t barCount() const { return static_cast<std::uint32_t>(m_node.size()); }
    std::uint32_t levelCount() const { return static_cast<std::uint32_t>(m_levelBegin.size() - 1); }
    std::uint32_t leftOutCount() const { return m_tree->nodeCount() - barCount(); }

    /// Bars of a level are [levelBegin(level), levelBegin(level + 1)).
    std::uint32_t levelBegin(std::uint32_t level) const { return m_levelBegin[level]; }
    std::uint32_t levelOf(std::uint32_t bar) const;
    FlameBar bar(std::uint32_t index) const;
    NodeId node(std::uint32_t index) const { return NodeId(m_node[index]); }
    std::uint64_t startOf(std::uint32_t index) const { return m_start[index]; }
    std::uint64_t widthOf(std::uint32_t index) const { return weightOf(m_node[index]); }

    /// The bar of a node; nothing when it weighs nothing or is no node of this tree.
    std::optional<std::uint32_t> barOf(NodeId node) const;
    /// The bar that covers `position` at `level`.
    std::optional<std::uint32_t> barAt(std::uint32_t level, double position) const;

    std::optional<std::uint32_t> parentOf(std::uint32_t bar) const;
    std::optional<std::uint32_t> heaviestChildOf(std::uint32_t bar) const;
    /// The next bar to the left or right beneath the same parent.
    std::optional<std::uint32_t> leftOf(std::uint32_t bar) const;
    std::optional<std::uint32_t> rightOf(std::uint32_t bar) const;
    /// A bar of the deepest level within `bar`, the first from the left.
    std::uint32_t deepestWithin(std::uint32_t bar) const;
    /// Levels beneath and including `bar` that hold something, from 1.
    std::uint32_t heightOf(std::uint32_t bar) const;

    /// Appends to `spans` what lies at `level` between `from` and `to`, from left to right. Frames
    /// narrower than `minimumWidth` are merged with their neighbours as long as the gaps between
    /// them are narrower too. Takes O(log bars) per span that is as wide as `minimumWidth`.
    void findSpans(std::uint32_t level, double from, double to, double minimumWidth,
                   std::vector<FlameSpan>& spans) const;

private:
    FlameLayout() = default;
    void placeAll(const std::vector<std::uint32_t>& rankOfFunction);
    std::uint64_t weightOf(std::uint32_t node) const { return (*m_weight)[node]; }
    std::uint64_t endOf(std::uint32_t bar) const { return m_start[bar] + weightOf(m_node[bar]); }
    std::uint32_t firstEndingAfter(std::uint32_t level, double position) const;
    std::uint32_t firstStartingFrom(std::uint32_t bar, std::uint32_t end, double position) const;
    FlameSpan spanFrom(std::uint32_t bar, std::uint32_t levelEnd, double minimumWidth) const;
    bool hasBarsWithin(std::uint32_t level, std::uint64_t start, std::uint64_t end) const;

    std::shared_ptr<const CallTree> m_tree;
    const std::vector<std::uint64_t>* m_weight = nullptr; ///< A column of m_tree.
    Metric m_metric = Metric::Time;
    FlameOrder m_order = FlameOrder::Weight;
    std::uint64_t m_wholeWidth = 0;
    std::vector<std::uint32_t> m_node;       ///< By bar.
    std::vector<std::uint64_t> m_start;      ///< By bar.
    std::vector<std::uint32_t> m_barOfNode;  ///< UINT32_MAX for nodes without a bar.
    std::vector<std::uint32_t> m_levelBegin; ///< By level, and the count of bars at the end.
};

} // namespace perilune
