// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/RepeatLauncher.h"

#include <QDateTime>
#include <QUuid>

namespace perilune {

RepeatLauncher::RepeatLauncher(QObject* parent)
    : QObject(parent)
{
    connect(&m_launcher, &RunLauncher::finished, this, &RepeatLauncher::takeRun);
}

void RepeatLauncher::start(const LaunchSpec& spec, const RepeatPlan& plan,
                           RunLauncher::Streams streams)
{
    Q_ASSERT(!m_isRunning && plan.runs > 0);
    m_spec = spec;
    m_spec.repeatGroup =
        plan.total() > 1 ? QUuid::createUuid().toString(QUuid::WithoutBraces) : QString();
    m_plan = plan;
    m_streams = streams;
    m_startedRuns = 0;
    m_timeTaken = {};
    m_isStopping = false;
    m_isRunning = true;
    startNext();
}

void RepeatLauncher::stop()
{
    m_isStopping = true;
    m_launcher.stop();
}

std::optional<std::chrono::milliseconds> RepeatLauncher::timeLeft() const
{
    const int done = m_startedRuns - 1;
    if (done < 1)
        return std::nullopt;
    return m_timeTaken / done * (m_plan.total() - done);
}

void RepeatLauncher::startNext()
{
    m_spec.isWarmUp = m_startedRuns < m_plan.warmUps;
    ++m_startedRuns;
    m_runStartedAt = QDateTime::currentMSecsSinceEpoch();
    m_launcher.start(m_spec, m_streams);
    Q_EMIT runStarted(m_startedRuns, m_plan.total());
}

void RepeatLauncher::takeRun(const std::shared_ptr<const Profile>& profile)
{
    m_timeTaken += std::chrono::milliseconds(QDateTime::currentMSecsSinceEpoch() - m_runStartedAt);
    Q_EMIT runFinished(profile);
    if (!m_isStopping && !profile->run.isPartial() && m_startedRuns < m_plan.total()) {
        startNext();
        return;
    }
    m_isRunning = false;
    Q_EMIT finished(profile);
}

} // namespace perilune
