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

} // namespace

RunController::RunController(QObject* parent)
    : QObject(parent)
    , m_clock(new QTimer(this))
    , m_snapshotTimer(new QTimer(this))
{
    m_clock->setInterval(clockIntervalMs);
    m_snapshotTimer->setSingleShot(true);
    connect(m_clock, &QTimer::timeout, this, &RunController::elapsedChanged);
    connect(m_snapshotTimer, &QTimer::timeout, this, &RunController::requestSnapshot);
}

RunController::~RunController() = default;

void RunController::start(const LaunchSpec& spec)
{
    if (isBusy())
        return;
    ++m_run;
    m_spec = spec;
    m_isWaitingForInput = false;
    m_launcher = std::make_unique<RunLauncher>();
    connectLauncher();
    m_sinceStart.start();
    m_clock->start();
    setState(State::Starting);
    m_launcher->start(spec);
}

void RunController::connectLauncher()
{
    connect(m_launcher.get(), &RunLauncher::started, this, [this] {
        m_sinceStart.start();
        setState(State::Running);
        scheduleSnapshot(snapshotIntervalMs / 2);
    });
    connect(m_launcher.get(), &RunLauncher::outputReceived, this, &RunController::outputReceived);
    connect(m_launcher.get(), &RunLauncher::inputAwaited, this, [this] {
        m_isWaitingForInput = true;
        Q_EMIT inputAwaited();
        Q_EMIT elapsedChanged();
    });
    connect(m_launcher.get(), &RunLauncher::snapshotReady, this, &RunController::deliverSnapshot);
    connect(m_launcher.get(), &RunLauncher::analysing, this,
            [this] { setState(State::Analysing); });
    connect(m_launcher.get(), &RunLauncher::finished, this, &RunController::deliverResult);
}

void RunController::stop()
{
    if (m_state != State::Starting && m_state != State::Running)
        return;
    setState(State::Stopping);
    m_launcher->stop();
}

void RunController::writeInput(const QByteArray& bytes)
{
    m_isWaitingForInput = false;
    if (isBusy())
        m_launcher->writeInput(bytes);
}

void RunController::closeInput()
{
    m_isWaitingForInput = false;
    if (isBusy())
        m_launcher->closeInput();
}

Duration RunController::elapsed() const
{
    return isBusy() ? Duration::fromNanoseconds(m_sinceStart.nsecsElapsed()) : Duration();
}

void RunController::discardRecording()
{
    if (m_launcher && !isBusy())
        m_launcher->discardRecording();
}

QString RunController::recordingPath() const
{
    return m_launcher ? m_launcher->recordingPath() : QString();
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
    m_launcher->requestSnapshot();
}

void RunController::deliverSnapshot(std::shared_ptr<const Profile> profile)
{
    const quint64 run = m_run;
    QtConcurrent::run([profile = std::move(profile)] {
        return analysed(profile);
    }).then(this, [this, run](const LoadedProfile& loaded) {
        if (run != m_run || m_state != State::Running)
            return;
        Q_EMIT snapshotReady(loaded);
        scheduleSnapshot(
            std::max(snapshotIntervalMs, m_sinceRequest.elapsed() * snapshotRestFactor));
    });
}

void RunController::deliverResult(std::shared_ptr<const Profile> profile)
{
    setState(State::Analysing);
    QtConcurrent::run([profile = std::move(profile)] {
        return analysed(withoutIdleParts(profile));
    }).then(this, [this](const LoadedProfile& loaded) {
        setState(State::Ready);
        Q_EMIT finished(loaded);
    });
}

} // namespace perilune
