// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/RunInfo.h"
#include "core/recording/Result.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace perilune {

/// Everything that decides how a script is run and recorded.
struct LaunchSpec
{
    QString script; ///< As the script sees it in arg[0]; relative to the working directory.
    QStringList arguments;
    QString workingDirectory; ///< Empty: the current one.
    /// Changes to the inherited environment; no value means the variable is unset.
    QList<std::pair<QString, std::optional<QString>>> environment;
    QString standardInput; ///< A file; empty: the pipe of the Output dock, or inherited in the CLI.
    std::optional<std::chrono::milliseconds> timeLimit;

    ProfilingMode mode = ProfilingMode::Exact;
    ClockKind clock = ClockKind::Wall;
    QString clockSource; ///< "", "tsc" or "monotonic": overrides the choice of clock.
    std::chrono::nanoseconds samplingInterval = std::chrono::milliseconds(1);
    bool lines = false;
    bool memory = false;
    bool durations = false;
    bool timeline = false;
    /// Exact mode: runs the script once without any hook before, its output thrown away, to fit the
    /// correction of times to what it really takes. The script runs twice.
    bool referenceRun = false;
    std::optional<std::uint32_t> maximumNodes;
    std::optional<std::uint32_t> maximumDepth;
    std::optional<std::uint64_t> maximumStringBytes;

    QString repeatGroup; ///< Shared by the runs of one repeat; empty for a single run.
    bool isWarmUp = false;
};

/// Splits a line of arguments as a shell splits words (spaces, single and double quotes,
/// backslash); nothing is expanded. Error InvalidArgument on an unclosed quote, which is named.
Result<QStringList> splitArguments(const QString& line);
/// A line that splitArguments() turns back into `arguments`, with quotes only where they are
/// needed.
QString joinArguments(const QStringList& arguments);

/// The absolute path of the script.
QString scriptPath(const LaunchSpec& spec);

/// Checks what can be checked before anything starts: that the script exists and is a readable
/// file, the working directory is one, the stdin file is readable. The detail names the path and
/// the next step.
Result<void> checkLaunch(const LaunchSpec& spec);

} // namespace perilune
