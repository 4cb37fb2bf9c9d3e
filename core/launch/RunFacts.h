// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/LaunchSpec.h"
#include "core/profile/RunInfo.h"

#include <QString>
#include <QStringList>

namespace perilune {

/// The commit that a folder is at, and whether files that Git knows were changed since.
struct GitState
{
    QString commit; ///< Empty outside of Git, without git, or when it takes longer than a second.
    bool isDirty = false;
};

GitState readGitState(const QString& folder);

/// "AMD EPYC 7B13, 2 cores".
QString machineName();

/// What can be said of a run before it starts: everything that `spec` says, the script's hash, the
/// machine, the state of Git, the present as its start. Reads files and may run git: not for the
/// GUI thread.
RunInfo collectRunInfo(const LaunchSpec& spec);

/// When a script's output leaves its process.
enum class OutputBuffering
{
    AsUsual, ///< As with the stand-alone interpreter: whole blocks, unless it writes to a terminal.
    Lines    ///< Line by line, for somebody who watches.
};

/// The command line of perilune-runner for a reference run, which measures the whole run only.
QStringList referenceArguments(const LaunchSpec& spec, const QString& recording);
/// The command line of perilune-runner.
QStringList runnerArguments(const LaunchSpec& spec, const QString& recording,
                            OutputBuffering buffering);

} // namespace perilune
