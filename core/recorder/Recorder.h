// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/AllocationWatch.h"
#include "core/recorder/CallTreeRecorder.h"
#include "core/recorder/Sampler.h"
#include "core/recorder/UserHooks.h"
#include "core/recording/RecordingWriter.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace perilune {

struct RecorderOptions
{
    RecordingLimits limits;
    std::optional<format::Clock>
        clock; ///< Nothing: the time-stamp counter where it can be trusted.
    format::Mode mode = format::Mode::Exact;
    std::chrono::nanoseconds samplingInterval = std::chrono::milliseconds(1);
    bool lines = false;     ///< Exact mode: hits and time of lines. Sampling has lines always.
    bool durations = false; ///< Exact mode: distribution of each function's calls.
    bool memory = false;    ///< What is allocated, by node and type.
    bool calibrate = true;
    bool setHook = true;   ///< False measures the whole run only, without any hook.
    bool useLayout = true; ///< False forces the public API path; see LuaLayout.
};

/// Records one Lua state from start() to finish().
///
/// Sets the state's hook, allocator and debug.sethook/gethook; all are given back by finish(). The
/// state's own behaviour does not change. One thread at a time.
class Recorder
{
public:
    Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder();

    /// Starts recording `state` into `writer`, which has to outlive this. Errors: NoSpace.
    Result<void> start(lua_State* state, RecordingWriter& writer, const RecorderOptions& options);
    /// Keeps a function of the host program, such as its message handler, out of the call tree; its
    /// time goes to its caller. To be called after start().
    void hide(lua_CFunction function);
    /// The function that the host called has ended, by an error or not; the host goes on.
    void hostContinues()
    {
        if (m_tree)
            m_tree->hostContinues();
        else
            m_sampler->hostContinues();
    }
    /// The script has ended and its state is about to be closed.
    void scriptEnded()
    {
        if (m_heap)
            m_heap->scriptEnded();
    }
    /// Charges the open interval and closes the recording; later calls do nothing.
    /// Async-signal-safe apart from `message` and `traceback`, which may be empty.
    void finish(format::State outcome, int exitCode, std::string_view message = {},
                std::string_view traceback = {});
    /// Takes hook, allocator and debug functions off the state again.
    void detach();
    /// The state has been closed: nothing is there to detach from.
    void stateClosed();

    /// Makes the running coroutine call `handler` at its next event or instruction; may be called
    /// by a signal handler in the thread that runs Lua.
    void interrupt(void (*handler)(lua_State* state));

    UserHooks& userHooks() { return *m_userHooks; }
    /// Who runs, in sampling mode; null in exact mode.
    CoroutineTracker* coroutines() { return m_sampler ? &m_sampler->coroutines() : nullptr; }
    void userHooksChanged();
    /// The recorder of a Lua state, or null.
    static Recorder* of(lua_State* state);

private:
    Result<void> startExact(const RecorderOptions& options, format::Clock clock, bool useLayout,
                            const layout::ObjectSizes& sizes);
    Result<void> startSampling(const RecorderOptions& options, format::Clock clock, bool useLayout,
                               const layout::ObjectSizes& sizes);
    static void sampleHook(lua_State* state, lua_Debug* record);
    void watchAllocation(const layout::ObjectSizes& sizes, const RecorderOptions& options);
    static void wantsMemorySample(void* recorder);
    static void blockFreed(void* recorder, void* block, std::size_t bytes);
    static void attend(CallTreeRecorder& tree, lua_State* state, lua_Debug* record);
    bool takeInterrupt(lua_State* state);

    RecordingWriter* m_writer = nullptr;
    lua_State* m_state = nullptr;
    layout::ObjectSizes m_sizes;
    std::unique_ptr<CallTreeRecorder> m_tree; ///< In exact mode.
    std::unique_ptr<Sampler> m_sampler;       ///< In sampling mode.
    std::unique_ptr<HeapRecorder> m_heap;     ///< With the memory option.
    std::unique_ptr<AllocationWatch> m_allocation;
    std::unique_ptr<UserHooks> m_userHooks;
    lua_Hook m_hook = nullptr;
    void (*volatile m_interruptHandler)(lua_State*) = nullptr; ///< Null when nothing is asked.
};

} // namespace perilune
