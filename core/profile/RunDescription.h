// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/RunInfo.h"
#include "core/recording/RecordingReader.h"

namespace perilune {

/// Adds to `run` what a recording knows of it: mode, clock, times, counts, limits and outcome. What
/// the launcher already said of the outcome (stopped, over the time limit, killed) stays, because a
/// process that was ended from outside could not write it down. Limits that were reached and damage
/// to the recording become warnings, each with what to do about it.
void describeRun(const RecordingSnapshot& snapshot, RunInfo& run);

} // namespace perilune
