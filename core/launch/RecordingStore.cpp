// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/RecordingStore.h"

#include "core/launch/ProcessWatch.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace perilune {

namespace {

constexpr auto recordingSuffix = ".plrec";

QString notePath(const QString& recording)
{
    return recording + QStringLiteral(".json");
}

QString text(const std::string& bytes)
{
    return QString::fromStdString(bytes);
}

QJsonArray environmentToJson(const RunInfo& run)
{
    QJsonArray array;
    for (const auto& [name, value] : run.environment)
        array += QJsonArray{text(name), value ? QJsonValue(text(*value)) : QJsonValue()};
    return array;
}

QJsonObject toJson(const RunInfo& run)
{
    QJsonArray arguments;
    for (const std::string& argument : run.arguments)
        arguments += text(argument);
    return {{QStringLiteral("script"), text(run.script)},
            {QStringLiteral("arguments"), arguments},
            {QStringLiteral("working_directory"), text(run.workingDirectory)},
            {QStringLiteral("environment"), environmentToJson(run)},
            {QStringLiteral("standard_input"), text(run.standardInput)},
            {QStringLiteral("script_hash"), text(run.scriptHash)},
            {QStringLiteral("machine"), text(run.machine)},
            {QStringLiteral("git_commit"), text(run.gitCommit)},
            {QStringLiteral("git_dirty"), run.gitDirty},
            {QStringLiteral("started_at_ms"), static_cast<qint64>(run.startedAtUnixMs)},
            {QStringLiteral("repeat_group"), text(run.repeatGroup.value_or(std::string()))},
            {QStringLiteral("is_warm_up"), run.isWarmUp}};
}

void readEnvironment(const QJsonArray& array, RunInfo& run)
{
    for (const QJsonValue& variable : array) {
        const QJsonArray pair = variable.toArray();
        run.environment.emplace_back(pair.at(0).toString().toStdString(), std::nullopt);
        if (pair.at(1).isString())
            run.environment.back().second = pair.at(1).toString().toStdString();
    }
}

RunInfo fromJson(const QJsonObject& note)
{
    const auto string = [&](const char* name) {
        return note.value(QLatin1String(name)).toString().toStdString();
    };
    RunInfo run;
    run.script = string("script");
    for (const QJsonValue& argument : note.value(QStringLiteral("arguments")).toArray())
        run.arguments.push_back(argument.toString().toStdString());
    run.workingDirectory = string("working_directory");
    readEnvironment(note.value(QStringLiteral("environment")).toArray(), run);
    run.standardInput = string("standard_input");
    run.scriptHash = string("script_hash");
    run.machine = string("machine");
    run.gitCommit = string("git_commit");
    run.gitDirty = note.value(QStringLiteral("git_dirty")).toBool();
    run.startedAtUnixMs = note.value(QStringLiteral("started_at_ms")).toInteger();
    if (const std::string group = string("repeat_group"); !group.empty())
        run.repeatGroup = group;
    run.isWarmUp = note.value(QStringLiteral("is_warm_up")).toBool();
    return run;
}

Error folderError(const QString& path, int systemError)
{
    const QString detail = QStringLiteral("The folder for recordings, “%1”, cannot be used: %2.")
                               .arg(path, QString::fromLocal8Bit(std::strerror(systemError)));
    return {systemError == ENOSPC ? Error::Code::NoSpace : Error::Code::CannotWrite,
            detail.toStdString()};
}

/// A recording's name ends in "-PROCESS-STARTTIME-NUMBER.plrec"; see newPath().
bool isOwnerAlive(const QString& recording)
{
    const auto parts = QFileInfo(recording).completeBaseName().split(u'-');
    if (parts.size() < 3)
        return false;
    const qint64 processId = parts[parts.size() - 3].toLongLong();
    const quint64 startTime = parts[parts.size() - 2].toULongLong();
    return processId > 0 && processStartTime(processId) == startTime;
}

} // namespace

Result<QString> recordingStore::folder()
{
    const QString path = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/perilune/recordings");
    if (!QDir().mkpath(path))
        return folderError(path, errno);
    if (::chmod(QFile::encodeName(path).constData(), 0700) != 0)
        return folderError(path, errno);
    return path;
}

Result<QString> recordingStore::newPath()
{
    static std::atomic<int> s_number = 0;
    const auto parent = folder();
    if (!parent)
        return parent.error();
    const qint64 processId = QCoreApplication::applicationPid();
    return QStringLiteral("%1/%2-%3-%4-%5%6")
        .arg(*parent,
             QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'HHmmss'Z'")))
        .arg(processId)
        .arg(processStartTime(processId))
        .arg(++s_number)
        .arg(QLatin1String(recordingSuffix));
}

Result<void> recordingStore::writeNote(const QString& recording, const RunInfo& run)
{
    QFile file(notePath(recording));
    const QByteArray json = QJsonDocument(toJson(run)).toJson(QJsonDocument::Compact);
    if (file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.flush())
        return {};
    return Error{Error::Code::CannotWrite,
                 QStringLiteral("“%1” cannot be written: %2.")
                     .arg(file.fileName(), file.errorString())
                     .toStdString()};
}

RunInfo recordingStore::readNote(const QString& recording)
{
    QFile file(notePath(recording));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return fromJson(QJsonDocument::fromJson(file.readAll()).object());
}

QList<OrphanedRecording> recordingStore::findOrphans()
{
    QList<OrphanedRecording> orphans;
    const auto parent = folder();
    if (!parent)
        return orphans;
    const auto names =
        QDir(*parent).entryInfoList({QStringLiteral("*.plrec")}, QDir::Files, QDir::Name);
    for (const QFileInfo& info : names) {
        if (!isOwnerAlive(info.filePath()))
            orphans += OrphanedRecording{info.filePath(), readNote(info.filePath())};
    }
    return orphans;
}

void recordingStore::remove(const QString& recording)
{
    QFile::remove(recording);
    QFile::remove(notePath(recording));
}

} // namespace perilune
