// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/SignificanceTests.h"
#include "core/analysis/Statistics.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perilune {

/// What may be said of a difference; nothing in between is ever claimed. Slower and faster stand
/// for more and less where the measured thing is not a time.
enum class Verdict
{
    TooFewRuns,    ///< Fewer than VerdictRules::minimumRuns on a side.
    NoClearChange, ///< Noise may explain it, or it is not larger than the threshold.
    Slower,        ///< Clear change, B above A.
    Faster,        ///< Clear change, B below A.
};

inline bool isClear(Verdict verdict)
{
    return verdict == Verdict::Slower || verdict == Verdict::Faster;
}

/// When a difference counts as a clear change.
struct VerdictRules
{
    std::size_t minimumRuns = 5; ///< On each side.
    double level = 0.05;         ///< Of the tests; the interval has level 1 - this.
    double threshold = 0.01;     ///< The medians must differ by more than this share of A's.
    BootstrapOptions bootstrap = {};
    /// Runs that spread by more than this share are seldom independent of each other: what else the
    /// machine does comes and goes for longer than a run takes, and one side has its luck. Then the
    /// medians must differ by more than `driftFactor` times the excess as well. Measured on a
    /// loaded machine with groups of ten runs of one program, this takes false claims from 37 % to
    /// 4 % of all pairs; at a spread of up to 5 % it costs nothing.
    double steadySpread = 0.05;
    double driftFactor = 3.0;
};

/// How p values of many functions were corrected for their number.
enum class FamilyCorrection
{
    None,  ///< One comparison only.
    Ranks, ///< Benjamini–Hochberg over the Mann–Whitney p values.
    /// Benjamini–Hochberg over Welch p values. With few runs and many functions even groups that do
    /// not overlap at all have a Mann–Whitney p too large to survive the correction (5 + 5 runs:
    /// 0.0079); Welch's test sees how far apart they are. Mann–Whitney must agree all the same.
    Welch,
};

/// Runs of one quantity, A the baseline.
struct SamplePair
{
    std::vector<double> a;
    std::vector<double> b;
};

/// Everything known of the difference between two groups of runs.
struct ChangeEstimate
{
    std::size_t countA = 0;
    std::size_t countB = 0;
    double medianA = 0.0;
    double medianB = 0.0;
    std::optional<double> ratio;      ///< medianB / medianA; nothing where medianA is 0.
    std::optional<Interval> interval; ///< Of the ratio; with the minimum of runs only.
    double spread =
        0.0; ///< Robust standard deviation over median, of the side with the larger one.
    RankTest rankTest;
    double welchP = 1.0;
    double adjustedP = 1.0; ///< Corrected for the number of functions; rankTest.p for a single one.
    FamilyCorrection correction = FamilyCorrection::None;
    std::size_t familySize = 1; ///< Comparisons that were corrected for.
    Verdict verdict = Verdict::TooFewRuns;
};

/// Judges one comparison by itself, for example the total of two groups of runs.
///
/// A change is clear when Mann–Whitney finds it at the level, the bootstrap interval of the ratio
/// does not hold 1, and the medians differ by more than the threshold and than what unsteady runs
/// may drift. With no true difference, at most `level` of all comparisons of independent runs are
/// called clear, because the rank test alone allows no more.
ChangeEstimate assessChange(std::span<const double> a, std::span<const double> b,
                            const VerdictRules& rules = {});

/// How large a share the medians must differ by because the runs are unsteady; 0 for steady ones.
double driftAllowance(const ChangeEstimate& estimate, const VerdictRules& rules);

/// Judges many comparisons at once, in the order given; each must also survive the correction for
/// their number. Pairs in which no value differs from another are not counted among them, since no
/// test could reject them.
std::vector<ChangeEstimate> assessFamily(std::span<const SamplePair> pairs,
                                         const VerdictRules& rules = {});

} // namespace perilune
