// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/RunFacts.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSysInfo>
#include <QThread>

namespace perilune {

namespace {

constexpr int gitTimeoutMs = 1000;

/// Git's answer, empty on any failure. Neither hooks nor locks: looking at a folder changes nothing
/// in it.
QByteArray askGit(const QString& folder, const QStringList& arguments)
{
    QProcess git;
    git.setProgram(QStringLiteral("git"));
    git.setArguments(QStringList{QStringLiteral("--no-optional-locks"), QStringLiteral("-c"),
                                 QStringLiteral("core.fsmonitor=false")}
                     + arguments);
    git.setWorkingDirectory(folder);
    git.setStandardErrorFile(QProcess::nullDevice());
    git.start(QIODevice::ReadOnly);
    if (!git.waitForFinished(gitTimeoutMs)) {
        git.kill();
        git.waitForFinished();
        return {};
    }
    const bool isGood = git.exitStatus() == QProcess::NormalExit && git.exitCode() == 0;
    return isGood ? git.readAllStandardOutput() : QByteArray();
}

/// FNV-1a 64 as 16 hexadecimal digits, as in recordings.
QString fileHash(const QString& path)
{
    QFile file(path);
    // Reading a pipe would take its content away from the script.
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return {};
    quint64 hash = 14695981039346656037u;
    while (!file.atEnd()) {
        for (const char byte : file.read(65536)) {
            hash ^= static_cast<unsigned char>(byte);
            hash *= 1099511628211u;
        }
    }
    return QStringLiteral("%1").arg(hash, 16, 16, QLatin1Char('0'));
}

QString clockArgument(const LaunchSpec& spec)
{
    return spec.clock == ClockKind::Cpu ? QStringLiteral("cpu") : spec.clockSource;
}

QString modeArgument(ProfilingMode mode)
{
    switch (mode) {
    case ProfilingMode::Exact:
        return QStringLiteral("exact");
    case ProfilingMode::Sampling:
        return QStringLiteral("sampling");
    case ProfilingMode::Combined:
        return QStringLiteral("combined");
    }
    return {};
}

} // namespace

GitState readGitState(const QString& folder)
{
    const QByteArray answer =
        askGit(folder,
               {QStringLiteral("status"), QStringLiteral("--porcelain=v2"),
                QStringLiteral("--branch"), QStringLiteral("--untracked-files=no")});
    GitState state;
    for (const QByteArray& line : answer.split('\n')) {
        constexpr QByteArrayView commitLine = "# branch.oid ";
        if (line.startsWith(commitLine))
            state.commit = QString::fromUtf8(line.mid(commitLine.size()));
        else if (!line.isEmpty() && !line.startsWith('#'))
            state.isDirty = true;
    }
    if (state.commit.startsWith(u'(')) // "(initial)": no commit yet
        return {};
    return state;
}

QString machineName()
{
    QString model = QSysInfo::currentCpuArchitecture();
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : file.readAll().split('\n')) {
            if (!line.startsWith("model name"))
                continue;
            model = QString::fromUtf8(line.mid(line.indexOf(':') + 1)).simplified();
            break;
        }
    }
    const int cores = QThread::idealThreadCount();
    return QStringLiteral("%1, %2 %3")
        .arg(model)
        .arg(cores)
        .arg(cores == 1 ? QStringLiteral("core") : QStringLiteral("cores"));
}

RunInfo collectRunInfo(const LaunchSpec& spec)
{
    RunInfo info;
    info.script = spec.script.toStdString();
    for (const QString& argument : spec.arguments)
        info.arguments.push_back(argument.toStdString());
    info.workingDirectory = QDir(spec.workingDirectory).absolutePath().toStdString();
    for (const auto& [name, value] : spec.environment) {
        info.environment.emplace_back(name.toStdString(), std::nullopt);
        if (value)
            info.environment.back().second = value->toStdString();
    }
    if (!spec.standardInput.isEmpty())
        info.standardInput = QFileInfo(spec.standardInput).absoluteFilePath().toStdString();
    const QString script = scriptPath(spec);
    info.scriptHash = fileHash(script).toStdString();
    info.machine = machineName().toStdString();
    const GitState git = readGitState(QFileInfo(script).absolutePath());
    info.gitCommit = git.commit.toStdString();
    info.gitDirty = git.isDirty;
    info.mode = spec.mode;
    info.clock = spec.clock;
    if (spec.mode != ProfilingMode::Exact)
        info.samplingInterval = Duration::fromNanoseconds(spec.samplingInterval.count());
    info.hasLines = spec.lines;
    info.hasMemory = spec.memory;
    info.hasDurations = spec.durations;
    info.hasTimeline = spec.timeline;
    if (!spec.repeatGroup.isEmpty())
        info.repeatGroup = spec.repeatGroup.toStdString();
    info.isWarmUp = spec.isWarmUp;
    info.startedAtUnixMs = QDateTime::currentMSecsSinceEpoch();
    return info;
}

QStringList referenceArguments(const LaunchSpec& spec, const QString& recording)
{
    QStringList arguments{QStringLiteral("--recording"), recording, QStringLiteral("--mode"),
                          QStringLiteral("none")};
    if (!clockArgument(spec).isEmpty())
        arguments << QStringLiteral("--clock") << clockArgument(spec);
    arguments << QStringLiteral("--") << spec.script << spec.arguments;
    return arguments;
}

QStringList runnerArguments(const LaunchSpec& spec, const QString& recording,
                            OutputBuffering buffering)
{
    QStringList arguments{QStringLiteral("--recording"), recording, QStringLiteral("--mode"),
                          modeArgument(spec.mode)};
    const auto addValue = [&](const char* option, const QString& value) {
        arguments << QLatin1String(option) << value;
    };
    const auto addSwitch = [&](const char* option, bool isOn) {
        if (isOn)
            arguments << QLatin1String(option);
    };
    if (spec.mode != ProfilingMode::Exact)
        addValue("--interval", QString::number(spec.samplingInterval.count()));
    if (!clockArgument(spec).isEmpty())
        addValue("--clock", clockArgument(spec));
    addSwitch("--line-buffered", buffering == OutputBuffering::Lines);
    addSwitch("--lines", spec.lines);
    addSwitch("--memory", spec.memory);
    addSwitch("--durations", spec.durations);
    addSwitch("--timeline", spec.timeline);
    if (spec.maximumNodes)
        addValue("--max-nodes", QString::number(*spec.maximumNodes));
    if (spec.maximumDepth)
        addValue("--max-depth", QString::number(*spec.maximumDepth));
    if (spec.maximumStringBytes)
        addValue("--max-string-bytes", QString::number(*spec.maximumStringBytes));
    arguments << QStringLiteral("--") << spec.script << spec.arguments;
    return arguments;
}

} // namespace perilune
