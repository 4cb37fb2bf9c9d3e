// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/RunController.h"

#include <QTimer>
#include <QtConcurrentRun>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

constexpr int clockIntervalMs = 200;
constexpr qint64 snapshotIntervalMs = 500;
/// Building snapshots may take this share of one processor at most: 1 in 4.
constexpr qint64 snapshotRestFactor = 3;
/// A snapshot that cannot be built is not answered; then it is asked for again.
constexpr qint64 snapshotPatienceMs = 3000;

} // namespace

RunController::RunController(QObject* parent)
    : QObject(parent)
    , m_clock(new QTimer(this))
    , m_snapshotTimer(new QTimer(this))
{
    m_analyser.setMaxThreadCount(1);
    m_clock->setInterval(clockIntervalMs);
    m_snapshotTimer->setSingleShot(true);
    connect(m_clock, &QTimer::timeout, this, &RunController::elapsedChanged);
    connect(m_snapshotTimer, &QTimer::timeout, this, &RunController::requestSnapshot);
}

RunController::~RunController()
{
    m_launcher.reset(); // Kills the script before anything that answers it goes away.
    m_analyser.waitForDone();
}

void RunController::start(const LaunchSpec& spec, const RepeatPlan& plan)
{
    if (isBusy())
        return;
    m_plan = plan;
    m_isLastDone = false;
    m_launcher = std::make_unique<RepeatLauncher>();
    connectLauncher();
    m_clock->start();
    setState(State::Starting);
    m_launcher->start(spec, plan, RunLauncher::Streams::Captured);
}

void RunController::connectLauncher()
{
    RunLauncher& single = m_launcher->launcher();
    connect(m_launcher.get(), &RepeatLauncher::runStarted, this, &RunController::beginRun);
    connect(m_launcher.get(), &RepeatLauncher::runFinished, this, &RunController::deliverResult);
    connect(m_launcher.get(), &RepeatLauncher::finished, this, [this] {
        m_isLastDone = true;
        finishWhenAnalysed();
    });
    connect(&single, &RunLauncher::started, this, [this] {
        m_sinceStart.start();
        if (m_state == State::Starting)
            setState(State::Running);
        scheduleSnapshot(snapshotIntervalMs / 2);
    });
    connect(&single, &RunLauncher::outputReceived, this, &RunController::outputReceived);
    connect(&single, &RunLauncher::inputAwaited, this, [this] {
        m_isWaitingForInput = true;
        Q_EMIT inputAwaited();
        Q_EMIT elapsedChanged();
    });
    connect(&single, &RunLauncher::snapshotReady, this, &RunController::deliverSnapshot);
    connect(&single, &RunLauncher::analysing, this, [this] { setState(State::Analysing); });
}

void RunController::beginRun(int number)
{
    ++m_run;
    m_runNumber = number;
    m_isWaitingForInput = false;
    m_sinceStart.start();
    // The process may have announced itself before this run was.
    if (number > 1)
        setState(State::Running);
    Q_EMIT runStarted(number);
    scheduleSnapshot(snapshotIntervalMs);
}

void RunController::stop()
{
    if (!canStop())
        return;
    setState(State::Stopping);
    m_launcher->stop();
}

bool RunController::canStop() const
{
    const bool hasMore = !m_isLastDone && m_runNumber < m_plan.total();
    return m_state == State::Starting || m_state == State::Running
        || (m_state == State::Analysing && hasMore);
}

void RunController::writeInput(const QByteArray& bytes)
{
    m_isWaitingForInput = false;
    if (isBusy())
        m_launcher->launcher().writeInput(bytes);
}

void RunController::closeInput()
{
    m_isWaitingForInput = false;
    if (isBusy())
        m_launcher->launcher().closeInput();
}

Duration RunController::elapsed() const
{
    return isBusy() && m_sinceStart.isValid()
        ? Duration::fromNanoseconds(m_sinceStart.nsecsElapsed())
        : Duration();
}

std::optional<Duration> RunController::timeLeft() const
{
    const auto left = isBusy() ? m_launcher->timeLeft() : std::nullopt;
    if (!left)
        return {};
    return Duration::fromMilliseconds(left->count());
}

void RunController::setState(State state)
{
    if (state == m_state)
        return;
    m_state = state;
    if (state == State::Ready)
        m_clock->stop();
    if (state != State::Running)
        m_snapshotTimer->stop();
    Q_EMIT stateChanged();
}

void RunController::scheduleSnapshot(qint64 delayMs)
{
    if (m_state == State::Running)
        m_snapshotTimer->start(static_cast<int>(delayMs));
}

void RunController::requestSnapshot()
{
    m_sinceRequest.start();
    m_launcher->launcher().requestSnapshot();
    scheduleSnapshot(snapshotPatienceMs);
}

void RunController::deliverSnapshot(std::shared_ptr<const Profile> profile)
{
    m_snapshotTimer->stop();
    QtConcurrent::run(&m_analyser, [profile = std::move(profile)] {
        return analysed(profile);
    }).then(this, [this, run = m_run](const LoadedProfile& loaded) {
        if (run != m_run || m_state != State::Running)
            return;
        Q_EMIT snapshotReady(loaded);
        scheduleSnapshot(
            std::max(snapshotIntervalMs, m_sinceRequest.elapsed() * snapshotRestFactor));
    });
}

void RunController::deliverResult(std::shared_ptr<const Profile> profile)
{
    ++m_run;
    ++m_analyses;
    const QString recording = m_launcher->launcher().recordingPath();
    QtConcurrent::run(&m_analyser, [profile = std::move(profile)] {
        return analysed(withoutIdleParts(profile));
    }).then(this, [this, recording](const LoadedProfile& loaded) {
        --m_analyses;
        Q_EMIT runFinished(loaded, recording);
        finishWhenAnalysed();
    });
}

void RunController::finishWhenAnalysed()
{
    if (!m_isLastDone)
        return;
    if (m_analyses > 0) {
        setState(State::Analysing);
        return;
    }
    m_isLastDone = false;
    setState(State::Ready);
    Q_EMIT finished();
}

} // namespace perilune
