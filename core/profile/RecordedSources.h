// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/RecordingReader.h"

#include <string_view>
#include <vector>

namespace perilune {

/// The sources of a recording, each with a label that no other has: "lib/a.lua" for a file, also
/// when it was loaded as "./lib/a.lua" or by its absolute path beneath `workingDirectory`;
/// `[string "return x"]` for a string; the name for what was loaded under "=name".
std::vector<Source> recordedSources(const RecordingSnapshot& snapshot,
                                    std::string_view workingDirectory);

} // namespace perilune
