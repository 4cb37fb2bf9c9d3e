// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/RecordingReader.h"

#include <vector>

namespace perilune {

/// The functions of a recording with their names: of a Lua function from its definition in the
/// text, else from its first caller, else "function <a.lua:12>"; a main chunk is called after its
/// source, a C function after the table that holds it. `sources` are those of the same recording.
std::vector<Function> recordedFunctions(const RecordingSnapshot& snapshot,
                                        const std::vector<Source>& sources);

} // namespace perilune
