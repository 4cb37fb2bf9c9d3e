// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace perilune {

/// Where the window keeps what outlives it.
struct AppPaths
{
    QString settingsFile;       ///< Empty: settings are forgotten at the end.
    QString unsavedFolder;      ///< Sessions that have not been given a file yet.
    bool ownsRecordings = true; ///< Recordings left behind in the user's data are ours to offer.

    /// In the user's configuration and data folders.
    static AppPaths standard();
    /// Beneath a folder of its own, for a window that must not touch the user's data.
    static AppPaths below(const QString& folder);
};

/// The script of "Try the example"; empty when it is not installed.
QString exampleScript();
/// The folder of the help pages; empty when they are not installed.
QString helpFolder();

} // namespace perilune
