// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/RunHistory.h"
#include "core/session/RunSets.h"
#include "core/session/Session.h"
#include "tests/support/ComparisonData.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <optional>

using namespace perilune;
using perilune::test::changedRuns;
using perilune::test::repeatedRuns;
using perilune::test::runFrom;

namespace {

constexpr int timeoutMs = 60000;

struct Outcome
{
    int code = -1;
    QString output;
    QString error;
};

using Stacks = std::vector<std::pair<std::string, int>>;

const Stacks slowParse = {{"main", 1000}, {"main;parse", 45000}, {"main;print", 20000}};
const Stacks fastParse = {{"main", 1000}, {"main;parse", 30000}, {"main;print", 20000}};

/// `count` repeats of one script text, later than those of the calls before.
RunGroup group(const Stacks& stacks, int count, const std::string& name)
{
    static std::int64_t started = 1700000000000;
    return changedRuns(repeatedRuns(stacks, count), [&](RunInfo& run) {
        run.script = "work.lua";
        run.scriptHash = name + " and more";
        run.machine = "desk";
        run.luaVersion = "Lua 5.4";
        run.startedAtUnixMs = (started += 1000);
        run.repeatGroup = name;
    });
}

} // namespace

/// Runs the built perilune-cli on sessions made here.
class CliCompareTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_folder.emplace(); }

    void comparesTwoSessions();
    void comparesWithinOneSession();
    void choosesRuns_data();
    void choosesRuns();
    void failsOnlyOnClearSlowdown_data();
    void failsOnlyOnClearSlowdown();
    void writesJson();
    void writesMarkdown();
    void followsMatchesOfTheSession();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
    void namesWhatCannotBeCompared_data();
    void namesWhatCannotBeCompared();
    void showsHistory();
    void showsHistoryOfAFunction();
    void findsRunSets();
    void loadsHistory();

private:
    Outcome cli(const QStringList& arguments) const;
    QString path(const QString& name) const { return m_folder->filePath(name); }
    QString session(const QString& name, const std::vector<RunGroup>& groups) const;
    QJsonObject json(const QStringList& arguments) const;

    std::optional<QTemporaryDir> m_folder;
};

Outcome CliCompareTest::cli(const QStringList& arguments) const
{
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(QStringLiteral(BIN_DIR "/perilune-cli"), arguments);
    Outcome outcome;
    if (!process.waitForFinished(timeoutMs))
        return outcome;
    outcome.code = process.exitCode();
    outcome.output = QString::fromUtf8(process.readAllStandardOutput());
    outcome.error = QString::fromUtf8(process.readAllStandardError());
    return outcome;
}

QString CliCompareTest::session(const QString& name, const std::vector<RunGroup>& groups) const
{
    auto session = Session::create(path(name).toStdString());
    if (!session)
        qFatal("%s", session.error().detail.c_str());
    for (const RunGroup& runs : groups)
        for (const ComparedRun& run : runs)
            if (const auto id = session->addRun(*run.profile); !id)
                qFatal("%s", id.error().detail.c_str());
    return name;
}

QJsonObject CliCompareTest::json(const QStringList& arguments) const
{
    const Outcome outcome =
        cli(arguments + QStringList{QStringLiteral("--format"), QStringLiteral("json")});
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(outcome.output.toUtf8(), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning("%s: %s", qPrintable(error.errorString()),
                 qPrintable(outcome.output + outcome.error));
    return document.object();
}

void CliCompareTest::comparesTwoSessions()
{
    const QString a = session(QStringLiteral("a.perilune"), {group(fastParse, 6, "one")});
    const QString b = session(QStringLiteral("b.perilune"), {group(slowParse, 6, "two")});
    const Outcome outcome = cli({QStringLiteral("compare"), a, b});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.output.contains(QStringLiteral("B is 29.4 % slower (95 % interval ")),
             qPrintable(outcome.output));
    QVERIFY(outcome.output.contains(QStringLiteral("6 + 6 runs): clear change.")));
    QVERIFY(outcome.output.contains(QStringLiteral("A  a.perilune, runs 1–6: work.lua")));
    QVERIFY(outcome.output.contains(QStringLiteral("+15.4 ms")));
    QVERIFY(!outcome.output.contains(QStringLiteral("print ")));
    QVERIFY(outcome.output.contains(QStringLiteral("2 of 3 functions not shown")));
    const Outcome all = cli({QStringLiteral("compare"), a, b, QStringLiteral("--all")});
    QVERIFY(all.output.contains(QStringLiteral("print ")));
}

void CliCompareTest::comparesWithinOneSession()
{
    const QString file = session(QStringLiteral("s.perilune"),
                                 {group(fastParse, 5, "one"), group(slowParse, 7, "two")});
    const QJsonObject report = json({QStringLiteral("compare"), file});
    QCOMPARE(report[u"a"][u"runs"].toArray().size(), 5);
    QCOMPARE(report[u"b"][u"runs"].toArray().size(), 7);
    QCOMPARE(report[u"whole"][u"verdict"].toString(), QStringLiteral("slower"));
}

void CliCompareTest::choosesRuns_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    const auto run = [](std::initializer_list<const char*> values) {
        QStringList options;
        for (const char* value : values)
            options << QStringLiteral("--run") << QString::fromLatin1(value);
        return options;
    };
    QTest::newRow("newest repeats and those before") << QStringList() << "1 2 3 4 5"
                                                     << "6 7 8 9 10";
    QTest::newRow("one run of B") << run({"7"}) << "1 2 3 4 5"
                                  << "7";
    QTest::newRow("both") << run({"6-8,10", "1,3"}) << "6 7 8 10"
                          << "1 3";
}

void CliCompareTest::choosesRuns()
{
    QFETCH(QStringList, options);
    QFETCH(QString, a);
    QFETCH(QString, b);
    const QString file = session(QStringLiteral("s.perilune"),
                                 {group(fastParse, 5, "one"), group(slowParse, 5, "two")});
    const QJsonObject report = json(QStringList{QStringLiteral("compare"), file} + options);
    const auto numbers = [&report](QStringView side) {
        QStringList texts;
        const QJsonArray runs = report[side][u"runs"].toArray();
        for (const QJsonValue value : runs)
            texts << QString::number(value.toInt());
        return texts.join(u' ');
    };
    QCOMPARE(numbers(u"a"), a);
    QCOMPARE(numbers(u"b"), b);
}

void CliCompareTest::failsOnlyOnClearSlowdown_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("isSwapped");
    QTest::addColumn<QString>("share");
    QTest::addColumn<int>("code");
    QTest::newRow("clearly slower") << 6 << false << "5%" << 3;
    QTest::newRow("slower, but not by so much") << 6 << false << "40%" << 0;
    QTest::newRow("as a plain share") << 6 << false << "0.05" << 3;
    QTest::newRow("faster") << 6 << true << "5%" << 0;
    QTest::newRow("too few runs") << 4 << false << "5%" << 0;
}

void CliCompareTest::failsOnlyOnClearSlowdown()
{
    QFETCH(int, count);
    QFETCH(bool, isSwapped);
    QFETCH(QString, share);
    QFETCH(int, code);
    const QString fast = session(QStringLiteral("a.perilune"), {group(fastParse, count, "one")});
    const QString slow = session(QStringLiteral("b.perilune"), {group(slowParse, count, "two")});
    const Outcome outcome =
        cli({QStringLiteral("compare"), isSwapped ? slow : fast, isSwapped ? fast : slow,
             QStringLiteral("--fail-if-slower"), share});
    QCOMPARE(outcome.code, code);
    QCOMPARE(outcome.output.contains(QStringLiteral("Failed: ")), code == 3);
}

void CliCompareTest::writesJson()
{
    const QString file = session(QStringLiteral("s.perilune"),
                                 {group(fastParse, 6, "one"), group(slowParse, 6, "two")});
    const QJsonObject report =
        json({QStringLiteral("compare"), file, QStringLiteral("--metric"), QStringLiteral("total"),
              QStringLiteral("--fail-if-slower"), QStringLiteral("5%")});
    QCOMPARE(report[u"format"].toString(), QStringLiteral("perilune-comparison"));
    QCOMPARE(report[u"metric"].toString(), QStringLiteral("total"));
    QVERIFY(report[u"failed"].toBool());
    QCOMPARE(report[u"functions"].toArray().size(), 3);
    const QJsonObject first = report[u"functions"].toArray().first().toObject();
    QCOMPARE(first[u"name"].toString(), QStringLiteral("main"));
    QCOMPARE(first[u"status"].toString(), QStringLiteral("same"));
    // Six runs, up to 5 % longer: the median is at 2.5 %.
    QCOMPARE(first[u"a"].toDouble(), 51000.0 * 1025.0);
    QCOMPARE(first[u"b"].toDouble(), 66000.0 * 1025.0);
    QVERIFY(std::abs(first[u"ratio"].toDouble() - 66.0 / 51.0) < 1e-12);
    QCOMPARE(first[u"interval"].toArray().size(), 2);
    QVERIFY(first[u"p"].toDouble() < 0.05);
    QCOMPARE(report[u"set_up"].toArray().first()[u"item"].toString(),
             QStringLiteral("script_text"));
    QVERIFY(report[u"set_up"].toArray().first()[u"expected"].toBool());
}

void CliCompareTest::writesMarkdown()
{
    const QString file = session(QStringLiteral("s.perilune"),
                                 {group(fastParse, 6, "one"), group(slowParse, 6, "two")});
    const Outcome outcome = cli(
        {QStringLiteral("compare"), file, QStringLiteral("--format"), QStringLiteral("markdown")});
    QVERIFY(outcome.output.contains(QStringLiteral("**B is 29.4 % slower")));
    QVERIFY(outcome.output.contains(QStringLiteral("| --- | ---: |")));
    QVERIFY2(outcome.output.contains(
                 QStringLiteral("| parse | 30.8 ms | 46.1 ms | +15.4 ms | +50.0 % | 1 | slower |")),
             qPrintable(outcome.output));
}

void CliCompareTest::followsMatchesOfTheSession()
{
    const QString file =
        session(QStringLiteral("s.perilune"),
                {{runFrom({"main 10", "main;old 5"})}, {runFrom({"main 10", "main;fresh 7"})}});
    const QStringList arguments = {QStringLiteral("compare"), file,
                                   QStringLiteral("--run"),   QStringLiteral("1"),
                                   QStringLiteral("--run"),   QStringLiteral("2")};
    QCOMPARE(json(arguments)[u"functions"].toArray().size(), 3);
    {
        auto opened = Session::open(path(file).toStdString());
        QVERIFY(opened);
        const auto before = opened->loadRun(1);
        const auto after = opened->loadRun(2);
        QVERIFY(before && after);
        const auto keyOf = [](const Profile& profile, const std::string& name) {
            for (std::uint32_t id = 0; id < profile.functions.size(); ++id)
                if (profile.functions[id].name == name)
                    return profile.key(FunctionId(id));
            return std::string();
        };
        QVERIFY(opened->setManualMatches({{keyOf(**before, "old"), keyOf(**after, "fresh")}}));
    }
    const QJsonArray functions = json(arguments)[u"functions"].toArray();
    QCOMPARE(functions.size(), 2);
    QCOMPARE(functions.first()[u"match"].toString(), QStringLiteral("manual"));
}

void CliCompareTest::refusesWrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QString& arguments, const char* message) {
        QTest::newRow(name) << arguments.split(u' ') << QString::fromUtf8(message);
    };
    row("no file", QStringLiteral("compare"), "FILE is missing");
    row("three files", QStringLiteral("compare a b c"), "“c” is one file too many");
    row("three times --run", QStringLiteral("compare a --run 1 --run 2 --run 3"), "at most twice");
    row("no number", QStringLiteral("compare a --run x"), "--run needs numbers");
    row("range backwards", QStringLiteral("compare a --run 5-2"), "--run needs numbers");
    row("metric", QStringLiteral("compare a --metric speed"), "--metric is one of self, total");
    row("normalise", QStringLiteral("compare a --normalise nicely"), "--normalise is absolute");
    row("share", QStringLiteral("compare a --fail-if-slower much"),
        "--fail-if-slower needs a share");
    row("negative share", QStringLiteral("compare a --threshold -5%"), "--threshold needs a share");
    row("format", QStringLiteral("compare a --format xml"), "--format is table");
    row("history without a file", QStringLiteral("history"), "FILE is missing");
    row("history metric", QStringLiteral("history a --metric speed"), "--metric is one of total");
    row("history format", QStringLiteral("history a --format xml"), "--format is table");
}

void CliCompareTest::refusesWrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const Outcome outcome = cli(arguments);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.error.contains(message), qPrintable(outcome.error));
    QCOMPARE(outcome.error.count(u'\n'), 1);
}

void CliCompareTest::namesWhatCannotBeCompared_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QString& arguments, const char* message) {
        QTest::newRow(name) << arguments.split(u' ') << QString::fromUtf8(message);
    };
    row("no such file", QStringLiteral("compare s.perilune nothing"), "nothing");
    row("no such run", QStringLiteral("compare s.perilune --run 99"), "has no run 99");
    row("no such run of A", QStringLiteral("compare s.perilune --run 98 --run 1"), "has no run 98");
    row("nothing before", QStringLiteral("compare s.perilune"), "name both sides with --run");
    row("not measured",
        QStringLiteral("compare s.perilune s.perilune --run 1 --run 2 --metric self-bytes"),
        "--metric self-bytes");
    row("no such function", QStringLiteral("history s.perilune --function nobody"), "“nobody”");
    row("history of nothing", QStringLiteral("history nothing"), "nothing");
}

void CliCompareTest::namesWhatCannotBeCompared()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    session(QStringLiteral("s.perilune"), {group(fastParse, 5, "one")});
    const Outcome outcome = cli(arguments);
    QCOMPARE(outcome.code, 4);
    QVERIFY2(outcome.error.contains(message), qPrintable(outcome.error));
    QVERIFY(outcome.output.isEmpty());
}

void CliCompareTest::showsHistory()
{
    std::vector<RunGroup> groups;
    for (int i = 0; i < 8; ++i)
        groups.push_back(group(i < 6 ? fastParse : slowParse, 5, "group " + std::to_string(i)));
    const QString file = session(QStringLiteral("s.perilune"), groups);
    const Outcome table = cli({QStringLiteral("history"), file});
    QCOMPARE(table.code, 0);
    QVERIFY2(table.output.contains(QStringLiteral("work.lua in s.perilune: total")),
             qPrintable(table.output));
    QVERIFY2(table.output.contains(QStringLiteral("▲ slower from here on")),
             qPrintable(table.output));
    const Outcome csv =
        cli({QStringLiteral("history"), file, QStringLiteral("--format"), QStringLiteral("csv")});
    const QStringList lines = csv.output.split(QStringLiteral("\r\n"));
    QCOMPARE(lines.size(), 10);
    QVERIFY(lines[0].startsWith(QStringLiteral("file,script,runs,")));
    QVERIFY2(lines[1].startsWith(QStringLiteral("s.perilune,work.lua,1 2 3 4 5,,2023-11-1")),
             qPrintable(lines[1]));
    QVERIFY(lines[7].contains(QStringLiteral(",shift_up,")));
}

void CliCompareTest::showsHistoryOfAFunction()
{
    const QString file = session(QStringLiteral("s.perilune"),
                                 {group(fastParse, 5, "one"), group(slowParse, 5, "two")});
    const QJsonObject report = json(
        {QStringLiteral("history"), file, QStringLiteral("--function"), QStringLiteral("parse")});
    QCOMPARE(report[u"metric"].toString(), QStringLiteral("self"));
    const QJsonArray points = report[u"histories"].toArray().first()[u"points"].toArray();
    QCOMPARE(points.size(), 2);
    QCOMPARE(points[0][u"median"].toDouble(), 30600000.0);
    QCOMPARE(points[1][u"median"].toDouble(), 45900000.0);
    const QJsonObject calls =
        json({QStringLiteral("history"), file, QStringLiteral("--function"),
              QStringLiteral("parse"), QStringLiteral("--metric"), QStringLiteral("calls")});
    QCOMPARE(calls[u"unit"].toString(), QStringLiteral("count"));
    const QJsonArray counted = calls[u"histories"].toArray().first()[u"points"].toArray();
    QCOMPARE(counted[0][u"median"].toDouble(), 1.0);
}

void CliCompareTest::findsRunSets()
{
    std::vector<RunSummary> runs(6);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].id = static_cast<std::int64_t>(i) + 1;
        runs[i].info.script = "a.lua";
        runs[i].info.scriptHash = i < 4 ? "x" : "y";
        runs[i].info.status = RunStatus::Done;
        runs[i].functionCount = 1;
    }
    using Runs = std::vector<std::size_t>;
    QCOMPARE(newestRunSet(runs).runs, (Runs{4, 5}));
    QCOMPARE(baselineFor(runs, newestRunSet(runs)).runs, (Runs{0, 1, 2, 3}));
    runs[1].isBaseline = true;
    QCOMPARE(baselineFor(runs, newestRunSet(runs)).runs, (Runs{0, 1, 2, 3}));
    runs[5].info.status = RunStatus::Stopped;
    QCOMPARE(newestRunSet(runs).runs, (Runs{5}));
    runs[5].functionCount = 0;
    QCOMPARE(newestRunSet(runs).runs, (Runs{4}));
    QVERIFY(newestRunSet({}).runs.empty());
    QVERIFY(baselineFor(runs, {}).runs.empty());
}

void CliCompareTest::loadsHistory()
{
    const RunGroup one = group(fastParse, 3, "one");
    RunGroup failed = changedRuns(group(fastParse, 1, "failed"), [](RunInfo& run) {
        run.status = RunStatus::ScriptError;
        run.repeatGroup.reset();
    });
    RunGroup other =
        changedRuns(group(fastParse, 1, "other"), [](RunInfo& run) { run.script = "other.lua"; });
    const QString file = session(QStringLiteral("s.perilune"), {one, failed, other});
    const auto opened = Session::open(path(file).toStdString());
    QVERIFY(opened);
    const auto runs = opened->runs();
    QVERIFY(runs);
    QCOMPARE(scriptsOf(*runs), (std::vector<std::string>{"other.lua", "work.lua"}));
    const auto points =
        loadHistory(*opened, *runs, "work.lua", HistorySubject::whole(), HistoryQuantity::Total);
    QVERIFY(points);
    QCOMPARE(points->size(), std::size_t(2));
    QCOMPARE(points->front().entry.repeats.size(), std::size_t(3));
    QCOMPARE(points->front().entry.repeats.front(), 51e6);
    QVERIFY(points->back().entry.isFailed);
    QVERIFY(points->back().entry.repeats.empty());
}

QTEST_GUILESS_MAIN(CliCompareTest)
#include "tst_clicompare.moc"
