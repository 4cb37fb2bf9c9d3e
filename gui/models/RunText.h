// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/RunInfo.h"

#include <QString>

namespace perilune {

/// "Done", "Stopped by you (partial)", "Killed (SIGSEGV)": how a run ended, in the words of
/// INTERFACE.
QString statusText(const RunInfo& run);
/// The same in one or two words, for a narrow column: "Done", "Error", "Stopped".
QString shortStatusText(const RunInfo& run);
/// The name of the icon that stands beside it.
QString statusIcon(RunStatus status);
/// One sentence for a strip above the views when a run did not simply end, else empty. Plain text.
QString statusExplanation(const RunInfo& run);
/// "SIGSEGV", or "signal 42" where it has no usual name.
QString signalName(int signal);
/// The run's script without its folder, with its arguments: "fib.lua 30".
QString runTitle(const RunInfo& run);
/// The absolute path of the script.
QString scriptPath(const RunInfo& run);
/// The script's file name alone.
QString scriptName(const RunInfo& run);
/// "Exact", "Sampling", …
QString modeTitle(ProfilingMode mode);
/// "Lua 5.4.4 · exact · overhead ≈ 2.1×": what the numbers rest on, for the status bar.
QString measurementText(const RunInfo& run);
/// The module that require did not find, or empty when the run failed otherwise.
QString missingModule(const RunInfo& run);

} // namespace perilune
