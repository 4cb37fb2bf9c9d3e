// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace perilune::cli {

/// Runs perilune-cli with its arguments, the first of which is its own name; returns the exit code.
int runCommandLine(const QStringList& arguments);

} // namespace perilune::cli
