// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace perilune {

/// The words of an editor command for a place in a file: %f, %l and %c become file, line and
/// column. Empty when the command cannot be split into words.
QStringList editorWords(const QString& command, const QString& path, int line, int column);

/// Opens a file at a line with `command`, or with the desktop's program for it when that is empty.
/// Returns whether something was started.
bool openInEditor(const QString& command, const QString& path, int line);

/// Commands of common editors, to choose from.
struct EditorPreset
{
    QString name;
    QString command;
};
QList<EditorPreset> editorPresets();

} // namespace perilune
