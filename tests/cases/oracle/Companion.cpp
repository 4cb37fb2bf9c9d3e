// SPDX-License-Identifier: GPL-3.0-or-later

// The recorder as the oracle's companion: both count the same run of the same process, so that
// nothing that varies from run to run can make them differ. The recording goes to the file that the
// environment variable ORACLE_RECORDING names; PERILUNE_NO_LAYOUT chooses the recorder's path as in
// the runner.

#include "core/recorder/CFunctionNames.h"
#include "core/recorder/Recorder.h"

#include <lua.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace perilune;

RecordingWriter* s_writer = nullptr;
Recorder* s_recorder = nullptr;
lua_Hook s_hook = nullptr;

[[noreturn]] void giveUp(const std::string& why)
{
    std::fprintf(stderr, "oracle: cannot record: %s\n", why.c_str());
    std::exit(2);
}

} // namespace

extern "C" void companion_start(lua_State* state)
{
    const char* path = std::getenv("ORACLE_RECORDING");
    if (!path)
        giveUp("ORACLE_RECORDING is not set");
    // Both live until the process ends: the script may end it from anywhere.
    s_writer = new RecordingWriter;
    s_recorder = new Recorder;
    if (const auto created = s_writer->create(path); !created)
        giveUp(created.error().detail);
    RecorderOptions options;
    options.calibrate = false;
    options.useLayout = std::getenv("PERILUNE_NO_LAYOUT") == nullptr;
    if (const auto started = s_recorder->start(state, *s_writer, options); !started)
        giveUp(started.error().detail);
    s_hook = lua_gethook(state);
    lua_sethook(state, nullptr, 0, 0); // the oracle's own follows when the script starts
}

extern "C" const char* companion_cname(lua_State* state, lua_CFunction function)
{
    static CFunctionNames names;
    return names.nameOf(state, reinterpret_cast<std::uintptr_t>(function)).c_str();
}

extern "C" void companion_event(lua_State* state, lua_Debug* event)
{
    lua_Debug copy = *event;
    s_hook(state, &copy);
}

extern "C" void companion_finish()
{
    s_recorder->finish(format::State::Finished, 0);
}
