// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/Recorder.h"

#include <vector>

namespace perilune {

/// Runs a script in a new Lua state as the stand-alone `lua5.4` would, and records it.
///
/// The script finds the same `arg`, `...`, libraries, collector mode, LUA_INIT, error reports and
/// exit code; what it prints is the same byte for byte. SIGINT raises "interrupted!" in it as
/// there; SIGTERM ends the recording and then the process by that signal. Returns the exit code;
/// does not return when the script calls os.exit.
int runScript(const std::vector<char*>& script, RecordingWriter& writer,
              const RecorderOptions& options);

} // namespace perilune
