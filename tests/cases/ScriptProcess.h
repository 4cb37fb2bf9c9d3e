// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace perilune::test {

/// A program to run to its end.
struct ScriptProcess
{
    QString program;
    QStringList arguments;
    QString workingDirectory;
    QStringList environment; ///< `NAME=value` on top of ours.
    QByteArray input;
    double killAfterSeconds = 0; ///< By SIGKILL; 0: after two minutes, which is a failure.
};

struct ScriptResult
{
    bool hasStarted = false;
    bool wasKilled = false;
    int exitCode = -1; ///< Negative: ended by that signal.
    QByteArray output;
    QByteArray errorOutput;
};

ScriptResult runToEnd(const ScriptProcess& script);

/// The runner of this build, recording `script` with `arguments` into `recording`.
ScriptProcess recordedScript(const QString& recording, const QString& script,
                             const QStringList& arguments, const QString& workingDirectory);

/// Copies the Lua files of one folder into another, which is made; false when one could not be.
bool copyLuaFiles(const QString& source, const QString& target);

} // namespace perilune::test
