// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/Recorder.h"
#include "core/recording/Result.h"

#include <string>
#include <vector>

namespace perilune {

/// The runner's command line: `perilune-runner --recording FILE [options] -- SCRIPT [ARGS…]`.
struct RunnerArguments
{
    std::string recording;
    RecorderOptions recorder;
    bool lineBuffered = false; ///< Flush the script's output at each line, for who shows it live.
    std::vector<char*> script; ///< The script and its arguments.
};

/// Error InvalidArgument names the option that is wrong.
Result<RunnerArguments> parseArguments(int count, char** arguments);

} // namespace perilune
