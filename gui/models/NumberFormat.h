// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"
#include "core/profile/Duration.h"

#include <QLocale>
#include <QString>

#include <cstdint>

/// How numbers read on the screen; see INTERFACE: units ns/µs/ms/s/min, 3 to 4 significant digits,
/// never an exponent, "–" for what does not exist. Separators are those of the default QLocale.
namespace perilune {

/// The unit of times: chosen for each value, or one for all so that a column can be scanned.
enum class TimeUnit
{
    Automatic,
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds
};

/// "1.284 s", "12.3 µs", "0 ns" for zero; a fixed unit has fixed decimals: "1,284.012 ms".
QString formatDuration(Duration duration, TimeUnit unit = TimeUnit::Automatic,
                       const QLocale& locale = QLocale());
/// "1,284,012,345 ns", grouped by the locale.
QString formatExactDuration(Duration duration);
/// With "+" or a real minus sign; zero has none.
QString formatSignedDuration(Duration duration, TimeUnit unit = TimeUnit::Automatic);
/// "12.3 %", "<0.1 %", "0 %" only for true zero.
QString formatPercent(double share, const QLocale& locale = QLocale());
/// "+12.3 %", "−4.0 %", "+<0.1 %", "0 %".
QString formatSignedPercent(double share);
/// With the locale's group separators.
QString formatCount(std::uint64_t count, const QLocale& locale = QLocale());
/// "512 B", "12.3 KiB", …
QString formatBytes(std::uint64_t bytes, const QLocale& locale = QLocale());
/// A value of a metric with its unit.
QString formatMetric(Metric metric, std::uint64_t value, TimeUnit unit = TimeUnit::Automatic);
/// The metric's name for headers: "Time", "Calls", "Allocated", …
QString metricTitle(Metric metric);
/// "–": a value that does not exist.
QString noValue();
/// "0:03", "12:07", "1:02:03": a running clock, whole seconds, rounded down.
QString formatClock(Duration elapsed);

} // namespace perilune
