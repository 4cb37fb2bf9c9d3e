// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CallTreeWalk.h"

namespace perilune {

namespace {

using Row = CallTreeRows::Row;

/// The row after `row` in reading order; the root after the last one.
Row nextOf(const CallTreeRows& rows, Row row)
{
    if (rows.childCount(row) > 0)
        return rows.child(row, 0);
    while (row != CallTreeRows::root) {
        const Row parent = rows.parent(row);
        const std::uint32_t next = rows.indexInParent(row) + 1;
        if (next < rows.childCount(parent))
            return rows.child(parent, next);
        row = parent;
    }
    return row;
}

Row lastBeneath(const CallTreeRows& rows, Row row)
{
    while (rows.childCount(row) > 0)
        row = rows.child(row, rows.childCount(row) - 1);
    return row;
}

/// The row before `row`; the root before the first one.
Row previousOf(const CallTreeRows& rows, Row row)
{
    if (row == CallTreeRows::root)
        return lastBeneath(rows, row);
    const Row parent = rows.parent(row);
    const std::uint32_t index = rows.indexInParent(row);
    return index == 0 ? parent : lastBeneath(rows, rows.child(parent, index - 1));
}

double shareOfParent(const CallTreeModel& model, Row row)
{
    const CallTreeRows& rows = model.rows();
    const auto divided = static_cast<double>(rows.divided(model.weight(), rows.parent(row)));
    return divided == 0.0 ? 0.0 : static_cast<double>(rows.part(model.weight(), row)) / divided;
}

} // namespace

std::vector<QModelIndex> hotPath(CallTreeModel& model, const QModelIndex& start,
                                 const HotPathRule& rule)
{
    std::vector<QModelIndex> path;
    QModelIndex row = start;
    while (static_cast<int>(path.size()) < rule.maximumLevels) {
        if (model.canFetchMore(row))
            model.fetchMore(row);
        const QModelIndex heaviest = model.index(0, 0, row);
        if (!heaviest.isValid() || shareOfParent(model, model.rowAt(heaviest)) < rule.minimumShare)
            break;
        path.push_back(heaviest);
        row = heaviest;
    }
    return path;
}

QModelIndex findMatch(const CallTreeModel& model, const QModelIndex& from, bool forward)
{
    const CallTreeRows& rows = model.rows();
    const Row start = model.rowAt(from);
    Row row = start;
    do {
        row = forward ? nextOf(rows, row) : previousOf(rows, row);
        if (row != CallTreeRows::root && model.isMatch(row))
            return model.indexOf(row);
    } while (row != start);
    return {};
}

int depthOf(const QModelIndex& index)
{
    int depth = 0;
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent())
        ++depth;
    return depth;
}

} // namespace perilune
