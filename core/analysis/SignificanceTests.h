// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perilune {

/// How the p value of a rank test was found.
enum class RankTestMethod
{
    Automatic, ///< Exact where that is cheap, else the normal approximation.
    Exact,     ///< Over all ways to deal the ranks to the two groups, ties as they are.
    Normal,    ///< With continuity correction and, for ties, the reduced variance.
};

/// Result of the two-sided Mann–Whitney test.
struct RankTest
{
    double u = 0.0; ///< Pairs in which b is larger than a; equal pairs count one half.
    double p = 1.0;
    bool isExact = true;
};

/// Two-sided Mann–Whitney U test of `a` against `b`; p is 1 when a side is empty or all values are
/// equal. Two-sided means twice the smaller tail, at most 1. `method` Exact needs time in the order
/// of the cube of the group sizes.
RankTest mannWhitneyTest(std::span<const double> a, std::span<const double> b,
                         RankTestMethod method = RankTestMethod::Automatic);

/// The smallest p value that mannWhitneyTest() can give for groups of these sizes without ties.
double smallestRankP(std::size_t countA, std::size_t countB);

/// Two-sided p value of Welch's t test, which does not assume equal variances; 1 when a side has
/// fewer than two values, 1 or 0 when neither side varies and the means are or are not equal.
double welchTestP(std::span<const double> a, std::span<const double> b);

/// P values adjusted for their number by Benjamini and Hochberg, in the order given: calling all
/// with an adjusted value of at most q significant keeps the share of false ones among them at q.
std::vector<double> benjaminiHochberg(std::span<const double> pValues);

} // namespace perilune
