// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/BottomUpTree.h"
#include "core/analysis/PathsThrough.h"
#include "core/profile/Profile.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

/// The rows of one way to look at a call tree, for an item model: a tree of numbers with O(1)
/// steps.
///
/// Row 0 is the root and is not shown. Siblings are in order of weight, heaviest first. Children
/// may be made on demand; until then a row has none, though it says that it will.
class CallTreeRows
{
public:
    using Row = std::uint32_t;
    static constexpr Row root = 0;

    virtual ~CallTreeRows() = default;

    virtual bool hasChildren(Row row) const = 0;
    virtual std::uint32_t childCount(Row row) const = 0;
    virtual Row child(Row row, std::uint32_t index) const = 0;
    virtual Row parent(Row row) const = 0;
    virtual std::uint32_t indexInParent(Row row) const = 0;

    /// True for a row whose children have not been made yet.
    virtual bool canFetch(Row) const { return false; }
    /// Makes the children and returns how many they are; they appear with publish().
    virtual std::uint32_t prepare(Row) { return 0; }
    virtual void publish(Row) { }

    /// The functions that a row stands for, outermost first; more than one when a chain is folded.
    virtual std::vector<FunctionId> functions(Row row) const = 0;
    /// The last of functions().
    virtual FunctionId function(Row row) const = 0;
    /// The node of the call tree that the row's last function is; invalid when it is not one node.
    virtual NodeId node(Row row) const = 0;
    /// The row of a node; root when it has none.
    virtual Row rowOf(NodeId node) const = 0;

    virtual std::uint64_t self(Metric metric, Row row) const = 0;
    virtual std::uint64_t total(Metric metric, Row row) const = 0;
    virtual std::uint64_t calls(Row row) const = 0;
    virtual bool isTailCall(Row row) const = 0;
    /// What a share of the parent is a share of: the parent's total, or its self where rows beneath
    /// it divide that.
    virtual std::uint64_t divided(Metric metric, Row row) const = 0;
    /// The part of divided(parent) that this row is.
    virtual std::uint64_t part(Metric metric, Row row) const = 0;
};

/// Callers above what they call. Optionally a call that leads to one function only, and costs
/// nearly nothing itself, shares a row with it: "main › run › loop".
class TopDownRows : public CallTreeRows
{
public:
    enum class Chains
    {
        Open,
        Folded
    };

    /// The whole tree of a profile.
    TopDownRows(std::shared_ptr<const CallTree> tree, Metric weight, Chains chains);
    /// A part of `whole`.
    TopDownRows(std::shared_ptr<const CallTree> whole, PartialTree part, Metric weight,
                Chains chains);

    bool hasChildren(Row row) const override { return childCount(row) > 0; }
    std::uint32_t childCount(Row row) const override { return m_tree->childCount(NodeId(row)); }
    Row child(Row row, std::uint32_t index) const override;
    Row parent(Row row) const override;
    std::uint32_t indexInParent(Row row) const override;
    std::vector<FunctionId> functions(Row row) const override;
    FunctionId function(Row row) const override { return m_tree->function(NodeId(row)); }
    NodeId node(Row row) const override;
    Row rowOf(NodeId node) const override;
    std::uint64_t self(Metric metric, Row row) const override;
    std::uint64_t total(Metric metric, Row row) const override;
    std::uint64_t calls(Row row) const override { return m_whole->callCount(node(row)); }
    bool isTailCall(Row row) const override { return m_tree->isTailCall(NodeId(row)); }
    std::uint64_t divided(Metric metric, Row row) const override;
    std::uint64_t part(Metric metric, Row row) const override { return total(metric, row); }

private:
    void sortSiblings(Metric weight);
    void foldChains(Metric weight);
    bool foldsIntoChild(NodeId node, Metric weight) const;
    Row headOf(Row row) const { return m_head.empty() ? row : m_head[row]; }
    Row tailOf(Row row) const { return m_tail.empty() ? row : m_tail[row]; }

    std::shared_ptr<const CallTree> m_whole;
    PartialTree m_part;
    std::shared_ptr<const CallTree> m_tree; ///< m_whole, or the part of it that is shown.
    /// By node: the node shown at its place among its siblings, and its inverse. Empty when the
    /// tree has its nodes in the order of weight already.
    std::vector<std::uint32_t> m_nodeAtPlace;
    std::vector<std::uint32_t> m_placeOfNode;
    /// By node: the first node of its chain (for the last ones, which are the rows), and the last.
    /// Empty without folding.
    std::vector<Row> m_head;
    std::vector<Row> m_tail;
    std::vector<std::uint32_t> m_rowOfNode; ///< By node of m_whole; empty when m_tree is m_whole.
};

/// Functions above their callers; see BottomUpTree for what the numbers mean.
class BottomUpRows : public CallTreeRows
{
public:
    BottomUpRows(std::shared_ptr<const CallTree> tree, Metric weight, FunctionId only = {});

    bool hasChildren(Row row) const override { return m_tree.hasChildren(row); }
    std::uint32_t childCount(Row row) const override;
    Row child(Row row, std::uint32_t index) const override { return m_tree.child(row, index); }
    Row parent(Row row) const override { return m_tree.parent(row); }
    std::uint32_t indexInParent(Row row) const override { return m_tree.rowInParent(row); }
    bool canFetch(Row row) const override;
    std::uint32_t prepare(Row row) override;
    void publish(Row row) override { m_isPublished[row] = true; }
    std::vector<FunctionId> functions(Row row) const override { return {m_tree.function(row)}; }
    FunctionId function(Row row) const override { return m_tree.function(row); }
    NodeId node(Row) const override { return {}; }
    Row rowOf(NodeId) const override { return root; }
    std::uint64_t self(Metric metric, Row row) const override { return m_tree.self(metric, row); }
    std::uint64_t total(Metric metric, Row row) const override { return m_tree.total(metric, row); }
    std::uint64_t calls(Row row) const override { return m_tree.self(Metric::Calls, row); }
    bool isTailCall(Row) const override { return false; }
    std::uint64_t divided(Metric metric, Row row) const override;
    std::uint64_t part(Metric metric, Row row) const override { return m_tree.self(metric, row); }

private:
    BottomUpTree m_tree;
    std::vector<bool> m_isPublished; ///< By row.
};

} // namespace perilune
