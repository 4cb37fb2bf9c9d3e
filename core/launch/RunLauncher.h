// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/LaunchSpec.h"
#include "core/profile/Profile.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>

class QProcess;

namespace perilune {

/// Runs one script in a perilune-runner process and delivers its profile.
///
/// The recording is a file in a private folder under the user's data folder (see RecordingStore.h);
/// it stays there until it is acknowledged with discardRecording(), so that a crash of this program
/// loses nothing. Lives in a thread with an event loop that ends with the program, because the
/// system kills the script when the thread that started it ends; profiles are built in a worker
/// thread.
class RunLauncher : public QObject
{
    Q_OBJECT
public:
    /// Who reads the script's streams.
    enum class Streams
    {
        Captured, ///< outputReceived() and writeInput().
        Inherited ///< The script shares the standard streams of this program.
    };
    enum class Channel
    {
        Output,
        Error
    };
    Q_ENUM(Channel)

    explicit RunLauncher(QObject* parent = nullptr);
    ~RunLauncher() override; ///< Kills a running script.

    /// Starts a run; finished() follows in every case, also when it could not start. Not while
    /// another runs.
    void start(const LaunchSpec& spec, Streams streams = Streams::Captured);
    bool isRunning() const;
    /// Asks the script to stop; after a second it is killed with all that it has started.
    /// finished() follows.
    void stop();
    void writeInput(const QByteArray& bytes);
    void closeInput();
    /// Builds a profile of what has been measured so far; snapshotReady() follows unless one is
    /// under way.
    void requestSnapshot();
    /// Where the runner is recording or has last recorded; empty before the first run.
    QString recordingPath() const;
    /// Removes the recording of the last run, whose profile is safe elsewhere.
    void discardRecording();

    /// Finds perilune-runner beside this program, else in PATH; empty when there is none.
    static QString findRunner();
    /// Uses another runner than findRunner() gives.
    void setRunner(const QString& path);

Q_SIGNALS:
    void started(qint64 processId);
    /// Bytes as they come, at most what a pipe holds at a time: while a receiver is busy with them,
    /// a script that writes more is held up, and nothing piles up here.
    void outputReceived(const QByteArray& bytes, perilune::RunLauncher::Channel channel);
    /// The script has been waiting for its standard input for a while; once for each time it does.
    void inputAwaited();
    void snapshotReady(std::shared_ptr<const perilune::Profile> profile);
    /// The process has ended and its profile is being built.
    void analysing();
    /// Never null; RunInfo::status tells how it ended.
    void finished(std::shared_ptr<const perilune::Profile> profile);

private:
    class Private;
    std::unique_ptr<Private> m_d;
};

} // namespace perilune
