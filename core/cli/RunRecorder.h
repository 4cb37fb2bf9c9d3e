// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cli/StopSignals.h"
#include "core/launch/RepeatLauncher.h"
#include "core/session/Session.h"

#include <QObject>
#include <QString>

#include <optional>

namespace perilune::cli {

/// What `record` was asked for.
struct RecordRequest
{
    LaunchSpec spec;
    RepeatPlan plan;
    QString output;  ///< The session that the runs go to.
    QString runName; ///< Given to each run; may be empty.
};

/// Runs a script with our own standard streams and adds its runs to a session.
///
/// Says nothing of its own while all is well unless standard error is a terminal, so that a
/// script's output stays what it is with lua5.4.
class RunRecorder : public QObject
{
    Q_OBJECT
public:
    explicit RunRecorder(RecordRequest request);

    /// Runs an event loop until all is recorded; returns the exit code of this program.
    int record();

private:
    bool openSession();
    void announce(int number, int total);
    void keep(const std::shared_ptr<const Profile>& profile);
    Result<std::int64_t> addToSession(const Profile& profile);
    void reportTrouble(const RunInfo& run);
    void summarize() const;

    RecordRequest m_request;
    RepeatLauncher m_launcher;
    StopSignals m_signals;
    std::optional<Session> m_session; ///< Made with the first run when the file is new.
    std::optional<std::int64_t> m_lastRun;
    std::size_t m_functionCount = 0;
    Duration m_lastTime;
    int m_exitCode = 0;
    bool m_isTerminal = false;
};

} // namespace perilune::cli
