// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perilune {

/// One quantity in one run, or in the repeats of one run, as history looks at it.
struct HistoryEntry
{
    std::vector<double>
        repeats; ///< In the order they ran, warm-ups left out; empty for a run without a value.
    std::int64_t startedAtUnixMs = 0;
    std::string setUp;      ///< Machine, Lua version, mode: what makes runs comparable. Where it
                            ///< changes, the series breaks.
    bool isFailed = false;  ///< Shown on the axis, not in the series.
    bool isLeftOut = false; ///< By the user: shown, but never part of a band.
};

/// How a run's value stands against the runs before it.
enum class HistoryMark : std::uint8_t
{
    None,
    Above, ///< Outside the band, one run only.
    Below,
    ShiftUp, ///< The first of two or more runs in a row above the band: the level has changed.
    ShiftDown,
};

struct HistoryPoint
{
    double median = 0.0;
    std::optional<Interval> interval; ///< Of the median, with the minimum of repeats.
    BoxSummary box;                   ///< Of the repeats.
    std::size_t repeatCount = 0;      ///< 0: a failed run or one without this function.
    std::size_t segment = 0;          ///< Number of the unbroken series it belongs to.
    std::optional<double> centre;     ///< Rolling median of the runs before it.
    std::optional<Interval>
        band; ///< Where the run was expected; nothing without enough runs before.
    HistoryMark mark = HistoryMark::None;
    bool isOutside = false; ///< Of its band; also for the later runs of a shift's first two.
    bool isFirstRepeatSlow = false; ///< A warm-up run would help.

    bool hasValue() const { return repeatCount > 0; }
};

/// Before `point`, the set-up changes.
struct HistoryBreak
{
    std::size_t point = 0;
    std::string before;
    std::string after;
};

struct HistoryRules
{
    std::size_t window = 7; ///< Runs that the rolling median looks back at.
    /// Runs whose median absolute deviation is the width of the band; that of 7 alone is mostly
    /// chance.
    std::size_t spreadWindow = 25;
    std::size_t minimumBefore = 5;  ///< Runs before a run is judged.
    double width = 3.0;             ///< Half width of the band in median absolute deviations.
    double narrowest = 0.01;        ///< The half width is at least this share of the median.
    std::size_t minimumRepeats = 5; ///< For an interval.
};

struct HistoryAnalysis
{
    std::vector<HistoryPoint> points; ///< One per entry, in their order.
    std::vector<HistoryBreak> breaks;
};

/// Looks at runs in the order given.
///
/// The band of a run comes from the runs before it in its unbroken series and level. Two or more
/// runs in a row outside on the same side are a change point: from the first of them a new level
/// begins, and runs are judged again once it has `minimumBefore` runs. A single run outside stays
/// in the level, where medians do not feel it. With few runs the band is wider, since their
/// deviation is less sure; without a change about one run in 600 is marked as a change point
/// (simulated, normal noise).
HistoryAnalysis analyseHistory(std::span<const HistoryEntry> entries,
                               const HistoryRules& rules = {});

} // namespace perilune
