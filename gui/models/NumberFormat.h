// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"
#include "core/profile/Duration.h"

#include <QString>

#include <cstdint>

/// How numbers read on the screen; see INTERFACE: units ns/µs/ms/s/min, 3 to 4 significant digits, never
/// an exponent, "–" for what does not exist.
namespace perilune {

QString formatDuration(Duration duration);        ///< "1.284 s", "12.3 µs"; "0 ns" for zero.
QString formatExactDuration(Duration duration);   ///< "1,284,012,345 ns", grouped by the locale.
QString formatSignedDuration(Duration duration);  ///< With "+" or a real minus sign.
QString formatPercent(double share);              ///< "12.3 %", "<0.1 %", "0 %" only for true zero.
QString formatSignedPercent(double share);
QString formatCount(std::uint64_t count);         ///< With the locale's group separators.
QString formatBytes(std::uint64_t bytes);         ///< "12.3 KiB", …
/// A value of a metric with its unit.
QString formatMetric(Metric metric, std::uint64_t value);
/// The metric's name for headers: "Time", "Calls", "Allocated", …
QString metricTitle(Metric metric);
/// "–": a value that does not exist.
QString noValue();

} // namespace perilune
