// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/History.h"

#include <QString>
#include <QTest>

#include <cmath>
#include <string>
#include <vector>

using namespace perilune;

namespace {

using Values = std::vector<double>;

std::vector<HistoryEntry> entriesFrom(const Values& values)
{
    std::vector<HistoryEntry> entries;
    for (const double value : values) {
        HistoryEntry entry;
        entry.repeats = {value};
        entries.push_back(entry);
    }
    return entries;
}

/// One character a point: . nothing, o o outside above or below, ^ v change points, * outside after
/// one.
QString marksOf(const HistoryAnalysis& analysis)
{
    QString marks;
    for (const HistoryPoint& point : analysis.points) {
        switch (point.mark) {
        case HistoryMark::Above:
        case HistoryMark::Below:
            marks += u'o';
            break;
        case HistoryMark::ShiftUp:
            marks += u'^';
            break;
        case HistoryMark::ShiftDown:
            marks += u'v';
            break;
        case HistoryMark::None:
            marks += point.isOutside ? u'*' : u'.';
            break;
        }
    }
    return marks;
}

} // namespace

class HistoryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void marks_data();
    void marks();
    void describesRepeats();
    void breaksWhereTheSetUpChanges();
    void passesOverFailedRuns();
    void leavesOutWhatTheUserLeavesOut();
    void marksFewChangePointsInNoise();
    void findsShiftsInNoise();
};

void HistoryTest::marks_data()
{
    QTest::addColumn<Values>("values");
    QTest::addColumn<QString>("marks");
    const Values calm = {100, 101, 99, 100, 102, 101};
    const auto after = [&calm](const Values& more) {
        Values values = calm;
        values.insert(values.end(), more.begin(), more.end());
        return values;
    };
    QTest::newRow("nothing") << Values{} << QString();
    QTest::newRow("calm") << calm << QStringLiteral("......");
    QTest::newRow("too few to judge") << Values{100, 101, 99, 100, 200} << QStringLiteral(".....");
    QTest::newRow("one run outside is an outlier only")
        << after({130, 100, 101}) << QStringLiteral("......o..");
    QTest::newRow("two in a row are a change point")
        << after({130, 131, 130, 132}) << QStringLiteral("......^*..");
    QTest::newRow("faster") << after({80, 81, 80}) << QStringLiteral("......v*.");
    QTest::newRow("two in a row on different sides are two outliers")
        << after({130, 70, 100}) << QStringLiteral("......oo.");
    QTest::newRow("two outliers with a calm run between")
        << after({130, 100, 131, 100}) << QStringLiteral("......o.o.");
    QTest::newRow("back again after a new level")
        << after({130, 131, 130, 132, 129, 130, 100, 101}) << QStringLiteral("......^*....v*");
    QTest::newRow("equal runs, a change within 1 % is none")
        << Values{100, 100, 100, 100, 100, 100, 100.9, 100.9} << QStringLiteral("........");
    QTest::newRow("equal runs, a change beyond 1 %")
        << Values{100, 100, 100, 100, 100, 100, 101.1, 101.1} << QStringLiteral("......^*");
}

void HistoryTest::marks()
{
    QFETCH(Values, values);
    QFETCH(QString, marks);
    QCOMPARE(marksOf(analyseHistory(entriesFrom(values))), marks);
}

void HistoryTest::describesRepeats()
{
    HistoryEntry entry;
    entry.repeats = {140, 101, 100, 102, 99, 101, 100};
    const HistoryAnalysis analysis = analyseHistory(std::vector<HistoryEntry>{entry});
    const HistoryPoint& point = analysis.points.front();
    QCOMPARE(point.median, 101.0);
    QCOMPARE(point.repeatCount, std::size_t(7));
    QVERIFY(point.interval && point.interval->contains(101.0));
    QCOMPARE(point.box.outliers, Values{140.0});
    QVERIFY(point.isFirstRepeatSlow);
    QVERIFY(!point.band);

    entry.repeats = {101, 140, 100, 102, 99, 101, 100};
    QVERIFY(!analyseHistory(std::vector<HistoryEntry>{entry}).points.front().isFirstRepeatSlow);
    entry.repeats = {140, 100};
    QVERIFY(!analyseHistory(std::vector<HistoryEntry>{entry}).points.front().interval);
}

void HistoryTest::breaksWhereTheSetUpChanges()
{
    auto entries = entriesFrom({100, 101, 99, 100, 102, 101, 200, 201, 199});
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].setUp = i < 6 ? "Lua 5.4" : "Lua 5.1";
    const HistoryAnalysis analysis = analyseHistory(entries);
    QCOMPARE(marksOf(analysis), QStringLiteral("........."));
    QCOMPARE(analysis.breaks.size(), std::size_t(1));
    QCOMPARE(analysis.breaks[0].point, std::size_t(6));
    QCOMPARE(analysis.breaks[0].before, std::string("Lua 5.4"));
    QCOMPARE(analysis.breaks[0].after, std::string("Lua 5.1"));
    QCOMPARE(analysis.points[5].segment, std::size_t(0));
    QCOMPARE(analysis.points[6].segment, std::size_t(1));
}

void HistoryTest::passesOverFailedRuns()
{
    auto entries = entriesFrom({100, 101, 99, 100, 102, 101, 130, 5, 131, 130});
    entries[7].isFailed = true;
    entries[7].setUp = "another";
    const HistoryAnalysis analysis = analyseHistory(entries);
    QCOMPARE(marksOf(analysis), QStringLiteral("......^.*."));
    QVERIFY(!analysis.points[7].hasValue());
    QVERIFY(analysis.breaks.empty());
}

void HistoryTest::leavesOutWhatTheUserLeavesOut()
{
    auto entries = entriesFrom({100, 101, 99, 100, 102, 101, 130, 100, 131});
    entries[6].isLeftOut = true;
    const HistoryAnalysis analysis = analyseHistory(entries);
    QCOMPARE(marksOf(analysis), QStringLiteral("........o"));
    QVERIFY(analysis.points[6].band);
    QCOMPARE(analysis.points[6].median, 130.0);
}

void HistoryTest::marksFewChangePointsInNoise()
{
    // 100 series of 100 runs with 3 % noise and no change: single outliers are to be expected, two
    // in a row on one side seldom.
    DeterministicRandom random(3);
    int changePoints = 0;
    for (int series = 0; series < 100; ++series) {
        Values values;
        for (int i = 0; i < 100; ++i)
            values.push_back(100.0 * std::exp(0.03 * random.normal()));
        const QString marks = marksOf(analyseHistory(entriesFrom(values)));
        changePoints += static_cast<int>(marks.count(u'^') + marks.count(u'v'));
    }
    qInfo("%d change points in 10,000 runs without a change", changePoints);
    QVERIFY(changePoints <= 25);
}

void HistoryTest::findsShiftsInNoise()
{
    DeterministicRandom random(4);
    int found = 0;
    for (int series = 0; series < 100; ++series) {
        Values values;
        for (int i = 0; i < 30; ++i)
            values.push_back((i < 20 ? 100.0 : 115.0) * std::exp(0.02 * random.normal()));
        const QString marks = marksOf(analyseHistory(entriesFrom(values)));
        found += marks.mid(20, 3).contains(u'^') ? 1 : 0;
    }
    QVERIFY2(found >= 90, qPrintable(QString::number(found)));
}

QTEST_APPLESS_MAIN(HistoryTest)
#include "tst_history.moc"
