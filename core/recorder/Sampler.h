// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/CoroutineTracker.h"
#include "core/recorder/FunctionRegistry.h"
#include "core/recorder/HeapRecorder.h"
#include "core/recorder/LineTable.h"
#include "core/recorder/LuaLayout.h"
#include "core/recorder/NodeTree.h"
#include "core/recorder/Ticker.h"
#include "core/recording/RecordingWriter.h"
#include "core/recording/TickClock.h"

#include <lua.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace perilune {

/// Samples one Lua state: about once an interval the stack of the running coroutine, and of those
/// that wait for it, is added to the call tree with the time since the last sample.
///
/// A tick arms a hook that fires once, at the next call, return or instruction; a C function that
/// ran is seen at its return. Between ticks the state has no hook at all. One thread runs Lua; the
/// ticker's thread only arms it while it sleeps.
class Sampler : private Ticker::Target
{
public:
    Sampler(RecordingWriter& writer, const RecordingLimits& limits,
            const layout::ObjectSizes& sizes);
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    ~Sampler() override;

    /// Starts ticking. Errors: NoSpace, CannotStart (no thread for the ticker).
    Result<void> begin(lua_State* main, format::Clock clock, std::chrono::nanoseconds interval,
                       lua_Hook hook, bool useLayout, HeapRecorder* heap);
    /// The host program goes on where it called Lua: what follows is its own time.
    void hostContinues();
    /// Stops ticking. The time since the last sample goes to the function seen last.
    void end();
    /// Stops the ticker's thread; not async-signal-safe, unlike end().
    void stopTicking() { m_ticker.stop(); }

    /// The hook fired: takes the sample if one is due. True when the event was ours alone and the
    /// script's own hook must not see it.
    bool onEvent(lua_State* state, lua_Debug* record);
    /// Arms the running coroutine; async-signal-safe in the thread that runs Lua.
    void armRunning();
    /// Asks for a sample of what allocates, which leaves times alone.
    void armForMemory();
    bool isArmed() const { return m_isArmed; }

    /// A block of Lua memory was freed.
    void blockFreed(void* block, std::size_t bytes)
    {
        if (bytes == m_sizes.prototype)
            m_functions.forget(block);
    }
    /// Takes a C function of the host for a part of whatever calls it, so that it does not show.
    void hide(lua_CFunction function)
    {
        m_hiddenFunction = reinterpret_cast<std::uintptr_t>(function);
    }
    CoroutineTracker& coroutines() { return m_coroutines; }

private:
    /// How far a stack is walked: deeper ones are cut, and say so.
    static constexpr std::size_t deepestWalk = 512;
    static constexpr std::size_t linesOfCutStack =
        64; ///< Innermost activations that get their line.
    static constexpr std::size_t deepestApiWalk =
        200; ///< lua_getstack counts from the top each time.
    /// After so many ticks without an event the hook is armed again: it may sit on a coroutine that
    /// a C module left.
    static constexpr int patience = 10;

    struct SampledFrame
    {
        lua_State* state = nullptr;
        const void* callInfo = nullptr;
        std::uint64_t key = 0;             ///< Of the function.
        const void* instruction = nullptr; ///< Null for C functions.
        format::NodeRecord* node = nullptr;
        int line = -1;
        format::NodeLineRecord* lineRecord = nullptr;
    };

    bool wantsTick() override;
    void armSleeping() override;
    void arm(lua_State* state, bool isRunning);
    static void onSignal(int signal);
    static void onSwitch(void* sampler, lua_State* state);

    void takeSample(lua_State* state, const lua_Debug* record);
    void collectFrames(lua_State* state, bool skipsTop);
    void collectByApi(lua_State* state, bool skipsTop);
    void resolveFrames();
    void resolve(SampledFrame& frame, format::NodeRecord* parent, bool withLine);
    std::uint32_t functionOf(const SampledFrame& frame);
    format::NodeRecord* topNode() const;
    void chargeFrames(std::uint64_t ticks);

    RecordingWriter& m_writer;
    format::Header* m_header;
    layout::ObjectSizes m_sizes;
    FunctionRegistry m_functions;
    NodeTree m_tree;
    LineTable m_lines;
    CoroutineTracker m_coroutines;
    Ticker m_ticker;
    format::Clock m_clock = format::Clock::Monotonic;
    lua_Hook m_hook = nullptr;
    bool m_useLayout = false;
    std::atomic<bool> m_isArmed = false;
    std::atomic<bool> m_isTimeDue = false; ///< A tick asked for the sample, not memory alone.
    HeapRecorder* m_heap = nullptr;
    std::atomic<int> m_ticksWaited = 0;
    const void* m_baseCallInfo = nullptr; ///< The host's activation, below which nothing is walked.
    std::uint64_t m_hiddenFunction = 0;
    bool m_isCut = false;
    bool m_hasStopped = false;
    std::vector<SampledFrame> m_frames; ///< Of this sample, innermost first while it is collected.
    std::vector<SampledFrame> m_previous; ///< Of the last sample, outermost first.
};

} // namespace perilune
