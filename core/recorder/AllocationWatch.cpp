// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/AllocationWatch.h"

namespace perilune {

void AllocationWatch::install(lua_State* state)
{
    m_allocator = lua_getallocf(state, &m_userData);
    lua_setallocf(state, allocate, this);
}

void AllocationWatch::remove(lua_State* state)
{
    void* userData = nullptr;
    if (m_allocator && lua_getallocf(state, &userData) == allocate && userData == this)
        lua_setallocf(state, m_allocator, m_userData);
    m_allocator = nullptr;
}

void* AllocationWatch::allocate(void* userData, void* block, std::size_t oldSize,
                                std::size_t newSize)
{
    auto* watch = static_cast<AllocationWatch*>(userData);
    const bool mayMatter = oldSize == watch->m_sizes.prototype || oldSize == watch->m_sizes.thread;
    if (newSize == 0 && block && mayMatter)
        watch->m_handler(watch->m_context, block, oldSize);
    void* result = watch->m_allocator(watch->m_userData, block, oldSize, newSize);
    if (watch->m_heap && (result || newSize == 0)) {
        watch->m_heap->changed(block, oldSize, newSize);
        if (watch->m_wantsSample && watch->m_heap->wantsSample())
            watch->m_wantsSample(watch->m_context);
    }
    return result;
}

} // namespace perilune
