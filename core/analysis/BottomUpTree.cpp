// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/BottomUpTree.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace perilune {

BottomUpTree::BottomUpTree(std::shared_ptr<const CallTree> tree, Metric order, FunctionId only)
    : m_tree(std::move(tree))
    , m_order(static_cast<std::size_t>(order))
    , m_grouper(FunctionNodes::compute(m_tree))
{
    m_rows.emplace_back();
    m_rows[root].hasCallers = m_tree->nodeCount() > 1;
    m_rows[root].isExpanded = true;
    m_steps.emplace_back();
    if (!only.isValid()) {
        addChildren(root, m_grouper.functions());
        return;
    }
    CallerGroup group =
        m_grouper.groupOf(only, m_grouper.stepsOf(only, CallerGrouper::Stacks::All));
    std::vector<CallerGroup> groups;
    if (!group.steps.empty())
        groups.push_back(std::move(group));
    addChildren(root, std::move(groups));
}

void BottomUpTree::expand(Row row)
{
    if (std::exchange(m_rows[row].isExpanded, true))
        return;
    addChildren(row, m_grouper.callersOf(takeSteps(row)));
}

/// The stacks of a row, which will not need them again.
std::vector<CallerGroup::Step> BottomUpTree::takeSteps(Row row)
{
    if (m_rows[row].parent == root)
        return m_grouper.stepsOf(m_rows[row].function, CallerGrouper::Stacks::All);
    return std::move(m_steps[row]);
}

void BottomUpTree::addChildren(Row parent, std::vector<CallerGroup> groups)
{
    std::sort(groups.begin(), groups.end(),
              [this](const CallerGroup& a, const CallerGroup& b) { return isBefore(a, b); });
    m_rows[parent].firstChild = rowCount();
    m_rows[parent].childCount = static_cast<std::uint32_t>(groups.size());
    for (CallerGroup& group : groups) {
        RowData row;
        row.function = group.function;
        row.parent = parent;
        row.hasCallers = group.hasCallers;
        row.self = group.self;
        row.total = group.total;
        m_rows.push_back(row);
        m_steps.emplace_back();
        if (parent != root && group.hasCallers)
            m_steps.back() = std::move(group.steps);
    }
}

bool BottomUpTree::isBefore(const CallerGroup& a, const CallerGroup& b) const
{
    return std::tuple(b.self[m_order], b.total[m_order], a.function)
        < std::tuple(a.self[m_order], a.total[m_order], b.function);
}

std::uint64_t BottomUpTree::self(Metric metric, Row row) const
{
    return m_rows[row].self[static_cast<std::size_t>(metric)];
}

std::uint64_t BottomUpTree::total(Metric metric, Row row) const
{
    return m_rows[row].total[static_cast<std::size_t>(metric)];
}

} // namespace perilune
