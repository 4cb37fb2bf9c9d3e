// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/RunText.h"

#include "core/launch/LaunchSpec.h"
#include "gui/models/NumberFormat.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>

#include <csignal>

namespace perilune {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("RunText", text);
}

QString doneText(const RunInfo& run)
{
    return run.exitCode == 0 ? tr("Done") : tr("Done (exit code %1)").arg(run.exitCode);
}

QString firstLine(const std::string& text)
{
    return QString::fromStdString(text).section(QLatin1Char('\n'), 0, 0);
}

} // namespace

QString statusText(const RunInfo& run)
{
    switch (run.status) {
    case RunStatus::Running:
        return tr("Running");
    case RunStatus::Done:
        return doneText(run);
    case RunStatus::ScriptError:
        return tr("Script error (partial)");
    case RunStatus::SyntaxError:
        return tr("Syntax error");
    case RunStatus::Stopped:
        return tr("Stopped by you (partial)");
    case RunStatus::TimeLimit:
        return tr("Time limit (partial)");
    case RunStatus::Killed:
        return tr("Killed (%1)").arg(signalName(run.signal));
    case RunStatus::CouldNotStart:
        return tr("Could not start");
    }
    return {};
}

QString shortStatusText(const RunInfo& run)
{
    switch (run.status) {
    case RunStatus::Running:
        return tr("Running");
    case RunStatus::Done:
        return run.exitCode == 0 ? tr("Done") : tr("Exit %1").arg(run.exitCode);
    case RunStatus::ScriptError:
    case RunStatus::SyntaxError:
    case RunStatus::CouldNotStart:
        return tr("! Error");
    case RunStatus::Stopped:
        return tr("Stopped");
    case RunStatus::TimeLimit:
        return tr("Time limit");
    case RunStatus::Killed:
        return tr("! Killed");
    }
    return {};
}

QString statusIcon(RunStatus status)
{
    switch (status) {
    case RunStatus::Running:
        return QStringLiteral("busy");
    case RunStatus::Done:
        return QStringLiteral("done");
    case RunStatus::Stopped:
    case RunStatus::TimeLimit:
        return QStringLiteral("partial");
    case RunStatus::ScriptError:
    case RunStatus::SyntaxError:
    case RunStatus::CouldNotStart:
        return QStringLiteral("error");
    case RunStatus::Killed:
        return QStringLiteral("killed");
    }
    return {};
}

QString statusExplanation(const RunInfo& run)
{
    const QString duration = formatDuration(run.wallTime);
    switch (run.status) {
    case RunStatus::Running:
    case RunStatus::Done:
        return {};
    case RunStatus::ScriptError:
        return firstLine(run.errorMessage);
    case RunStatus::SyntaxError:
        return tr("Syntax error, nothing ran: %1").arg(firstLine(run.errorMessage));
    case RunStatus::Stopped:
        return tr("Stopped by you after %1. The numbers cover the run up to there.").arg(duration);
    case RunStatus::TimeLimit:
        return tr("The time limit ended the run after %1. The numbers cover the run up to there.")
            .arg(duration);
    case RunStatus::Killed:
        return tr("The script's process was killed by %1 after %2. What was measured up to there "
                  "is kept.")
            .arg(signalName(run.signal), duration);
    case RunStatus::CouldNotStart:
        return tr("Could not start: %1").arg(firstLine(run.errorMessage));
    }
    return {};
}

QString signalName(int signal)
{
    switch (signal) {
    case SIGSEGV:
        return QStringLiteral("SIGSEGV");
    case SIGABRT:
        return QStringLiteral("SIGABRT");
    case SIGBUS:
        return QStringLiteral("SIGBUS");
    case SIGFPE:
        return QStringLiteral("SIGFPE");
    case SIGILL:
        return QStringLiteral("SIGILL");
    case SIGKILL:
        return QStringLiteral("SIGKILL");
    case SIGTERM:
        return QStringLiteral("SIGTERM");
    case SIGINT:
        return QStringLiteral("SIGINT");
    case SIGHUP:
        return QStringLiteral("SIGHUP");
    case SIGPIPE:
        return QStringLiteral("SIGPIPE");
    default:
        return tr("signal %1").arg(signal);
    }
}

QString scriptPath(const RunInfo& run)
{
    return QDir::cleanPath(QDir(QString::fromStdString(run.workingDirectory))
                               .absoluteFilePath(QString::fromStdString(run.script)));
}

QString scriptName(const RunInfo& run)
{
    return QFileInfo(QString::fromStdString(run.script)).fileName();
}

QString runTitle(const RunInfo& run)
{
    QStringList arguments;
    for (const std::string& argument : run.arguments)
        arguments.append(QString::fromStdString(argument));
    const QString script = scriptName(run);
    return arguments.isEmpty() ? script : script + QLatin1Char(' ') + joinArguments(arguments);
}

QString modeTitle(ProfilingMode mode)
{
    switch (mode) {
    case ProfilingMode::Exact:
        return tr("Exact");
    case ProfilingMode::Sampling:
        return tr("Sampling");
    case ProfilingMode::Combined:
        return tr("Exact and sampling");
    }
    return {};
}

QString measurementText(const RunInfo& run)
{
    QStringList parts;
    if (!run.luaVersion.empty())
        parts.append(QString::fromStdString(run.luaVersion));
    parts.append(modeTitle(run.mode));
    if (run.correction.method != CorrectionMethod::None)
        parts.append(tr("overhead ≈ %1×, taken out")
                         .arg(QLocale().toString(run.correction.estimatedSlowdown, 'f', 1)));
    return parts.join(QStringLiteral(" · "));
}

QString missingModule(const RunInfo& run)
{
    static const QRegularExpression pattern(QStringLiteral("module '([^']*)' not found:"));
    return pattern.match(QString::fromStdString(run.errorMessage)).captured(1);
}

} // namespace perilune
