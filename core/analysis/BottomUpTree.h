// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

/// The call tree turned round: functions at the top, beneath each its callers, theirs, and so on.
///
/// All values of a row are those of the function at the top of its branch, as far as it was reached
/// through the row's callers: beneath `f`, the row `g` has what `f` cost when `g` called it. Values
/// of callers therefore add up to those of the row above, less what the host itself called. Totals
/// count recursion once, by the outermost call.
///
/// Rows are made when they are asked for, since the whole tree can be far larger than the call
/// tree. Not thread-safe.
class BottomUpTree
{
public:
    using Row = std::uint32_t;
    static constexpr Row root = 0; ///< Has the functions as its children and no values.

    /// `order` sorts the rows beneath each row by self, heaviest first. With `only`, that function
    /// is the sole child of the root.
    BottomUpTree(std::shared_ptr<const CallTree> tree, Metric order, FunctionId only = {});

    const CallTree& tree() const { return *m_tree; }
    std::uint32_t rowCount() const { return static_cast<std::uint32_t>(m_rows.size()); }

    FunctionId function(Row row) const { return m_rows[row].function; }
    Row parent(Row row) const { return m_rows[row].parent; } ///< Of the root: itself.
    std::uint32_t rowInParent(Row row) const { return row - m_rows[m_rows[row].parent].firstChild; }
    std::uint64_t self(Metric metric, Row row) const;
    std::uint64_t total(Metric metric, Row row) const;

    /// True when there are callers, known before they are made.
    bool hasChildren(Row row) const { return m_rows[row].hasCallers; }
    bool isExpanded(Row row) const { return m_rows[row].isExpanded; }
    /// Makes the children; of a row that has them already it makes none.
    void expand(Row row);
    std::uint32_t childCount(Row row) const
    {
        return m_rows[row].childCount;
    } ///< 0 until expanded.
    Row child(Row row, std::uint32_t index) const { return m_rows[row].firstChild + index; }

private:
    /// One call path of the top function, and how far up it a row has come.
    struct Occurrence
    {
        std::uint32_t node;     ///< Of the function at the top of the branch.
        std::uint32_t ancestor; ///< The node of the row's own function.
    };
    using Values = std::array<std::uint64_t, metricCount>;
    struct RowData
    {
        FunctionId function;
        Row parent = root;
        Row firstChild = 0;
        std::uint32_t childCount = 0;
        std::uint32_t firstOccurrence = 0;
        std::uint32_t occurrenceCount = 0;
        bool hasCallers = false;
        bool isExpanded = false;
        Values self = {};
        Values total = {};
    };

    void findOutermost();
    std::vector<Occurrence> occurrencesOf(FunctionId only) const;
    std::vector<Occurrence> callersOf(Row row) const;
    void addChildren(Row parent, std::vector<Occurrence> occurrences);
    RowData rowOf(Row parent, std::uint32_t firstOccurrence, std::uint32_t end) const;
    bool isBefore(const RowData& a, const RowData& b) const;

    std::shared_ptr<const CallTree> m_tree;
    Metric m_order;
    std::vector<bool> m_isOutermost; ///< By node: no caller of it runs the same function.
    std::vector<RowData> m_rows;
    std::vector<Occurrence> m_occurrences; ///< Of each row in one piece.
};

} // namespace perilune
