// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/RunLauncher.h"

#include <optional>

namespace perilune {

/// How often a script is run: first the warm-ups, then the runs that count.
struct RepeatPlan
{
    int runs = 1;
    int warmUps = 0;
    int total() const { return runs + warmUps; }
};

/// Runs a script several times, one after another, each in a fresh process.
///
/// The runs share RunInfo::repeatGroup; a plan of one run has no group. A run that does not come to
/// its end ends the repeat. Lives in the thread of its RunLauncher.
class RepeatLauncher : public QObject
{
    Q_OBJECT
public:
    explicit RepeatLauncher(QObject* parent = nullptr);

    void start(const LaunchSpec& spec, const RepeatPlan& plan, RunLauncher::Streams streams);
    /// Stops the present run and makes no further one.
    void stop();
    bool isRunning() const { return m_isRunning; }

    /// The one that runs the script: for its output, its input and its snapshots.
    RunLauncher& launcher() { return m_launcher; }

    /// An estimate from the runs that are done; nothing before the first.
    std::optional<std::chrono::milliseconds> timeLeft() const;

Q_SIGNALS:
    /// Run `number` of `total` begins, from 1.
    void runStarted(int number, int total);
    /// A run has ended; while receivers handle this, its recording is launcher().recordingPath().
    void runFinished(std::shared_ptr<const perilune::Profile> profile);
    /// No further run follows; `last` is the run that was finished last.
    void finished(std::shared_ptr<const perilune::Profile> last);

private:
    void startNext();
    void takeRun(const std::shared_ptr<const Profile>& profile);

    RunLauncher m_launcher;
    LaunchSpec m_spec;
    RepeatPlan m_plan;
    RunLauncher::Streams m_streams = RunLauncher::Streams::Captured;
    int m_startedRuns = 0;
    std::chrono::milliseconds m_timeTaken{0};
    qint64 m_runStartedAt = 0;
    bool m_isStopping = false;
    bool m_isRunning = false;
};

} // namespace perilune
