// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/RunRecorder.h"

#include "core/cli/ExitCode.h"
#include "core/cli/NumberText.h"
#include "core/cli/Verb.h"

#include <QEventLoop>
#include <QFile>
#include <QFileInfo>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace perilune::cli {

namespace {

std::string pathOf(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

/// What this program ends with after a run.
int exitCodeOf(const RunInfo& run)
{
    switch (run.status) {
    case RunStatus::CouldNotStart:
        return CannotRead;
    case RunStatus::TimeLimit:
        return TimedOut;
    case RunStatus::Stopped:
        return SignalBase + SIGTERM;
    case RunStatus::Killed:
        return SignalBase + run.signal;
    case RunStatus::Running:
    case RunStatus::Done:
    case RunStatus::ScriptError:
    case RunStatus::SyntaxError:
        break;
    }
    return run.exitCode;
}

/// Whether there is anything to keep of a run.
bool isWorthKeeping(const RunInfo& run)
{
    return run.status != RunStatus::CouldNotStart && run.status != RunStatus::SyntaxError;
}

QString detailOf(const Error& error)
{
    return QString::fromStdString(error.detail);
}

} // namespace

RunRecorder::RunRecorder(RecordRequest request)
    : m_request(std::move(request))
    , m_isTerminal(::isatty(STDERR_FILENO) == 1)
{
    connect(&m_launcher, &RepeatLauncher::runStarted, this, &RunRecorder::announce);
    connect(&m_launcher, &RepeatLauncher::runFinished, this, &RunRecorder::keep);
    connect(&m_signals, &StopSignals::stopRequested, &m_launcher, &RepeatLauncher::stop);
}

int RunRecorder::record()
{
    if (!openSession())
        return CannotRead;
    QEventLoop loop;
    connect(&m_launcher, &RepeatLauncher::finished, &loop, &QEventLoop::quit);
    m_launcher.start(m_request.spec, m_request.plan, RunLauncher::Streams::Inherited);
    loop.exec();
    summarize();
    return m_exitCode;
}

/// Opens the session that is there, or finds out early that none can be made.
bool RunRecorder::openSession()
{
    const QFileInfo file(m_request.output);
    if (file.exists() && !(file.isFile() && file.size() == 0)) { // mktemp makes empty ones
        auto session = Session::open(pathOf(m_request.output));
        if (session && session->isWritable()) {
            m_session = std::move(*session);
            return true;
        }
        printError(session ? QStringLiteral("“%1” may not be written; choose another file.")
                                 .arg(m_request.output)
                           : detailOf(session.error()));
        return false;
    }
    const QFileInfo folder(file.absolutePath());
    if (folder.isDir() && folder.isWritable())
        return true;
    printError(QStringLiteral("“%1” cannot be made: its folder “%2” %3.")
                   .arg(m_request.output, folder.filePath(),
                        folder.isDir() ? QStringLiteral("may not be written")
                                       : QStringLiteral("does not exist")));
    return false;
}

void RunRecorder::announce(int number, int total)
{
    if (!m_isTerminal || total == 1)
        return;
    QString left;
    if (const auto time = m_launcher.timeLeft())
        left = QStringLiteral(", about %1 left")
                   .arg(QString::fromStdString(
                       durationText(Duration::fromMilliseconds(time->count()))));
    std::fprintf(stderr, "perilune-cli: run %d of %d%s\n", number, total, qUtf8Printable(left));
}

void RunRecorder::keep(const std::shared_ptr<const Profile>& profile)
{
    const RunInfo& run = profile->run;
    m_exitCode = exitCodeOf(run);
    reportTrouble(run);
    if (!isWorthKeeping(run)) {
        m_launcher.launcher().discardRecording();
        return;
    }
    const auto added = addToSession(*profile);
    if (!added) {
        printError(
            QStringLiteral("%1 The recording is kept as “%2”; see it with perilune-cli report.")
                .arg(detailOf(added.error()), m_launcher.launcher().recordingPath()));
        m_exitCode = CannotRead;
        m_launcher.stop();
        return;
    }
    m_lastRun = *added;
    m_lastTime = run.wallTime;
    m_functionCount = profile->functions.size();
    m_launcher.launcher().discardRecording();
}

Result<std::int64_t> RunRecorder::addToSession(const Profile& profile)
{
    if (!m_session) {
        auto created = Session::create(pathOf(m_request.output));
        if (!created)
            return created.error();
        m_session = std::move(*created);
    }
    RunSummary summary;
    summary.name = m_request.runName.toStdString();
    return m_session->addRun(profile, summary);
}

/// Names what no output of the script explains. An error in the script has been reported by Lua.
void RunRecorder::reportTrouble(const RunInfo& run)
{
    switch (run.status) {
    case RunStatus::CouldNotStart:
        printError(QString::fromStdString(run.errorMessage));
        break;
    case RunStatus::TimeLimit:
        printError(
            QStringLiteral("The script was stopped at its time limit; what it did until then "
                           "is recorded."));
        break;
    case RunStatus::Killed:
        printError(
            QStringLiteral("The script was ended by signal %1 (%2); what it did until then is "
                           "recorded.")
                .arg(run.signal)
                .arg(QString::fromLocal8Bit(::strsignal(run.signal))));
        break;
    case RunStatus::Running:
    case RunStatus::Done:
    case RunStatus::ScriptError:
    case RunStatus::SyntaxError:
    case RunStatus::Stopped:
        break;
    }
}

void RunRecorder::summarize() const
{
    if (!m_isTerminal || !m_lastRun)
        return;
    std::fprintf(stderr,
                 "perilune-cli: run %lld in %s: %s, %s functions; see perilune-cli report %s\n",
                 static_cast<long long>(*m_lastRun), qUtf8Printable(m_request.output),
                 durationText(m_lastTime).c_str(), countText(m_functionCount).c_str(),
                 qUtf8Printable(m_request.output));
}

} // namespace perilune::cli
