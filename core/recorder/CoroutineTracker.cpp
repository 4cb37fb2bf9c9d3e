// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/CoroutineTracker.h"

#include "core/recorder/Recorder.h"

#include <algorithm>
#include <atomic>

namespace perilune {

namespace {

/// Pushes the loaded coroutine library; false (and nothing pushed) when there is none.
bool pushLibrary(lua_State* state)
{
    luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    const int type = lua_getfield(state, -1, LUA_COLIBNAME);
    lua_remove(state, -2);
    if (type == LUA_TTABLE)
        return true;
    lua_pop(state, 1);
    return false;
}

} // namespace

void CoroutineTracker::begin(lua_State* main, SwitchHandler handler, void* context)
{
    m_running = main;
    m_chain[0] = main;
    m_handler = handler;
    m_context = context;
}

void CoroutineTracker::switchTo(lua_State* state)
{
    m_running = state;
    // A tick that came before the line above has armed the other one.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    m_handler(m_context, state);
}

void CoroutineTracker::install(lua_State* state)
{
    if (!pushLibrary(state))
        return;
    lua_pushcfunction(state, resume);
    lua_setfield(state, -2, "resume");
    lua_pushcfunction(state, wrap);
    lua_setfield(state, -2, "wrap");
    lua_pop(state, 1);
}

void CoroutineTracker::remove(lua_State* state)
{
    if (!pushLibrary(state))
        return;
    lua_pushcfunction(state, luaopen_coroutine);
    lua_call(state, 0, 1);
    for (const char* name : {"resume", "wrap"}) {
        lua_getfield(state, -1, name);
        lua_setfield(state, -3, name);
    }
    lua_pop(state, 2);
}

lua_State* CoroutineTracker::resumerOf(const lua_State* state) const
{
    for (std::size_t index = std::min(m_depth, m_chain.size() - 1); index > 0; --index)
        if (m_chain[index] == state)
            return m_chain[index - 1];
    return nullptr;
}

int CoroutineTracker::run(lua_State* coroutine, lua_State* from, int argumentCount,
                          int* resultCount)
{
    if (++m_depth < m_chain.size())
        m_chain[m_depth] = coroutine;
    switchTo(coroutine);
    const int status = lua_resume(coroutine, from, argumentCount, resultCount);
    --m_depth;
    switchTo(from);
    return status;
}

/// Moves the arguments, resumes, and moves the results back; -1 with a message on failure.
int CoroutineTracker::transferAndResume(lua_State* state, lua_State* coroutine, int argumentCount)
{
    if (lua_checkstack(coroutine, argumentCount) == 0) {
        lua_pushliteral(state, "too many arguments to resume");
        return -1;
    }
    lua_xmove(state, coroutine, argumentCount);
    int resultCount = 0;
    Recorder* recorder = Recorder::of(state);
    const int status = recorder && recorder->coroutines()
        ? recorder->coroutines()->run(coroutine, state, argumentCount, &resultCount)
        : lua_resume(coroutine, state, argumentCount, &resultCount);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(coroutine, state, 1);
        return -1;
    }
    if (lua_checkstack(state, resultCount + 1) == 0) {
        lua_pop(coroutine, resultCount);
        lua_pushliteral(state, "too many results to resume");
        return -1;
    }
    lua_xmove(coroutine, state, resultCount);
    return resultCount;
}

int CoroutineTracker::resume(lua_State* state)
{
    lua_State* coroutine = lua_tothread(state, 1);
    luaL_argexpected(state, coroutine, 1, "coroutine");
    const int count = transferAndResume(state, coroutine, lua_gettop(state) - 1);
    lua_pushboolean(state, count >= 0);
    lua_insert(state, count >= 0 ? -(count + 1) : -2);
    return count >= 0 ? count + 1 : 2;
}

int CoroutineTracker::resumeWrapped(lua_State* state)
{
    lua_State* coroutine = lua_tothread(state, lua_upvalueindex(1));
    const int count = transferAndResume(state, coroutine, lua_gettop(state));
    if (count >= 0)
        return count;
    int status = lua_status(coroutine);
    if (status != LUA_OK && status != LUA_YIELD) {
        // It died of an error: its pending variables are closed, which may change the error.
        status = lua_resetthread(coroutine);
        lua_xmove(coroutine, state, 1);
    }
    if (status != LUA_ERRMEM && lua_type(state, -1) == LUA_TSTRING) {
        luaL_where(state, 1);
        lua_insert(state, -2);
        lua_concat(state, 2);
    }
    return lua_error(state);
}

int CoroutineTracker::wrap(lua_State* state)
{
    luaL_checktype(state, 1, LUA_TFUNCTION);
    lua_State* coroutine = lua_newthread(state);
    lua_pushvalue(state, 1);
    lua_xmove(state, coroutine, 1);
    lua_pushcclosure(state, resumeWrapped, 1);
    return 1;
}

} // namespace perilune
