// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/MatchedRuns.h"
#include "core/analysis/Verdict.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace perilune {

/// Which cost of a function is compared.
enum class CostKind : std::uint8_t
{
    Self,
    Total,
    Calls, ///< The metric does not matter.
    Mean,  ///< Total over calls.
};

/// What costs are divided by before they are compared.
enum class Normalisation : std::uint8_t
{
    Absolute,
    PerCall,    ///< The function's calls in the same run; calls themselves stay absolute.
    ShareOfRun, ///< The whole run, so that a slower machine or clock cancels out.
};

struct ComparisonOptions
{
    Metric metric = Metric::Time;
    CostKind cost = CostKind::Self;
    Normalisation normalisation = Normalisation::Absolute;
    VerdictRules rules;
};

/// One function compared. Every difference is B - A.
struct ComparisonRow
{
    std::size_t function = 0; ///< Index in MatchedRuns::functions().
    ChangeEstimate change;    ///< Medians over the runs of a side; 0 where it was not entered.
    double callsA = 0.0;      ///< Medians.
    double callsB = 0.0;

    double delta() const { return change.medianB - change.medianA; }
    /// delta() over A; nothing where A is 0, so that no infinity is ever shown.
    std::optional<double> deltaShare() const;
};

/// One bar of "where did the difference go?".
struct WaterfallStep
{
    std::optional<std::size_t> function; ///< Nothing for the bar of all others.
    double start = 0.0;
    double end = 0.0;
    double delta() const { return end - start; }
};

/// Two groups of runs compared in one metric: a row for every function, and the whole. Immutable.
class Comparison
{
public:
    /// Computes all estimates; slow for thousands of functions with repeats, so not for the GUI
    /// thread.
    static std::shared_ptr<const Comparison> compute(std::shared_ptr<const MatchedRuns> runs,
                                                     const ComparisonOptions& options = {});

    const MatchedRuns& runs() const { return *m_runs; }
    const std::shared_ptr<const MatchedRuns>& sharedRuns() const { return m_runs; }
    const ComparisonOptions& options() const { return m_options; }

    /// In the order of MatchedRuns::functions(), which rows()[i].function repeats; the host is left
    /// out where it costs nothing.
    const std::vector<ComparisonRow>& rows() const { return m_rows; }
    const MatchedFunction& functionOf(const ComparisonRow& row) const;
    /// Indices of rows(), largest |Δ| first.
    std::vector<std::size_t> byDelta() const;

    /// The whole run in the metric, never normalised; for CostKind::Calls its calls.
    const ChangeEstimate& whole() const { return m_whole; }

    /// The `count` rows with the largest |Δ| in self, and the rest as one step, from A's whole to
    /// B's. Self costs add up, so this is in self whatever the options compare.
    std::vector<WaterfallStep> waterfall(std::size_t count) const;

    /// Whether a row may be hidden as unchanged: on both sides, not clear, and either equal within
    /// its interval or not beyond the threshold.
    bool isUnchanged(const ComparisonRow& row) const;

private:
    Comparison() = default;

    std::shared_ptr<const MatchedRuns> m_runs;
    ComparisonOptions m_options;
    std::vector<ComparisonRow> m_rows;
    ChangeEstimate m_whole;
    double m_wholeInUnits = 0.0;
};

} // namespace perilune
