// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace perilune::cli {

/// What perilune-cli ends with; `record` passes on what the script ended with instead.
enum ExitCode : int
{
    Success = 0,
    ScriptFailed = 1,
    UsageError = 2,
    Regression = 3,   ///< A clear change past the threshold.
    CannotRead = 4,   ///< A file cannot be read or written, or a script cannot be started.
    TimedOut = 124,   ///< As timeout(1) has it.
    SignalBase = 128, ///< Plus the signal that ended the script, as shells have it.
};

} // namespace perilune::cli
