// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/History.h"

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

/// A first repeat this many robust deviations, and this share, above the others was cold.
constexpr double coldDeviations = 5.0;
constexpr double coldShare = 0.05;
constexpr std::size_t fewestForCold = 4;
/// The band is wider by this over the count of runs it comes from. Chosen by simulation: without
/// it, a series of 5 to 10 runs is three times as often marked without reason.
constexpr double fewRunsAllowance = 2.0;

bool isFirstSlow(const std::vector<double>& repeats)
{
    if (repeats.size() < fewestForCold)
        return false;
    const std::span<const double> others(repeats.data() + 1, repeats.size() - 1);
    const double centre = median(others);
    const double excess = repeats.front() - centre;
    return excess > coldDeviations * medianAbsoluteDeviation(others) && excess > coldShare * centre;
}

HistoryPoint describe(const HistoryEntry& entry, const HistoryRules& rules)
{
    HistoryPoint point;
    if (entry.isFailed || entry.repeats.empty())
        return point;
    point.repeatCount = entry.repeats.size();
    point.box = summarizeBox(entry.repeats);
    point.median = point.box.median;
    if (entry.repeats.size() >= rules.minimumRepeats)
        point.interval = bootstrapMedian(entry.repeats);
    point.isFirstRepeatSlow = isFirstSlow(entry.repeats);
    return point;
}

bool isAbove(HistoryMark mark)
{
    return mark == HistoryMark::Above || mark == HistoryMark::ShiftUp;
}

/// Walks along one series and judges each run by those before it.
class Band
{
public:
    explicit Band(const HistoryRules& rules)
        : m_rules(rules)
    {
    }

    void beginSeries()
    {
        m_level.clear();
        m_pending = nullptr;
    }

    void judge(HistoryPoint& point)
    {
        expect(point);
        if (!point.band || point.band->contains(point.median)) {
            settlePending();
            m_level.push_back(point.median);
            return;
        }
        point.isOutside = true;
        point.mark = point.median > point.band->upper ? HistoryMark::Above : HistoryMark::Below;
        if (m_pending && m_pending->mark == point.mark) {
            beginLevel(point);
            return;
        }
        settlePending();
        m_pending = &point;
    }

    /// A run that is shown but says nothing about its neighbours.
    void skip(HistoryPoint& point) { expect(point); }

private:
    std::span<const double> recent(std::size_t size) const
    {
        size = std::min(size, m_level.size());
        return {m_level.data() + m_level.size() - size, size};
    }

    /// Gives the point its band from the runs of the level so far.
    void expect(HistoryPoint& point) const
    {
        if (m_level.size() < m_rules.minimumBefore)
            return;
        const double centre = median(recent(m_rules.window));
        const std::span<const double> spread = recent(m_rules.spreadWindow);
        const double allowance = 1.0 + fewRunsAllowance / static_cast<double>(spread.size());
        const double half = std::max(m_rules.width * medianAbsoluteDeviation(spread) * allowance,
                                     m_rules.narrowest * std::abs(centre));
        point.centre = centre;
        // Nothing that we measure is below 0.
        point.band = Interval{std::max(0.0, centre - half), centre + half};
    }

    /// A run outside that was not followed by another was an outlier, no new level.
    void settlePending()
    {
        if (m_pending)
            m_level.push_back(m_pending->median);
        m_pending = nullptr;
    }

    /// The second run in a row outside: the first of them was a change point.
    void beginLevel(HistoryPoint& second)
    {
        m_pending->mark = isAbove(second.mark) ? HistoryMark::ShiftUp : HistoryMark::ShiftDown;
        second.mark = HistoryMark::None;
        m_level = {m_pending->median, second.median};
        m_pending = nullptr;
    }

    const HistoryRules& m_rules;
    std::vector<double> m_level;       ///< Runs of the present level, but for a pending one.
    HistoryPoint* m_pending = nullptr; ///< The run just before, where it was outside.
};

} // namespace

HistoryAnalysis analyseHistory(std::span<const HistoryEntry> entries, const HistoryRules& rules)
{
    HistoryAnalysis analysis;
    analysis.points.reserve(entries.size()); // Band keeps pointers into it.
    Band band(rules);
    const HistoryEntry* previous = nullptr;
    std::size_t segment = 0;
    for (const HistoryEntry& entry : entries) {
        HistoryPoint& point = analysis.points.emplace_back(describe(entry, rules));
        if (point.hasValue()) {
            if (previous && previous->setUp != entry.setUp) {
                analysis.breaks.push_back(
                    {analysis.points.size() - 1, previous->setUp, entry.setUp});
                band.beginSeries();
                ++segment;
            }
            previous = &entry;
            if (entry.isLeftOut)
                band.skip(point);
            else
                band.judge(point);
        }
        point.segment = segment;
    }
    return analysis;
}

} // namespace perilune
