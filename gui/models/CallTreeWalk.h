// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/CallTreeModel.h"

#include <QModelIndex>

#include <string>
#include <vector>

namespace perilune {

/// When a path stops being the hot one.
struct HotPathRule
{
    double minimumShare = 0.4; ///< Of the parent.
    int maximumLevels = 6;
};

/// The heaviest row beneath `start`, the heaviest beneath that, and so on while it holds a large
/// share of its parent. Makes rows on demand.
std::vector<QModelIndex> hotPath(CallTreeModel& model, const QModelIndex& start,
                                 const HotPathRule& rule);

/// The next row in reading order (each row before those beneath it) that a search has found; goes
/// round at the ends. Looks only at rows that have been made. Invalid when there is none.
QModelIndex findMatch(const CallTreeModel& model, const QModelIndex& from, bool forward);

/// How many rows lie above an index.
int depthOf(const QModelIndex& index);

} // namespace perilune
