// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/ProcessWatch.h"
#include "core/launch/RecordingStore.h"
#include "core/launch/RepeatLauncher.h"
#include "core/launch/RunFacts.h"
#include "core/launch/RunLauncher.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <optional>

using namespace perilune;
using namespace std::chrono_literals;
using ProfilePointer = std::shared_ptr<const Profile>;

namespace {

constexpr int timeoutMs = 60000;

const QString runnerPath = QStringLiteral(BIN_DIR "/perilune-runner");

/// Runs one script to its end and keeps what was signalled.
class Launch
{
public:
    Launch()
    {
        launcher.setRunner(runnerPath);
        QObject::connect(&launcher, &RunLauncher::finished,
                         [this](const ProfilePointer& result) { profile = result; });
        QObject::connect(&launcher, &RunLauncher::outputReceived,
                         [this](const QByteArray& bytes, RunLauncher::Channel channel) {
                             (channel == RunLauncher::Channel::Output ? output : error) += bytes;
                         });
    }

    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return profile != nullptr; }, timeoutMs);
    }
    bool waitForOutput(const QByteArray& bytes)
    {
        return QTest::qWaitFor([&] { return output.contains(bytes); }, timeoutMs);
    }
    bool run(const LaunchSpec& spec)
    {
        launcher.start(spec);
        return waitForEnd();
    }

    RunLauncher launcher;
    ProfilePointer profile;
    QByteArray output;
    QByteArray error;
};

bool isAlive(qint64 processId)
{
    return processStartTime(processId) != 0 && ::kill(static_cast<pid_t>(processId), 0) == 0;
}

const Function* findFunction(const Profile& profile, const std::string& name)
{
    const auto found =
        std::find_if(profile.functions.begin(), profile.functions.end(),
                     [&](const Function& function) { return function.name == name; });
    return found == profile.functions.end() ? nullptr : &*found;
}

} // namespace

class RunLauncherTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();

    void runsToItsEnd();
    void endsAsTheScriptDoes_data();
    void endsAsTheScriptDoes();
    void passesOnHowItIsLaunched();
    void unsetsVariables();
    void readsFromAFile();
    void tellsWhenInputIsAwaited();
    void namesWhatCouldNotStart_data();
    void namesWhatCouldNotStart();
    void stopsWhateverItDoes_data();
    void stopsWhateverItDoes();
    void stopsBeforeItHasStarted();
    void stopsAtTheTimeLimit();
    void killsWhatTheScriptHasStarted();
    void keepsWhatAKilledRunMeasured();
    void showsWhatWasMeasuredSoFar();
    void holdsUpAScriptThatWritesTooMuch();
    void killsItsScriptWhenDestroyed();
    void keepsTheRecordingUntilDiscarded();
    void findsRecordingsThatNobodyLooksAfter();
    void knowsTheCommitOfTheScript();
    void repeats();
    void endsARepeatAtAnError();
    void stopsARepeat();

private:
    LaunchSpec specFor(const QByteArray& script, const QStringList& arguments = {}) const;

    std::optional<QTemporaryDir> m_folder;
};

void RunLauncherTest::init()
{
    m_folder.emplace();
    qputenv("XDG_DATA_HOME", m_folder->filePath(u"data"_qs).toUtf8());
}

/// Writes the script to a file and launches it from its folder.
LaunchSpec RunLauncherTest::specFor(const QByteArray& script, const QStringList& arguments) const
{
    QFile file(m_folder->filePath(u"script.lua"_qs));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write the script");
    file.write(script);
    LaunchSpec spec;
    spec.script = u"script.lua"_qs;
    spec.workingDirectory = m_folder->path();
    spec.arguments = arguments;
    return spec;
}

void RunLauncherTest::runsToItsEnd()
{
    Launch launch;
    QVERIFY(launch.run(specFor("local function f() return 1 end\n"
                               "for i = 1, 100 do f() end\n"
                               "print('out', ...)\nio.stderr:write('err')\n",
                               {u"a b"_qs, u""_qs})));
    QCOMPARE(launch.output, QByteArray("out\ta b\t\n"));
    QCOMPARE(launch.error, QByteArray("err"));
    const RunInfo& run = launch.profile->run;
    QVERIFY(run.status == RunStatus::Done);
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(run.script, std::string("script.lua"));
    QVERIFY(run.arguments == (std::vector<std::string>{"a b", ""}));
    QCOMPARE(QString::fromStdString(run.workingDirectory), m_folder->path());
    QCOMPARE(run.scriptHash.size(), std::size_t(16));
    QCOMPARE(run.luaVersion, std::string("Lua 5.4"));
    QVERIFY(run.machine.find("core") != std::string::npos);
    QVERIFY(run.startedAtUnixMs > 1600000000000);
    QVERIFY(run.wallTime.nanoseconds() > 0);
    QVERIFY(findFunction(*launch.profile, "f") != nullptr);
    QVERIFY(!run.repeatGroup && !run.isWarmUp);
}

void RunLauncherTest::endsAsTheScriptDoes_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<RunStatus>("status");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("message");
    QTest::newRow("nothing") << QByteArray("") << RunStatus::Done << 0 << 0 << QString();
    QTest::newRow("os.exit") << QByteArray("os.exit(7)") << RunStatus::Done << 7 << 0 << QString();
    QTest::newRow("os.exit(true, true)")
        << QByteArray("os.exit(true, true)") << RunStatus::Done << 0 << 0 << QString();
    QTest::newRow("an error") << QByteArray("local function f() error('no') end f()")
                              << RunStatus::ScriptError << 1 << 0 << u"script.lua:1: no"_qs;
    QTest::newRow("an error object") << QByteArray("error({})") << RunStatus::ScriptError << 1 << 0
                                     << u"(error object is a table value)"_qs;
    QTest::newRow("a syntax error") << QByteArray("x = = 1") << RunStatus::SyntaxError << 1 << 0
                                    << u"script.lua:1: unexpected symbol near '='"_qs;
    QTest::newRow("a missing module") << QByteArray("require 'none.such'") << RunStatus::ScriptError
                                      << 1 << 0 << u"module 'none.such' not found"_qs;
    QTest::newRow("a signal") << QByteArray("os.execute('kill -SEGV $PPID') while true do end")
                              << RunStatus::Killed << 0 << SIGSEGV << QString();
    QTest::newRow("a kill") << QByteArray("os.execute('kill -KILL $PPID') while true do end")
                            << RunStatus::Killed << 0 << SIGKILL << QString();
}

void RunLauncherTest::endsAsTheScriptDoes()
{
    QFETCH(QByteArray, script);
    QFETCH(RunStatus, status);
    QFETCH(int, exitCode);
    QFETCH(int, signal);
    QFETCH(QString, message);
    Launch launch;
    QVERIFY(launch.run(specFor(script)));
    const RunInfo& run = launch.profile->run;
    QCOMPARE(static_cast<int>(run.status), static_cast<int>(status));
    QCOMPARE(run.exitCode, exitCode);
    QCOMPARE(run.signal, signal);
    const QString actual = QString::fromStdString(run.errorMessage);
    QVERIFY2(actual.contains(message) && actual.isEmpty() == message.isEmpty(), qPrintable(actual));
    QCOMPARE(run.isPartial(), status != RunStatus::Done);
}

void RunLauncherTest::passesOnHowItIsLaunched()
{
    LaunchSpec spec = specFor("print(os.getenv('PERILUNE_TEST'), arg[0], arg[1], #arg)\n"
                              "print(io.open('script.lua') ~= nil)\n",
                              {u"--mode"_qs});
    spec.environment = {{u"PERILUNE_TEST"_qs, u"a=b c"_qs}};
    Launch launch;
    QVERIFY(launch.run(spec));
    QCOMPARE(launch.output, QByteArray("a=b c\tscript.lua\t--mode\t1\ntrue\n"));
    const auto& environment = launch.profile->run.environment;
    QCOMPARE(environment.size(), std::size_t(1));
    QCOMPARE(environment[0].second.value_or("unset"), std::string("a=b c"));
}

void RunLauncherTest::unsetsVariables()
{
    qputenv("PERILUNE_TEST", "inherited");
    LaunchSpec spec = specFor("print(os.getenv('PERILUNE_TEST'))");
    Launch inherited;
    QVERIFY(inherited.run(spec));
    QCOMPARE(inherited.output, QByteArray("inherited\n"));
    spec.environment = {{u"PERILUNE_TEST"_qs, std::nullopt}};
    Launch unset;
    QVERIFY(unset.run(spec));
    QCOMPARE(unset.output, QByteArray("nil\n"));
    QVERIFY(!unset.profile->run.environment.at(0).second);
    qunsetenv("PERILUNE_TEST");
}

void RunLauncherTest::readsFromAFile()
{
    LaunchSpec spec = specFor("print(io.read('a'))");
    QFile input(m_folder->filePath(u"input"_qs));
    QVERIFY(input.open(QIODevice::WriteOnly) && input.write("from a file") > 0 && input.flush());
    spec.standardInput = input.fileName();
    Launch launch;
    QVERIFY(launch.run(spec));
    QCOMPARE(launch.output, QByteArray("from a file\n"));
    QCOMPARE(QString::fromStdString(launch.profile->run.standardInput), input.fileName());
}

void RunLauncherTest::tellsWhenInputIsAwaited()
{
    Launch launch;
    QSignalSpy awaited(&launch.launcher, &RunLauncher::inputAwaited);
    launch.launcher.start(specFor("print('first', io.read())\nprint('second', io.read())\n"
                                  "print('end', io.read())"));
    QVERIFY(awaited.wait(timeoutMs));
    launch.launcher.writeInput("one\n");
    QVERIFY(launch.waitForOutput("first\tone\n"));
    QVERIFY(awaited.count() == 2 || awaited.wait(timeoutMs));
    launch.launcher.writeInput("two\n");
    QVERIFY(launch.waitForOutput("second\ttwo\n"));
    launch.launcher.closeInput();
    QVERIFY(launch.waitForEnd());
    QVERIFY(launch.output.endsWith("end\tnil\n"));
    QVERIFY(launch.profile->run.status == RunStatus::Done);
}

void RunLauncherTest::namesWhatCouldNotStart_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("runner");
    QTest::addColumn<QString>("message");
    QTest::newRow("no such script") << u"none.lua"_qs << runnerPath << u"%1/none.lua"_qs;
    QTest::newRow("no runner") << u"script.lua"_qs << u""_qs
                               << u"perilune-runner was found neither in"_qs;
    QTest::newRow("no such runner") << u"script.lua"_qs << u"/none/runner"_qs << u"/none/runner"_qs;
    QTest::newRow("a runner that is none")
        << u"script.lua"_qs << u"/bin/false"_qs << u"perilune-runner ended with code 1"_qs;
}

void RunLauncherTest::namesWhatCouldNotStart()
{
    QFETCH(QString, script);
    QFETCH(QString, runner);
    QFETCH(QString, message);
    LaunchSpec spec = specFor("print('never')");
    spec.script = script;
    Launch launch;
    launch.launcher.setRunner(runner);
    QVERIFY(launch.run(spec));
    QVERIFY(launch.profile->run.status == RunStatus::CouldNotStart);
    const QString actual = QString::fromStdString(launch.profile->run.errorMessage);
    QVERIFY2(actual.contains(message.replace(u"%1"_qs, m_folder->path())), qPrintable(actual));
    QVERIFY(!launch.launcher.isRunning());
    QVERIFY(launch.output.isEmpty());
}

void RunLauncherTest::stopsWhateverItDoes_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("an endless loop") << QByteArray("while true do end");
    QTest::newRow("a loop that catches errors")
        << QByteArray("while true do pcall(function() while true do end end) end");
    QTest::newRow("a coroutine") << QByteArray(
        "coroutine.wrap(function() while true do end end)()");
    QTest::newRow("inside one C function")
        << QByteArray("local s = string.rep('a', 60) string.find(s, string.rep('a-', 30) .. 'b')");
    QTest::newRow("waiting for input") << QByteArray("io.read()");
    QTest::newRow("waiting for a program") << QByteArray("os.execute('sleep 1000')");
}

void RunLauncherTest::stopsWhateverItDoes()
{
    QFETCH(QByteArray, script);
    Launch launch;
    launch.launcher.start(specFor("print('begun')\n" + script));
    QVERIFY(launch.waitForOutput("begun"));
    launch.launcher.stop();
    QVERIFY(launch.waitForEnd());
    QVERIFY(launch.profile->run.status == RunStatus::Stopped);
    QVERIFY(findFunction(*launch.profile, "print") != nullptr);
    QVERIFY(launch.profile->run.wallTime.nanoseconds() > 0);
}

void RunLauncherTest::stopsBeforeItHasStarted()
{
    Launch launch;
    launch.launcher.start(specFor("while true do end"));
    launch.launcher.stop();
    QVERIFY(launch.waitForEnd());
    QVERIFY(launch.profile->run.status == RunStatus::Stopped);
}

void RunLauncherTest::stopsAtTheTimeLimit()
{
    LaunchSpec spec = specFor("while true do end");
    spec.timeLimit = 200ms;
    Launch launch;
    QVERIFY(launch.run(spec));
    QVERIFY(launch.profile->run.status == RunStatus::TimeLimit);
}

void RunLauncherTest::killsWhatTheScriptHasStarted()
{
    Launch launch;
    launch.launcher.start(specFor("os.execute('sleep 1000 >/dev/null 2>&1 & echo $!')\n"
                                  "print('begun') while true do end"));
    QVERIFY(launch.waitForOutput("begun"));
    const qint64 sleeper = launch.output.left(launch.output.indexOf('\n')).toLongLong();
    QVERIFY(isAlive(sleeper));
    launch.launcher.stop();
    QVERIFY(launch.waitForEnd());
    QVERIFY(QTest::qWaitFor([&] {
        QFile status(u"/proc/%1/status"_qs.arg(sleeper));
        return !status.open(QIODevice::ReadOnly) || status.readAll().contains("State:\tZ");
    }));
}

void RunLauncherTest::keepsWhatAKilledRunMeasured()
{
    Launch launch;
    QVERIFY(launch.run(specFor("local function spin()\n"
                               "  local stop = os.clock() + 0.2\n"
                               "  while os.clock() < stop do end\n"
                               "  os.execute('kill -KILL $PPID')\n"
                               "end\nspin()")));
    QVERIFY(launch.profile->run.status == RunStatus::Killed);
    const Function* spin = findFunction(*launch.profile, "spin");
    QVERIFY(spin != nullptr);
    // The interval that was open when it died is charged too. As the clock showed it: what the hook
    // cost in the many calls of os.clock is taken out of the corrected time.
    QVERIFY(launch.profile->tree->total(Metric::RawTime, NodeId(0)) >= 190000000u);
}

void RunLauncherTest::showsWhatWasMeasuredSoFar()
{
    Launch launch;
    ProfilePointer snapshot;
    connect(&launch.launcher, &RunLauncher::snapshotReady,
            [&](const ProfilePointer& profile) { snapshot = profile; });
    launch.launcher.start(specFor("local function f() end\nprint('begun')\nwhile true do f() end"));
    QVERIFY(launch.waitForOutput("begun"));
    std::uint64_t calls = 0;
    for (int look = 0; look < 3; ++look) {
        snapshot = nullptr;
        launch.launcher.requestSnapshot();
        launch.launcher.requestSnapshot(); // one is under way
        QVERIFY(QTest::qWaitFor([&] { return snapshot != nullptr; }, timeoutMs));
        QVERIFY(snapshot->run.status == RunStatus::Running);
        QCOMPARE(snapshot->run.script, std::string("script.lua"));
        const std::uint64_t now = snapshot->tree->total(Metric::Calls, NodeId(0));
        QVERIFY(now >= calls);
        calls = now;
    }
    QVERIFY(calls > 0);
    launch.launcher.stop();
    QVERIFY(launch.waitForEnd());
}

static qint64 residentBytes()
{
    QFile file(u"/proc/self/statm"_qs);
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLongLong() * 4096
                                          : 0;
}

void RunLauncherTest::holdsUpAScriptThatWritesTooMuch()
{
    RunLauncher launcher;
    launcher.setRunner(runnerPath);
    qint64 received = 0;
    qsizetype largest = 0;
    qint64 mostMemory = 0;
    const qint64 before = residentBytes();
    connect(&launcher, &RunLauncher::outputReceived, [&](const QByteArray& bytes) {
        received += bytes.size();
        largest = std::max(largest, bytes.size());
        mostMemory = std::max(mostMemory, residentBytes());
    });
    QSignalSpy finished(&launcher, &RunLauncher::finished);
    launcher.start(specFor("local line = string.rep('x', 9999) .. '\\n'\n"
                           "for i = 1, 10000 do io.write(line) end"));
    QVERIFY(finished.wait(timeoutMs));
    QCOMPARE(received, qint64(100000000));
    QVERIFY2(largest <= 1 << 20, qPrintable(QString::number(largest)));
    QVERIFY2(mostMemory - before < 32 << 20, qPrintable(QString::number(mostMemory - before)));
}

void RunLauncherTest::killsItsScriptWhenDestroyed()
{
    qint64 processId = 0;
    {
        Launch launch;
        connect(&launch.launcher, &RunLauncher::started, [&](qint64 id) { processId = id; });
        launch.launcher.start(specFor("print('begun') while true do end"));
        QVERIFY(launch.waitForOutput("begun"));
        QVERIFY(isAlive(processId));
    }
    QVERIFY(!isAlive(processId));
}

void RunLauncherTest::keepsTheRecordingUntilDiscarded()
{
    Launch launch;
    QVERIFY(launch.run(specFor("print(1)")));
    const QFileInfo recording(launch.launcher.recordingPath());
    QVERIFY(recording.exists());
    const QFileInfo folder(recording.path());
    QVERIFY(folder.path().startsWith(m_folder->path()));
    const auto others = QFile::ReadGroup | QFile::ReadOther | QFile::ExeGroup | QFile::ExeOther;
    QVERIFY(!(folder.permissions() & others));
    launch.launcher.discardRecording();
    QVERIFY(QDir(folder.filePath()).isEmpty());
}

void RunLauncherTest::findsRecordingsThatNobodyLooksAfter()
{
    Launch launch;
    LaunchSpec spec = specFor("print(1)", {u"x"_qs});
    spec.environment = {{u"A"_qs, u"1"_qs}, {u"B"_qs, std::nullopt}};
    QVERIFY(launch.run(spec));
    QVERIFY(recordingStore::findOrphans().isEmpty());

    // As if another program, whose id was used again since, had left it.
    const QString recording = launch.launcher.recordingPath();
    const QString orphan = QFileInfo(recording).path()
        + u"/20200101T000000Z-%1-1-1.plrec"_qs.arg(QCoreApplication::applicationPid());
    QVERIFY(QFile::rename(recording, orphan));
    QVERIFY(QFile::rename(recording + u".json"_qs, orphan + u".json"_qs));
    const auto orphans = recordingStore::findOrphans();
    QCOMPARE(orphans.size(), 1);
    QCOMPARE(orphans[0].path, orphan);
    const RunInfo& run = orphans[0].run;
    QCOMPARE(run.script, std::string("script.lua"));
    QVERIFY(run.arguments == std::vector<std::string>{"x"});
    QVERIFY(run.environment == launch.profile->run.environment);
    QCOMPARE(run.scriptHash, launch.profile->run.scriptHash);
    QCOMPARE(run.startedAtUnixMs, launch.profile->run.startedAtUnixMs);
    recordingStore::remove(orphan);
    QVERIFY(recordingStore::findOrphans().isEmpty());
}

void RunLauncherTest::knowsTheCommitOfTheScript()
{
    if (QStandardPaths::findExecutable(u"git"_qs).isEmpty())
        QSKIP("git is not installed");
    const LaunchSpec spec = specFor("print(1)");
    QVERIFY(readGitState(m_folder->path()).commit.isEmpty());
    const auto git = [&](const QStringList& arguments) {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(u"git"_qs,
                      QStringList{u"-c"_qs, u"user.name=x"_qs, u"-c"_qs, u"user.email=x@x.x"_qs}
                          + arguments);
        process.waitForFinished();
        return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
    };
    git({u"init"_qs, u"-q"_qs});
    QVERIFY(readGitState(m_folder->path()).commit.isEmpty());
    git({u"add"_qs, u"script.lua"_qs});
    git({u"commit"_qs, u"-q"_qs, u"-m"_qs, u"x"_qs});
    Launch clean;
    QVERIFY(clean.run(spec));
    QCOMPARE(QString::fromStdString(clean.profile->run.gitCommit),
             git({u"rev-parse"_qs, u"HEAD"_qs}));
    QVERIFY(!clean.profile->run.gitDirty);
    specFor("print(2)");
    Launch dirty;
    QVERIFY(dirty.run(spec));
    QVERIFY(dirty.profile->run.gitDirty);
}

void RunLauncherTest::repeats()
{
    RepeatLauncher repeat;
    repeat.launcher().setRunner(runnerPath);
    std::vector<ProfilePointer> profiles;
    QList<int> numbers;
    connect(&repeat, &RepeatLauncher::runFinished,
            [&](const ProfilePointer& profile) { profiles.push_back(profile); });
    connect(&repeat, &RepeatLauncher::runStarted, [&](int number, int total) {
        QCOMPARE(total, 5);
        QCOMPARE(repeat.timeLeft().has_value(), number > 1);
        numbers += number;
    });
    QSignalSpy finished(&repeat, &RepeatLauncher::finished);
    repeat.start(specFor("print(1)"), {3, 2}, RunLauncher::Streams::Captured);
    QVERIFY(finished.wait(timeoutMs));
    QVERIFY(!repeat.isRunning());
    QCOMPARE(numbers, (QList<int>{1, 2, 3, 4, 5}));
    QCOMPARE(profiles.size(), std::size_t(5));
    for (std::size_t index = 0; index < profiles.size(); ++index) {
        QVERIFY(profiles[index]->run.repeatGroup.has_value());
        QVERIFY(profiles[index]->run.repeatGroup == profiles[0]->run.repeatGroup);
        QCOMPARE(profiles[index]->run.isWarmUp, index < 2);
    }
}

void RunLauncherTest::endsARepeatAtAnError()
{
    RepeatLauncher repeat;
    repeat.launcher().setRunner(runnerPath);
    QSignalSpy runs(&repeat, &RepeatLauncher::runFinished);
    QSignalSpy finished(&repeat, &RepeatLauncher::finished);
    repeat.start(specFor("error('no')"), {3, 0}, RunLauncher::Streams::Captured);
    QVERIFY(finished.wait(timeoutMs));
    QCOMPARE(runs.count(), 1);
    // A script that ends with a code of its own goes on.
    repeat.start(specFor("os.exit(3)"), {2, 0}, RunLauncher::Streams::Captured);
    QVERIFY(finished.wait(timeoutMs));
    QCOMPARE(runs.count(), 3);
}

void RunLauncherTest::stopsARepeat()
{
    RepeatLauncher repeat;
    repeat.launcher().setRunner(runnerPath);
    QSignalSpy runs(&repeat, &RepeatLauncher::runFinished);
    QSignalSpy finished(&repeat, &RepeatLauncher::finished);
    connect(&repeat, &RepeatLauncher::runFinished, [&] { repeat.stop(); });
    repeat.start(specFor("print(1)"), {3, 0}, RunLauncher::Streams::Captured);
    QVERIFY(finished.wait(timeoutMs));
    QCOMPARE(runs.count(), 1);
}

QTEST_GUILESS_MAIN(RunLauncherTest)
#include "tst_runlauncher.moc"
