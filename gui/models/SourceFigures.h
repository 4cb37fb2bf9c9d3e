// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <cstdint>
#include <map>
#include <vector>

namespace perilune {

/// What the functions that begin on one line of a source cost.
struct LineFigures
{
    std::vector<FunctionId> functions; ///< Heaviest self time first.
    std::uint64_t calls = 0;
    Duration self;
    Duration total; ///< Of the heaviest: totals of functions of one line may contain each other.
};

/// The lines of a source on which functions begin that were entered, with their costs. A main chunk
/// begins on line 1.
std::map<int, LineFigures> functionLines(const Profile& profile, const FunctionTable& table,
                                         SourceId source);

} // namespace perilune
