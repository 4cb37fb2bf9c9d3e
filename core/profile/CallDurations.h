// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/profile/TickScale.h"
#include "core/recording/Format.h"

namespace perilune {

/// The distribution of one function's calls. Median and 95 % are interpolated within their bucket,
/// and never outside the shortest and longest call.
DurationStatistics summarizeDurations(const format::DurationRecord& record, const TickScale& scale);

} // namespace perilune
