// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/RunLauncher.h"

#include "core/launch/ProcessWatch.h"
#include "core/launch/RecordingStore.h"
#include "core/launch/RunAnalysis.h"
#include "core/launch/RunFacts.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QFuture>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>
#include <QtConcurrent>

#include <chrono>
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace perilune {

using namespace std::chrono_literals;

namespace {

constexpr auto killDelay = 1s;
constexpr auto inputPollInterval = 200ms;
/// A script that reads at this many looks in a row is waiting for somebody.
constexpr int inputPollsBeforeAsking = 2;
constexpr int destructionTimeoutMs = 2000;
constexpr qsizetype errorTailBytes = 2000;

/// What is found out before a process is started.
struct Preparation
{
    RunInfo run;
    QString recording;
    std::optional<Error> error; ///< Why nothing can be started.
};

/// Runs in a worker thread.
Preparation prepare(const LaunchSpec& spec)
{
    Preparation preparation{collectRunInfo(spec), {}, {}};
    if (const auto checked = checkLaunch(spec); !checked) {
        preparation.error = checked.error();
        return preparation;
    }
    const auto recording = recordingStore::newPath();
    if (!recording) {
        preparation.error = recording.error();
        return preparation;
    }
    preparation.recording = *recording;
    if (const auto noted = recordingStore::writeNote(*recording, preparation.run); !noted)
        preparation.error = noted.error();
    return preparation;
}

QProcessEnvironment environmentFor(const LaunchSpec& spec)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : spec.environment) {
        if (value)
            environment.insert(name, *value);
        else
            environment.remove(name);
    }
    return environment;
}

} // namespace

class RunLauncher::Private
{
public:
    explicit Private(RunLauncher& launcher);

    void start(const LaunchSpec& newSpec, Streams newStreams);
    void stop(StopReason reason);
    void kill();
    void requestSnapshot();
    void writeInput(const QByteArray& bytes);

    bool isRunning = false;
    std::unique_ptr<QProcess> process; ///< Null unless a process has been started.
    QString recording;
    QString runner;

private:
    void startProcess(const Preparation& preparation);
    void createProcess(const QStringList& arguments);
    void startReference();
    void startRecorded();
    void referenceFinished();
    QString referenceRecording() const { return recording + QStringLiteral(".reference"); }
    void setUpStreams();
    void setUpChild();
    void connectProcess();
    void deliver(const QByteArray& bytes, Channel channel);
    void processStarted();
    void processFinished(int exitCode, QProcess::ExitStatus exitStatus);
    void processFailedToStart();
    void pollInput();
    void finish(std::shared_ptr<const Profile> profile);

    RunLauncher& m_launcher;
    LaunchSpec m_spec;
    Streams m_streams = Streams::Captured;
    RunInfo m_run;
    StopReason m_stopReason = StopReason::None;
    qint64 m_processId = 0;
    QByteArray m_errorTail; ///< The end of what the script wrote to its standard error.
    QTimer m_killTimer;
    QTimer m_timeLimit;
    QTimer m_inputPoll;
    int m_pollsReading = 0;
    bool m_snapshotUnderWay = false;
    bool m_isReference = false; ///< The process that runs is the reference run.
};

RunLauncher::Private::Private(RunLauncher& launcher)
    : runner(findRunner())
    , m_launcher(launcher)
{
    m_killTimer.setSingleShot(true);
    m_killTimer.setInterval(killDelay);
    connect(&m_killTimer, &QTimer::timeout, &m_launcher, [this] { kill(); });
    m_timeLimit.setSingleShot(true);
    m_timeLimit.setTimerType(Qt::PreciseTimer);
    connect(&m_timeLimit, &QTimer::timeout, &m_launcher, [this] { stop(StopReason::TimeLimit); });
    m_inputPoll.setInterval(inputPollInterval);
    connect(&m_inputPoll, &QTimer::timeout, &m_launcher, [this] { pollInput(); });
}

void RunLauncher::Private::start(const LaunchSpec& newSpec, Streams newStreams)
{
    Q_ASSERT(!isRunning);
    isRunning = true;
    m_spec = newSpec;
    m_streams = newStreams;
    m_stopReason = StopReason::None;
    m_errorTail.clear();
    QtConcurrent::run(prepare, m_spec).then(&m_launcher, [this](const Preparation& preparation) {
        startProcess(preparation);
    });
}

void RunLauncher::Private::startProcess(const Preparation& preparation)
{
    m_run = preparation.run;
    recording = preparation.recording;
    if (preparation.error) {
        finish(failedRun(m_run, preparation.error->detail));
        return;
    }
    if (m_stopReason != StopReason::None) {
        auto profile = std::make_shared<Profile>();
        profile->run = m_run;
        profile->run.status = RunStatus::Stopped;
        finish(profile);
        return;
    }
    m_isReference = m_spec.referenceRun && m_spec.mode == ProfilingMode::Exact;
    if (m_isReference)
        startReference();
    else
        startRecorded();
}

void RunLauncher::Private::createProcess(const QStringList& arguments)
{
    process = std::make_unique<QProcess>();
    process->setProgram(runner);
    process->setArguments(arguments);
    process->setWorkingDirectory(m_spec.workingDirectory);
    process->setProcessEnvironment(environmentFor(m_spec));
}

void RunLauncher::Private::startReference()
{
    createProcess(referenceArguments(m_spec, referenceRecording()));
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    process->setStandardInputFile(m_spec.standardInput.isEmpty() ? QProcess::nullDevice()
                                                                 : m_spec.standardInput);
    setUpChild();
    connectProcess();
    process->start();
}

void RunLauncher::Private::startRecorded()
{
    createProcess(runnerArguments(m_spec, recording,
                                  m_streams == Streams::Captured ? OutputBuffering::Lines
                                                                 : OutputBuffering::AsUsual));
    setUpStreams();
    setUpChild();
    connectProcess();
    process->start();
}

/// The reference run is over: the run itself follows, unless it was stopped meanwhile.
void RunLauncher::Private::referenceFinished()
{
    m_isReference = false;
    process.release()->deleteLater(); // it is the sender
    m_run.referenceTime = referenceTime(referenceRecording());
    QFile::remove(referenceRecording());
    if (m_run.referenceTime <= Duration())
        m_run.warnings.emplace_back("The reference run did not come to its end; the correction of "
                                    "times is the calibrated one.");
    if (m_stopReason == StopReason::None) {
        startRecorded();
        return;
    }
    auto profile = std::make_shared<Profile>();
    profile->run = m_run;
    profile->run.status = RunStatus::Stopped;
    finish(profile);
}

void RunLauncher::Private::setUpStreams()
{
    const bool isInherited = m_streams == Streams::Inherited;
    if (isInherited)
        process->setProcessChannelMode(QProcess::ForwardedChannels);
    if (!m_spec.standardInput.isEmpty())
        process->setStandardInputFile(m_spec.standardInput);
    else if (isInherited)
        process->setInputChannelMode(QProcess::ForwardedInputChannel);
}

void RunLauncher::Private::setUpChild()
{
    // A script that shares our terminal must stay in its foreground process group, or it could
    // neither read from it nor be interrupted by Ctrl+C. Any other gets a group of its own.
    const bool ownGroup = m_streams == Streams::Captured;
    const pid_t parent = ::getpid();
    process->setChildProcessModifier([ownGroup, parent] {
        if (ownGroup)
            ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) // we have died in between
            ::_exit(1);
    });
}

void RunLauncher::Private::connectProcess()
{
    QProcess* const source = process.get();
    connect(source, &QProcess::started, &m_launcher, [this] { processStarted(); });
    connect(source, &QProcess::readyReadStandardOutput, &m_launcher,
            [this, source] { deliver(source->readAllStandardOutput(), Channel::Output); });
    connect(source, &QProcess::readyReadStandardError, &m_launcher,
            [this, source] { deliver(source->readAllStandardError(), Channel::Error); });
    connect(source, &QProcess::finished, &m_launcher,
            [this](int code, QProcess::ExitStatus status) { processFinished(code, status); });
    connect(source, &QProcess::errorOccurred, &m_launcher, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            processFailedToStart();
    });
}

void RunLauncher::Private::deliver(const QByteArray& bytes, Channel channel)
{
    if (channel == Channel::Error)
        m_errorTail = (m_errorTail + bytes).right(errorTailBytes);
    if (!bytes.isEmpty())
        Q_EMIT m_launcher.outputReceived(bytes, channel);
}

void RunLauncher::Private::processStarted()
{
    m_processId = process->processId();
    if (m_spec.timeLimit)
        m_timeLimit.start(*m_spec.timeLimit);
    if (m_streams == Streams::Captured && m_spec.standardInput.isEmpty() && !m_isReference)
        m_inputPoll.start();
    m_pollsReading = 0;
    if (!m_isReference)
        Q_EMIT m_launcher.started(m_processId);
    if (m_stopReason != StopReason::None) // asked while the process was being started
        stop(m_stopReason);
}

void RunLauncher::Private::pollInput()
{
    m_pollsReading = isReadingStandardInput(m_processId) ? m_pollsReading + 1 : 0;
    if (m_pollsReading == inputPollsBeforeAsking)
        Q_EMIT m_launcher.inputAwaited();
}

void RunLauncher::Private::writeInput(const QByteArray& bytes)
{
    if (!process)
        return;
    process->write(bytes);
    m_pollsReading = 0; // when it reads still or again, it waits for more
}

void RunLauncher::Private::stop(StopReason reason)
{
    if (!isRunning)
        return;
    if (m_stopReason == StopReason::None)
        m_stopReason = reason;
    if (process && process->state() == QProcess::Running && !m_killTimer.isActive()) {
        process->terminate();
        m_killTimer.start();
    }
}

void RunLauncher::Private::kill()
{
    if (!process || process->state() != QProcess::Running)
        return;
    if (m_streams == Streams::Captured)
        ::kill(-static_cast<pid_t>(m_processId), SIGKILL);
    else
        killProcessTree(m_processId);
}

void RunLauncher::Private::processFinished(int exitCode, QProcess::ExitStatus exitStatus)
{
    m_killTimer.stop();
    m_timeLimit.stop();
    m_inputPoll.stop();
    if (m_isReference) {
        referenceFinished();
        return;
    }
    if (m_stopReason != StopReason::None && m_streams == Streams::Captured)
        ::kill(-static_cast<pid_t>(m_processId), SIGKILL); // what the script has started and left
    ProcessEnd end{m_stopReason, exitCode, 0, m_errorTail.toStdString()};
    if (exitStatus == QProcess::CrashExit)
        std::swap(end.exitCode, end.signal); // QProcess gives the signal as the code
    process.release()->deleteLater();        // it is the sender
    Q_EMIT m_launcher.analysing();
    QtConcurrent::run(analyseRun, recording, m_run, end)
        .then(&m_launcher,
              [this](const std::shared_ptr<const Profile>& profile) { finish(profile); });
}

void RunLauncher::Private::processFailedToStart()
{
    const QString reason = process->errorString();
    process.release()->deleteLater();
    const QString message = runner.isEmpty()
        ? QStringLiteral(
              "perilune-runner was found neither in %1 nor in PATH; install Perilune again.")
              .arg(QCoreApplication::applicationDirPath())
        : QStringLiteral("“%1” could not be started: %2.").arg(runner, reason);
    finish(failedRun(m_run, message.toStdString()));
}

void RunLauncher::Private::finish(std::shared_ptr<const Profile> profile)
{
    isRunning = false;
    Q_EMIT m_launcher.finished(std::move(profile));
}

void RunLauncher::Private::requestSnapshot()
{
    if (m_snapshotUnderWay || m_isReference || !process || process->state() != QProcess::Running)
        return;
    m_snapshotUnderWay = true;
    const QString ofRecording = recording;
    QtConcurrent::run(analyseSnapshot, recording, m_run)
        .then(&m_launcher, [this, ofRecording](const std::shared_ptr<const Profile>& profile) {
            m_snapshotUnderWay = false;
            if (profile && isRunning && ofRecording == recording)
                Q_EMIT m_launcher.snapshotReady(profile);
        });
}

RunLauncher::RunLauncher(QObject* parent)
    : QObject(parent)
    , m_d(std::make_unique<Private>(*this))
{
}

RunLauncher::~RunLauncher()
{
    if (!m_d->process)
        return;
    m_d->process->disconnect(this);
    m_d->kill();
    m_d->process->waitForFinished(destructionTimeoutMs);
}

void RunLauncher::start(const LaunchSpec& spec, Streams streams)
{
    m_d->start(spec, streams);
}

bool RunLauncher::isRunning() const
{
    return m_d->isRunning;
}

void RunLauncher::stop()
{
    m_d->stop(StopReason::User);
}

void RunLauncher::writeInput(const QByteArray& bytes)
{
    m_d->writeInput(bytes);
}

void RunLauncher::closeInput()
{
    if (m_d->process)
        m_d->process->closeWriteChannel();
}

void RunLauncher::requestSnapshot()
{
    m_d->requestSnapshot();
}

QString RunLauncher::recordingPath() const
{
    return m_d->recording;
}

void RunLauncher::discardRecording()
{
    if (!m_d->isRunning && !m_d->recording.isEmpty())
        recordingStore::remove(m_d->recording);
}

void RunLauncher::setRunner(const QString& path)
{
    m_d->runner = path;
}

QString RunLauncher::findRunner()
{
    const QString name = QStringLiteral("perilune-runner");
    const QFileInfo beside(QCoreApplication::applicationDirPath(), name);
    if (beside.isExecutable())
        return beside.filePath();
    return QStandardPaths::findExecutable(name);
}

} // namespace perilune
