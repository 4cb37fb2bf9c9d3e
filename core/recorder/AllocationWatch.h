// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/HeapRecorder.h"
#include "core/recorder/LuaLayout.h"

#include <lua.hpp>

#include <cstddef>

namespace perilune {

/// Stands between a Lua state and its allocator, so that the recorder hears when a prototype or a
/// coroutine dies and never takes a new one at the same address for it.
///
/// Has to outlive the state, or be removed before.
class AllocationWatch
{
public:
    /// Told of each freed block that has the size of a prototype or a coroutine.
    using FreedHandler = void (*)(void* context, void* block, std::size_t bytes);

    AllocationWatch(const layout::ObjectSizes& sizes, FreedHandler handler, void* context)
        : m_sizes(sizes)
        , m_handler(handler)
        , m_context(context)
    {
    }
    AllocationWatch(const AllocationWatch&) = delete;
    AllocationWatch& operator=(const AllocationWatch&) = delete;

    /// Counts every allocation too; before install().
    void countIn(HeapRecorder& heap, void (*wantsSample)(void* context))
    {
        m_heap = &heap;
        m_wantsSample = wantsSample;
    }
    void install(lua_State* state);
    void remove(lua_State* state);

private:
    static void* allocate(void* userData, void* block, std::size_t oldSize, std::size_t newSize);

    layout::ObjectSizes m_sizes;
    FreedHandler m_handler;
    void* m_context;
    HeapRecorder* m_heap = nullptr;
    void (*m_wantsSample)(void* context) = nullptr; ///< In sampling mode.
    lua_Alloc m_allocator = nullptr;
    void* m_userData = nullptr;
};

} // namespace perilune
