// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CompareText.h"
#include "gui/models/ComparisonModel.h"
#include "gui/models/HistorySeries.h"
#include "gui/models/ItemRoles.h"
#include "gui/models/RunChoices.h"
#include "gui/models/TableText.h"
#include "tests/gui/ModelText.h"
#include "tests/support/ComparisonData.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QTest>

#include <memory>

using namespace perilune;
using perilune::test::repeatedRuns;
using perilune::test::rowsOf;
using perilune::test::runFrom;

namespace {

constexpr auto qtTest = QAbstractItemModelTester::FailureReportingMode::QtTest;

int column(CompareColumn column)
{
    return static_cast<int>(column);
}

std::shared_ptr<const Comparison> singles(const ComparisonOptions& options = {})
{
    const RunGroup a = {runFrom({"main@m.lua:1 1000", "main@m.lua:1;parse@m.lua:9 30000 calls=2",
                                 "main@m.lua:1;old 5000"})};
    const RunGroup b = {runFrom({"main@m.lua:1 1005", "main@m.lua:1;parse@m.lua:9 45000 calls=3",
                                 "main@m.lua:1;fresh 7000"})};
    return Comparison::compute(MatchedRuns::match(a, b), options);
}

std::shared_ptr<const Comparison> groups(int count = 6)
{
    return Comparison::compute(MatchedRuns::match(
        repeatedRuns({{"main", 1000}, {"main;parse", 30000}, {"main;print", 20000}}, count),
        repeatedRuns({{"main", 1001}, {"main;parse", 45000}, {"main;print", 15000}}, count)));
}

RunSummary summary(std::int64_t id, const char* script, std::int64_t startedAtUnixMs)
{
    RunSummary run;
    run.id = id;
    run.info.script = script;
    run.info.startedAtUnixMs = startedAtUnixMs;
    run.info.status = RunStatus::Done;
    run.info.scriptHash = "00aa";
    run.info.wallTime = Duration::fromMilliseconds(120 + id);
    run.functionCount = 3;
    return run;
}

QStringList kindsOf(const std::vector<RunChoice>& choices)
{
    QStringList texts;
    for (const RunChoice& choice : choices) {
        QStringList ids;
        for (const std::int64_t id : choice.runs)
            ids << QString::number(id);
        constexpr const char* kinds[] = {"single", "repeats", "same text"};
        texts << QLatin1String(kinds[static_cast<std::size_t>(choice.kind)]) + u' '
                + ids.join(u' ');
    }
    return texts;
}

} // namespace

class ComparisonModelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void showsRows();
    void hidesUnchanged();
    void filters_data();
    void filters();
    void sorts();
    void keepsSelectionWhenSorted();
    void drawsBarsOfWhatIsShown();
    void copiesExactNumbers();
    void showsShares();
    void isEmptyWithoutComparison();
    void saysTheVerdict_data();
    void saysTheVerdict();
    void explainsVerdicts();
    void listsRunChoices();
    void choosesADefaultPair();
    void describesHistoryPoints();
};

void ComparisonModelTest::showsRows()
{
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, qtTest);
    model.setComparison(singles());
    const QList<int> columns = {column(CompareColumn::Function),   column(CompareColumn::A),
                                column(CompareColumn::B),          column(CompareColumn::Delta),
                                column(CompareColumn::DeltaShare), column(CompareColumn::Ratio),
                                column(CompareColumn::Calls),      column(CompareColumn::Verdict),
                                column(CompareColumn::Status)};
    QCOMPARE(
        rowsOf(model, columns),
        (QStringList{
            QStringLiteral("parse | 30.0 ms | 45.0 ms | +15.0 ms | +50.0 % | 1.500× | 2 → 3 | too "
                           "few runs | "),
            QStringLiteral(
                "fresh | – | 7.000 ms | +7.000 ms | new | – | 0 → 1 | too few runs | new"),
            QStringLiteral(
                "old | 5.000 ms | – | −5.000 ms | gone | 0.000× | 1 → 0 | too few runs | gone")}));
}

void ComparisonModelTest::hidesUnchanged()
{
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, qtTest);
    model.setComparison(singles());
    QCOMPARE(model.allCount(), 4);
    QCOMPARE(model.unchangedCount(), 1);
    QCOMPARE(model.rowCount(), 3);
    model.setFilter({QString(), false});
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.index(3, 0).data().toString(), QStringLiteral("main"));
}

void ComparisonModelTest::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("names");
    const auto names = [](std::initializer_list<const char*> list) {
        QStringList result;
        for (const char* name : list)
            result << QString::fromLatin1(name);
        return result;
    };
    QTest::newRow("nothing") << QString() << names({"parse", "fresh", "old", "main"});
    QTest::newRow("a word") << QStringLiteral("PAR") << names({"parse"});
    QTest::newRow("location") << QStringLiteral("m.lua") << names({"parse", "main"});
    QTest::newRow("two words") << QStringLiteral("m.lua ain") << names({"main"});
    QTest::newRow("pattern") << QStringLiteral("/^(fresh|old)/") << names({"fresh", "old"});
    QTest::newRow("broken pattern") << QStringLiteral("/(/") << names({});
    QTest::newRow("no match") << QStringLiteral("zebra") << names({});
}

void ComparisonModelTest::filters()
{
    QFETCH(QString, text);
    QFETCH(QStringList, names);
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, qtTest);
    model.setComparison(singles());
    model.setFilter({text, false});
    QCOMPARE(rowsOf(model, {0}), names);
    QCOMPARE(model.filterProblem().isEmpty(), text != QStringLiteral("/(/"));
}

void ComparisonModelTest::sorts()
{
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, qtTest);
    model.setComparison(singles());
    model.setFilter({QString(), false});
    const auto namesBy = [&model](CompareColumn by, Qt::SortOrder order) {
        model.sort(column(by), order);
        return rowsOf(model, {0}).join(u' ');
    };
    QCOMPARE(namesBy(CompareColumn::Function, Qt::AscendingOrder),
             QStringLiteral("fresh main old parse"));
    QCOMPARE(namesBy(CompareColumn::A, Qt::DescendingOrder),
             QStringLiteral("parse old main fresh"));
    QCOMPARE(namesBy(CompareColumn::DeltaShare, Qt::DescendingOrder),
             QStringLiteral("fresh parse main old"));
    QCOMPARE(namesBy(CompareColumn::Delta, Qt::AscendingOrder),
             QStringLiteral("main old fresh parse"));
}

void ComparisonModelTest::keepsSelectionWhenSorted()
{
    ComparisonModel model;
    model.setComparison(singles());
    const QPersistentModelIndex fresh(model.index(1, 2));
    const std::size_t function = model.functionAt(1);
    model.sort(column(CompareColumn::A), Qt::AscendingOrder);
    QCOMPARE(fresh.row(), 0);
    QCOMPARE(fresh.column(), 2);
    QCOMPARE(model.rowOf(function), 0);
    QCOMPARE(model.functionAt(-1), SIZE_MAX);
    QCOMPARE(model.rowOf(SIZE_MAX), -1);
}

void ComparisonModelTest::drawsBarsOfWhatIsShown()
{
    ComparisonModel model;
    model.setComparison(singles());
    const auto barAt = [&model](int row) {
        return model.index(row, column(CompareColumn::Delta)).data(DeltaBarRole).toDouble();
    };
    QCOMPARE(barAt(0), 1.0);
    QVERIFY(std::abs(barAt(2) + 1.0 / 3.0) < 1e-9);
    model.setFilter({QStringLiteral("old"), false});
    QCOMPARE(barAt(0), -1.0);
    QVERIFY(!model.index(0, 0).data(DeltaBarRole).isValid());
}

void ComparisonModelTest::copiesExactNumbers()
{
    ComparisonModel model;
    model.setComparison(singles());
    QCOMPARE(tableText(model, {0, 1}, {0, 1, 2, 3, 4}, TableFormat::TabSeparatedExact),
             QStringLiteral("Function\tA (ns)\tB (ns)\tΔ (ns)\tΔ % (%)\n"
                            "parse\t30000000\t45000000\t15000000\t50.000000\n"
                            "fresh\t\t7000000\t7000000\t\n")
                 .replace(QStringLiteral("Δ % (%)"), QStringLiteral("Δ %")));
}

void ComparisonModelTest::showsShares()
{
    ComparisonOptions options;
    options.normalisation = Normalisation::ShareOfRun;
    ComparisonModel model;
    model.setComparison(singles(options));
    QCOMPARE(rowsOf(model, {0, 1, 2}).first(), QStringLiteral("old | 13.9 % | –"));
    QCOMPARE(comparedTitle(options), QStringLiteral("Self time, share of the run"));
}

void ComparisonModelTest::isEmptyWithoutComparison()
{
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, qtTest);
    QCOMPARE(model.rowCount(), 0);
    model.sort(2, Qt::AscendingOrder);
    model.setComparison(singles());
    model.setComparison(nullptr);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.allCount(), 0);
}

void ComparisonModelTest::saysTheVerdict_data()
{
    QTest::addColumn<int>("runs");
    QTest::addColumn<QString>("expected");
    QTest::newRow("single runs")
        << 1 << QStringLiteral("Single runs, too few to say: B was 19.6 % slower this time.");
    QTest::newRow("three")
        << 3
        << QStringLiteral("Too few runs to say (3 + 3 runs): B was 19.6 % slower in the median. "
                          "Run each 5 times.");
    QTest::newRow("six") << 6 << QStringLiteral("B is 19.6 % slower (95 % interval ");
}

void ComparisonModelTest::saysTheVerdict()
{
    QFETCH(int, runs);
    QFETCH(QString, expected);
    const QString line = verdictLine(*groups(runs));
    QVERIFY2(line.startsWith(expected), qPrintable(line));
    QCOMPARE(line.endsWith(QStringLiteral("6 + 6 runs): clear change.")), runs == 6);
}

void ComparisonModelTest::explainsVerdicts()
{
    const auto comparison = groups();
    const QString details =
        verdictDetails(comparison->rows().front().change, comparison->options());
    QVERIFY2(details.contains(QStringLiteral("6 + 6 runs")), qPrintable(details));
    QVERIFY2(details.contains(QStringLiteral("Mann–Whitney")), qPrintable(details));
    QVERIFY2(details.contains(QStringLiteral("Benjamini–Hochberg")), qPrintable(details));
    ComparisonOptions bytes;
    bytes.metric = Metric::Bytes;
    QCOMPARE(verdictTitle(Verdict::Slower, bytes), QStringLiteral("▲ more"));
    QCOMPARE(verdictTitle(Verdict::Slower, {}), QStringLiteral("▲ slower"));
    MatchedFunction renamed;
    renamed.a = MatchedSide{"k1", "parse", "a.lua:3", 0, FunctionId(0), {}};
    renamed.b = MatchedSide{"k2", "split", "a.lua:5", 0, FunctionId(0), {}};
    renamed.status = MatchStatus::Renamed;
    renamed.reason = MatchReason::SimilarBody;
    renamed.similarity = 0.8;
    QCOMPARE(statusTitle(renamed), QStringLiteral("renamed?"));
    QVERIFY(statusDetails(renamed).contains(QStringLiteral("80.0 % alike")));
}

void ComparisonModelTest::listsRunChoices()
{
    std::vector<RunSummary> runs = {summary(1, "a.lua", 1000), summary(2, "a.lua", 2000),
                                    summary(3, "a.lua", 3000), summary(4, "a.lua", 4000),
                                    summary(5, "a.lua", 5000), summary(6, "b.lua", 6000)};
    for (const std::size_t repeat : {2u, 3u, 4u})
        runs[repeat].info.repeatGroup = "group";
    runs[2].info.isWarmUp = true;
    runs.push_back(summary(7, "a.lua", 7000));
    runs.back().info.status = RunStatus::SyntaxError;
    const auto choices = runChoices(runs, QStringLiteral("s.perilune"));
    QCOMPARE(kindsOf(choices),
             (QStringList{QStringLiteral("single 6"), QStringLiteral("repeats 4 5"),
                          QStringLiteral("same text 1 2"), QStringLiteral("single 2"),
                          QStringLiteral("single 1")}));
    QCOMPARE(choiceOfRuns(runs, {4, 5}, QStringLiteral("s.perilune")), choices[1]);
    QVERIFY(choiceOfRuns(runs, {99}, QString()).isEmpty());
    QVERIFY(choices[1].title.startsWith(QStringLiteral("a.lua · ")));
    QVERIFY(choices[1].detail.contains(QStringLiteral("median 125.0 ms")));
}

void ComparisonModelTest::choosesADefaultPair()
{
    std::vector<RunSummary> runs = {summary(1, "a.lua", 1000), summary(2, "b.lua", 2000),
                                    summary(3, "a.lua", 3000), summary(4, "a.lua", 4000)};
    runs[2].info.scriptHash = "00bb";
    runs[3].info.scriptHash = "00cc";
    const auto pairOf = [](const std::vector<RunSummary>& list) {
        const RunChoicePair pair = defaultPair(list, QString());
        return std::pair(pair.a.runs, pair.b.runs);
    };
    using Ids = std::vector<std::int64_t>;
    QCOMPARE(pairOf(runs), std::pair(Ids{3}, Ids{4}));
    runs[0].isBaseline = true;
    QCOMPARE(pairOf(runs), std::pair(Ids{1}, Ids{4}));
    QCOMPARE(pairOf({runs[1]}), std::pair(Ids{}, Ids{2}));
    QCOMPARE(pairOf({}), std::pair(Ids{}, Ids{}));
}

void ComparisonModelTest::describesHistoryPoints()
{
    std::vector<HistoryItem> items;
    for (const double value : {100e6, 101e6, 99e6, 100e6, 102e6, 101e6, 130e6, 131e6}) {
        HistoryItem item;
        item.title = QStringLiteral("Run %1").arg(items.size() + 1);
        item.entry.repeats = {value};
        item.isBaseline = items.size() == 1;
        items.push_back(item);
    }
    const HistorySeries series(QStringLiteral("Total time"), Metric::Time, items);
    QCOMPARE(*series.baseline(), std::size_t(1));
    QVERIFY(std::abs(*series.deltaToBaseline(6) - (130.0 / 101.0 - 1.0)) < 1e-9);
    QCOMPARE(series.markText(6), QStringLiteral("slower from here on"));
    QVERIFY(series.describe(6).contains(QStringLiteral("Total time: 130.0 ms")));
    QVERIFY(series.describe(6).contains(QStringLiteral("+28.7 % against the baseline")));
    QVERIFY(series.markText(0).isEmpty());
    QVERIFY(HistorySeries().isEmpty());
}

QTEST_GUILESS_MAIN(ComparisonModelTest)
#include "tst_comparisonmodel.moc"
