// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cases/CaseFile.h"
#include "tests/cases/OracleCounts.h"
#include "tests/cases/ScriptProcess.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
using namespace perilune::test;

namespace {

constexpr const char* scriptsDir = TESTS_DIR "/cases/scripts";
constexpr const char* programsDir = TESTS_DIR "/cases/programs";

QStringList caseNames()
{
    return QDir(QString::fromLatin1(scriptsDir))
        .entryList({QStringLiteral("*.lua")}, QDir::Files, QDir::Name);
}

/// Why a case cannot be compared between two processes, or nothing.
QString whyNotInTwoProcesses(const QString& script)
{
    static const QHash<QString, QString> reasons = {
        {QStringLiteral("44_stack_overflow.lua"),
         QStringLiteral("how deep it gets depends on what is below it on the stack")},
        {QStringLiteral("14_coroutine_suspended_time.lua"),
         QStringLiteral("it spins by the clock")},
        {QStringLiteral("66_wall_vs_cpu.lua"), QStringLiteral("it spins by the clock")},
        {QStringLiteral("79_script_clears_state.lua"),
         QStringLiteral("the oracle finds no more names of C functions")},
        {QStringLiteral("40_os_exit_close.lua"),
         QStringLiteral("the oracle stops counting at os.exit")},
    };
    return reasons.value(script);
}

} // namespace

/// An independent counter, the oracle, must agree with the recorder on every function and every
/// edge.
class TestOracle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void agreesOnCasesInOneProcess_data();
    void agreesOnCasesInOneProcess();
    void agreesOnCasesBetweenProcesses_data();
    void agreesOnCasesBetweenProcesses();
    void agreesOnPrograms_data();
    void agreesOnPrograms();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// Runs a script once under both counters; returns what differs.
    QString compareInOneProcess(ScriptProcess script, OracleNames names, bool useLayout,
                                std::uint64_t fewestCalls);
    void writeBigProgram();

    QTemporaryDir m_folder;
};

void TestOracle::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QVERIFY(copyLuaFiles(QString::fromLatin1(scriptsDir), m_folder.path()));
    QVERIFY(copyLuaFiles(QString::fromLatin1(scriptsDir) + QStringLiteral("/lib"),
                         path(QStringLiteral("lib"))));
    QVERIFY(copyLuaFiles(QString::fromLatin1(programsDir), m_folder.path()));
    writeBigProgram();
}

void TestOracle::writeBigProgram()
{
    ScriptProcess writer;
    writer.program = QStringLiteral("lua5.4");
    writer.arguments = QStringList{QStringLiteral("write_big_program.lua")};
    writer.workingDirectory = m_folder.path();
    const ScriptResult written = runToEnd(writer);
    QCOMPARE(written.exitCode, 0);
    QVERIFY(written.output.count('\n') > 10000);
    QFile file(path(QStringLiteral("big_program.lua")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(written.output);
}

QString TestOracle::compareInOneProcess(ScriptProcess script, OracleNames names, bool useLayout,
                                        std::uint64_t fewestCalls)
{
    const QString counts = path(QStringLiteral("oracle.tsv"));
    const QString recording = path(QStringLiteral("oracle.plrec"));
    QFile::remove(counts);
    QStringList options{QStringLiteral("-o"), counts};
    if (names == OracleNames::ByPrototype)
        options.append(QStringLiteral("-p"));
    script.program = QStringLiteral(TEST_TOOLS_DIR "/oracle_with_recorder");
    script.arguments = options + script.arguments;
    script.environment.append(QStringLiteral("ORACLE_RECORDING=") + recording);
    if (!useLayout)
        script.environment.append(QStringLiteral("PERILUNE_NO_LAYOUT=1"));
    const ScriptResult run = runToEnd(script);
    if (!run.hasStarted || run.wasKilled)
        return QStringLiteral("did not run to its end");
    const auto snapshot = readRecording(recording.toStdString());
    if (!snapshot)
        return QString::fromStdString(snapshot.error().detail);
    const NamedCalls oracle = readOracle(counts);
    if (oracle.totalCalls() < fewestCalls)
        return QStringLiteral("made only %1 calls: ").arg(oracle.totalCalls())
            + QString::fromUtf8(run.errorOutput);
    return differences(oracle, namedCalls(RecordedCalls(*snapshot), names)).join(u'\n');
}

void TestOracle::agreesOnCasesInOneProcess_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("useLayout");
    for (const QString& name : caseNames()) {
        QTest::newRow(qPrintable(name + QStringLiteral(" layout"))) << name << true;
        QTest::newRow(qPrintable(name + QStringLiteral(" API"))) << name << false;
    }
}

void TestOracle::agreesOnCasesInOneProcess()
{
    QFETCH(QString, script);
    QFETCH(bool, useLayout);
    const CaseFile file = readCase(path(script));
    if (file.neverEnds)
        QSKIP("never ends, and the oracle writes its counts at the end");
    ScriptProcess process;
    process.arguments = QStringList{script} + file.arguments;
    process.workingDirectory = m_folder.path();
    process.input = file.input;
    QCOMPARE(compareInOneProcess(process, OracleNames::ByLine, useLayout, 0), QString());
}

void TestOracle::agreesOnCasesBetweenProcesses_data()
{
    QTest::addColumn<QString>("script");
    for (const QString& name : caseNames())
        QTest::newRow(qPrintable(name)) << name;
}

void TestOracle::agreesOnCasesBetweenProcesses()
{
    QFETCH(QString, script);
    const CaseFile file = readCase(path(script));
    if (file.neverEnds)
        QSKIP("never ends, and the oracle writes its counts at the end");
    if (const QString reason = whyNotInTwoProcesses(script); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const QString counts = path(QStringLiteral("alone.tsv"));
    const QString recording = path(QStringLiteral("alone.plrec"));
    QFile::remove(counts);
    ScriptProcess oracle;
    oracle.program = QStringLiteral(TEST_TOOLS_DIR "/oracle");
    oracle.arguments = QStringList{QStringLiteral("-o"), counts, script} + file.arguments;
    oracle.workingDirectory = m_folder.path();
    oracle.input = file.input;
    QVERIFY(runToEnd(oracle).hasStarted);
    ScriptProcess runner = recordedScript(recording, script, file.arguments, m_folder.path());
    runner.input = file.input;
    QVERIFY(runToEnd(runner).hasStarted);
    const auto snapshot = readRecording(recording.toStdString());
    QVERIFY2(bool(snapshot), snapshot ? "" : snapshot.error().detail.c_str());
    const NamedCalls recorded = namedCalls(RecordedCalls(*snapshot), OracleNames::ByLine);
    QCOMPARE(differences(readOracle(counts), recorded).join(u'\n'), QString());
}

void TestOracle::agreesOnPrograms_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QStringList>("needed");
    QTest::addColumn<bool>("useLayout");
    const QString luacheck = QStringLiteral("/usr/bin/luacheck");
    const QString ldoc = QStringLiteral("/usr/bin/ldoc");
    const QString shared = QStringLiteral("/usr/share/lua/5.4/");
    const QString benchmarks = QStringLiteral(TESTS_DIR "/bench/programs");
    const struct
    {
        const char* name;
        QStringList command;
        QStringList needed; ///< Files without which the program is not installed.
    } programs[] = {
        {"luacheck",
         {luacheck, QStringLiteral("--no-color"), QStringLiteral("--no-cache"), benchmarks,
          QString::fromLatin1(scriptsDir)},
         {luacheck}},
        {"luacheck on itself",
         {luacheck, QStringLiteral("--no-color"), QStringLiteral("--no-cache"),
          QStringLiteral("/usr/share/lua/5.1/luacheck/parser.lua"),
          QStringLiteral("/usr/share/lua/5.1/luacheck/lexer.lua")},
         {luacheck}},
        {"ldoc",
         {ldoc, QStringLiteral("-d"), path(QStringLiteral("doc")),
          shared + QStringLiteral("pl/List.lua")},
         {ldoc, shared + QStringLiteral("pl/List.lua")}},
        {"Penlight",
         {QStringLiteral("use_penlight.lua")},
         {shared + QStringLiteral("pl/List.lua")}},
        {"lua-cjson",
         {QStringLiteral("use_cjson.lua")},
         {QStringLiteral("/usr/lib/x86_64-linux-gnu/lua/5.4/cjson.so")}},
        {"lpeg re", {QStringLiteral("use_re.lua")}, {shared + QStringLiteral("re.lua")}},
        {"LuaSocket filters",
         {QStringLiteral("use_filters.lua")},
         {shared + QStringLiteral("ltn12.lua")}},
        {"argparse",
         {QStringLiteral("use_argparse.lua")},
         {shared + QStringLiteral("argparse.lua")}},
        {"ten thousand lines", {QStringLiteral("big_program.lua")}, {}},
        {"ten million calls", {QStringLiteral("ten_million_calls.lua")}, {}},
    };
    for (const auto& program : programs) {
        QTest::addRow("%s layout", program.name) << program.command << program.needed << true;
        QTest::addRow("%s API", program.name) << program.command << program.needed << false;
    }
}

void TestOracle::agreesOnPrograms()
{
    QFETCH(QStringList, command);
    QFETCH(QStringList, needed);
    QFETCH(bool, useLayout);
    for (const QString& file : needed)
        if (!QFileInfo::exists(file))
            QSKIP(qPrintable(file + QStringLiteral(" is not installed")));
    ScriptProcess process;
    process.arguments = command;
    process.workingDirectory = m_folder.path();
    // Debian installs luacheck for 5.1, but it runs with 5.4 as well.
    process.environment.append(QStringLiteral("LUA_PATH=;;/usr/share/lua/5.1/?.lua;"
                                              "/usr/share/lua/5.1/?/init.lua"));
    const std::uint64_t fewestCalls = 200;
    QCOMPARE(compareInOneProcess(process, OracleNames::ByLine, useLayout, fewestCalls), QString());
}

QTEST_GUILESS_MAIN(TestOracle)
#include "tst_oracle.moc"
