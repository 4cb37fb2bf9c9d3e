// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cases/ScriptProcess.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>

namespace perilune::test {

namespace {

constexpr int longestRunMs = 120000;

QProcessEnvironment environmentOf(const ScriptProcess& script)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& entry : script.environment)
        environment.insert(entry.section(u'=', 0, 0), entry.section(u'=', 1));
    return environment;
}

} // namespace

ScriptResult runToEnd(const ScriptProcess& script)
{
    ScriptResult result;
    QProcess process;
    process.setWorkingDirectory(script.workingDirectory);
    process.setProcessEnvironment(environmentOf(script));
    process.start(script.program, script.arguments);
    result.hasStarted = process.waitForStarted();
    if (!result.hasStarted)
        return result;
    process.write(script.input);
    process.closeWriteChannel();
    const int limit = script.killAfterSeconds > 0 ? static_cast<int>(script.killAfterSeconds * 1000)
                                                  : longestRunMs;
    if (!process.waitForFinished(limit)) {
        process.kill();
        process.waitForFinished();
        result.wasKilled = true;
    }
    const bool isNormal = process.exitStatus() == QProcess::NormalExit;
    // QProcess gives the signal of a crashed process as its exit code.
    result.exitCode = isNormal ? process.exitCode() : -process.exitCode();
    result.output = process.readAllStandardOutput();
    result.errorOutput = process.readAllStandardError();
    return result;
}

ScriptProcess recordedScript(const QString& recording, const QString& script,
                             const QStringList& arguments, const QString& workingDirectory)
{
    ScriptProcess result;
    result.program = QStringLiteral(BIN_DIR "/perilune-runner");
    result.arguments =
        QStringList{QStringLiteral("--recording"), recording, QStringLiteral("--"), script}
        + arguments;
    result.workingDirectory = workingDirectory;
    return result;
}

bool copyLuaFiles(const QString& source, const QString& target)
{
    const QDir from(source);
    const QDir to(target);
    if (!to.mkpath(QStringLiteral(".")))
        return false;
    for (const QString& name : from.entryList({QStringLiteral("*.lua")}, QDir::Files))
        if (!QFile::copy(from.filePath(name), to.filePath(name)))
            return false;
    return true;
}

} // namespace perilune::test
