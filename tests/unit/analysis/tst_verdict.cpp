// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Verdict.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace perilune;

namespace {

using Values = std::vector<double>;

/// Run times as timings of programs are: skewed a little, and now and then far too long because
/// something else ran.
Values simulateRuns(DeterministicRandom& random, std::size_t count, double centre, double noise)
{
    Values runs;
    for (std::size_t i = 0; i < count; ++i) {
        const double spike = random.uniform() < 0.05 ? 1.0 + 0.3 * random.uniform() : 1.0;
        runs.push_back(centre * std::exp(noise * random.normal()) * spike);
    }
    return runs;
}

int countClaims(int trials, std::size_t runs, double ratio, double noise, Verdict wanted)
{
    // The interval decides nothing unless the rank test has already found something; 300 resamples
    // keep 10,000 trials short.
    VerdictRules rules;
    rules.bootstrap.resamples = 300;
    DeterministicRandom random(runs * 1000003 + static_cast<std::uint64_t>(ratio * 1000.0));
    int claims = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const Values a = simulateRuns(random, runs, 1e9, noise);
        const Values b = simulateRuns(random, runs, ratio * 1e9, noise);
        const Verdict verdict = assessChange(a, b, rules).verdict;
        claims += (wanted == Verdict::NoClearChange ? isClear(verdict) : verdict == wanted) ? 1 : 0;
    }
    return claims;
}

std::vector<SamplePair> simulateFamily(DeterministicRandom& random, std::size_t size,
                                       std::size_t runs, double noise)
{
    std::vector<SamplePair> family;
    for (std::size_t i = 0; i < size; ++i)
        family.push_back(
            {simulateRuns(random, runs, 1e6, noise), simulateRuns(random, runs, 1e6, noise)});
    return family;
}

} // namespace

class VerdictTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void judges_data();
    void judges();
    void asksMoreOfUnsteadyRuns();
    void claimsLittleWhereTheMachineDrifts();
    void estimatesTheChange();
    void claimsNothingWithoutDifference_data();
    void claimsNothingWithoutDifference();
    void findsTrueSlowdown_data();
    void findsTrueSlowdown();
    void familyWithoutDifference_data();
    void familyWithoutDifference();
    void familyWithOneChange_data();
    void familyWithOneChange();
    void familyLeavesOutWhatNeverVaries();
};

void VerdictTest::judges_data()
{
    QTest::addColumn<Values>("a");
    QTest::addColumn<Values>("b");
    QTest::addColumn<int>("verdict");
    const Values five = {100, 101, 102, 103, 104};
    const auto row = [](const char* name, const Values& a, const Values& b, Verdict verdict) {
        QTest::newRow(name) << a << b << static_cast<int>(verdict);
    };
    row("nothing", {}, {}, Verdict::TooFewRuns);
    row("single runs", {100}, {200}, Verdict::TooFewRuns);
    row("4 + 5, twice as slow", {100, 101, 102, 103}, {200, 201, 202, 203, 204},
        Verdict::TooFewRuns);
    row("5 + 4, twice as slow", five, {200, 201, 202, 203}, Verdict::TooFewRuns);
    row("5 + 5, twice as slow", five, {200, 201, 202, 203, 204}, Verdict::Slower);
    row("5 + 5, twice as fast", five, {50, 51, 52, 53, 49}, Verdict::Faster);
    row("same values", five, five, Verdict::NoClearChange);
    row("overlapping", five, {101, 102, 103, 105, 106}, Verdict::NoClearChange);
    row("apart, but under the threshold", {100.0, 100.1, 100.2, 100.3, 100.4},
        {100.5, 100.6, 100.7, 100.8, 100.9}, Verdict::NoClearChange);
    row("never there before", {0, 0, 0, 0, 0}, {7, 7, 8, 8, 9}, Verdict::Slower);
    row("gone", {7, 7, 8, 8, 9}, {0, 0, 0, 0, 0}, Verdict::Faster);
    row("one wild run on each side", {100, 101, 102, 103, 900}, {100, 101, 102, 104, 950},
        Verdict::NoClearChange);
}

void VerdictTest::judges()
{
    QFETCH(Values, a);
    QFETCH(Values, b);
    QFETCH(int, verdict);
    QCOMPARE(static_cast<int>(assessChange(a, b).verdict), verdict);
}

void VerdictTest::asksMoreOfUnsteadyRuns()
{
    // Ten runs each that do not overlap, but vary by a fifth among themselves: on a busy machine
    // the next ten may lie anywhere.
    const Values a = {100, 120, 80, 110, 90, 130, 85, 105, 95, 115};
    Values b;
    for (const double value : a)
        b.push_back(value * 1.65);
    const ChangeEstimate unsteady = assessChange(a, b);
    QVERIFY(unsteady.rankTest.p < 0.001);
    QVERIFY(unsteady.spread > 0.15);
    QVERIFY(driftAllowance(unsteady, {}) > std::log(1.4));
    for (double& value : b)
        value /= 1.25;
    QVERIFY(assessChange(a, b).rankTest.p < 0.05);
    QVERIFY(assessChange(a, b).verdict == Verdict::NoClearChange);
    // Three times as slow is beyond any drift.
    for (double& value : b)
        value *= 3.0;
    QVERIFY(assessChange(a, b).verdict == Verdict::Slower);
}

void VerdictTest::claimsLittleWhereTheMachineDrifts()
{
    // Between groups the level wanders nearly as much as runs vary within them; no test of
    // independent runs can tell that from a change.
    VerdictRules rules;
    rules.bootstrap.resamples = 100;
    VerdictRules plain = rules;
    plain.driftFactor = 0.0;
    DeterministicRandom random(23);
    constexpr int trials = 1000;
    int claims = 0;
    int plainClaims = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const Values a = simulateRuns(random, 10, std::exp(0.2 * random.normal()), 0.3);
        const Values b = simulateRuns(random, 10, std::exp(0.2 * random.normal()), 0.3);
        claims += isClear(assessChange(a, b, rules).verdict) ? 1 : 0;
        plainClaims += isClear(assessChange(a, b, plain).verdict) ? 1 : 0;
    }
    qInfo("%d of %d claim a change; %d without the allowance", claims, trials, plainClaims);
    QVERIFY(claims * 20 <= trials);
    QVERIFY(plainClaims * 5 > trials);
}

void VerdictTest::estimatesTheChange()
{
    const Values a = {100, 101, 102, 103, 104};
    const Values b = {110, 111, 112.2, 113, 114};
    const ChangeEstimate estimate = assessChange(a, b);
    QCOMPARE(estimate.countA, std::size_t(5));
    QCOMPARE(estimate.medianA, 102.0);
    QCOMPARE(estimate.medianB, 112.2);
    QVERIFY(estimate.ratio && std::abs(*estimate.ratio - 1.1) < 1e-12);
    QVERIFY(estimate.interval && estimate.interval->contains(1.1)
            && !estimate.interval->contains(1.0));
    QCOMPARE(estimate.adjustedP, estimate.rankTest.p);
    QCOMPARE(static_cast<int>(estimate.correction), static_cast<int>(FamilyCorrection::None));

    const ChangeEstimate single = assessChange(Values{100}, Values{110});
    QVERIFY(single.ratio && std::abs(*single.ratio - 1.1) < 1e-12);
    QVERIFY(!single.interval);
    QVERIFY(!assessChange(Values{0}, Values{110}).ratio);

    VerdictRules strict;
    strict.threshold = 0.2;
    QCOMPARE(static_cast<int>(assessChange(a, b, strict).verdict),
             static_cast<int>(Verdict::NoClearChange));
}

void VerdictTest::claimsNothingWithoutDifference_data()
{
    QTest::addColumn<int>("trials");
    QTest::addColumn<int>("runs");
    QTest::addColumn<double>("noise");
    QTest::newRow("10,000 pairs of 10 + 10, noise 2 %") << 10000 << 10 << 0.02;
    QTest::newRow("10,000 pairs of 5 + 5, noise 5 %") << 10000 << 5 << 0.05;
    QTest::newRow("2,000 pairs of 30 + 30, noise 10 %") << 2000 << 30 << 0.10;
}

void VerdictTest::claimsNothingWithoutDifference()
{
    QFETCH(int, trials);
    QFETCH(int, runs);
    QFETCH(double, noise);
    const int claims =
        countClaims(trials, static_cast<std::size_t>(runs), 1.0, noise, Verdict::NoClearChange);
    qInfo("%d of %d claim a change", claims, trials);
    QVERIFY(claims * 20 <= trials);
}

void VerdictTest::findsTrueSlowdown_data()
{
    QTest::addColumn<double>("noise");
    QTest::newRow("noise 1 %") << 0.01;
    QTest::newRow("noise 2 %") << 0.02;
    QTest::newRow("noise 2.5 %") << 0.025;
}

void VerdictTest::findsTrueSlowdown()
{
    QFETCH(double, noise);
    constexpr int trials = 2000;
    const int found = countClaims(trials, 10, 1.05, noise, Verdict::Slower);
    qInfo("%d of %d found", found, trials);
    QVERIFY(found * 10 >= trials * 8);
    QCOMPARE(countClaims(trials, 10, 1.05, noise, Verdict::Faster), 0);
}

void VerdictTest::familyWithoutDifference_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("runs");
    QTest::addColumn<int>("correction");
    QTest::newRow("40 functions, 5 + 5") << 40 << 5 << static_cast<int>(FamilyCorrection::Welch);
    QTest::newRow("40 functions, 7 + 7") << 40 << 7 << static_cast<int>(FamilyCorrection::Ranks);
    QTest::newRow("40 functions, 10 + 10") << 40 << 10 << static_cast<int>(FamilyCorrection::Ranks);
    QTest::newRow("5 functions, 5 + 5") << 5 << 5 << static_cast<int>(FamilyCorrection::Ranks);
}

void VerdictTest::familyWithoutDifference()
{
    QFETCH(int, size);
    QFETCH(int, runs);
    QFETCH(int, correction);
    VerdictRules rules;
    rules.bootstrap.resamples = 100;
    DeterministicRandom random(static_cast<std::uint64_t>(size * 100 + runs));
    constexpr int trials = 400;
    int families = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const auto family = simulateFamily(random, static_cast<std::size_t>(size),
                                           static_cast<std::size_t>(runs), 0.05);
        const auto estimates = assessFamily(family, rules);
        QCOMPARE(static_cast<int>(estimates.front().correction), correction);
        families += std::any_of(estimates.begin(), estimates.end(),
                                [](const ChangeEstimate& e) { return isClear(e.verdict); });
    }
    qInfo("%d of %d families claim a change somewhere", families, trials);
    QVERIFY(families * 20 <= trials);
}

void VerdictTest::familyWithOneChange_data()
{
    QTest::addColumn<int>("runs");
    QTest::addColumn<double>("ratio");
    QTest::newRow("5 + 5, 30 % slower") << 5 << 1.3;
    QTest::newRow("10 + 10, 10 % slower") << 10 << 1.1;
}

void VerdictTest::familyWithOneChange()
{
    QFETCH(int, runs);
    QFETCH(double, ratio);
    VerdictRules rules;
    rules.bootstrap.resamples = 100;
    DeterministicRandom random(17);
    constexpr int trials = 400;
    int found = 0;
    double falseShares = 0.0;
    for (int trial = 0; trial < trials; ++trial) {
        auto family = simulateFamily(random, 40, static_cast<std::size_t>(runs), 0.02);
        for (double& value : family[7].b)
            value *= ratio;
        const auto estimates = assessFamily(family, rules);
        const auto claims =
            std::count_if(estimates.begin(), estimates.end(),
                          [](const ChangeEstimate& e) { return isClear(e.verdict); });
        const bool isFound = estimates[7].verdict == Verdict::Slower;
        found += isFound ? 1 : 0;
        if (claims > 0)
            falseShares +=
                static_cast<double>(claims - (isFound ? 1 : 0)) / static_cast<double>(claims);
    }
    qInfo("found in %d of %d families; mean share of false claims %.1f %%", found, trials,
          100.0 * falseShares / trials);
    QVERIFY(found * 4 >= trials * 3);
    // What Benjamini and Hochberg promise: the mean share of false ones among the claims.
    QVERIFY(falseShares <= 0.05 * trials);
}

void VerdictTest::familyLeavesOutWhatNeverVaries()
{
    const SamplePair changed = {{10, 11, 12, 13, 14}, {20, 21, 22, 23, 24}};
    const SamplePair constant = {Values(5, 3.0), Values(5, 3.0)};
    const SamplePair single = {{1}, {2}};
    const std::vector<SamplePair> pairs = {constant, changed, single, constant};
    const auto estimates = assessFamily(pairs);
    QCOMPARE(estimates.size(), std::size_t(4));
    QCOMPARE(estimates[1].familySize, std::size_t(1));
    QVERIFY(estimates[1].verdict == Verdict::Slower);
    QVERIFY(estimates[0].verdict == Verdict::NoClearChange);
    QVERIFY(estimates[2].verdict == Verdict::TooFewRuns);
    QVERIFY(assessFamily({}).empty());
}

QTEST_APPLESS_MAIN(VerdictTest)
#include "tst_verdict.moc"
