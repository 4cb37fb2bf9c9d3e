// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/Export.h"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

namespace perilune::test {

/// A folder of files that end with the test.
class TemporaryFiles
{
public:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QString write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        return path(name);
    }

    /// Exports under the usual suffix of the format; the path, or nothing when it failed.
    QString exported(const Profile& profile, ExportFormat format,
                     const ExportOptions& options = {}) const
    {
        const std::string_view suffix = infoOf(format).suffix;
        const QString file = path(QStringLiteral("profile")
                                  + QString::fromUtf8(suffix.data(), qsizetype(suffix.size())));
        const auto done = exportProfile(profile, format, file.toStdString(), options);
        if (!done) {
            qWarning("%s", done.error().detail.c_str());
            return {};
        }
        return file;
    }

    QByteArray read(const QString& file) const
    {
        QFile source(file);
        return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
    }

private:
    QTemporaryDir m_folder;
};

} // namespace perilune::test
