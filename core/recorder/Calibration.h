// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Format.h"

namespace perilune {

/// Whether the time-stamp counter is invariant and runs at one rate with CLOCK_MONOTONIC here.
/// `ticksPerSecond` receives its rate. Takes about two milliseconds.
bool isTimeStampCounterUsable(double& ticksPerSecond);

/// Measures what one event of each kind costs, with the hook that will record, on a Lua state and a
/// recording of its own. Takes under 30 ms.
/// `lines` and `durations` say what is recorded besides, which costs more per event.
format::Calibration calibrate(format::Clock clock, bool useLayout, bool lines = false,
                              bool durations = false);

} // namespace perilune
