// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FlameLayout.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// The frames of a layout whose function was searched for.
struct FlameMatches
{
    /// Bars from left to right, callers before what they call.
    std::vector<std::uint32_t> bars;
    /// What the matching frames weigh together; a match within a match is not counted again.
    std::uint64_t weight = 0;
};

/// The same for a whole tree, without the places of its nodes.
struct TreeMatches
{
    std::uint32_t count = 0;
    std::uint64_t weight = 0; ///< A match within a match is not counted again.
};

/// `isMatch` has an entry for every function in the tree, other than 0 for those searched for.
FlameMatches findFlameMatches(const FlameLayout& layout, const std::vector<std::uint8_t>& isMatch);
TreeMatches countTreeMatches(const CallTree& tree, Metric metric,
                             const std::vector<std::uint8_t>& isMatch);

} // namespace perilune
