// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/CallDetails.h"
#include "core/recorder/FunctionRegistry.h"
#include "core/recorder/LuaLayout.h"
#include "core/recorder/NodeTree.h"
#include "core/recorder/PointerMap.h"
#include "core/recorder/ThreadStack.h"
#include "core/recording/RecordingWriter.h"
#include "core/recording/TickClock.h"

#include <lua.hpp>

#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

class CallTreeRecorder;
/// Called at the end of an event while attention bits are raised.
using AttentionHandler = void (*)(CallTreeRecorder& recorder, lua_State* state, lua_Debug* record);

/// Builds the calling context tree of one Lua state in a recording, event by event.
///
/// Rules (DESIGN, "What the numbers mean"): the time between two events belongs to the node that
/// was on top; a tail call hangs under its maker, and one that comes back to a function of its own
/// chain is counted on that function's node; activations that an error removed are popped at the
/// next event; a coroutine's activations hang under whoever resumed it.
///
/// One thread at a time. The common path of an event (same coroutine, known call, no error) touches
/// the shadow stack, two tree nodes and the header, and calls nothing.
class CallTreeRecorder
{
public:
    CallTreeRecorder(RecordingWriter& writer, const RecordingLimits& limits,
                     const layout::ObjectSizes& sizes);
    ~CallTreeRecorder();
    CallTreeRecorder(const CallTreeRecorder&) = delete;
    CallTreeRecorder& operator=(const CallTreeRecorder&) = delete;

    /// Takes the first reading of the clock and makes `main` the running coroutine. Error NoSpace
    /// when the root does not fit.
    /// `memory`: nodes get a NodeMemoryRecord each.
    Result<void> begin(lua_State* main, format::Clock clock, bool memory = false);
    /// Records lines or durations too, with the hook that hookFor() gives for it; before begin().
    CallDetails& recordDetails(bool lines, bool durations);
    /// The host program goes on where it called Lua: an error may have ended what ran there without
    /// an event, and what follows is the host's own time.
    void hostContinues();
    /// Charges the open interval.
    void end();

    /// A block of Lua memory was freed: forgets a prototype or coroutine that lived there.
    void blockFreed(void* block, std::size_t bytes)
    {
        if (bytes == m_sizes.prototype) {
            m_functions.forget(block);
            renewGeneration();
        } else if (bytes == m_sizes.thread) {
            forgetThread(block);
        }
    }

    format::Header& header() { return *m_header; }
    /// Takes a C function of the host for a part of whatever calls it, so that it does not show.
    void hide(lua_CFunction function)
    {
        m_hiddenFunction = reinterpret_cast<std::uintptr_t>(function);
    }

    FunctionRegistry& functions() { return m_functions; }
    bool hasStopped() const { return m_hasStopped; }

    /// What else a hook has to do for this state; see Recorder. Bits are set by signal handlers
    /// too.
    void setAttention(AttentionHandler handler) { m_attentionHandler = handler; }
    void raiseAttention(unsigned bits) { m_attention = m_attention | bits; }
    void lowerAttention(unsigned bits) { m_attention = m_attention & ~bits; }
    unsigned attention() const { return m_attention; }

    /// The hook that records with `clock`; `useLayout` chooses between Lua's own structures and the
    /// public API, which give the same tree.
    static lua_Hook hookFor(format::Clock clock, bool useLayout, bool withDetails = false);
    /// The recorder of the coroutine that this thread ran last, for signal handlers; may be null.
    static CallTreeRecorder* current();
    /// The coroutine that had this recorder's last event.
    lua_State* currentState() const { return m_current ? m_current->state : nullptr; }

private:
    /// 256 entries hold the callees that alternate at one node and so miss its one-entry cache.
    static constexpr std::size_t recentChildCount = 256;
    static constexpr std::size_t recentThreadCount = 16;
    struct ChildEntry
    {
        std::uint64_t key = 0;
        const format::NodeRecord* parent = nullptr;
        format::NodeRecord* child = nullptr;
    };

    template<format::Clock clock, bool Layout, bool Details>
    static void hook(lua_State* state, lua_Debug* record);
    template<format::Clock clock>
    static lua_Hook hookWithClock(bool useLayout, bool withDetails);
    template<format::Clock clock, bool Layout>
    static ThreadStack* enterThread(lua_State* state, lua_Debug* record);
    static CallTreeRecorder* recorderOf(lua_State* state);

    template<format::Clock clock, bool Layout>
    void onCall(ThreadStack* thread, lua_State* state, lua_Debug* record);
    template<format::Clock clock, bool Layout, bool Details>
    void onTailCall(ThreadStack* thread, lua_State* state, lua_Debug* record);
    template<bool Details>
    void onReturn(ThreadStack* thread, const lua_Debug* record);
    template<format::Clock clock>
    void excludeTimeSinceEvent();

    template<bool Layout>
    std::uint64_t keyOf(lua_State* state, lua_Debug* record);
    template<bool Layout>
    std::uint32_t functionOf(lua_State* state, lua_Debug* record, std::uint64_t key);
    template<format::Clock clock, bool Layout>
    format::NodeRecord* findOrAddChild(format::NodeRecord* parent, lua_State* state,
                                       lua_Debug* record, std::uint64_t key);
    template<format::Clock clock, bool Layout>
    format::NodeRecord* findTailTarget(format::NodeRecord* from, lua_State* state,
                                       lua_Debug* record, std::uint64_t key);
    format::NodeRecord* chainNode(format::NodeRecord* from, std::uint32_t function);
    std::uint32_t tailEdge(const format::NodeRecord* from, const format::NodeRecord* to);
    void renewGeneration();

    template<bool Layout>
    void repairForCall(ThreadStack* thread, const void* caller);
    bool isWaiting(const ThreadStack* thread) const;
    bool resume(ThreadStack* thread);
    void hangUnder(ThreadStack* thread, format::NodeRecord* base);
    ThreadStack* threadOf(lua_State* state);
    void unwind(ThreadStack* thread, Frame* frame);
    bool unwindTo(ThreadStack* thread, const void* callInfo);
    void forgetThread(void* block);
    bool hasFailed();
    void stopRecording();

    // In the order in which the common path needs them.
    format::Header* m_header = nullptr;
    format::NodeRecord* m_nodes = nullptr;
    std::uint64_t m_generationBits = 0; ///< Part of the keys of caches, see FunctionRegistry.
    volatile std::sig_atomic_t m_attention = 0;
    bool m_hasStopped = false; ///< The disk is full: nothing more is recorded.
    std::array<ChildEntry, recentChildCount> m_recentChildren =
        {}; ///< Behind each node's own cache.
    ThreadStack* m_current = nullptr;
    std::uint64_t m_hiddenFunction = 0;
    AttentionHandler m_attentionHandler = nullptr;

    RecordingWriter& m_writer;
    layout::ObjectSizes m_sizes;
    FunctionRegistry m_functions;
    NodeTree m_tree;
    std::unique_ptr<CallDetails> m_details; ///< With the options that need it.
    lua_State* m_main = nullptr;
    const void* m_registry = nullptr; ///< Identifies the Lua state among those of the process.
    PointerMap<ThreadStack*> m_threads;
    std::vector<std::unique_ptr<ThreadStack>> m_threadStorage;
    std::vector<ThreadStack*> m_freeThreads;
    PointerMap<std::uint32_t> m_tailEdges; ///< Index by (from, to).
    std::array<ThreadStack*, recentThreadCount> m_recentThreads =
        {}; ///< Direct-mapped by lua_State.
};

} // namespace perilune
