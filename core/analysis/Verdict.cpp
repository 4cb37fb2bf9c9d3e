// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Verdict.h"

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

bool hasEnoughRuns(const ChangeEstimate& estimate, const VerdictRules& rules)
{
    return estimate.countA >= rules.minimumRuns && estimate.countB >= rules.minimumRuns;
}

double spreadOf(std::span<const double> values)
{
    const double centre = median(values);
    return centre == 0.0 ? 0.0 : medianAbsoluteDeviation(values) / std::abs(centre);
}

ChangeEstimate measure(std::span<const double> a, std::span<const double> b,
                       const VerdictRules& rules)
{
    ChangeEstimate estimate;
    estimate.countA = a.size();
    estimate.countB = b.size();
    estimate.medianA = median(a);
    estimate.medianB = median(b);
    if (estimate.medianA != 0.0 && !b.empty())
        estimate.ratio = estimate.medianB / estimate.medianA;
    if (!hasEnoughRuns(estimate, rules))
        return estimate;
    BootstrapOptions bootstrap = rules.bootstrap;
    bootstrap.level = 1.0 - rules.level;
    estimate.interval = bootstrapMedianRatio(a, b, bootstrap);
    estimate.spread = std::max(spreadOf(a), spreadOf(b));
    estimate.rankTest = mannWhitneyTest(a, b);
    estimate.welchP = welchTestP(a, b);
    estimate.adjustedP = estimate.rankTest.p;
    return estimate;
}

bool exceedsThreshold(const ChangeEstimate& estimate, const VerdictRules& rules)
{
    return std::abs(estimate.medianB - estimate.medianA)
        > rules.threshold * std::abs(estimate.medianA);
}

bool exceedsDrift(const ChangeEstimate& estimate, const VerdictRules& rules)
{
    if (!estimate.ratio || *estimate.ratio <= 0.0)
        return true;
    return std::abs(std::log(*estimate.ratio)) > driftAllowance(estimate, rules);
}

Verdict judge(const ChangeEstimate& estimate, const VerdictRules& rules)
{
    if (!hasEnoughRuns(estimate, rules))
        return Verdict::TooFewRuns;
    const bool isSignificant =
        estimate.rankTest.p <= rules.level && estimate.adjustedP <= rules.level;
    const bool mayBeEqual = estimate.interval && estimate.interval->contains(1.0);
    const bool isLarge = exceedsThreshold(estimate, rules) && exceedsDrift(estimate, rules);
    if (!isSignificant || mayBeEqual || !isLarge)
        return Verdict::NoClearChange;
    return estimate.medianB > estimate.medianA ? Verdict::Slower : Verdict::Faster;
}

bool isTestable(const SamplePair& pair, const ChangeEstimate& estimate, const VerdictRules& rules)
{
    if (!hasEnoughRuns(estimate, rules))
        return false;
    const double first = pair.a.front();
    const auto differs = [first](double value) { return value != first; };
    return std::any_of(pair.a.begin(), pair.a.end(), differs)
        || std::any_of(pair.b.begin(), pair.b.end(), differs);
}

/// Ranks, unless a single fully separated comparison could not pass with them.
FamilyCorrection correctionFor(const std::vector<ChangeEstimate>& estimates,
                               const std::vector<std::size_t>& family, const VerdictRules& rules)
{
    if (family.size() < 2)
        return FamilyCorrection::None;
    std::size_t countA = 0;
    std::size_t countB = 0;
    for (const std::size_t index : family) {
        countA = std::max(countA, estimates[index].countA);
        countB = std::max(countB, estimates[index].countB);
    }
    const double best = smallestRankP(countA, countB);
    const bool canPass = best * static_cast<double>(family.size()) <= rules.level;
    return canPass ? FamilyCorrection::Ranks : FamilyCorrection::Welch;
}

void adjust(std::vector<ChangeEstimate>& estimates, const std::vector<std::size_t>& family,
            FamilyCorrection correction)
{
    std::vector<double> pValues;
    pValues.reserve(family.size());
    for (const std::size_t index : family) {
        const ChangeEstimate& estimate = estimates[index];
        pValues.push_back(correction == FamilyCorrection::Welch ? estimate.welchP
                                                                : estimate.rankTest.p);
    }
    const std::vector<double> adjusted = benjaminiHochberg(pValues);
    for (std::size_t i = 0; i < family.size(); ++i) {
        ChangeEstimate& estimate = estimates[family[i]];
        estimate.adjustedP = adjusted[i];
        estimate.correction = correction;
        estimate.familySize = family.size();
    }
}

} // namespace

double driftAllowance(const ChangeEstimate& estimate, const VerdictRules& rules)
{
    return rules.driftFactor * std::max(0.0, estimate.spread - rules.steadySpread);
}

ChangeEstimate assessChange(std::span<const double> a, std::span<const double> b,
                            const VerdictRules& rules)
{
    ChangeEstimate estimate = measure(a, b, rules);
    estimate.verdict = judge(estimate, rules);
    return estimate;
}

std::vector<ChangeEstimate> assessFamily(std::span<const SamplePair> pairs,
                                         const VerdictRules& rules)
{
    std::vector<ChangeEstimate> estimates;
    estimates.reserve(pairs.size());
    std::vector<std::size_t> family;
    for (const SamplePair& pair : pairs) {
        estimates.push_back(measure(pair.a, pair.b, rules));
        if (isTestable(pair, estimates.back(), rules))
            family.push_back(estimates.size() - 1);
    }
    adjust(estimates, family, correctionFor(estimates, family, rules));
    for (ChangeEstimate& estimate : estimates)
        estimate.verdict = judge(estimate, rules);
    return estimates;
}

} // namespace perilune
