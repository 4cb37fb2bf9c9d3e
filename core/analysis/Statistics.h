// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace perilune {

/// The two ends of an interval, lower first.
struct Interval
{
    double lower = 0.0;
    double upper = 0.0;
    bool contains(double value) const { return lower <= value && value <= upper; }
};

/// Middle value, or the mean of the two in the middle; 0 for no values.
double median(std::span<const double> values);

/// Quantile by linear interpolation between order statistics (R's type 7, NumPy's default);
/// `probability` lies in 0..1. 0 for no values.
double quantile(std::span<const double> values, double probability);

/// Makes the median absolute deviation of normally distributed values their standard deviation.
inline constexpr double madConsistency = 1.4826;

/// Median absolute deviation around the median, times madConsistency as in R's mad().
double medianAbsoluteDeviation(std::span<const double> values);

/// Distance from the median in robust standard deviations (Iglewicz and Hoaglin 1993); beyond 3.5 a
/// value counts as an outlier. Where more than half of the values are equal, so that the median
/// deviation is 0, the mean deviation stands in for it; 0 where all values are equal.
std::vector<double> modifiedZScores(std::span<const double> values);

/// Five numbers of a box plot: whiskers reach the last value within 1.5 interquartile ranges of the
/// box.
struct BoxSummary
{
    double lowerWhisker = 0.0;
    double lowerQuartile = 0.0;
    double median = 0.0;
    double upperQuartile = 0.0;
    double upperWhisker = 0.0;
    std::vector<double> outliers; ///< Beyond the whiskers, ascending.
};
BoxSummary summarizeBox(std::span<const double> values);

/// A small deterministic generator (SplitMix64), so that the same data give the same interval in
/// every build and on every machine; std::uniform_int_distribution promises no such thing.
class DeterministicRandom
{
public:
    explicit DeterministicRandom(std::uint64_t seed)
        : m_state(seed)
    {
    }
    std::uint64_t next();
    /// Uniform in 0..bound-1; `bound` is not 0 and below 2^32.
    std::uint32_t below(std::uint32_t bound);
    double uniform(); ///< In 0..1, 1 excluded.
    double normal();  ///< Mean 0, standard deviation 1.

private:
    std::uint64_t m_state;
};

struct BootstrapOptions
{
    std::uint32_t resamples = 2000;
    double level = 0.95;
    std::uint64_t seed = 20240229;
};

/// Percentile bootstrap interval of median(b) / median(a). Nothing when either side is empty or so
/// many resamples of `a` have a median of 0 that an end of the interval is not finite.
std::optional<Interval> bootstrapMedianRatio(std::span<const double> a, std::span<const double> b,
                                             const BootstrapOptions& options = {});

/// Percentile bootstrap interval of median(values); nothing for no values.
std::optional<Interval> bootstrapMedian(std::span<const double> values,
                                        const BootstrapOptions& options = {});

} // namespace perilune
