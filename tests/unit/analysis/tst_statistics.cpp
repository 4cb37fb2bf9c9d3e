// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Statistics.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace perilune;

namespace {

using Values = std::vector<double>;

// Median and quantiles of these were computed with NumPy 1.24 and R 4.2.
const Values withTwoOutliers = {2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3};

bool isNear(double actual, double expected, double relative = 1e-12)
{
    return std::abs(actual - expected) <= relative * std::max(1.0, std::abs(expected));
}

} // namespace

class StatisticsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsMedian_data();
    void findsMedian();
    void findsQuantile_data();
    void findsQuantile();
    void findsMedianAbsoluteDeviation();
    void scoresOutliers();
    void scoresWhereMostValuesAreEqual();
    void summarizesBox();
    void randomNumbersAreTheSameEverywhere();
    void randomNumbersAreEven();
    void bootstrapIsDeterministic();
    void bootstrapAgreesWithFullEnumeration();
    void bootstrapNeedsFiniteRatios();
    void bootstrapCoversTheTruth();
};

void StatisticsTest::findsMedian_data()
{
    QTest::addColumn<Values>("values");
    QTest::addColumn<double>("expected");
    QTest::newRow("none") << Values{} << 0.0;
    QTest::newRow("one") << Values{3.0} << 3.0;
    QTest::newRow("odd, unsorted") << Values{9.0, 1.0, 5.0} << 5.0;
    QTest::newRow("even") << Values{9.0, 1.0, 5.0, 6.0} << 5.5;
    QTest::newRow("two outliers") << withTwoOutliers << 2.45;
}

void StatisticsTest::findsMedian()
{
    QFETCH(Values, values);
    QFETCH(double, expected);
    QCOMPARE(median(values), expected);
}

void StatisticsTest::findsQuantile_data()
{
    QTest::addColumn<double>("probability");
    QTest::addColumn<double>("expected");
    QTest::newRow("lowest") << 0.0 << 2.1;
    QTest::newRow("10 %") << 0.1 << 2.1;
    QTest::newRow("25 %") << 0.25 << 2.3;
    QTest::newRow("median") << 0.5 << 2.45;
    QTest::newRow("90 %") << 0.9 << 8.21;
    QTest::newRow("highest") << 1.0 << 8.3;
}

void StatisticsTest::findsQuantile()
{
    QFETCH(double, probability);
    QFETCH(double, expected);
    QVERIFY(isNear(quantile(withTwoOutliers, probability), expected));
}

void StatisticsTest::findsMedianAbsoluteDeviation()
{
    // The example of R's help page: mad(c(1:9)) is 2.9652.
    Values oneToNine(9);
    std::iota(oneToNine.begin(), oneToNine.end(), 1.0);
    QVERIFY(isNear(medianAbsoluteDeviation(oneToNine), 2.9652));
    QCOMPARE(medianAbsoluteDeviation(Values{}), 0.0);
    QCOMPARE(medianAbsoluteDeviation(Values{4.0, 4.0, 4.0, 9.0}), 0.0);
}

void StatisticsTest::scoresOutliers()
{
    // 0.6745 (x - median) / median deviation, computed with NumPy.
    const Values expected = {-1.57383333, 0.6745,  -0.22483333, 0.22483333,  -0.6745,
                             -1.57383333, -0.6745, 0.6745,      25.85583333, 26.3055};
    const Values scores = modifiedZScores(withTwoOutliers);
    QCOMPARE(scores.size(), expected.size());
    for (std::size_t i = 0; i < scores.size(); ++i)
        QVERIFY2(isNear(scores[i], expected[i], 1e-8), qPrintable(QString::number(scores[i])));
}

void StatisticsTest::scoresWhereMostValuesAreEqual()
{
    QCOMPARE(modifiedZScores(Values{5.0, 5.0, 5.0}), (Values{0.0, 0.0, 0.0}));
    // Median deviation 0, mean deviation 0.2: 1 / (1.253314 * 0.2).
    const Values scores = modifiedZScores(Values{5.0, 5.0, 5.0, 5.0, 6.0});
    QCOMPARE(scores[0], 0.0);
    QVERIFY(isNear(scores[4], 3.9894228, 1e-7));
    QVERIFY(modifiedZScores(Values{}).empty());
}

void StatisticsTest::summarizesBox()
{
    // R 4.2: boxplot.stats(c(1:10, 30)).
    Values values(10);
    std::iota(values.begin(), values.end(), 1.0);
    values.insert(values.begin(), 30.0);
    const BoxSummary box = summarizeBox(values);
    QCOMPARE(box.lowerWhisker, 1.0);
    QCOMPARE(box.lowerQuartile, 3.5);
    QCOMPARE(box.median, 6.0);
    QCOMPARE(box.upperQuartile, 8.5);
    QCOMPARE(box.upperWhisker, 10.0);
    QCOMPARE(box.outliers, Values{30.0});
    QVERIFY(summarizeBox(Values{}).outliers.empty());
}

void StatisticsTest::randomNumbersAreTheSameEverywhere()
{
    // The first outputs of SplitMix64 for the seed 1234567, as its reference code prints them.
    DeterministicRandom random(1234567);
    QCOMPARE(random.next(), std::uint64_t(6457827717110365317u));
    QCOMPARE(random.next(), std::uint64_t(3203168211198807973u));
    QCOMPARE(random.next(), std::uint64_t(9817491932198370423u));
}

void StatisticsTest::randomNumbersAreEven()
{
    DeterministicRandom random(7);
    std::vector<int> hits(10);
    double sum = 0.0;
    double squares = 0.0;
    constexpr int draws = 100000;
    for (int i = 0; i < draws; ++i) {
        ++hits[random.below(10)];
        const double value = random.normal();
        sum += value;
        squares += value * value;
    }
    // Five standard deviations of the counts and of the moments.
    for (const int count : hits)
        QVERIFY(std::abs(count - draws / 10) < 475);
    QVERIFY(std::abs(sum / draws) < 0.016);
    QVERIFY(std::abs(squares / draws - 1.0) < 0.023);
}

void StatisticsTest::bootstrapIsDeterministic()
{
    const Values a = {10.0, 11.0, 12.0, 13.0, 14.0};
    const Values b = {12.0, 13.0, 13.5, 14.0, 17.0};
    const auto first = bootstrapMedianRatio(a, b);
    const auto second = bootstrapMedianRatio(a, b);
    QVERIFY(first && second);
    QCOMPARE(first->lower, second->lower);
    QCOMPARE(first->upper, second->upper);
    QVERIFY(first->lower < first->upper);
}

void StatisticsTest::bootstrapAgreesWithFullEnumeration()
{
    // All 27 x 27 resamples of these were enumerated with NumPy: the ratio's cumulative
    // distribution is 0.733 to 0.067, 0.917 to 0.192, 1.067 to 0.317, … 1.5 to 0.808, 1.6 to
    // 0.933, 1.8 to 1.
    const Values a = {10.0, 12.0, 15.0};
    const Values b = {11.0, 16.0, 18.0};
    const auto wide = bootstrapMedianRatio(a, b, {.resamples = 20000, .level = 0.95, .seed = 1});
    QVERIFY(wide);
    QVERIFY(isNear(wide->lower, 11.0 / 15.0));
    QVERIFY(isNear(wide->upper, 18.0 / 10.0));
    const auto narrow = bootstrapMedianRatio(a, b, {.resamples = 20000, .level = 0.74, .seed = 1});
    QVERIFY(narrow);
    QVERIFY(isNear(narrow->lower, 11.0 / 12.0));
    QVERIFY(isNear(narrow->upper, 16.0 / 10.0));
    // The median of three: each outer value in 7 of 27 resamples.
    const auto one = bootstrapMedian(a, {.resamples = 20000, .level = 0.40, .seed = 1});
    QVERIFY(one);
    QVERIFY(isNear(one->lower, 12.0));
    QVERIFY(isNear(one->upper, 12.0));
}

void StatisticsTest::bootstrapNeedsFiniteRatios()
{
    QVERIFY(!bootstrapMedianRatio(Values{}, Values{1.0}));
    QVERIFY(!bootstrapMedianRatio(Values{1.0}, Values{}));
    QVERIFY(!bootstrapMedianRatio(Values{0.0, 0.0, 0.0}, Values{1.0, 2.0}));
    QVERIFY(!bootstrapMedian(Values{}));
    QVERIFY(bootstrapMedianRatio(Values{1.0, 2.0}, Values{0.0, 0.0}));
}

void StatisticsTest::bootstrapCoversTheTruth()
{
    // 95 % asked for; the percentile interval of a median of 10 covers a little less or more.
    DeterministicRandom random(99);
    int covered = 0;
    constexpr int trials = 1000;
    for (int trial = 0; trial < trials; ++trial) {
        Values a;
        Values b;
        for (int i = 0; i < 10; ++i) {
            a.push_back(std::exp(0.03 * random.normal()));
            b.push_back(1.2 * std::exp(0.03 * random.normal()));
        }
        const auto interval = bootstrapMedianRatio(a, b, {.resamples = 500});
        covered += interval && interval->contains(1.2) ? 1 : 0;
    }
    QVERIFY2(covered >= 920 && covered <= 990, qPrintable(QString::number(covered)));
}

QTEST_APPLESS_MAIN(StatisticsTest)
#include "tst_statistics.moc"
