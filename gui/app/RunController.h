// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/RunLauncher.h"
#include "gui/app/ProfileJobs.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <optional>

class QTimer;

namespace perilune {

/// Runs scripts one after another: starts, watches, stops, and delivers profiles, live and final.
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
    void start(const LaunchSpec& spec);
    void stop();
    void writeInput(const QByteArray& bytes);
    void closeInput();

    State state() const { return m_state; }
    bool isBusy() const { return m_state != State::Ready; }
    bool isWaitingForInput() const { return m_isWaitingForInput; }
    Duration elapsed() const;
    const LaunchSpec& spec() const { return m_spec; }
    /// The last run has been stored elsewhere: its recording is no longer needed.
    void discardRecording();
    /// Where the last run was recorded, for a message.
    QString recordingPath() const;

Q_SIGNALS:
    void stateChanged();
    /// Several times a second while a script runs.
    void elapsedChanged();
    void outputReceived(const QByteArray& bytes, perilune::RunLauncher::Channel channel);
    void inputAwaited();
    void snapshotReady(const perilune::LoadedProfile& loaded);
    void finished(const perilune::LoadedProfile& loaded);

private:
    void connectLauncher();
    void setState(State state);
    void requestSnapshot();
    void deliverSnapshot(std::shared_ptr<const Profile> profile);
    void scheduleSnapshot(qint64 delayMs);
    void deliverResult(std::shared_ptr<const Profile> profile);

    std::unique_ptr<RunLauncher> m_launcher;
    LaunchSpec m_spec;
    State m_state = State::Ready;
    bool m_isWaitingForInput = false;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sinceRequest;
    QTimer* m_clock = nullptr;
    QTimer* m_snapshotTimer = nullptr;
    quint64 m_run = 0; ///< Tells late answers of an earlier run.
};

} // namespace perilune
