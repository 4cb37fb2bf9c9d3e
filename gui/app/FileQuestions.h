// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

/// The questions about files that the window asks; each returns an empty path when it was
/// cancelled.
namespace perilune {

QString askForFile(QWidget* parent, const QString& folder);
QString askForSession(QWidget* parent, const QString& folder);
/// With the suffix of a session.
QString askForSavePath(QWidget* parent, const QString& suggestion);

/// What becomes of runs that have no file when their session is left.
enum class UnsavedAnswer
{
    Cancel,
    Save,
    Keep,
    Discard
};
UnsavedAnswer askAboutUnsaved(QWidget* parent, int runCount);

/// Whether a running script may be stopped so that the window can close.
bool askToStop(QWidget* parent);

} // namespace perilune
