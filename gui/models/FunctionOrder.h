// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// The alphabetical order of a table's functions and of the sources, regardless of case: comparing
/// texts once makes every later sort one of numbers. Immutable; computed away from the GUI thread
/// for large profiles.
struct FunctionOrder
{
    static FunctionOrder compute(const Profile& profile, const FunctionTable& table);

    std::vector<std::uint32_t> rowsByName; ///< All table rows.
    std::vector<std::uint32_t> nameRank;   ///< By table row; equal names have one rank.
    std::vector<std::uint32_t> sourceRank; ///< By source.
};

} // namespace perilune
