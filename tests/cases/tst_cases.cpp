// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"
#include "core/profile/ProfileBuilder.h"
#include "tests/cases/CaseFile.h"
#include "tests/cases/RecordedCalls.h"
#include "tests/cases/ScriptProcess.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace perilune;
using namespace perilune::test;

namespace {

constexpr const char* scriptsDir = TESTS_DIR "/cases/scripts";

enum class TimeBound
{
    Lower,
    Upper,
};

/// How a case is recorded: options of the runner, and the path through Lua's structures or its API.
struct Recording
{
    const char* name;
    QStringList options;
    bool useLayout = true;
};

const std::vector<Recording>& recordings()
{
    static const QStringList everything{QStringLiteral("--lines"), QStringLiteral("--durations"),
                                        QStringLiteral("--memory")};
    static const std::vector<Recording> result = {
        {"layout", {}, true},
        {"API", {}, false},
        {"all options", everything, true},
        {"API all options", everything, false},
    };
    return result;
}

QStringList caseNames()
{
    return QDir(QString::fromLatin1(scriptsDir))
        .entryList({QStringLiteral("*.lua")}, QDir::Files, QDir::Name);
}

/// Finds the recorded functions that a case means by its names.
class CaseFunctions
{
public:
    CaseFunctions(const CaseFile& file, const RecordedCalls& calls)
        : m_file(file)
        , m_calls(calls)
    {
    }

    /// All aliases of a name of the header; a name that the header does not define is a C function,
    /// or `main`.
    std::vector<std::uint32_t> find(const QString& name) const
    {
        if (const ExpectedFunction* function = m_file.findFunction(name))
            return findLua(*function);
        if (name == u"main")
            return findLua(ExpectedFunction{});
        return findC(name);
    }

    std::vector<std::uint32_t> findLua(const ExpectedFunction& expected) const
    {
        std::vector<std::uint32_t> result;
        const auto& functions = snapshot().functions;
        for (std::uint32_t index = 0; index < functions.size(); ++index)
            if (isLua(functions[index]) && functions[index].lineDefined == expected.line
                && isOfChunk(functions[index], expected.chunk))
                result.push_back(index);
        if (expected.ordinal == 0 && !areSeveralOnLine(expected))
            return result;
        // The order of functions on one line is that of their `function` keywords.
        const auto place = static_cast<std::size_t>(std::max(expected.ordinal, 1) - 1);
        if (place >= result.size())
            return {};
        return {result[place]};
    }

private:
    const RecordingSnapshot& snapshot() const { return m_calls.snapshot(); }

    static bool isLua(const format::FunctionRecord& function)
    {
        return function.kind == format::FunctionKind::Lua
            || function.kind == format::FunctionKind::Main;
    }

    /// Whether the header tells several functions of this line apart.
    bool areSeveralOnLine(const ExpectedFunction& expected) const
    {
        return std::any_of(m_file.functions.begin(), m_file.functions.end(),
                           [&](const ExpectedFunction& other) {
                               return other.ordinal > 0 && other.line == expected.line
                                   && other.chunk == expected.chunk;
                           });
    }

    bool isOfChunk(const format::FunctionRecord& function, const QString& chunk) const
    {
        if (function.source >= snapshot().sources.size())
            return false;
        const std::string_view name =
            snapshot().string(snapshot().sources[function.source].chunkName);
        const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        if (chunk.isEmpty())
            return text == u'@' + m_file.fileName;
        return text == u'=' + chunk || text == u'@' + chunk || text.endsWith(u'/' + chunk);
    }

    std::vector<std::uint32_t> findC(const QString& name) const
    {
        std::vector<std::uint32_t> result;
        const auto& functions = snapshot().functions;
        for (std::uint32_t index = 0; index < functions.size(); ++index)
            if (functions[index].kind == format::FunctionKind::C
                && snapshot().string(functions[index].name) == name.toStdString())
                result.push_back(index);
        return result;
    }

    const CaseFile& m_file;
    const RecordedCalls& m_calls;
};

/// Compares one recording with the header of its case; `failures` says what differs.
class CaseCheck
{
public:
    CaseCheck(const CaseFile& file, const RecordedCalls& calls)
        : m_file(file)
        , m_calls(calls)
        , m_functions(file, calls)
    {
    }

    const QStringList& failures() const { return m_failures; }

    void checkCounts()
    {
        for (const ExpectedFunction& function : m_file.functions)
            compare(QStringLiteral("calls of ") + function.name,
                    m_file.setsHooks ? function.calls : function.seen,
                    callsOf(m_functions.findLua(function)));
        for (const ExpectedCFunction& function : m_file.cFunctions)
            compare(QStringLiteral("calls of ") + function.name, function.calls,
                    callsOf(m_functions.find(function.name)));
        for (const ExpectedEdge& edge : m_file.edges)
            checkEdge(edge);
        for (const ExpectedDepth& depth : m_file.depths)
            checkDepth(depth);
        checkLines();
    }

    void checkTimes(TimeBound bound)
    {
        for (const ExpectedTime& time : m_file.times) {
            if (time.isUpperBound != (bound == TimeBound::Upper))
                continue;
            double seconds = 0;
            for (const std::uint32_t function : m_functions.find(time.function))
                seconds +=
                    time.isSelf ? m_calls.selfSeconds(function) : m_calls.totalSeconds(function);
            if (time.isUpperBound ? seconds >= time.seconds : seconds <= time.seconds)
                m_failures.append(
                    QStringLiteral("%1 of %2 is %3 s, not %4 %5 s")
                        .arg(time.isSelf ? u"self time" : u"total time", time.function)
                        .arg(seconds)
                        .arg(QChar(time.isUpperBound ? u'<' : u'>'))
                        .arg(time.seconds));
        }
    }

private:
    std::uint64_t callsOf(const std::vector<std::uint32_t>& functions) const
    {
        std::uint64_t result = 0;
        for (const std::uint32_t function : functions)
            result += m_calls.function(function).calls;
        return result;
    }

    void compare(const QString& what, const Expectation& expected, std::uint64_t actual)
    {
        if (!expected.accepts(actual))
            m_failures.append(
                QStringLiteral("%1: %2, expected %3").arg(what).arg(actual).arg(expected.text()));
    }

    void checkEdge(const ExpectedEdge& edge)
    {
        CallCount count;
        for (const std::uint32_t caller : m_functions.find(edge.caller)) {
            for (const std::uint32_t callee : m_functions.find(edge.callee)) {
                const CallCount found = m_calls.edge(caller, callee);
                count.calls += found.calls;
                count.tailCalls += found.tailCalls;
            }
        }
        compare(QStringLiteral("%1 %2 -> %3")
                    .arg(edge.isTail ? u"tail calls" : u"calls", edge.caller, edge.callee),
                edge.calls, edge.isTail ? count.tailCalls : count.calls - count.tailCalls);
    }

    void checkDepth(const ExpectedDepth& depth)
    {
        std::uint64_t deepest = 0;
        for (const std::uint32_t function : m_functions.find(depth.function))
            deepest = std::max(deepest, m_calls.deepest(function));
        compare(QStringLiteral("depth of ") + depth.function, depth.depth, deepest);
    }

    void checkLines()
    {
        const RecordingSnapshot& snapshot = m_calls.snapshot();
        if ((snapshot.header.options & format::OptionLines) == 0)
            return;
        for (const ExpectedLine& expected : m_file.lines) {
            std::uint64_t hits = 0;
            for (const format::NodeLineRecord& line : snapshot.nodeLines)
                if (line.line == expected.line)
                    hits += line.hits;
            compare(QStringLiteral("hits of line %1").arg(expected.line), expected.hits, hits);
        }
    }

    const CaseFile& m_file;
    const RecordedCalls& m_calls;
    CaseFunctions m_functions;
    QStringList m_failures;
};

} // namespace

/// Every script of scripts/: under the runner it must behave as under lua5.4, and its recording
/// must have what its header states.
class TestCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void behavesAsWithoutProfiler_data();
    void behavesAsWithoutProfiler();
    void recordsWhatHeaderStates_data();
    void recordsWhatHeaderStates();
    void recordsTimesBelowBounds_data() { addCases(); }
    void recordsTimesBelowBounds();

private:
    void addCases();
    QString recordingPath() const { return m_folder.filePath(QStringLiteral("case.plrec")); }
    void checkTimeIsWhole(const RecordedCalls& calls);
    void checkFunctionTable(const RecordedCalls& calls);
    ScriptProcess plainScript(const CaseFile& file) const;
    ScriptProcess recorded(const CaseFile& file, const QStringList& options) const;
    Result<RecordingSnapshot> record(const CaseFile& file, const ScriptProcess& process);

    QTemporaryDir m_folder;
};

void TestCases::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QVERIFY(caseNames().size() >= 65);
    // Copies, so that a case cannot change the tree it comes from.
    const QString scripts = QString::fromLatin1(scriptsDir);
    QVERIFY(copyLuaFiles(scripts, m_folder.path()));
    QVERIFY(
        copyLuaFiles(scripts + QStringLiteral("/lib"), m_folder.filePath(QStringLiteral("lib"))));
}

void TestCases::addCases()
{
    QTest::addColumn<QString>("script");
    for (const QString& name : caseNames())
        QTest::newRow(qPrintable(name)) << name;
}

void TestCases::behavesAsWithoutProfiler_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("options");
    for (const QString& name : caseNames()) {
        QTest::addRow("%s", qPrintable(name)) << name << QStringList();
        QTest::addRow("%s all options", qPrintable(name)) << name << recordings().back().options;
        QTest::addRow("%s sampling", qPrintable(name))
            << name << QStringList{QStringLiteral("--mode"), QStringLiteral("sampling")};
    }
}

void TestCases::recordsWhatHeaderStates_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("recording");
    for (const QString& name : caseNames())
        for (std::size_t index = 0; index < recordings().size(); ++index)
            QTest::addRow("%s %s", qPrintable(name), recordings()[index].name)
                << name << static_cast<int>(index);
}

ScriptProcess TestCases::plainScript(const CaseFile& file) const
{
    ScriptProcess script;
    // Through env, because QProcess would start it by its whole path, which shows in its messages.
    script.program = QStringLiteral("env");
    script.arguments = QStringList{QStringLiteral("lua5.4"), file.fileName} + file.arguments;
    script.workingDirectory = m_folder.path();
    script.input = file.input;
    script.killAfterSeconds = file.timeoutSeconds;
    return script;
}

ScriptProcess TestCases::recorded(const CaseFile& file, const QStringList& options) const
{
    ScriptProcess script =
        recordedScript(recordingPath(), file.fileName, file.arguments, m_folder.path());
    script.arguments = options + script.arguments;
    script.input = file.input;
    script.killAfterSeconds = file.timeoutSeconds;
    return script;
}

void TestCases::behavesAsWithoutProfiler()
{
    QFETCH(QString, script);
    QFETCH(QStringList, options);
    const CaseFile file = readCase(m_folder.filePath(script));
    QCOMPARE(file.problems, QStringList());
    const ScriptResult plain = runToEnd(plainScript(file));
    const ScriptResult watched = runToEnd(recorded(file, options));
    QVERIFY(plain.hasStarted && watched.hasStarted);
    QCOMPARE(watched.wasKilled, plain.wasKilled);
    QCOMPARE(watched.exitCode, plain.exitCode);
    QVERIFY2(watched.output == plain.output, watched.output.left(200).constData());
    QCOMPARE(QString::fromUtf8(watched.errorOutput), QString::fromUtf8(plain.errorOutput));
    QCOMPARE(watched.wasKilled, file.neverEnds);
    if (!file.neverEnds)
        QCOMPARE(watched.exitCode, file.exitCode);
    QVERIFY(file.output.match(QString::fromUtf8(watched.output)).hasMatch());
    QVERIFY(file.errorOutput.match(QString::fromUtf8(watched.errorOutput)).hasMatch());
}

void TestCases::recordsWhatHeaderStates()
{
    QFETCH(QString, script);
    QFETCH(int, recording);
    const Recording& how = recordings()[static_cast<std::size_t>(recording)];
    const CaseFile file = readCase(m_folder.filePath(script));
    ScriptProcess process = recorded(file, how.options);
    if (!how.useLayout)
        process.environment.append(QStringLiteral("PERILUNE_NO_LAYOUT=1"));
    const auto snapshot = record(file, process);
    QVERIFY2(bool(snapshot), snapshot ? "" : snapshot.error().detail.c_str());
    QVERIFY(snapshot->problems.empty());
    QVERIFY(snapshot->header.endTicks != 0);
    QCOMPARE(snapshot->header.layoutPath, how.useLayout ? 1u : 0u);
    QCOMPARE((snapshot->header.options & format::OptionLines) != 0, !how.options.isEmpty());
    const RecordedCalls calls(*snapshot);
    CaseCheck check(file, calls);
    check.checkCounts();
    check.checkTimes(TimeBound::Lower);
    QCOMPARE(check.failures().join(u'\n'), QString());
    checkTimeIsWhole(calls);
    checkFunctionTable(calls);
}

/// No time is lost or counted twice, through errors, coroutines, tail calls and exits.
void TestCases::checkTimeIsWhole(const RecordedCalls& calls)
{
    const format::Header& header = calls.snapshot().header;
    const auto whole = static_cast<double>(header.endTicks - header.startTicks);
    const double seconds =
        calls.seconds() + static_cast<double>(header.excludedTicks) / header.ticksPerSecond;
    const double expected = whole / header.ticksPerSecond;
    QVERIFY2(std::abs(seconds - expected) <= 0.01 * expected,
             qPrintable(QStringLiteral("%1 s of %2 s").arg(seconds).arg(expected)));
}

/// The table that the window shows has the calls that the nodes have.
void TestCases::checkFunctionTable(const RecordedCalls& calls)
{
    const std::shared_ptr<const Profile> profile = buildProfile(calls.snapshot());
    const FunctionTable table = FunctionTable::compute(*profile);
    for (std::uint32_t function = 1; function < profile->functions.size(); ++function) {
        const FunctionCosts* row = table.find(FunctionId(function));
        const CallCount expected = calls.function(function);
        QCOMPARE(row ? row->calls : 0, expected.calls);
        QCOMPARE(row ? row->tailCalls : 0, expected.tailCalls);
    }
    QCOMPARE(table.edges().size(), calls.edges().size());
    for (const Edge& edge : table.edges()) {
        const CallCount expected = calls.edge(edge.caller.value(), edge.callee.value());
        QCOMPARE(edge.calls, expected.calls);
        QCOMPARE(edge.tailCalls, expected.tailCalls);
    }
}

/// Upper bounds hold for the processor time: wall time has no bound on a busy machine.
void TestCases::recordsTimesBelowBounds()
{
    QFETCH(QString, script);
    const CaseFile file = readCase(m_folder.filePath(script));
    const bool hasBound = std::any_of(file.times.begin(), file.times.end(),
                                      [](const ExpectedTime& time) { return time.isUpperBound; });
    if (!hasBound)
        return;
    const QStringList options{QStringLiteral("--clock"), QStringLiteral("cpu")};
    const auto snapshot = record(file, recorded(file, options));
    QVERIFY2(bool(snapshot), snapshot ? "" : snapshot.error().detail.c_str());
    const RecordedCalls calls(*snapshot);
    CaseCheck check(file, calls);
    check.checkTimes(TimeBound::Upper);
    QCOMPARE(check.failures().join(u'\n'), QString());
}

Result<RecordingSnapshot> TestCases::record(const CaseFile& file, const ScriptProcess& process)
{
    const std::string path = recordingPath().toStdString();
    if (!runToEnd(process).hasStarted)
        return Error{Error::Code::CannotStart, "the runner did not start"};
    if (file.neverEnds)
        if (const auto closed = closeRecording(path, format::State::Stopped); !closed)
            return closed.error();
    return readRecording(path);
}

QTEST_GUILESS_MAIN(TestCases)
#include "tst_cases.moc"
