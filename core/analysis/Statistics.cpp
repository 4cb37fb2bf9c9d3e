// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace perilune {

namespace {

std::vector<double> sorted(std::span<const double> values)
{
    std::vector<double> copy(values.begin(), values.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

double medianOfSorted(const std::vector<double>& values)
{
    if (values.empty())
        return 0.0;
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

double quantileOfSorted(const std::vector<double>& values, double probability)
{
    if (values.empty())
        return 0.0;
    const double position =
        std::clamp(probability, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = position - static_cast<double>(below);
    // Two equal ends need no arithmetic, which would turn infinities into NaN.
    if (part == 0.0 || values[below] == values[above])
        return values[below];
    return values[below] + part * (values[above] - values[below]);
}

std::vector<double> absoluteDeviations(std::span<const double> values, double centre)
{
    std::vector<double> deviations;
    deviations.reserve(values.size());
    for (const double value : values)
        deviations.push_back(std::abs(value - centre));
    return deviations;
}

/// Draws resamples of one group and gives their medians. The values are sorted once; a resample is
/// then a histogram over ranks, and its median is found by counting.
class MedianResampler
{
public:
    explicit MedianResampler(std::span<const double> values)
        : m_sorted(sorted(values))
        , m_count(m_sorted.size())
    {
    }

    double draw(DeterministicRandom& random)
    {
        std::fill(m_count.begin(), m_count.end(), 0u);
        const auto size = static_cast<std::uint32_t>(m_sorted.size());
        for (std::uint32_t i = 0; i < size; ++i)
            ++m_count[random.below(size)];
        const double upper = valueAtRank(size / 2);
        return size % 2 == 1 ? upper : (valueAtRank(size / 2 - 1) + upper) / 2.0;
    }

private:
    double valueAtRank(std::uint32_t rank) const
    {
        std::size_t index = 0;
        std::uint32_t seen = m_count[0];
        while (seen <= rank)
            seen += m_count[++index];
        return m_sorted[index];
    }

    std::vector<double> m_sorted;
    std::vector<std::uint32_t> m_count;
};

std::optional<Interval> percentileInterval(std::vector<double> draws, double level)
{
    std::sort(draws.begin(), draws.end());
    const double tail = (1.0 - level) / 2.0;
    const Interval interval{quantileOfSorted(draws, tail), quantileOfSorted(draws, 1.0 - tail)};
    if (!std::isfinite(interval.lower) || !std::isfinite(interval.upper))
        return std::nullopt;
    return interval;
}

} // namespace

double median(std::span<const double> values)
{
    return medianOfSorted(sorted(values));
}

double quantile(std::span<const double> values, double probability)
{
    return quantileOfSorted(sorted(values), probability);
}

double medianAbsoluteDeviation(std::span<const double> values)
{
    return madConsistency * median(absoluteDeviations(values, median(values)));
}

std::vector<double> modifiedZScores(std::span<const double> values)
{
    const double centre = median(values);
    const std::vector<double> deviations = absoluteDeviations(values, centre);
    // 0.6745 is the upper quartile of the normal distribution; sqrt(pi / 2) turns a mean
    // deviation into a standard deviation.
    double scale = median(deviations) / 0.6745;
    if (scale == 0.0 && !values.empty()) {
        const double sum = std::accumulate(deviations.begin(), deviations.end(), 0.0);
        scale = std::sqrt(std::numbers::pi / 2.0) * sum / static_cast<double>(values.size());
    }
    std::vector<double> scores;
    scores.reserve(values.size());
    for (const double value : values)
        scores.push_back(scale == 0.0 ? 0.0 : (value - centre) / scale);
    return scores;
}

BoxSummary summarizeBox(std::span<const double> values)
{
    BoxSummary box;
    const std::vector<double> ordered = sorted(values);
    if (ordered.empty())
        return box;
    box.lowerQuartile = quantileOfSorted(ordered, 0.25);
    box.median = medianOfSorted(ordered);
    box.upperQuartile = quantileOfSorted(ordered, 0.75);
    const double reach = 1.5 * (box.upperQuartile - box.lowerQuartile);
    box.lowerWhisker = box.upperQuartile;
    box.upperWhisker = box.lowerQuartile;
    for (const double value : ordered) {
        if (value < box.lowerQuartile - reach || value > box.upperQuartile + reach) {
            box.outliers.push_back(value);
            continue;
        }
        box.lowerWhisker = std::min(box.lowerWhisker, value);
        box.upperWhisker = std::max(box.upperWhisker, value);
    }
    return box;
}

std::uint64_t DeterministicRandom::next()
{
    m_state += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

std::uint32_t DeterministicRandom::below(std::uint32_t bound)
{
    // The bias of multiply-and-shift is below bound / 2^32, far under what 2000 resamples can show.
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
}

double DeterministicRandom::uniform()
{
    return static_cast<double>(next() >> 11) * 0x1p-53;
}

double DeterministicRandom::normal()
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::optional<Interval> bootstrapMedianRatio(std::span<const double> a, std::span<const double> b,
                                             const BootstrapOptions& options)
{
    if (a.empty() || b.empty() || options.resamples == 0)
        return std::nullopt;
    DeterministicRandom random(options.seed);
    MedianResampler drawA(a);
    MedianResampler drawB(b);
    std::vector<double> ratios;
    ratios.reserve(options.resamples);
    for (std::uint32_t i = 0; i < options.resamples; ++i) {
        const double medianA = drawA.draw(random);
        const double medianB = drawB.draw(random);
        ratios.push_back(medianA == 0.0 ? std::numeric_limits<double>::infinity()
                                        : medianB / medianA);
    }
    return percentileInterval(std::move(ratios), options.level);
}

std::optional<Interval> bootstrapMedian(std::span<const double> values,
                                        const BootstrapOptions& options)
{
    if (values.empty() || options.resamples == 0)
        return std::nullopt;
    DeterministicRandom random(options.seed);
    MedianResampler resampler(values);
    std::vector<double> medians;
    medians.reserve(options.resamples);
    for (std::uint32_t i = 0; i < options.resamples; ++i)
        medians.push_back(resampler.draw(random));
    return percentileInterval(std::move(medians), options.level);
}

} // namespace perilune
