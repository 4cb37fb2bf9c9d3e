// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/RecordingReader.h"

#include <memory>

namespace perilune {

/// What the launcher knows of a run and the recording does not; the builder fills in the rest.
///
/// Converts ticks to nanoseconds, charges the open interval of a run that did not end by itself,
/// names the functions, corrects each node's time for the recorder's cost (never below zero; what
/// was clamped is counted in RunInfo::correction), and sorts the tree. Nothing in the snapshot is
/// trusted.
std::shared_ptr<const Profile> buildProfile(const RecordingSnapshot& snapshot, RunInfo run = {});

} // namespace perilune
