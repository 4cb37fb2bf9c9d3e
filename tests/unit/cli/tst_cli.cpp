// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/ProcessWatch.h"
#include "core/session/Session.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <optional>
#include <unistd.h>

using namespace perilune;

namespace {

constexpr int timeoutMs = 60000;

/// How a program ended and what it wrote.
struct Outcome
{
    int code = -1;
    QByteArray output;
    QByteArray error;
};

} // namespace

/// Runs the built perilune-cli as a user does.
class CliTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();

    void helps_data();
    void helps();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
    void behavesAsLua_data();
    void behavesAsLua();
    void appendsRuns();
    void takesAnEmptyFile();
    void reportsATable();
    void sortsAndLimits_data();
    void sortsAndLimits();
    void reportsJson();
    void describesTheRunInJson();
    void writesValidJsonOfAnyText();
    void reportsARecording();
    void passesOptionsOfTheScript();
    void launchesAsAsked();
    void endsAsTheScriptDoes_data();
    void endsAsTheScriptDoes();
    void keepsNothingOfASyntaxError();
    void namesWhatCannotBeRead_data();
    void namesWhatCannotBeRead();
    void namesWhatCannotBeWritten();
    void leavesInterruptsToTheScript();
    void recordsWhatWasStopped();
    void diesWithItsScriptAndLosesNothing();
    void repeats();

private:
    Outcome run(const QString& program, const QStringList& arguments,
                const QByteArray& input = {}) const;
    Outcome cli(const QStringList& arguments, const QByteArray& input = {}) const
    {
        return run(QStringLiteral(BIN_DIR "/perilune-cli"), arguments, input);
    }
    QString path(const QString& name) const { return m_folder->filePath(name); }
    /// Writes a script and returns its name, which is good in the folder that programs run in.
    QString script(const QByteArray& text, const QString& name = u"script.lua"_qs) const;
    QJsonObject report(const QStringList& options = {}) const;
    void recordExample() const;

    std::optional<QTemporaryDir> m_folder;
};

void CliTest::init()
{
    m_folder.emplace();
    qputenv("XDG_DATA_HOME", path(u"data"_qs).toUtf8());
}

Outcome CliTest::run(const QString& program, const QStringList& arguments,
                     const QByteArray& input) const
{
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(timeoutMs))
        return {};
    const bool isNormal = process.exitStatus() == QProcess::NormalExit;
    return {isNormal ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

QString CliTest::script(const QByteArray& text, const QString& name) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write the script");
    file.write(text);
    return name;
}

QJsonObject CliTest::report(const QStringList& options) const
{
    const Outcome outcome =
        cli(QStringList{u"report"_qs, u"a.perilune"_qs, u"--format"_qs, u"json"_qs} + options);
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(outcome.output, &error);
    if (outcome.code != 0 || error.error != QJsonParseError::NoError)
        qWarning() << outcome.code << outcome.error << error.errorString();
    return document.object();
}

void CliTest::recordExample() const
{
    const Outcome outcome =
        cli({u"record"_qs, u"-o"_qs, u"a.perilune"_qs,
             script("local function leaf() return 1 end\n"
                    "local function tail() return leaf() end\n"
                    "local function work() for i = 1, 10 do leaf() tail() end end\n"
                    "work()\nstring.format('x')\n"),
             u"one"_qs, u"two words"_qs});
    QCOMPARE(outcome.error, QByteArray());
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(outcome.code, 0);
}

void CliTest::helps_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("contained");
    QTest::newRow("help") << QStringList{u"help"_qs} << u"  record "_qs;
    QTest::newRow("--help") << QStringList{u"--help"_qs} << u"  report "_qs;
    QTest::newRow("help record") << QStringList{u"help"_qs, u"record"_qs} << u"--max-nodes <N>"_qs;
    QTest::newRow("record --help") << QStringList{u"record"_qs, u"--help"_qs}
                                   << u"Usage: perilune-cli record [options] -o FILE SCRIPT"_qs;
    QTest::newRow("report -h") << QStringList{u"report"_qs, u"-h"_qs} << u"--limit <N>"_qs;
    QTest::newRow("version") << QStringList{u"version"_qs} << QStringLiteral(PERILUNE_VERSION);
    QTest::newRow("--version") << QStringList{u"--version"_qs} << u"Perilune "_qs;
}

void CliTest::helps()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, contained);
    const Outcome outcome = cli(arguments);
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.output.contains(contained.toUtf8()), outcome.output.constData());
    QCOMPARE(outcome.error, QByteArray());
}

void CliTest::refusesWrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("named");
    const auto record = [](const QStringList& options) {
        return QStringList{u"record"_qs, u"-o"_qs, u"x.perilune"_qs} + options
            + QStringList{u"s.lua"_qs};
    };
    QTest::newRow("nothing") << QStringList{} << u"verb is missing"_qs;
    QTest::newRow("no such verb") << QStringList{u"profile"_qs} << u"“profile”"_qs;
    QTest::newRow("help of nothing") << QStringList{u"help"_qs, u"me"_qs} << u"“me”"_qs;
    QTest::newRow("no output") << QStringList{u"record"_qs, u"s.lua"_qs} << u"-o FILE"_qs;
    QTest::newRow("no script") << QStringList{u"record"_qs, u"-o"_qs, u"x"_qs} << u"SCRIPT"_qs;
    QTest::newRow("unknown option") << record({u"--fast"_qs}) << u"fast"_qs;
    QTest::newRow("mode") << record({u"--mode"_qs, u"quick"_qs}) << u"“quick”"_qs;
    QTest::newRow("clock") << record({u"--clock"_qs, u"sun"_qs}) << u"“sun”"_qs;
    QTest::newRow("timeout") << record({u"--timeout"_qs, u"soon"_qs}) << u"“soon”"_qs;
    QTest::newRow("no time") << record({u"--timeout"_qs, u"0"_qs}) << u"--timeout"_qs;
    QTest::newRow("interval without a unit")
        << record({u"--interval"_qs, u"100"_qs}) << u"“100”"_qs;
    QTest::newRow("variable") << record({u"--env"_qs, u"=x"_qs}) << u"“=x”"_qs;
    QTest::newRow("repeat") << record({u"--repeat"_qs, u"0"_qs}) << u"--repeat"_qs;
    QTest::newRow("warmup") << record({u"--warmup"_qs, u"-1"_qs}) << u"--warmup"_qs;
    QTest::newRow("nodes") << record({u"--max-nodes"_qs, u"1e9"_qs}) << u"“1e9”"_qs;
    QTest::newRow("too many nodes")
        << record({u"--max-nodes"_qs, u"9999999999"_qs}) << u"--max-nodes"_qs;
    QTest::newRow("report of nothing") << QStringList{u"report"_qs} << u"FILE"_qs;
    QTest::newRow("report of two") << QStringList{u"report"_qs, u"a"_qs, u"b"_qs} << u"“b”"_qs;
    QTest::newRow("format") << QStringList{u"report"_qs, u"a"_qs, u"--format"_qs, u"xml"_qs}
                            << u"“xml”"_qs;
    QTest::newRow("sort") << QStringList{u"report"_qs, u"a"_qs, u"--sort"_qs, u"name"_qs}
                          << u"“name”"_qs;
    QTest::newRow("limit") << QStringList{u"report"_qs, u"a"_qs, u"--limit"_qs, u"few"_qs}
                           << u"“few”"_qs;
}

void CliTest::refusesWrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, named);
    const Outcome outcome = cli(arguments);
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(outcome.error.count('\n'), 1);
    QVERIFY2(outcome.error.contains(named.toUtf8()), outcome.error.constData());
    QVERIFY(outcome.error.startsWith("perilune-cli: "));
}

void CliTest::behavesAsLua_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("output") << QByteArray("print(1, ...) io.write('x') io.stderr:write('y')");
    QTest::newRow("input") << QByteArray("print(io.read('a'))");
    QTest::newRow("arguments") << QByteArray("for i = 0, #arg do print(i, arg[i]) end");
    QTest::newRow("an error") << QByteArray("local function f() error('no') end f()");
    QTest::newRow("an error object")
        << QByteArray("error(setmetatable({}, {__tostring = function() return 'E' end}))");
    QTest::newRow("a syntax error") << QByteArray("x = = 1");
    QTest::newRow("a code") << QByteArray("os.exit(42)");
    QTest::newRow("a missing module") << QByteArray("require 'none.such'");
    QTest::newRow("bytes") << QByteArray("io.write('\\0\\255\\r\\n')");
}

void CliTest::behavesAsLua()
{
    QFETCH(QByteArray, text);
    if (QStandardPaths::findExecutable(u"lua5.4"_qs).isEmpty())
        QSKIP("lua5.4 is not installed");
    const QStringList words = {script(text), u"-o"_qs, u"two words"_qs, u""_qs};
    // By env, because QProcess would put the whole path in front of messages.
    const Outcome expected = run(u"env"_qs, QStringList{u"lua5.4"_qs} + words, "some\ninput");
    const Outcome actual =
        cli(QStringList{u"record"_qs, u"-o"_qs, u"a.perilune"_qs} + words, "some\ninput");
    QCOMPARE(actual.output, expected.output);
    QCOMPARE(actual.error, expected.error);
    QCOMPARE(actual.code, expected.code);
}

void CliTest::appendsRuns()
{
    const QString file = script("print(#arg)");
    for (int run = 0; run < 3; ++run)
        QCOMPARE(cli({u"record"_qs, u"--name"_qs, u"Run %1"_qs.arg(run), u"-o"_qs, u"a.perilune"_qs,
                      file, QString::number(run)})
                     .code,
                 0);
    const auto session = Session::open(path(u"a.perilune"_qs).toStdString());
    QVERIFY(session);
    const auto runs = session->runs();
    QCOMPARE(runs->size(), std::size_t(3));
    QCOMPARE((*runs)[2].name, std::string("Run 2"));
    QCOMPARE(report()[u"run"_qs][u"args"_qs].toArray(), QJsonArray{u"2"_qs});
    QCOMPARE(report({u"--run"_qs, u"1"_qs})[u"run"_qs][u"args"_qs].toArray(), QJsonArray{u"0"_qs});
    const Outcome missing = cli({u"report"_qs, u"a.perilune"_qs, u"--run"_qs, u"9"_qs});
    QCOMPARE(missing.code, 4);
    QVERIFY2(missing.error.contains("no run 9; it has 1, 2, 3"), missing.error.constData());
    // Nothing stays behind in the folder of recordings.
    QVERIFY(QDir(path(u"data/perilune/recordings"_qs)).isEmpty());
}

void CliTest::takesAnEmptyFile()
{
    script("", u"a.perilune"_qs); // as mktemp makes it
    QCOMPARE(cli({u"record"_qs, u"-o"_qs, u"a.perilune"_qs, script("print(1)")}).code, 0);
    QCOMPARE(report()[u"run"_qs][u"status"_qs].toString(), u"done"_qs);
}

void CliTest::reportsATable()
{
    recordExample();
    const Outcome outcome = cli({u"report"_qs, u"a.perilune"_qs});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.error, QByteArray());
    const auto lines = QString::fromUtf8(outcome.output).split(u'\n');
    QCOMPARE(lines[0], u"script.lua one two words"_qs);
    QVERIFY2(lines[1].startsWith(u"done · "_qs) && lines[1].endsWith(u"Lua 5.4 · exact mode"_qs),
             qPrintable(lines[1]));
    QCOMPARE(lines[3].simplified(),
             u"Function Self Self % Total Total % Calls Mean/call Location"_qs);
    const QRegularExpression leaf(
        uR"(\nleaf +[\d.]+ (ns|µs|ms) +<?[\d.]+ % +[\d.]+ (ns|µs|ms) +<?[\d.]+ % +20 +[\d.]+ (ns|µs) +script\.lua:1\n)"_qs);
    QVERIFY2(leaf.match(QString::fromUtf8(outcome.output)).hasMatch(), outcome.output.constData());
}

void CliTest::sortsAndLimits_data()
{
    QTest::addColumn<QString>("sort");
    QTest::addColumn<QString>("member");
    QTest::newRow("self") << u"self"_qs << u"self_ns"_qs;
    QTest::newRow("total") << u"total"_qs << u"total_ns"_qs;
    QTest::newRow("calls") << u"calls"_qs << u"calls"_qs;
}

void CliTest::sortsAndLimits()
{
    QFETCH(QString, sort);
    QFETCH(QString, member);
    recordExample();
    const auto all = report({u"--sort"_qs, sort})[u"functions"_qs].toArray();
    QVERIFY(all.size() > 4);
    for (qsizetype row = 1; row < all.size(); ++row)
        QVERIFY(all[row - 1][member].toInteger() >= all[row][member].toInteger());
    const auto some =
        report({u"--sort"_qs, sort, u"--limit"_qs, u"2"_qs})[u"functions"_qs].toArray();
    QCOMPARE(some, (QJsonArray{all[0], all[1]}));
    const Outcome table = cli({u"report"_qs, u"--limit"_qs, u"2"_qs, u"a.perilune"_qs});
    QVERIFY(table.output.contains("\n2 of "));
}

void CliTest::reportsJson()
{
    recordExample();
    const QJsonObject json = report();
    QCOMPARE(json[u"format"_qs].toString(), u"perilune-report"_qs);
    QHash<qint64, QJsonObject> functions;
    QHash<QString, qint64> ids;
    qint64 selfSum = 0;
    for (const QJsonValue& value : json[u"functions"_qs].toArray()) {
        const QJsonObject function = value.toObject();
        functions.insert(function[u"id"_qs].toInteger(), function);
        ids.insert(function[u"name"_qs].toString(), function[u"id"_qs].toInteger());
        selfSum += function[u"self_ns"_qs].toInteger();
        for (const char* member : {"id", "line", "calls", "tail_calls", "self_ns", "total_ns",
                                   "raw_self_ns", "raw_total_ns"})
            QVERIFY2(function[QLatin1String(member)].isDouble(), member);
        for (const char* member : {"name", "source", "kind"})
            QVERIFY2(function[QLatin1String(member)].isString(), member);
    }
    const QJsonObject leaf = functions[ids[u"leaf"_qs]];
    QCOMPARE(leaf[u"calls"_qs].toInteger(), 20);
    QCOMPARE(leaf[u"tail_calls"_qs].toInteger(), 10);
    QCOMPARE(leaf[u"source"_qs].toString(), u"script.lua"_qs);
    QCOMPARE(leaf[u"line"_qs].toInteger(), 1);
    QCOMPARE(leaf[u"kind"_qs].toString(), u"lua"_qs);
    QCOMPARE(functions[ids[u"string.format"_qs]][u"kind"_qs].toString(), u"c"_qs);
    QCOMPARE(functions[ids[u"main chunk script.lua"_qs]][u"kind"_qs].toString(), u"main"_qs);

    QHash<std::pair<qint64, qint64>, QJsonObject> edges;
    for (const QJsonValue& value : json[u"edges"_qs].toArray()) {
        const QJsonObject edge = value.toObject();
        edges.insert({edge[u"caller"_qs].toInteger(), edge[u"callee"_qs].toInteger()}, edge);
        QVERIFY(functions.contains(edge[u"caller"_qs].toInteger()));
        QVERIFY(functions.contains(edge[u"callee"_qs].toInteger()));
    }
    const auto calls = [&](const QString& caller, const QString& callee) {
        return (edges[{ids[caller], ids[callee]}])[u"calls"_qs].toInteger();
    };
    QCOMPARE(calls(u"work"_qs, u"leaf"_qs), 10);
    QCOMPARE(calls(u"work"_qs, u"tail"_qs), 10);
    QCOMPARE(calls(u"tail"_qs, u"leaf"_qs), 10);

    const QJsonArray tree = json[u"tree"_qs].toArray();
    QVERIFY(tree[0][0].isNull());
    qint64 treeSum = 0;
    for (qsizetype node = 0; node < tree.size(); ++node) {
        QVERIFY(node == 0 || tree[node][0].toInteger() < node);
        QVERIFY(functions.contains(tree[node][1].toInteger()));
        treeSum += tree[node][3].toInteger();
    }
    QCOMPARE(treeSum, selfSum);
    QCOMPARE(functions[tree[0][1].toInteger()][u"kind"_qs].toString(), u"host"_qs);
}

void CliTest::describesTheRunInJson()
{
    recordExample();
    const QJsonObject run = report()[u"run"_qs].toObject();
    QCOMPARE(run[u"script"_qs].toString(), u"script.lua"_qs);
    QCOMPARE(run[u"args"_qs].toArray(), (QJsonArray{u"one"_qs, u"two words"_qs}));
    QCOMPARE(run[u"cwd"_qs].toString(), m_folder->path());
    QCOMPARE(run[u"status"_qs].toString(), u"done"_qs);
    QCOMPARE(run[u"exit_code"_qs].toInt(-1), 0);
    QCOMPARE(run[u"mode"_qs].toString(), u"exact"_qs);
    QCOMPARE(run[u"lua_version"_qs].toString(), u"Lua 5.4"_qs);
    QVERIFY(run[u"wall_ns"_qs].toInteger() > 0);
    const auto started = QDateTime::fromString(run[u"started_at"_qs].toString(), Qt::ISODateWithMs);
    QVERIFY(started.isValid() && qAbs(started.secsTo(QDateTime::currentDateTimeUtc())) < 600);
    QVERIFY(run[u"error"_qs].isNull());
}

void CliTest::writesValidJsonOfAnyText()
{
    const QString file = script("load('return 1', '=\\255\\0\"\\\\\\n')()\n"
                                "load(('x = 1 '):rep(50))()\n"
                                "error('bad \\xc3 \\27 text')");
    QCOMPARE(cli({u"record"_qs, u"-o"_qs, u"a.perilune"_qs, file}).code, 1);
    const QJsonObject json = report();
    QVERIFY(json[u"run"_qs][u"error"_qs].toString().contains(u"bad \uFFFD \u001b text"_qs));
    QVERIFY(json[u"functions"_qs].toArray().size() >= 4);
}

void CliTest::reportsARecording()
{
    const QString file = script("local function f() end for i = 1, 5 do f() end");
    QCOMPARE(run(QStringLiteral(BIN_DIR "/perilune-runner"),
                 {u"--recording"_qs, u"a.plrec"_qs, u"--"_qs, file})
                 .code,
             0);
    const Outcome outcome = cli({u"report"_qs, u"a.plrec"_qs, u"--format"_qs, u"json"_qs});
    QCOMPARE(outcome.code, 0);
    const auto json = QJsonDocument::fromJson(outcome.output);
    QVERIFY(json.isObject());
    QCOMPARE(json[u"run"_qs][u"status"_qs].toString(), u"done"_qs);
    QCOMPARE(cli({u"report"_qs, u"a.plrec"_qs, u"--run"_qs, u"2"_qs}).code, 4);
}

void CliTest::passesOptionsOfTheScript()
{
    const Outcome outcome = cli({u"record"_qs, u"-o"_qs, u"a.perilune"_qs, script("print(...)"),
                                 u"-o"_qs, u"--help"_qs, u"--mode"_qs, u"--"_qs, u"-x"_qs});
    QCOMPARE(outcome.output, QByteArray("-o\t--help\t--mode\t--\t-x\n"));
    QCOMPARE(outcome.code, 0);
}

void CliTest::launchesAsAsked()
{
    QVERIFY(QDir(m_folder->path()).mkdir(u"sub"_qs));
    script("print(os.getenv('A'), os.getenv('B'), io.read('a'), io.open('here') ~= nil, arg[0])",
           u"sub/in.lua"_qs);
    script("", u"sub/here"_qs);
    script("from a file", u"input"_qs);
    const QStringList options = {u"record"_qs, u"-o"_qs,      u"a.perilune"_qs, u"--cwd"_qs,
                                 u"sub"_qs,    u"--env"_qs,   u"A=1=2"_qs,      u"--env"_qs,
                                 u"B="_qs,     u"--stdin"_qs, u"input"_qs};
    const Outcome outcome = cli(options + QStringList{u"in.lua"_qs}, "not this");
    QCOMPARE(outcome.output, QByteArray("1=2\t\tfrom a file\ttrue\tin.lua\n"));
    const QJsonObject run = report()[u"run"_qs].toObject();
    QCOMPARE(run[u"environment"_qs].toObject(),
             (QJsonObject{{u"A"_qs, u"1=2"_qs}, {u"B"_qs, u""_qs}}));
    QCOMPARE(run[u"stdin"_qs].toString(), path(u"input"_qs));
    // A script that is only found from where we are keeps its meaning.
    const Outcome fromHere = cli(options + QStringList{u"sub/in.lua"_qs});
    QVERIFY(fromHere.output.startsWith("1=2\t\tfrom a file\ttrue\t" + m_folder->path().toUtf8()));
}

void CliTest::endsAsTheScriptDoes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("error");
    QTest::newRow("a code") << QByteArray("os.exit(9)") << QStringList{} << 9 << u"done"_qs
                            << u""_qs;
    QTest::newRow("an error") << QByteArray("error('no')") << QStringList{} << 1
                              << u"script_error"_qs << u"lua5.4: script.lua:1: no"_qs;
    QTest::newRow("a signal") << QByteArray("os.execute('kill -SEGV $PPID') while true do end")
                              << QStringList{} << 128 + SIGSEGV << u"killed"_qs << u"signal 11"_qs;
    QTest::newRow("a time limit") << QByteArray("while true do end")
                                  << QStringList{u"--timeout"_qs, u"0.2"_qs} << 124
                                  << u"time_limit"_qs << u"time limit"_qs;
    QTest::newRow("a time limit inside a C function")
        << QByteArray("os.execute('sleep 1000')") << QStringList{u"--timeout"_qs, u"0.1"_qs} << 124
        << u"time_limit"_qs << u"time limit"_qs;
}

void CliTest::endsAsTheScriptDoes()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QString, status);
    QFETCH(QString, error);
    const Outcome outcome = cli(QStringList{u"record"_qs, u"-o"_qs, u"a.perilune"_qs} + options
                                + QStringList{script(text)});
    QCOMPARE(outcome.code, code);
    QVERIFY2(outcome.error.contains(error.toUtf8()), outcome.error.constData());
    QCOMPARE(report()[u"run"_qs][u"status"_qs].toString(), status);
}

void CliTest::keepsNothingOfASyntaxError()
{
    QCOMPARE(cli({u"record"_qs, u"-o"_qs, u"a.perilune"_qs, script("x = = 1")}).code, 1);
    QVERIFY(!QFile::exists(path(u"a.perilune"_qs)));
    QVERIFY(QDir(path(u"data/perilune/recordings"_qs)).isEmpty());
}

void CliTest::namesWhatCannotBeRead_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("named");
    QTest::newRow("nothing there") << QByteArray() << u"“a.perilune” does not exist"_qs;
    QTest::newRow("text") << QByteArray("hello") << u"“a.perilune” is no Perilune session"_qs;
    QTest::newRow("a damaged recording")
        << QByteArray("PLREC\r\n\0", 8) + QByteArray(100, 'x') << u"a.perilune"_qs;
    QTest::newRow("a damaged session")
        << QByteArray("SQLite format 3\0", 16) + QByteArray(200, 'x') << u"a.perilune"_qs;
}

void CliTest::namesWhatCannotBeRead()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, named);
    if (!content.isEmpty())
        script(content, u"a.perilune"_qs);
    const Outcome outcome = cli({u"report"_qs, u"a.perilune"_qs});
    QCOMPARE(outcome.code, 4);
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(outcome.error.count('\n'), 1);
    QVERIFY2(outcome.error.contains(named.toUtf8()), outcome.error.constData());
}

void CliTest::namesWhatCannotBeWritten()
{
    const QString file = script("print('has run')");
    script("hello", u"text"_qs);
    for (const auto& [output, named] :
         {std::pair{u"text"_qs, u"“text” is no Perilune session"_qs},
          std::pair{u"none/a.perilune"_qs, u"none” does not exist"_qs},
          std::pair{u"."_qs, u"is a directory"_qs}}) {
        const Outcome outcome = cli({u"record"_qs, u"-o"_qs, output, file});
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.error.contains(named.toUtf8()), outcome.error.constData());
        QCOMPARE(outcome.error.count('\n'), 1);
        QCOMPARE(outcome.output, QByteArray()); // found out before the script ran
    }
    const Outcome noScript = cli({u"record"_qs, u"-o"_qs, u"a.perilune"_qs, u"none.lua"_qs});
    QCOMPARE(noScript.code, 4);
    QVERIFY(noScript.error.contains("/none.lua” does not exist"));
    QVERIFY(!QFile::exists(path(u"a.perilune"_qs)));
}

namespace {

/// A recording perilune-cli that is sent signals.
class RunningCli
{
public:
    RunningCli(const QString& folder, const QString& script)
    {
        process.setWorkingDirectory(folder);
        process.setChildProcessModifier([] { ::setpgid(0, 0); });
        process.start(QStringLiteral(BIN_DIR "/perilune-cli"),
                      {u"record"_qs, u"-o"_qs, u"a.perilune"_qs, script});
    }
    bool waitForOutput(const QByteArray& bytes)
    {
        while (!output.contains(bytes)) {
            if (!process.waitForReadyRead(timeoutMs))
                return false;
            output += process.readAllStandardOutput();
        }
        return true;
    }
    pid_t id() const { return static_cast<pid_t>(process.processId()); }

    QProcess process;
    QByteArray output;
};

} // namespace

void CliTest::leavesInterruptsToTheScript()
{
    RunningCli running(m_folder->path(), script("print('begun') while true do end"));
    QVERIFY(running.waitForOutput("begun"));
    ::kill(-running.id(), SIGINT); // as a terminal does: to all of the group
    QVERIFY(running.process.waitForFinished(timeoutMs));
    QCOMPARE(running.process.exitCode(), 1);
    QVERIFY(running.process.readAllStandardError().startsWith("lua5.4: "));
    const QJsonValue run = report()[u"run"_qs];
    QCOMPARE(run[u"status"_qs].toString(), u"script_error"_qs);
    QVERIFY(run[u"error"_qs].toString().contains(u"interrupted!"_qs));
}

void CliTest::recordsWhatWasStopped()
{
    RunningCli running(m_folder->path(), script("print('begun') while true do end"));
    QVERIFY(running.waitForOutput("begun"));
    ::kill(running.id(), SIGTERM); // to us alone
    QVERIFY(running.process.waitForFinished(timeoutMs));
    QCOMPARE(running.process.exitCode(), 128 + SIGTERM);
    QCOMPARE(report()[u"run"_qs][u"status"_qs].toString(), u"stopped"_qs);
}

void CliTest::diesWithItsScriptAndLosesNothing()
{
    RunningCli running(
        m_folder->path(),
        script("local function work() local x = 0 for i = 1, 1e5 do x = x + i end end\n"
               "io.open('/proc/self/stat'):close()\n"
               "for i = 1, 20 do work() end\n"
               "io.write(io.open('/proc/self/stat'):read('n'), '\\nbegun\\n')\n"
               "io.flush() while true do end"));
    QVERIFY(running.waitForOutput("begun"));
    const qint64 scriptProcess = running.output.left(running.output.indexOf('\n')).toLongLong();
    QVERIFY(processStartTime(scriptProcess) != 0);
    ::kill(running.id(), SIGKILL);
    QVERIFY(running.process.waitForFinished(timeoutMs));
    QVERIFY(QTest::qWaitFor([&] { return ::kill(static_cast<pid_t>(scriptProcess), 0) != 0; }));
    QVERIFY(!QFile::exists(path(u"a.perilune"_qs)));
    const QDir recordings(path(u"data/perilune/recordings"_qs));
    const auto names = recordings.entryList({u"*.plrec"_qs}, QDir::Files);
    QCOMPARE(names.size(), 1);
    const Outcome outcome =
        cli({u"report"_qs, u"--format"_qs, u"json"_qs, recordings.filePath(names[0])});
    QCOMPARE(outcome.code, 0);
    const auto json = QJsonDocument::fromJson(outcome.output);
    QCOMPARE(json[u"run"_qs][u"status"_qs].toString(), u"killed"_qs);
    QCOMPARE(json[u"run"_qs][u"script"_qs].toString(), u"script.lua"_qs);
    const auto functions = json[u"functions"_qs].toArray();
    QVERIFY(std::any_of(functions.begin(), functions.end(), [](const QJsonValue& function) {
        return function[u"name"_qs] == u"work"_qs && function[u"calls"_qs].toInteger() == 20;
    }));
}

void CliTest::repeats()
{
    const Outcome outcome = cli({u"record"_qs, u"--repeat"_qs, u"3"_qs, u"--warmup"_qs, u"2"_qs,
                                 u"-o"_qs, u"a.perilune"_qs, script("print('x')")});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.output, QByteArray("x\nx\nx\nx\nx\n"));
    QCOMPARE(outcome.error, QByteArray());
    const auto runs = Session::open(path(u"a.perilune"_qs).toStdString())->runs();
    QCOMPARE(runs->size(), std::size_t(5));
    for (std::size_t run = 0; run < runs->size(); ++run) {
        const RunInfo& info = (*runs)[run].info;
        QVERIFY(info.repeatGroup && info.repeatGroup == runs->front().info.repeatGroup);
        QCOMPARE(info.isWarmUp, run < 2);
    }
}

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"
