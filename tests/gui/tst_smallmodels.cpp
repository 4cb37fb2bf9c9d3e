// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/EdgeModel.h"
#include "gui/models/EnvironmentModel.h"
#include "gui/models/Problems.h"
#include "gui/models/RunText.h"
#include "gui/models/RunsModel.h"
#include "gui/models/SourceFigures.h"
#include "tests/gui/ModelText.h"
#include "tests/support/TestProfiles.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace perilune;

namespace {

constexpr auto reportingMode = QAbstractItemModelTester::FailureReportingMode::QtTest;

FunctionId functionNamed(const Profile& profile, const std::string& name)
{
    for (std::uint32_t index = 0; index < profile.functions.size(); ++index) {
        if (profile.functions[index].name == name)
            return FunctionId(index);
    }
    return {};
}

QStringList lines(std::initializer_list<const char*> texts)
{
    QStringList list;
    for (const char* text : texts)
        list.append(QString::fromUtf8(text));
    return list;
}

QStringList edgesOf(EdgeModel& model, const std::vector<std::string>& stacks,
                    const std::string& function)
{
    const auto profile = test::profileFrom(stacks);
    model.setFunction(profile,
                      std::make_shared<const FunctionTable>(FunctionTable::compute(*profile)),
                      functionNamed(*profile, function));
    return test::rowsOf(model,
                        {EdgeModel::NameColumn, EdgeModel::TimeColumn, EdgeModel::ShareColumn,
                         EdgeModel::CallsColumn});
}

RunSummary summary(std::int64_t id, const std::string& script, const std::string& name)
{
    RunSummary run;
    run.id = id;
    run.info.script = script;
    run.info.status = RunStatus::Done;
    run.info.wallTime = Duration::fromMilliseconds(1284);
    run.name = name;
    return run;
}

} // namespace

class SmallModelsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void listsCallers();
    void listsCalleesWithSelf();
    void recursionHasNoShare();
    void sortsEdges();
    void groupsRunsByScript();
    void renamesRuns();
    void editsTheEnvironment();
    void refusesBadNames();
    void namesStatuses_data();
    void namesStatuses();
    void readsTracebacks();
    void listsWhereAModuleWasLookedFor();
    void sumsFiguresByLine();
};

void SmallModelsTest::listsCallers()
{
    EdgeModel model(EdgeModel::Direction::Callers);
    const QAbstractItemModelTester tester(&model, reportingMode);
    QCOMPARE(edgesOf(model, {"main;a;work 30 calls=3", "main;b;work 10 calls=2"}, "work"),
             lines({"a | 30.0 µs | 75.0 % | 3", "b | 10.0 µs | 25.0 % | 2"}));
}

void SmallModelsTest::listsCalleesWithSelf()
{
    EdgeModel model(EdgeModel::Direction::Callees);
    const QAbstractItemModelTester tester(&model, reportingMode);
    QCOMPARE(edgesOf(model, {"main;work 10", "main;work;x 60 calls=3", "main;work;y 30"}, "work"),
             lines({"x | 60.0 µs | 60.0 % | 3", "y | 30.0 µs | 30.0 % | 1",
                    "self | 10.0 µs | 10.0 % | –"}));
    QVERIFY(!model.functionAt(2).isValid());
    QVERIFY(model.functionAt(0).isValid());
}

void SmallModelsTest::recursionHasNoShare()
{
    EdgeModel model(EdgeModel::Direction::Callees);
    const QStringList rows =
        edgesOf(model, {"main;f 40", "main;f;f 30 calls=5", "main;f;f;g 30"}, "f");
    const auto recursive = std::find_if(rows.begin(), rows.end(), [](const QString& row) {
        return row.contains(QStringLiteral("calls itself"));
    });
    QVERIFY(recursive != rows.end());
    QVERIFY(recursive->contains(QStringLiteral("| – |")));
    // The others add up to all of it.
    QVERIFY(rows.contains(QStringLiteral("self | 70.0 µs | 70.0 % | –")));
    QVERIFY(rows.contains(QStringLiteral("g | 30.0 µs | 30.0 % | 1")));
}

void SmallModelsTest::sortsEdges()
{
    EdgeModel model(EdgeModel::Direction::Callers);
    edgesOf(model, {"main;a;work 30 calls=1", "main;b;work 10 calls=9"}, "work");
    const QPersistentModelIndex a = model.index(0, 0);
    model.sort(EdgeModel::CallsColumn, Qt::DescendingOrder);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("b"));
    QCOMPARE(a.row(), 1);
    model.sort(EdgeModel::NameColumn, Qt::AscendingOrder);
    QCOMPARE(a.row(), 0);
}

void SmallModelsTest::groupsRunsByScript()
{
    RunsModel model;
    const QAbstractItemModelTester tester(&model, reportingMode);
    model.setRuns({summary(1, "/x/a.lua", "first"), summary(2, "/x/b.lua", "other"),
                   summary(3, "/x/a.lua", "second")});
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex script = model.index(0, 0);
    QCOMPARE(script.data().toString(), QStringLiteral("a.lua"));
    QCOMPARE(model.rowCount(script), 2);
    QCOMPARE(model.index(1, RunsModel::RunColumn, script).data().toString(),
             QStringLiteral("second"));
    QCOMPARE(model.index(1, RunsModel::DurationColumn, script).data().toString(),
             QStringLiteral("1.284 s"));
    QCOMPARE(model.index(1, RunsModel::StatusColumn, script).data().toString(),
             QStringLiteral("Done"));
    QCOMPARE(model.runAt(model.indexOf(3))->id, std::int64_t(3));
    QVERIFY(model.runAt(script) == nullptr);
    model.setLoadedRun(3);
    QVERIFY(model.indexOf(3).data(Qt::FontRole).value<QFont>().bold());
    QVERIFY(!model.indexOf(1).data(Qt::FontRole).value<QFont>().bold());
    model.setRuns({});
}

void SmallModelsTest::renamesRuns()
{
    RunsModel model;
    model.setRuns({summary(7, "/x/a.lua", "old")});
    QSignalSpy edits(&model, &RunsModel::runEdited);
    QVERIFY(model.setData(model.indexOf(7), QStringLiteral(" new "), Qt::EditRole));
    QCOMPARE(edits.count(), 1);
    QCOMPARE(edits.at(0).at(0).value<RunSummary>().name, std::string("new"));
    QVERIFY(!model.setData(model.indexOf(7), QStringLiteral("old"), Qt::EditRole));
    QCOMPARE(edits.count(), 1);
}

void SmallModelsTest::editsTheEnvironment()
{
    EnvironmentModel model(
        {QStringLiteral("HOME=/home/x"), QStringLiteral("LANG=C"), QStringLiteral("A=b=c")});
    const QAbstractItemModelTester tester(&model, reportingMode);
    QCOMPARE(test::rowsOf(model, {0, 1, 2}),
             lines({"A | b=c | Inherited", "HOME | /home/x | Inherited", "LANG | C | Inherited"}));
    QVERIFY(model.changes().isEmpty());
    QVERIFY(model.setData(model.index(2, EnvironmentModel::ValueColumn), QStringLiteral("de_DE"),
                          Qt::EditRole));
    model.unset(1);
    const int row = model.addVariable();
    QVERIFY(model.setData(model.index(row, EnvironmentModel::NameColumn),
                          QStringLiteral("LUA_PATH"), Qt::EditRole));
    QVERIFY(model.setData(model.index(row, EnvironmentModel::ValueColumn),
                          QStringLiteral("./?.lua"), Qt::EditRole));
    const EnvironmentModel::Changes changes = model.changes();
    QCOMPARE(changes.size(), 3);
    QCOMPARE(changes.at(0).first, QStringLiteral("LUA_PATH"));
    QCOMPARE(changes.at(0).second, std::optional(QStringLiteral("./?.lua")));
    QCOMPARE(changes.at(1).second, std::optional<QString>());
    QCOMPARE(changes.at(2).second, std::optional(QStringLiteral("de_DE")));

    EnvironmentModel other({QStringLiteral("HOME=/home/x"), QStringLiteral("LANG=C")});
    other.setChanges(changes);
    QCOMPARE(other.changes(), changes);
    QCOMPARE(other.stateOf(0), EnvironmentModel::State::Added);
    other.reset(0);
    QCOMPARE(other.changes().size(), 2);
    other.reset(0);
    QCOMPARE(other.stateOf(0), EnvironmentModel::State::Inherited);
}

void SmallModelsTest::refusesBadNames()
{
    EnvironmentModel model({QStringLiteral("HOME=/home/x")});
    const QModelIndex name = model.index(model.addVariable(), EnvironmentModel::NameColumn);
    QVERIFY(!model.setData(name, QStringLiteral("A=B"), Qt::EditRole));
    QVERIFY(!model.setData(name, QStringLiteral("HOME"), Qt::EditRole));
    QVERIFY(!model.setData(name, QString(), Qt::EditRole));
    QVERIFY(model.changes().isEmpty());
    QVERIFY(!model.setData(model.index(1, EnvironmentModel::NameColumn), QStringLiteral("X"),
                           Qt::EditRole));
}

void SmallModelsTest::namesStatuses_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("text");
    const auto row = [](RunStatus status, int exitCode, int signal, const char* text) {
        QTest::newRow(text) << int(status) << exitCode << signal << QString::fromUtf8(text);
    };
    row(RunStatus::Done, 0, 0, "Done");
    row(RunStatus::Done, 3, 0, "Done (exit code 3)");
    row(RunStatus::Stopped, 0, 0, "Stopped by you (partial)");
    row(RunStatus::ScriptError, 1, 0, "Script error (partial)");
    row(RunStatus::SyntaxError, 1, 0, "Syntax error");
    row(RunStatus::TimeLimit, 0, 0, "Time limit (partial)");
    row(RunStatus::Killed, 0, SIGSEGV, "Killed (SIGSEGV)");
    row(RunStatus::Killed, 0, 60, "Killed (signal 60)");
    row(RunStatus::CouldNotStart, 0, 0, "Could not start");
}

void SmallModelsTest::namesStatuses()
{
    QFETCH(int, status);
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    RunInfo run;
    run.status = static_cast<RunStatus>(status);
    run.exitCode = exitCode;
    run.signal = signal;
    QTEST(statusText(run), "text");
    QVERIFY(!statusIcon(run.status).isEmpty());
}

void SmallModelsTest::readsTracebacks()
{
    Profile profile = *test::profileFrom({"main@prog/main.lua:1;f@lib/a.lua:3 1"});
    profile.run.status = RunStatus::ScriptError;
    profile.run.errorMessage = "lib/a.lua:4: boom: again";
    profile.run.traceback =
        "stack traceback:\n\t[C]: in function 'error'\n\tlib/a.lua:4: in upvalue 'f'\n"
        "\t...g/main.lua:9: in main chunk\n\t[C]: in ?";
    const std::vector<Problem> problems = problemsOf(profile);
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].text, QStringLiteral("boom: again"));
    QCOMPARE(problems[0].location, QStringLiteral("lib/a.lua:4"));
    QCOMPARE(problems[0].line.line, 4);
    QCOMPARE(problems[0].details.size(), std::size_t(4));
    QCOMPARE(problems[0].details[1].text, QStringLiteral("in upvalue 'f'"));
    QCOMPARE(problems[0].details[1].line.line, 4);
    QVERIFY(!problems[0].details[0].line.source.isValid());
    // Lua cuts long names in front.
    QCOMPARE(problems[0].details[2].line.line, 9);
    QVERIFY(problems[0].details[2].line.source.isValid());
}

void SmallModelsTest::listsWhereAModuleWasLookedFor()
{
    Profile profile = *test::profileFrom({"main@main.lua:1 1"});
    profile.run.status = RunStatus::ScriptError;
    profile.run.errorMessage = "main.lua:2: module 'nope' not found:\n\tno field "
                               "package.preload['nope']\n\tno file './nope.lua'";
    QCOMPARE(missingModule(profile.run), QStringLiteral("nope"));
    const std::vector<Problem> problems = problemsOf(profile);
    QCOMPARE(problems.at(0).details.size(), std::size_t(2));
    QCOMPARE(problems.at(0).details.at(1).text, QStringLiteral("no file './nope.lua'"));
}

void SmallModelsTest::sumsFiguresByLine()
{
    const auto profile = test::profileFrom({"a@x.lua:3 10 calls=2", "b@x.lua:3 30 calls=1",
                                            "c@y.lua:3 5", "a@x.lua:3;d@x.lua:8 1 calls=7"});
    const FunctionTable table = FunctionTable::compute(*profile);
    const SourceId source = profile->function(functionNamed(*profile, "a")).source;
    const auto figures = functionLines(*profile, table, source);
    QCOMPARE(figures.size(), std::size_t(2));
    QCOMPARE(figures.at(3).calls, std::uint64_t(3));
    QCOMPARE(figures.at(3).self, Duration::fromNanoseconds(40'000));
    QCOMPARE(figures.at(3).functions.front(), functionNamed(*profile, "b"));
    QCOMPARE(figures.at(8).calls, std::uint64_t(7));
}

QTEST_MAIN(SmallModelsTest)
#include "tst_smallmodels.moc"
