// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/RepeatLauncher.h"
#include "gui/app/ProfileJobs.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>

#include <memory>
#include <optional>

class QTimer;

namespace perilune {

/// Runs scripts one after another: starts, repeats, watches, stops, and delivers profiles, live and
/// final.
///
/// While a script runs its profile so far is asked for about twice a second, less often when
/// building it takes long, and is analysed away from the GUI thread.
class RunController : public QObject
{
    Q_OBJECT
public:
    enum class State
    {
        Ready,
        Starting,
        Running,
        Stopping,
        Analysing
    };

    explicit RunController(QObject* parent = nullptr);
    ~RunController() override;

    /// Does nothing while a script runs.
    void start(const LaunchSpec& spec, const RepeatPlan& plan = {});
    /// Ends the present run and makes no further one.
    void stop();
    void writeInput(const QByteArray& bytes);
    void closeInput();

    State state() const { return m_state; }
    bool isBusy() const { return m_state != State::Ready; }
    /// A script runs, or further runs of the plan follow.
    bool canStop() const;
    bool isWaitingForInput() const { return m_isWaitingForInput; }
    /// Of the present run.
    Duration elapsed() const;
    /// Which run of the plan it is, from 1.
    int runNumber() const { return m_runNumber; }
    const RepeatPlan& plan() const { return m_plan; }
    /// Until the last run of a plan is done; nothing before it can be told.
    std::optional<Duration> timeLeft() const;

Q_SIGNALS:
    void stateChanged();
    /// Several times a second while a script runs.
    void elapsedChanged();
    /// Run `number` of the plan begins, from 1.
    void runStarted(int number);
    void outputReceived(const QByteArray& bytes, perilune::RunLauncher::Channel channel);
    void inputAwaited();
    void snapshotReady(const perilune::LoadedProfile& loaded);
    /// A run has ended. Its recording lies at `recording` until whoever keeps the profile removes
    /// it.
    void runFinished(const perilune::LoadedProfile& loaded, const QString& recording);
    /// All runs have ended and been announced.
    void finished();

private:
    void connectLauncher();
    void setState(State state);
    void beginRun(int number);
    void requestSnapshot();
    void deliverSnapshot(std::shared_ptr<const Profile> profile);
    void scheduleSnapshot(qint64 delayMs);
    void deliverResult(std::shared_ptr<const Profile> profile);
    void finishWhenAnalysed();

    std::unique_ptr<RepeatLauncher> m_launcher;
    RepeatPlan m_plan;
    State m_state = State::Ready;
    bool m_isWaitingForInput = false;
    int m_runNumber = 0;
    int m_analyses = 0;        ///< Under way.
    bool m_isLastDone = false; ///< No further run follows.
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sinceRequest;
    QTimer* m_clock = nullptr;
    QTimer* m_snapshotTimer = nullptr;
    quint64 m_run = 0;      ///< Tells late snapshots of an earlier run.
    QThreadPool m_analyser; ///< One thread, so that results come in the order of the runs.
};

} // namespace perilune
