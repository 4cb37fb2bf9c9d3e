// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/CallerGroups.h"
#include "core/profile/CallTree.h"

#include <array>
#include <cstddef>
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
/// tree; it takes time that grows with the nodes of the one function. Not thread-safe.
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
    /// 0 until expanded.
    std::uint32_t childCount(Row row) const { return m_rows[row].childCount; }
    Row child(Row row, std::uint32_t index) const { return m_rows[row].firstChild + index; }

private:
    using Values = std::array<std::uint64_t, metricCount>;
    struct RowData
    {
        FunctionId function;
        Row parent = root;
        Row firstChild = 0;
        std::uint32_t childCount = 0;
        bool hasCallers = false;
        bool isExpanded = false;
        Values self = {};
        Values total = {};
    };

    void addChildren(Row parent, std::vector<CallerGroup> groups);
    bool isBefore(const CallerGroup& a, const CallerGroup& b) const;
    std::vector<CallerGroup::Step> takeSteps(Row row);

    std::shared_ptr<const CallTree> m_tree;
    std::size_t m_order;
    CallerGrouper m_grouper;
    std::vector<RowData> m_rows;
    /// By row, until it is expanded; of the functions at the top they are found when needed.
    std::vector<std::vector<CallerGroup::Step>> m_steps;
};

} // namespace perilune
