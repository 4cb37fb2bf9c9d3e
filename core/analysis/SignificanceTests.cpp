// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/SignificanceTests.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace perilune {

namespace {

// Beyond these sizes an exact p costs more than the normal approximation errs. With ties the whole
// distribution of the data at hand is needed, without them a small table of counts.
constexpr std::size_t largestExactWithoutTies = 50;
constexpr std::size_t largestExactWithTies = 24;

/// All values of both groups, ranked together; equal values share the mean of their ranks. Ranks
/// are doubled so that they stay whole numbers.
struct PooledRanks
{
    std::vector<std::uint32_t> doubled; ///< Of every value, ascending.
    std::uint64_t doubledSumB = 0;      ///< Over the values of group B.
    double tieTerm = 0.0;               ///< Sum of t^3 - t over groups of t equal values.
    bool hasTies = false;
};

PooledRanks rankTogether(std::span<const double> a, std::span<const double> b)
{
    struct Entry
    {
        double value;
        bool isB;
    };
    std::vector<Entry> entries;
    entries.reserve(a.size() + b.size());
    for (const double value : a)
        entries.push_back({value, false});
    for (const double value : b)
        entries.push_back({value, true});
    std::sort(entries.begin(), entries.end(),
              [](const Entry& left, const Entry& right) { return left.value < right.value; });

    PooledRanks ranks;
    ranks.doubled.reserve(entries.size());
    for (std::size_t first = 0; first < entries.size();) {
        std::size_t end = first + 1;
        while (end < entries.size() && entries[end].value == entries[first].value)
            ++end;
        // Ranks first + 1 … end; twice their mean.
        const auto doubledRank = static_cast<std::uint32_t>(first + 1 + end);
        const auto size = static_cast<double>(end - first);
        ranks.tieTerm += size * size * size - size;
        ranks.hasTies = ranks.hasTies || end - first > 1;
        for (; first < end; ++first) {
            ranks.doubled.push_back(doubledRank);
            if (entries[first].isB)
                ranks.doubledSumB += doubledRank;
        }
    }
    return ranks;
}

double twoSided(double lowerTail, double upperTail)
{
    return std::min(1.0, 2.0 * std::min(lowerTail, upperTail));
}

/// Ways to reach each value 0 … nA·nB of U without ties: the coefficients of the Gaussian binomial.
/// All of them are whole numbers below 2^53 for nA + nB <= 50, so doubles hold them exactly.
std::vector<double> untiedCounts(std::size_t countA, std::size_t countB)
{
    std::vector<double> ways(countA * countB + 1, 0.0);
    ways[0] = 1.0;
    for (std::size_t i = 1; i <= countA; ++i) {
        for (std::size_t u = ways.size(); u-- > countB + i;)
            ways[u] -= ways[u - countB - i];
        for (std::size_t u = i; u < ways.size(); ++u)
            ways[u] += ways[u - i];
    }
    return ways;
}

double exactPWithoutTies(std::size_t countA, std::size_t countB, std::size_t u)
{
    const std::vector<double> ways = untiedCounts(countA, countB);
    const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
    const auto at = ways.begin() + static_cast<std::ptrdiff_t>(u);
    const double lower = std::accumulate(ways.begin(), at + 1, 0.0);
    const double upper = std::accumulate(at, ways.end(), 0.0);
    return twoSided(lower / all, upper / all);
}

/// Counts, for every sum, the ways to pick `countB` of the ranks; then adds up both tails.
double exactPWithTies(const PooledRanks& ranks, std::size_t countB)
{
    const std::uint64_t largest =
        std::accumulate(ranks.doubled.begin(), ranks.doubled.end(), std::uint64_t(0));
    const std::size_t width = static_cast<std::size_t>(largest) + 1;
    std::vector<double> ways((countB + 1) * width, 0.0); // [picked][sum]
    ways[0] = 1.0;
    std::size_t reached = 0;
    for (const std::uint32_t rank : ranks.doubled) {
        reached += rank;
        for (std::size_t picked = countB; picked > 0; --picked) {
            const double* without = &ways[(picked - 1) * width];
            double* with = &ways[picked * width];
            for (std::size_t sum = rank; sum <= reached; ++sum)
                with[sum] += without[sum - rank];
        }
    }
    const auto first = ways.begin() + static_cast<std::ptrdiff_t>(countB * width);
    const auto at = first + static_cast<std::ptrdiff_t>(ranks.doubledSumB);
    const double all = std::accumulate(first, ways.end(), 0.0);
    const double lower = std::accumulate(first, at + 1, 0.0);
    const double upper = std::accumulate(at, ways.end(), 0.0);
    return twoSided(lower / all, upper / all);
}

double normalP(double u, std::size_t countA, std::size_t countB, double tieTerm)
{
    const auto sizeA = static_cast<double>(countA);
    const auto sizeB = static_cast<double>(countB);
    const double size = sizeA + sizeB;
    const double variance = sizeA * sizeB / 12.0 * (size + 1.0 - tieTerm / (size * (size - 1.0)));
    if (variance <= 0.0)
        return 1.0;
    const double distance = std::max(0.0, std::abs(u - sizeA * sizeB / 2.0) - 0.5);
    return std::min(1.0, std::erfc(distance / std::sqrt(2.0 * variance)));
}

bool choosesExact(RankTestMethod method, std::size_t size, bool hasTies)
{
    if (method != RankTestMethod::Automatic)
        return method == RankTestMethod::Exact;
    return size <= (hasTies ? largestExactWithTies : largestExactWithoutTies);
}

/// Continued fraction of the incomplete beta function, evaluated by Lentz's method.
double betaFraction(double x, double a, double b)
{
    constexpr double tiny = 1e-300;
    const auto awayFromZero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1.0;
    double d = 1.0 / awayFromZero(1.0 - (a + b) * x / (a + 1.0));
    double fraction = d;
    for (int m = 1; m <= 500; ++m) {
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        double change = 1.0;
        for (const double term : {even, odd}) {
            d = 1.0 / awayFromZero(1.0 + term * d);
            c = awayFromZero(1.0 + term / c);
            change = d * c;
            fraction *= change;
        }
        if (std::abs(change - 1.0) < 1e-15)
            break;
    }
    return fraction;
}

/// Regularised incomplete beta function I_x(a, b).
double regularizedBeta(double x, double a, double b)
{
    if (x <= 0.0)
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b)
                                  + a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast on the near side of the mean only.
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * betaFraction(x, a, b) / a;
    return 1.0 - front * betaFraction(1.0 - x, b, a) / b;
}

struct MeanAndVariance
{
    double mean = 0.0;
    double varianceOfMean = 0.0;
};

MeanAndVariance describe(std::span<const double> values)
{
    const auto size = static_cast<double>(values.size());
    MeanAndVariance result;
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
    double squares = 0.0;
    for (const double value : values)
        squares += (value - result.mean) * (value - result.mean);
    result.varianceOfMean = squares / (size - 1.0) / size;
    return result;
}

} // namespace

RankTest mannWhitneyTest(std::span<const double> a, std::span<const double> b,
                         RankTestMethod method)
{
    RankTest test;
    if (a.empty() || b.empty())
        return test;
    const PooledRanks ranks = rankTogether(a, b);
    const std::uint64_t smallestSum = b.size() * (b.size() + 1); // doubled
    test.u = static_cast<double>(ranks.doubledSumB - smallestSum) / 2.0;
    test.isExact = choosesExact(method, a.size() + b.size(), ranks.hasTies);
    if (ranks.doubled.front() == ranks.doubled.back())
        return test;
    if (!test.isExact)
        test.p = normalP(test.u, a.size(), b.size(), ranks.tieTerm);
    else if (ranks.hasTies)
        test.p = exactPWithTies(ranks, b.size());
    else
        test.p = exactPWithoutTies(a.size(), b.size(), static_cast<std::size_t>(test.u));
    return test;
}

double smallestRankP(std::size_t countA, std::size_t countB)
{
    if (countA == 0 || countB == 0)
        return 1.0;
    if (countA + countB > largestExactWithoutTies)
        return normalP(0.0, countA, countB, 0.0);
    return exactPWithoutTies(countA, countB, 0);
}

double welchTestP(std::span<const double> a, std::span<const double> b)
{
    if (a.size() < 2 || b.size() < 2)
        return 1.0;
    const MeanAndVariance first = describe(a);
    const MeanAndVariance second = describe(b);
    const double variance = first.varianceOfMean + second.varianceOfMean;
    const double difference = second.mean - first.mean;
    if (variance <= 0.0)
        return difference == 0.0 ? 1.0 : 0.0;
    const double shareA = first.varianceOfMean / variance;
    const double shareB = second.varianceOfMean / variance;
    const double freedom = 1.0
        / (shareA * shareA / static_cast<double>(a.size() - 1)
           + shareB * shareB / static_cast<double>(b.size() - 1));
    const double tSquared = difference * difference / variance;
    return regularizedBeta(freedom / (freedom + tSquared), freedom / 2.0, 0.5);
}

std::vector<double> benjaminiHochberg(std::span<const double> pValues)
{
    std::vector<std::size_t> order(pValues.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [pValues](std::size_t left, std::size_t right) {
        return pValues[left] < pValues[right];
    });
    std::vector<double> adjusted(pValues.size());
    const auto size = static_cast<double>(pValues.size());
    double smallest = 1.0;
    for (std::size_t rank = order.size(); rank-- > 0;) {
        const std::size_t index = order[rank];
        smallest = std::min(smallest, pValues[index] * size / static_cast<double>(rank + 1));
        adjusted[index] = smallest;
    }
    return adjusted;
}

} // namespace perilune
