// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/MatchedRuns.h"
#include "core/profile/CallTree.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

/// What the width of a frame of a differential flame graph stands for.
enum class UnionWidth : std::uint8_t
{
    Changed,    ///< B's total; what is gone has no width.
    Baseline,   ///< A's total; what is new has no width.
    Larger,     ///< The larger self of both at every node, summed up.
    Difference, ///< |B - A| of self at every node, summed up.
};

/// The union of the call trees of two groups of runs: a node for every path that exists on either
/// side, where a step of a path is a matched function. Values are means over the runs of a side, so
/// that they add up along the tree. Immutable.
class ComparisonTree
{
public:
    static std::shared_ptr<const ComparisonTree> build(const MatchedRuns& runs, Metric metric);

    Metric metric() const { return m_metric; }
    /// Nodes come after their parents; node 0 is the root.
    std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(m_parent.size()); }
    std::uint32_t parent(std::uint32_t node) const { return m_parent[node]; }
    /// Index in MatchedRuns::functions(); SIZE_MAX for the root of a tree without runs.
    std::size_t function(std::uint32_t node) const { return m_function[node]; }
    double selfA(std::uint32_t node) const { return m_selfA[node]; }
    double selfB(std::uint32_t node) const { return m_selfB[node]; }
    double totalA(std::uint32_t node) const { return m_totalA[node]; }
    double totalB(std::uint32_t node) const { return m_totalB[node]; }
    double callsA(std::uint32_t node) const { return m_callsA[node]; }
    double callsB(std::uint32_t node) const { return m_callsB[node]; }
    bool isInA(std::uint32_t node) const { return (m_sides[node] & 1u) != 0; }
    bool isInB(std::uint32_t node) const { return (m_sides[node] & 2u) != 0; }

private:
    friend class ComparisonTreeBuilder;
    ComparisonTree() = default;

    Metric m_metric = Metric::Time;
    std::vector<std::uint32_t> m_parent;
    std::vector<std::size_t> m_function;
    std::vector<double> m_selfA;
    std::vector<double> m_selfB;
    std::vector<double> m_totalA;
    std::vector<double> m_totalB;
    std::vector<double> m_callsA;
    std::vector<double> m_callsB;
    std::vector<std::uint8_t> m_sides; ///< Bit 0: in A, bit 1: in B.
};

/// A union tree as a call tree whose Metric::Time is a width, so that it can be laid out like any
/// other. FunctionId of its nodes is the index in MatchedRuns::functions().
struct WidthTree
{
    std::shared_ptr<const CallTree> tree;
    std::vector<std::uint32_t> unionNode; ///< By NodeId of `tree`: the node of the union tree.
};
WidthTree widthTree(const ComparisonTree& unionTree, UnionWidth width);

} // namespace perilune
