// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/ExternalEditor.h"

#include "core/launch/LaunchSpec.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QProcess>
#include <QUrl>

namespace perilune {

QStringList editorWords(const QString& command, const QString& path, int line, int column)
{
    const Result<QStringList> words = splitArguments(command);
    if (!words)
        return {};
    QStringList filled = *words;
    for (QString& word : filled) {
        word.replace(QStringLiteral("%l"), QString::number(line));
        word.replace(QStringLiteral("%c"), QString::number(column));
        word.replace(QStringLiteral("%f"), path); // Last: a path may contain a percent sign.
    }
    return filled;
}

bool openInEditor(const QString& command, const QString& path, int line)
{
    QStringList words = editorWords(command, path, line, 1);
    if (words.isEmpty())
        return command.trimmed().isEmpty() && QDesktopServices::openUrl(QUrl::fromLocalFile(path));
    const QString program = words.takeFirst();
    return QProcess::startDetached(program, words);
}

QList<EditorPreset> editorPresets()
{
    return {
        {QCoreApplication::translate("EditorPreset", "The desktop's program for Lua files"),
         QString()},
        {QStringLiteral("Visual Studio Code"), QStringLiteral("code --goto %f:%l:%c")},
        {QStringLiteral("Kate"), QStringLiteral("kate --line %l %f")},
        {QStringLiteral("Emacs"), QStringLiteral("emacsclient --no-wait +%l:%c %f")},
        {QStringLiteral("GVim"), QStringLiteral("gvim +%l %f")},
        {QStringLiteral("Sublime Text"), QStringLiteral("subl %f:%l:%c")},
        {QStringLiteral("Qt Creator"), QStringLiteral("qtcreator -client %f:%l")},
    };
}

} // namespace perilune
