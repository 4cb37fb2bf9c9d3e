// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Result.h"

#include <QString>
#include <QStringList>

namespace perilune {

/// The command line of the window: perilune [SESSION|SCRIPT|RECORDING] [--run] [--no-settings].
struct Arguments
{
    QString file;            ///< Absolute, or empty.
    bool run = false;        ///< Run the script at once.
    bool noSettings = false; ///< Neither read nor keep settings and unsaved runs.
    bool showHelp = false;
    bool showVersion = false;
};

/// `arguments` begins with the program's name. Error InvalidArgument with a line for the terminal.
Result<Arguments> parseArguments(const QStringList& arguments);

/// What --help prints.
QString usageText();

} // namespace perilune
