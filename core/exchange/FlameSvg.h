// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/Output.h"
#include "core/profile/Profile.h"

namespace perilune {

/// Writes a flame graph, root on top, as an `<svg>` element that can stand in an HTML page or,
/// after an XML declaration, in a file. Frames that are too narrow to be seen are drawn as grey
/// runs that say how many they are; levels past a bound are left out with a line that says so.
void writeFlameSvg(const Profile& profile, Metric metric, Output& out);

} // namespace perilune
