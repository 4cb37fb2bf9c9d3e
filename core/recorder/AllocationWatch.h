// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lua.hpp>

#include <cstddef>

namespace perilune {

class CallTreeRecorder;

/// Stands between a Lua state and its allocator, so that the recorder hears when a prototype or a
/// coroutine dies and never takes a new one at the same address for it.
///
/// Has to outlive the state, or be removed before.
class AllocationWatch
{
public:
    explicit AllocationWatch(CallTreeRecorder& recorder)
        : m_recorder(recorder)
    {
    }
    AllocationWatch(const AllocationWatch&) = delete;
    AllocationWatch& operator=(const AllocationWatch&) = delete;

    void install(lua_State* state);
    void remove(lua_State* state);

private:
    static void* allocate(void* userData, void* block, std::size_t oldSize, std::size_t newSize);

    CallTreeRecorder& m_recorder;
    lua_Alloc m_allocator = nullptr;
    void* m_userData = nullptr;
};

} // namespace perilune
