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
/// The recording is a file in a private folder under the user's data folder; it is removed once the
/// profile has been built and acknowledged (discardRecording()), so that a crash of this program loses nothing.
/// Lives in a thread with an event loop; profiles are built in a worker thread.
class RunLauncher : public QObject
{
    Q_OBJECT
public:
    /// Who reads the script's streams.
    enum class Streams {
        Captured, ///< outputReceived() and writeInput().
        Inherited ///< The script shares the standard streams of this program.
    };
    enum class Channel { Output, Error };
    Q_ENUM(Channel)

    explicit RunLauncher(QObject* parent = nullptr);
    ~RunLauncher() override; ///< Kills a running script.

    /// Starts a run; finished() follows in every case, also when it could not start.
    void start(const LaunchSpec& spec, Streams streams = Streams::Captured);
    bool isRunning() const;
    /// Asks the script to stop; after a second its process group is killed. finished() follows.
    void stop();
    void writeInput(const QByteArray& bytes);
    void closeInput();
    /// Builds a profile of what has been measured so far; snapshotReady() follows unless one is under way.
    void requestSnapshot();
    /// Where the runner is recording.
    QString recordingPath() const;
    void discardRecording();

    /// Finds perilune-runner beside this program, else in PATH; empty when there is none.
    static QString findRunner();

Q_SIGNALS:
    void started(qint64 processId);
    void outputReceived(const QByteArray& bytes, perilune::RunLauncher::Channel channel);
    /// The script has been waiting for its standard input for a while.
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
