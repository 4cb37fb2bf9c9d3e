// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Format.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

struct lua_State;

namespace perilune {

/// One activation on a shadow stack.
struct Frame
{
    const void* callInfo;     ///< Lua's own record of the activation: its identity while it lives.
    format::NodeRecord* node; ///< Where it hangs in the tree; changes at a tail call.
};

/// The shadow stack of one coroutine (or of the main thread).
///
/// Invariant: `frames <= top < end`; frames[0] stands for whoever resumed the coroutine, and frames
/// above it mirror Lua's CallInfo chain as of the coroutine's last event. After an error has
/// removed activations without an event, the topmost frames are stale until the next event brings
/// them back in step.
struct ThreadStack
{
    lua_State* state = nullptr;
    Frame* top = nullptr;
    Frame* end = nullptr;
    Frame* frames = nullptr;
    ThreadStack* resumer = nullptr; ///< Null while suspended, and for the main thread.
    class CallTreeRecorder* recorder = nullptr;
    std::uint32_t index = 0; ///< In the Threads section, when there is one.

    ThreadStack() { resize(16); }
    ThreadStack(const ThreadStack&) = delete;
    ThreadStack& operator=(const ThreadStack&) = delete;
    ~ThreadStack() { std::free(frames); }

    /// Empties the stack for another coroutine; the memory is kept.
    void reset(lua_State* newState, format::NodeRecord* baseNode)
    {
        state = newState;
        resumer = nullptr;
        frames[0] = {nullptr, baseNode};
        top = frames;
    }

    void push(const void* callInfo, format::NodeRecord* node)
    {
        if (++top == end) [[unlikely]]
            resize(static_cast<std::size_t>(end - frames) * 2);
        *top = {callInfo, node};
    }

    /// The activation of `callInfo`, or null.
    Frame* find(const void* callInfo)
    {
        for (Frame* frame = top; frame >= frames; --frame)
            if (frame->callInfo == callInfo)
                return frame;
        return nullptr;
    }

private:
    void resize(std::size_t capacity)
    {
        const std::ptrdiff_t depth = top - frames;
        auto* memory = static_cast<Frame*>(std::realloc(frames, capacity * sizeof(Frame)));
        if (!memory)
            throw std::bad_alloc();
        frames = memory;
        top = frames + depth;
        end = frames + capacity;
    }
};

} // namespace perilune
