// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/ProcessWatch.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QList>
#include <QString>

#include <csignal>
#include <sys/syscall.h>

namespace perilune {

namespace {

QByteArray procFile(qint64 processId, const char* name)
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(processId).arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The fields of /proc/PID/stat from the third on; the second, the program's name in parentheses,
/// may hold anything.
QList<QByteArray> statFields(qint64 processId)
{
    const QByteArray text = procFile(processId, "stat");
    const auto nameEnd = text.lastIndexOf(')');
    return nameEnd < 0 ? QList<QByteArray>() : text.mid(nameEnd + 2).split(' ');
}

constexpr int parentField = 1;     ///< Field 4 of proc(5).
constexpr int startTimeField = 19; ///< Field 22 of proc(5).

/// The children of every process.
QMultiHash<qint64, qint64> childrenOfAll()
{
    QMultiHash<qint64, qint64> children;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isProcess = false;
        const qint64 processId = name.toLongLong(&isProcess);
        const auto fields = isProcess ? statFields(processId) : QList<QByteArray>();
        if (fields.size() > parentField)
            children.insert(fields[parentField].toLongLong(), processId);
    }
    return children;
}

} // namespace

bool isReadingStandardInput(qint64 processId)
{
    // "NUMBER ARGUMENT…" of the system call that the thread is blocked in, or "running".
    const auto fields = procFile(processId, "syscall").split(' ');
    return fields.size() > 1 && fields[0] == QByteArray::number(SYS_read) && fields[1] == "0x0";
}

quint64 processStartTime(qint64 processId)
{
    const auto fields = statFields(processId);
    return fields.size() > startTimeField ? fields[startTimeField].toULongLong() : 0;
}

void killProcessTree(qint64 processId)
{
    const auto children = childrenOfAll();
    QList<qint64> tree = {processId};
    for (qsizetype next = 0; next < tree.size(); ++next)
        tree += children.values(tree[next]);
    for (const qint64 member : tree)
        ::kill(static_cast<pid_t>(member), SIGKILL);
}

} // namespace perilune
