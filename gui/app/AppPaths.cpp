// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/AppPaths.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace perilune {

AppPaths AppPaths::standard()
{
    const QString config = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return {config + QStringLiteral("/perilune.conf"), data + QStringLiteral("/unsaved"), true};
}

AppPaths AppPaths::below(const QString& folder)
{
    return {folder + QStringLiteral("/perilune.conf"), folder + QStringLiteral("/unsaved"), false};
}

namespace {

/// Something in share/perilune beside the program's folder, as installed or in the build; else
/// empty.
QString sharedPath(const QString& name)
{
    const QFileInfo file(QCoreApplication::applicationDirPath()
                         + QStringLiteral("/../share/perilune/") + name);
    return file.exists() ? file.canonicalFilePath() : QString();
}

} // namespace

QString exampleScript()
{
    return sharedPath(QStringLiteral("examples/slow_report/report.lua"));
}

QString helpFolder()
{
    return sharedPath(QStringLiteral("help"));
}

} // namespace perilune
