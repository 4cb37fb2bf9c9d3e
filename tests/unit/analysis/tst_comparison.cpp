// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Comparison.h"
#include "core/analysis/ComparisonTree.h"
#include "core/analysis/SetUpDifference.h"
#include "tests/support/ComparisonData.h"

#include <QString>
#include <QStringList>
#include <QTest>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace perilune;
using perilune::test::changedRuns;
using perilune::test::repeatedRuns;
using perilune::test::runFrom;

namespace {

using Stacks = std::vector<std::string>;

RunGroup single(const Stacks& stacks)
{
    return {runFrom(stacks)};
}

std::shared_ptr<const Comparison> compare(const RunGroup& a, const RunGroup& b,
                                          const ComparisonOptions& options = {})
{
    return Comparison::compute(MatchedRuns::match(a, b), options);
}

QString verdictText(Verdict verdict)
{
    constexpr const char* texts[] = {"too few", "no change", "slower", "faster"};
    return QLatin1String(texts[static_cast<std::size_t>(verdict)]);
}

QString statusText(MatchStatus status)
{
    constexpr const char* texts[] = {"exact", "moved", "renamed", "new", "gone"};
    return QLatin1String(texts[static_cast<std::size_t>(status)]);
}

/// "parse 30 -> 45 calls 1 -> 1 exact slower", values in µs (or as they are for shares), by |Δ|.
QStringList textOf(const Comparison& comparison, double unit = 1000.0)
{
    QStringList lines;
    for (const std::size_t index : comparison.byDelta()) {
        const ComparisonRow& row = comparison.rows()[index];
        const MatchedFunction& function = comparison.functionOf(row);
        lines << QStringLiteral("%1 %2 -> %3 calls %4 -> %5 %6 %7")
                     .arg(QString::fromStdString(function.shown().name))
                     .arg(row.change.medianA / unit)
                     .arg(row.change.medianB / unit)
                     .arg(row.callsA)
                     .arg(row.callsB)
                     .arg(statusText(function.status), verdictText(row.change.verdict));
    }
    return lines;
}

QStringList expected(std::initializer_list<const char*> lines)
{
    QStringList list;
    for (const char* line : lines)
        list << QString::fromLatin1(line);
    return list;
}

bool isNear(double actual, double wanted)
{
    return std::abs(actual - wanted) <= 1e-9 * std::max(1.0, std::abs(wanted));
}

} // namespace

class ComparisonTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void comparesSingleRuns();
    void comparesRepeats();
    void switchesCost_data();
    void switchesCost();
    void sharesStayWithoutInfinity();
    void missingRunsCountAsZero();
    void followsManualMatches();
    void knowsWhatIsUnchanged();
    void waterfallLeadsFromAToB();
    void emptyGroups();
    void unionTreeHasBothSides();
    void unionTreeAveragesRuns();
    void widthsAddUp_data();
    void widthsAddUp();
    void findsSetUpDifferences_data();
    void findsSetUpDifferences();
    void findsUnsteadyRunsAndCommonShifts();
    void findsDrift();
};

void ComparisonTest::comparesSingleRuns()
{
    const auto comparison = compare(single({"main 10", "main;parse 30 calls=2", "main;old 5"}),
                                    single({"main 11", "main;parse 45 calls=3", "main;fresh 7"}));
    QCOMPARE(
        textOf(*comparison),
        expected({"parse 30 -> 45 calls 2 -> 3 exact too few",
                  "fresh 0 -> 7 calls 0 -> 1 new too few", "old 5 -> 0 calls 1 -> 0 gone too few",
                  "main 10 -> 11 calls 1 -> 1 exact too few"}));
    QCOMPARE(comparison->whole().medianA, 45000.0);
    QCOMPARE(comparison->whole().medianB, 63000.0);
    QVERIFY(comparison->whole().verdict == Verdict::TooFewRuns);
}

void ComparisonTest::comparesRepeats()
{
    const auto comparison =
        compare(repeatedRuns({{"main", 1000}, {"main;parse", 3000}, {"main;print", 2000}}, 6),
                repeatedRuns({{"main", 1001}, {"main;parse", 4000}, {"main;print", 1500}}, 6));
    QCOMPARE(textOf(*comparison),
             expected({"parse 3075 -> 4100 calls 1 -> 1 exact slower",
                       "print 2050 -> 1537.5 calls 1 -> 1 exact faster",
                       "main 1025 -> 1026 calls 1 -> 1 exact no change"}));
    const ChangeEstimate& whole = comparison->whole();
    QVERIFY(whole.verdict == Verdict::Slower);
    QVERIFY(whole.interval && whole.interval->contains(*whole.ratio));
    QCOMPARE(whole.countA, std::size_t(6));
}

void ComparisonTest::switchesCost_data()
{
    QTest::addColumn<int>("cost");
    QTest::addColumn<int>("normalisation");
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    const auto row = [](const char* name, CostKind cost, Normalisation normalisation, double a,
                        double b) {
        QTest::newRow(name) << static_cast<int>(cost) << static_cast<int>(normalisation) << a << b;
    };
    // parse: self 30 of 60 in 2 calls, total 50; then self 45 of 90 in 3 calls, total 60.
    row("self", CostKind::Self, Normalisation::Absolute, 30000, 45000);
    row("total", CostKind::Total, Normalisation::Absolute, 50000, 60000);
    row("calls", CostKind::Calls, Normalisation::Absolute, 2, 3);
    row("mean", CostKind::Mean, Normalisation::Absolute, 25000, 20000);
    row("self per call", CostKind::Self, Normalisation::PerCall, 15000, 15000);
    row("calls per call are calls", CostKind::Calls, Normalisation::PerCall, 2, 3);
    row("self share", CostKind::Self, Normalisation::ShareOfRun, 0.5, 0.5);
    row("total share", CostKind::Total, Normalisation::ShareOfRun, 50.0 / 60.0, 60.0 / 90.0);
    // The host program counts as one call.
    row("share of calls", CostKind::Calls, Normalisation::ShareOfRun, 2.0 / 5.0, 3.0 / 6.0);
}

void ComparisonTest::switchesCost()
{
    QFETCH(int, cost);
    QFETCH(int, normalisation);
    QFETCH(double, a);
    QFETCH(double, b);
    ComparisonOptions options;
    options.cost = static_cast<CostKind>(cost);
    options.normalisation = static_cast<Normalisation>(normalisation);
    const auto comparison =
        compare(single({"main 10", "main;parse 30 calls=2", "main;parse;lex 20"}),
                single({"main 30", "main;parse 45 calls=3", "main;parse;lex 15"}), options);
    for (const ComparisonRow& row : comparison->rows()) {
        if (comparison->functionOf(row).shown().name != "parse")
            continue;
        QVERIFY2(isNear(row.change.medianA, a), qPrintable(QString::number(row.change.medianA)));
        QVERIFY2(isNear(row.change.medianB, b), qPrintable(QString::number(row.change.medianB)));
        return;
    }
    QFAIL("no row of parse");
}

void ComparisonTest::sharesStayWithoutInfinity()
{
    const auto comparison =
        compare(single({"main 10", "main;old 5"}), single({"main 10", "main;fresh 7"}));
    for (const ComparisonRow& row : comparison->rows()) {
        const std::string& name = comparison->functionOf(row).shown().name;
        if (name == "fresh")
            QVERIFY(!row.deltaShare() && !row.change.ratio);
        else if (name == "old")
            QVERIFY(row.deltaShare() && isNear(*row.deltaShare(), -1.0));
        else
            QVERIFY(row.deltaShare() && isNear(*row.deltaShare(), 0.0));
    }
}

void ComparisonTest::missingRunsCountAsZero()
{
    // `rare` is entered in one run of three: its median self is 0, its mean has one value.
    const RunGroup a = {runFrom({"main 10"}), runFrom({"main 10", "main;rare 6 calls=2"}),
                        runFrom({"main 10"})};
    const auto self = compare(a, a);
    QVERIFY(textOf(*self).contains(QStringLiteral("rare 0 -> 0 calls 0 -> 0 exact too few")));
    ComparisonOptions options;
    options.cost = CostKind::Mean;
    const auto mean = compare(a, a, options);
    QVERIFY(textOf(*mean).contains(QStringLiteral("rare 3 -> 3 calls 0 -> 0 exact too few")));
}

void ComparisonTest::followsManualMatches()
{
    const RunGroup a = single({"main 10", "main;old 5"});
    const RunGroup b = single({"main 10", "main;fresh 7"});
    const auto before = MatchedRuns::match(a, b);
    std::string keyA;
    std::string keyB;
    for (const MatchedFunction& function : before->functions()) {
        if (function.status == MatchStatus::Gone)
            keyA = function.a->key;
        if (function.status == MatchStatus::New)
            keyB = function.b->key;
    }
    const auto comparison = Comparison::compute(MatchedRuns::match(a, b, {{keyA, keyB}}));
    QVERIFY(
        textOf(*comparison).contains(QStringLiteral("fresh 5 -> 7 calls 1 -> 1 exact too few")));
    QCOMPARE(comparison->rows().size(), std::size_t(2));
}

void ComparisonTest::knowsWhatIsUnchanged()
{
    const auto unchangedNames = [](const Comparison& comparison) {
        QStringList names;
        for (const ComparisonRow& row : comparison.rows())
            if (comparison.isUnchanged(row))
                names << QString::fromStdString(comparison.functionOf(row).shown().name);
        return names;
    };
    const auto singles = compare(single({"main 1000", "main;a 500", "main;b 300", "main;old 9"}),
                                 single({"main 1005", "main;a 520", "main;b 300", "main;fresh 9"}));
    QCOMPARE(unchangedNames(*singles), expected({"main", "b"}));
    const auto groups = compare(repeatedRuns({{"main", 1000}, {"main;a", 500}}, 5),
                                repeatedRuns({{"main", 1012}, {"main;a", 900}}, 5));
    QCOMPARE(unchangedNames(*groups), expected({"main"}));
    // Not clear, but as large as a tenth of the run: it stays in sight.
    const auto noisy = [](std::initializer_list<int> times) {
        RunGroup group;
        for (const int time : times)
            group.push_back(runFrom({"main 1000", "main;a " + std::to_string(time),
                                     "main;b " + std::to_string(time / 100)}));
        return group;
    };
    const auto wide = compare(noisy({500, 900, 400, 1000, 700}), noisy({900, 700, 1200, 500, 950}));
    QCOMPARE(unchangedNames(*wide), expected({"main", "b"}));
}

void ComparisonTest::waterfallLeadsFromAToB()
{
    const auto comparison =
        compare(single({"main 10", "main;a 30", "main;b 20", "main;c 5", "main;old 4"}),
                single({"main 11", "main;a 50", "main;b 12", "main;c 7", "main;fresh 3"}));
    const auto steps = comparison->waterfall(3);
    QCOMPARE(steps.size(), std::size_t(4));
    QCOMPARE(steps.front().start, 69000.0);
    QCOMPARE(steps.front().delta(), 20000.0);
    QCOMPARE(steps[1].delta(), -8000.0);
    QCOMPARE(steps[2].delta(), -4000.0);
    QVERIFY(!steps.back().function);
    QCOMPARE(steps.back().delta(), 6000.0); // main + 1, c + 2, fresh + 3
    QCOMPARE(steps.back().end, 83000.0);
    for (std::size_t i = 1; i < steps.size(); ++i)
        QCOMPARE(steps[i].start, steps[i - 1].end);
    QCOMPARE(comparison->waterfall(100).size(), std::size_t(6));
}

void ComparisonTest::emptyGroups()
{
    const auto nothing = compare({}, {});
    QVERIFY(nothing->rows().empty());
    QVERIFY(nothing->waterfall(5).empty());
    const auto half = compare(single({"main 10"}), {});
    QCOMPARE(textOf(*half), expected({"main 10 -> 0 calls 1 -> 0 gone too few"}));
    QCOMPARE(ComparisonTree::build(half->runs(), Metric::Time)->totalA(0), 10000.0);
    QVERIFY(findSetUpDifferences({}, single({"main 1"})).empty());
}

void ComparisonTest::unionTreeHasBothSides()
{
    const auto runs =
        MatchedRuns::match(single({"main 10", "main;a 30 calls=2", "main;a;b 5", "main;old 4"}),
                           single({"main 11", "main;a 50 calls=3", "main;fresh;b 3"}));
    const auto tree = ComparisonTree::build(*runs, Metric::Time);
    QStringList lines;
    for (std::uint32_t node = 1; node < tree->nodeCount(); ++node) {
        QString path;
        for (std::uint32_t up = node; up != 0; up = tree->parent(up)) {
            const std::string& name = runs->functions()[tree->function(up)].shown().name;
            path.prepend(u'/' + QString::fromStdString(name));
        }
        lines << QStringLiteral("%1 %2%3 self %4 -> %5 total %6 -> %7 calls %8 -> %9")
                     .arg(path, tree->isInA(node) ? QStringLiteral("A") : QStringLiteral("-"),
                          tree->isInB(node) ? QStringLiteral("B") : QStringLiteral("-"))
                     .arg(tree->selfA(node) / 1000)
                     .arg(tree->selfB(node) / 1000)
                     .arg(tree->totalA(node) / 1000)
                     .arg(tree->totalB(node) / 1000)
                     .arg(tree->callsA(node))
                     .arg(tree->callsB(node));
    }
    lines.sort();
    QCOMPARE(lines,
             expected({"/main AB self 10 -> 11 total 49 -> 64 calls 1 -> 1",
                       "/main/a AB self 30 -> 50 total 35 -> 50 calls 2 -> 3",
                       "/main/a/b A- self 5 -> 0 total 5 -> 0 calls 1 -> 0",
                       "/main/fresh -B self 0 -> 0 total 0 -> 3 calls 0 -> 1",
                       "/main/fresh/b -B self 0 -> 3 total 0 -> 3 calls 0 -> 1",
                       "/main/old A- self 4 -> 0 total 4 -> 0 calls 1 -> 0"}));
}

void ComparisonTest::unionTreeAveragesRuns()
{
    const RunGroup a = {runFrom({"main 10", "main;a 30"}), runFrom({"main 20"})};
    const auto tree =
        ComparisonTree::build(*MatchedRuns::match(a, single({"main 7"})), Metric::Time);
    QCOMPARE(tree->totalA(0), 30000.0);
    QCOMPARE(tree->totalB(0), 7000.0);
}

void ComparisonTest::widthsAddUp_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("whole");
    QTest::newRow("B") << static_cast<int>(UnionWidth::Changed) << 64;
    QTest::newRow("A") << static_cast<int>(UnionWidth::Baseline) << 49;
    QTest::newRow("larger") << static_cast<int>(UnionWidth::Larger) << 11 + 50 + 5 + 3 + 4;
    QTest::newRow("difference") << static_cast<int>(UnionWidth::Difference) << 1 + 20 + 5 + 3 + 4;
}

void ComparisonTest::widthsAddUp()
{
    QFETCH(int, width);
    QFETCH(int, whole);
    const auto runs =
        MatchedRuns::match(single({"main 10", "main;a 30 calls=2", "main;a;b 5", "main;old 4"}),
                           single({"main 11", "main;a 50 calls=3", "main;fresh;b 3"}));
    const auto unionTree = ComparisonTree::build(*runs, Metric::Time);
    const WidthTree widths = widthTree(*unionTree, static_cast<UnionWidth>(width));
    const CallTree& tree = *widths.tree;
    QCOMPARE(tree.nodeCount(), unionTree->nodeCount());
    QCOMPARE(tree.total(Metric::Time, tree.root()), std::uint64_t(whole) * 1000);
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        const std::uint32_t unionNode = widths.unionNode[node];
        QCOMPARE(std::size_t(tree.function(NodeId(node)).value()), unionTree->function(unionNode));
        if (node > 0)
            QCOMPARE(widths.unionNode[tree.parent(NodeId(node)).value()],
                     unionTree->parent(unionNode));
    }
}

void ComparisonTest::findsSetUpDifferences_data()
{
    QTest::addColumn<int>("item");
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    const auto row = [](const char* name, SetUpItem item, const char* a, const char* b) {
        QTest::newRow(name) << static_cast<int>(item) << QString::fromLatin1(a)
                            << QString::fromLatin1(b);
    };
    row("script", SetUpItem::Script, "a.lua", "b.lua");
    row("text", SetUpItem::ScriptText, "01234567", "89abcdef");
    row("commit", SetUpItem::GitCommit, "abc", "abc+");
    row("arguments", SetUpItem::Arguments, "10", "10 20");
    row("environment", SetUpItem::Environment, "", "A=1 LANG unset");
    row("lua", SetUpItem::LuaVersion, "Lua 5.4", "Lua 5.3");
    row("machine", SetUpItem::Machine, "one", "two");
    row("mode", SetUpItem::Mode, "exact", "sampling");
    row("interval", SetUpItem::SamplingInterval, "", "1 ms");
    row("options", SetUpItem::Options, "", "lines, memory");
    row("correction", SetUpItem::Correction, "none", "calibrated");
    row("partial", SetUpItem::Partial, "0", "1");
}

void ComparisonTest::findsSetUpDifferences()
{
    QFETCH(int, item);
    QFETCH(QString, a);
    QFETCH(QString, b);
    const RunGroup before = changedRuns(single({"main 10"}), [](RunInfo& run) {
        run.script = "a.lua";
        run.scriptHash = "0123456701234567";
        run.gitCommit = "abc";
        run.arguments = {"10"};
        run.luaVersion = "Lua 5.4";
        run.machine = "one";
        run.status = RunStatus::Done;
    });
    const RunGroup after = changedRuns(before, [](RunInfo& run) {
        run.script = "b.lua";
        run.scriptHash = "89abcdef01234567";
        run.gitDirty = true;
        run.arguments = {"10", "20"};
        run.environment = {{"LANG", std::nullopt}, {"A", "1"}};
        run.luaVersion = "Lua 5.3";
        run.machine = "two";
        run.mode = ProfilingMode::Sampling;
        run.samplingInterval = Duration::fromMilliseconds(1);
        run.hasLines = true;
        run.hasMemory = true;
        run.correction.method = CorrectionMethod::Calibrated;
        run.status = RunStatus::Stopped;
    });
    QVERIFY(perilune::findSetUpDifferences(before, before).empty());
    const auto differences = perilune::findSetUpDifferences(before, after);
    QCOMPARE(differences.size(), std::size_t(12));
    for (const SetUpDifference& difference : differences) {
        if (static_cast<int>(difference.item) != item)
            continue;
        QCOMPARE(QString::fromStdString(difference.a), a);
        QCOMPARE(QString::fromStdString(difference.b), b);
        return;
    }
    QFAIL("not found");
}

void ComparisonTest::findsUnsteadyRunsAndCommonShifts()
{
    const auto runs = [](std::initializer_list<double> paces, double change) {
        RunGroup group;
        for (const double pace : paces) {
            Stacks lines;
            for (const char* name : {"a", "b", "c", "d", "e"}) {
                const double time = 1000.0 * pace * (name[0] == 'a' ? change : 1.0);
                lines.push_back(std::string(name) + ' ' + std::to_string(std::lround(time)));
            }
            group.push_back(runFrom(lines));
        }
        return changedRuns(group, [](RunInfo& run) { run.status = RunStatus::Done; });
    };
    const auto itemsOf = [](const RunGroup& a, const RunGroup& b) {
        QStringList items;
        for (const SetUpDifference& difference :
             perilune::findSetUpDifferences(*MatchedRuns::match(a, b)))
            items << QStringLiteral("%1: %2, %3")
                         .arg(static_cast<int>(difference.item))
                         .arg(QString::fromStdString(difference.a),
                              QString::fromStdString(difference.b));
        return items;
    };
    const auto item = [](SetUpItem kind, const char* text) {
        return QString::number(static_cast<int>(kind)) + QString::fromUtf8(text);
    };
    const RunGroup quiet = runs({1.0, 1.01, 0.99, 1.0, 1.02}, 1.0);
    QCOMPARE(itemsOf(quiet, quiet), QStringList());
    QCOMPARE(itemsOf(quiet, runs({1.0, 1.01, 0.99, 1.0, 1.02}, 3.0)), QStringList());
    QCOMPARE(itemsOf(quiet, runs({1.3, 1.31, 1.29, 1.3, 1.32}, 1.0)),
             QStringList{item(SetUpItem::CommonShift, ": , +30.0 %")});
    QCOMPARE(itemsOf(quiet, runs({1.0, 1.2, 0.8, 1.3, 0.9}, 1.0)),
             QStringList{item(SetUpItem::Unsteady, ": , ±29.7 %")});
}

void ComparisonTest::findsDrift()
{
    const auto runsOf = [](std::initializer_list<int> times) {
        RunGroup group;
        for (const int time : times)
            group.push_back(runFrom({"main " + std::to_string(time)}));
        return changedRuns(group, [](RunInfo& run) { run.status = RunStatus::Done; });
    };
    const RunGroup steady = runsOf({1000, 1010, 995, 1003, 1008, 1001, 1009, 996, 1002, 1007});
    const RunGroup drifting = runsOf({1000, 1002, 1004, 1003, 1005, 1060, 1062, 1065, 1064, 1070});
    QVERIFY(perilune::findSetUpDifferences(steady, steady).empty());
    const auto differences = perilune::findSetUpDifferences(steady, drifting);
    QCOMPARE(differences.size(), std::size_t(1));
    QVERIFY(differences[0].item == SetUpItem::Drift);
    QVERIFY(differences[0].a.empty());
    QCOMPARE(QString::fromStdString(differences[0].b), QStringLiteral("+6.1 %"));
    const auto sizes = perilune::findSetUpDifferences(steady, runsOf({1000}));
    QCOMPARE(sizes.size(), std::size_t(1));
    QVERIFY(sizes[0].item == SetUpItem::RepeatCount);
}

QTEST_APPLESS_MAIN(ComparisonTest)
#include "tst_comparison.moc"
