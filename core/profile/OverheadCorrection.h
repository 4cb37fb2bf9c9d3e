// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/RecordingReader.h"

#include <vector>

namespace perilune {

/// What recording itself added to the self time of each node, in ticks, as long as
/// `snapshot.nodes`.
///
/// From counts that the tree has and the costs per event that were calibrated at the start: at a
/// call the hook's work before its clock reading was charged to the caller, the rest to the callee;
/// at a return the other way round. Tail calls have no return of their own, activations that an
/// error removed had none either, a Lua function called by a C function is cheaper to hook, and a
/// change of coroutine costs extra.
std::vector<double> recordingOverhead(const RecordingSnapshot& snapshot);

} // namespace perilune
