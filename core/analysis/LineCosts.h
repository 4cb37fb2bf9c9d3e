// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// What one line of a source cost over the whole run.
struct LineCosts
{
    SourceId source;
    int line = 0;
    FunctionId function; ///< The function that ran it; the one with most self time if several did.
    std::uint64_t hits = 0;    ///< Exact mode: line events. Sampling: samples on the line itself.
    std::uint64_t samples = 0; ///< Sampling: samples on the line or in what it called.
    Duration selfTime;
    /// Self time and the time in functions called from here. In recursive functions callees count
    /// for the outermost activation only, and at most the function's own total.
    Duration totalTime;
};

/// A function called from a line, in the order of the call tree's costs.
struct LineCallee
{
    FunctionId callee;
    std::uint64_t calls = 0;
    Duration totalTime;
};

/// Costs by line of every source, sorted by source, then line. Empty when the run has no lines.
/// Takes O(nodes + lines).
std::vector<LineCosts> computeLineCosts(const Profile& profile);

/// Functions called by activations that ran this line and whose name stands on it, with the cost of
/// all their calls from those activations (also from other lines). Heaviest first.
std::vector<LineCallee> calleesOfLine(const Profile& profile, SourceId source, int line);

} // namespace perilune
