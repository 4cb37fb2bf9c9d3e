// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/SignificanceTests.h"
#include "core/analysis/Statistics.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace perilune;

namespace {

using Values = std::vector<double>;

// Hollander and Wolfe (1973), as in the examples of R's help page of wilcox.test.
const Values chorioamnionTerm = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
const Values chorioamnionEarly = {1.15, 0.88, 0.90, 0.74, 1.21};
// Student's sleep data (R's data set `sleep`), which has ties.
const Values sleepFirst = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const Values sleepSecond = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
// The example of SciPy's documentation of mannwhitneyu.
const Values diagnosedMales = {19, 22, 16, 29, 24};
const Values diagnosedFemales = {20, 11, 17, 12};

Values sequence(std::size_t count, double first, double step)
{
    Values values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = first + step * static_cast<double>(i);
    return values;
}

bool isNear(double actual, double expected, double relative)
{
    return std::abs(actual - expected) <= relative * std::abs(expected);
}

/// The two-sided p by dealing the pooled values to the groups in every possible way.
double enumeratedP(const Values& a, const Values& b)
{
    Values pool = a;
    pool.insert(pool.end(), b.begin(), b.end());
    const auto countU = [](const Values& left, const Values& right) {
        double u = 0.0;
        for (const double x : left)
            for (const double y : right)
                u += y > x ? 1.0 : (y == x ? 0.5 : 0.0);
        return u;
    };
    const double observed = countU(a, b);
    std::vector<char> isB(pool.size(), 0);
    std::fill(isB.end() - static_cast<std::ptrdiff_t>(b.size()), isB.end(), 1);
    int all = 0;
    int lower = 0;
    int upper = 0;
    do {
        Values left;
        Values right;
        for (std::size_t i = 0; i < pool.size(); ++i)
            (isB[i] ? right : left).push_back(pool[i]);
        const double u = countU(left, right);
        ++all;
        lower += u <= observed ? 1 : 0;
        upper += u >= observed ? 1 : 0;
    } while (std::next_permutation(isB.begin(), isB.end()));
    return std::min(1.0, 2.0 * std::min(lower, upper) / all);
}

} // namespace

class SignificanceTestsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void agreesWithPublishedRankTests_data();
    void agreesWithPublishedRankTests();
    void agreesWithEnumeration();
    void choosesMethodBySize();
    void rankTestOfDegenerateData();
    void knowsTheSmallestP();
    void agreesWithPublishedWelchTests_data();
    void agreesWithPublishedWelchTests();
    void adjustsForManyTests();
};

void SignificanceTestsTest::agreesWithPublishedRankTests_data()
{
    QTest::addColumn<Values>("a");
    QTest::addColumn<Values>("b");
    QTest::addColumn<int>("method");
    QTest::addColumn<double>("u");
    QTest::addColumn<double>("p");
    const int exact = static_cast<int>(RankTestMethod::Exact);
    const int normal = static_cast<int>(RankTestMethod::Normal);
    // R 4.2 wilcox.test(x, y) and SciPy 1.10 mannwhitneyu(method="exact" or "asymptotic").
    QTest::newRow("chorioamnion, exact (R)")
        << chorioamnionTerm << chorioamnionEarly << exact << 15.0 << 0.254412254412254;
    QTest::newRow("chorioamnion, normal (SciPy)")
        << chorioamnionTerm << chorioamnionEarly << normal << 15.0 << 0.24462360512698333;
    QTest::newRow("diagnoses, exact (SciPy documentation)")
        << diagnosedMales << diagnosedFemales << exact << 3.0 << 0.1111111111111111;
    QTest::newRow("diagnoses, normal (SciPy documentation)")
        << diagnosedMales << diagnosedFemales << normal << 3.0 << 0.11134688653314041;
    QTest::newRow("sleep, ties, normal (R)")
        << sleepFirst << sleepSecond << normal << 74.5 << 0.0693275754336266;
    // All 184,756 ways enumerated with Python, mid-ranks from SciPy: 2 * 6080 of them.
    QTest::newRow("sleep, ties, exact")
        << sleepFirst << sleepSecond << exact << 74.5 << 12160.0 / 184756.0;
    // SciPy permutation_test of the U statistic over all 252 ways.
    QTest::newRow("few with ties, exact (SciPy)")
        << Values{1, 2, 2, 3, 5} << Values{2, 3, 4, 4, 6} << exact << 18.5 << 0.2222222222222222;
    QTest::newRow("few with ties, normal (SciPy)")
        << Values{1, 2, 2, 3, 5} << Values{2, 3, 4, 4, 6} << normal << 18.5 << 0.2418443040494631;
    QTest::newRow("25 + 25, exact (SciPy)")
        << sequence(25, 0.5, 2) << sequence(25, 8, 2) << exact << 394.0 << 0.11663881126432636;
    QTest::newRow("30 + 30, normal (SciPy)")
        << sequence(30, 0, 2) << sequence(30, 8, 2) << normal << 562.0 << 0.09913550696221952;
    QTest::newRow("5 + 5 apart") << sequence(5, 1, 1) << sequence(5, 6, 1) << exact << 25.0
                                 << 2.0 / 252.0;
    QTest::newRow("10 + 10 apart")
        << sequence(10, 1, 1) << sequence(10, 11, 1) << exact << 100.0 << 2.0 / 184756.0;
}

void SignificanceTestsTest::agreesWithPublishedRankTests()
{
    QFETCH(Values, a);
    QFETCH(Values, b);
    QFETCH(int, method);
    QFETCH(double, u);
    QFETCH(double, p);
    const RankTest test = mannWhitneyTest(a, b, static_cast<RankTestMethod>(method));
    QCOMPARE(test.u, u);
    QVERIFY2(isNear(test.p, p, 1e-12), qPrintable(QString::number(test.p, 'g', 17)));
    // Swapping the sides mirrors U and leaves p.
    const RankTest swapped = mannWhitneyTest(b, a, static_cast<RankTestMethod>(method));
    QCOMPARE(swapped.u, static_cast<double>(a.size() * b.size()) - u);
    QVERIFY(isNear(swapped.p, p, 1e-12));
}

void SignificanceTestsTest::agreesWithEnumeration()
{
    DeterministicRandom random(5);
    for (int trial = 0; trial < 60; ++trial) {
        Values a(2 + random.below(4));
        Values b(2 + random.below(4));
        const std::uint32_t distinct = 2 + random.below(9); // Few distinct values: many ties.
        for (Values* values : {&a, &b})
            for (double& value : *values)
                value = random.below(distinct);
        const double expected = enumeratedP(a, b);
        const RankTest test = mannWhitneyTest(a, b);
        QVERIFY(test.isExact);
        QVERIFY2(isNear(test.p, expected, 1e-12), qPrintable(QString::number(trial)));
    }
}

void SignificanceTestsTest::choosesMethodBySize()
{
    QVERIFY(mannWhitneyTest(sequence(25, 0, 2), sequence(25, 1, 2)).isExact);
    QVERIFY(!mannWhitneyTest(sequence(26, 0, 2), sequence(25, 1, 2)).isExact);
    QVERIFY(mannWhitneyTest(sequence(12, 0, 2), sequence(12, 0, 2)).isExact);
    QVERIFY(!mannWhitneyTest(sequence(13, 0, 2), sequence(12, 0, 2)).isExact);
}

void SignificanceTestsTest::rankTestOfDegenerateData()
{
    QCOMPARE(mannWhitneyTest(Values{}, Values{1.0}).p, 1.0);
    QCOMPARE(mannWhitneyTest(Values{1.0}, Values{}).p, 1.0);
    QCOMPARE(mannWhitneyTest(Values{3.0, 3.0}, Values{3.0, 3.0, 3.0}).p, 1.0);
    QCOMPARE(mannWhitneyTest(Values(40, 3.0), Values(40, 3.0)).p, 1.0);
    QCOMPARE(mannWhitneyTest(Values{1.0}, Values{2.0}).p, 1.0);
}

void SignificanceTestsTest::knowsTheSmallestP()
{
    QVERIFY(isNear(smallestRankP(5, 5), 2.0 / 252.0, 1e-12));
    QVERIFY(isNear(smallestRankP(5, 10), 2.0 / 3003.0, 1e-12));
    QVERIFY(smallestRankP(40, 40) < 1e-12);
    QCOMPARE(smallestRankP(0, 5), 1.0);
}

void SignificanceTestsTest::agreesWithPublishedWelchTests_data()
{
    QTest::addColumn<Values>("a");
    QTest::addColumn<Values>("b");
    QTest::addColumn<double>("p");
    // R 4.2: t.test(extra ~ group, data = sleep), published on its help page as 0.07939.
    QTest::newRow("sleep (R)") << sleepFirst << sleepSecond << 0.0793941401873582;
    // SciPy 1.10 ttest_ind(equal_var=False).
    QTest::newRow("one side constant")
        << Values{10, 10, 10} << Values{10, 10.1, 10.2} << 0.22540333075851657;
    QTest::newRow("far apart") << Values{1, 2, 3, 4, 5} << Values{101, 102, 103, 104, 106}
                               << 6.230010983807141e-13;
    QTest::newRow("two and two") << Values{1.0, 1.2} << Values{5.0, 9.0} << 0.20730505359071885;
    QTest::newRow("equal constants") << Values{4, 4} << Values{4, 4, 4} << 1.0;
    QTest::newRow("different constants") << Values{4, 4} << Values{5, 5} << 0.0;
    QTest::newRow("too few") << Values{4} << Values{5, 6} << 1.0;
}

void SignificanceTestsTest::agreesWithPublishedWelchTests()
{
    QFETCH(Values, a);
    QFETCH(Values, b);
    QFETCH(double, p);
    QVERIFY2(isNear(welchTestP(a, b), p, 1e-9),
             qPrintable(QString::number(welchTestP(a, b), 'g', 17)));
    QVERIFY(isNear(welchTestP(b, a), p, 1e-9));
}

void SignificanceTestsTest::adjustsForManyTests()
{
    // The 15 p values of Benjamini and Hochberg (1995); adjusted by R 4.2 p.adjust(p, "BH"). The
    // paper rejects the first four at 5 %.
    const Values ordered = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                            0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
    const Values expected = {0.0015,
                             0.003,
                             0.0095,
                             0.035625,
                             0.0603,
                             0.0638571428571429,
                             0.0638571428571429,
                             0.0645,
                             0.0765,
                             0.486,
                             0.5811818181818181,
                             0.714875,
                             0.7532307692307693,
                             0.8132142857142857,
                             1.0};
    const Values adjusted = benjaminiHochberg(ordered);
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(isNear(adjusted[i], expected[i], 1e-12));
    QCOMPARE(std::count_if(adjusted.begin(), adjusted.end(), [](double p) { return p <= 0.05; }),
             4);

    const Values reversed(ordered.rbegin(), ordered.rend());
    const Values adjustedReversed = benjaminiHochberg(reversed);
    QVERIFY(std::equal(adjusted.begin(), adjusted.end(), adjustedReversed.rbegin()));
    QVERIFY(benjaminiHochberg(Values{}).empty());
}

QTEST_APPLESS_MAIN(SignificanceTestsTest)
#include "tst_significancetests.moc"
