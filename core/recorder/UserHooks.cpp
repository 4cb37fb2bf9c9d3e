// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/UserHooks.h"

#include "core/recorder/Recorder.h"

#include <cstdint>
#include <cstring>

namespace perilune {

namespace {

/// The registry table from coroutines to hook functions, under the debug library's own key.
constexpr const char* hookTableKey = "_HOOKKEY";

/// A coroutine inherits the mask and the count of its creator, though not the function, and the
/// script can ask for them. In the mask they cannot be told from the recorder's own events; so
/// where no count is wanted, the count carries the script's mask behind this bit.
constexpr int maskInCount = 1 << 30;
constexpr int maskBits = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT;

std::uint64_t keyOf(lua_State* state)
{
    return reinterpret_cast<std::uintptr_t>(state);
}

/// The coroutine that debug.* functions take as an optional first argument.
lua_State* threadArgument(lua_State* state, int& offset)
{
    offset = lua_isthread(state, 1) ? 1 : 0;
    return offset == 1 ? lua_tothread(state, 1) : state;
}

int maskFromText(const char* text, int count)
{
    int mask = 0;
    if (std::strchr(text, 'c'))
        mask |= LUA_MASKCALL;
    if (std::strchr(text, 'r'))
        mask |= LUA_MASKRET;
    if (std::strchr(text, 'l'))
        mask |= LUA_MASKLINE;
    if (count > 0)
        mask |= LUA_MASKCOUNT;
    return mask;
}

void pushMaskText(lua_State* state, int mask)
{
    char text[4];
    char* end = text;
    if (mask & LUA_MASKCALL)
        *end++ = 'c';
    if (mask & LUA_MASKRET)
        *end++ = 'r';
    if (mask & LUA_MASKLINE)
        *end++ = 'l';
    *end = '\0';
    lua_pushstring(state, text);
}

/// Pushes the table of hook functions; its keys are weak, so it keeps no coroutine alive.
void pushHookTable(lua_State* state)
{
    if (luaL_getsubtable(state, LUA_REGISTRYINDEX, hookTableKey) != 0)
        return;
    lua_pushliteral(state, "k");
    lua_setfield(state, -2, "__mode");
    lua_pushvalue(state, -1);
    lua_setmetatable(state, -2);
}

void pushThread(lua_State* state, lua_State* thread)
{
    if (thread != state && lua_checkstack(thread, 1) == 0)
        luaL_error(state, "stack overflow");
    lua_pushthread(thread);
    lua_xmove(thread, state, 1);
}

void replaceFunction(lua_State* state, const char* name, lua_CFunction function)
{
    lua_pushcfunction(state, function);
    lua_setfield(state, -2, name);
}

/// Pushes the loaded debug library; false (and nothing pushed) when there is none.
bool pushDebugLibrary(lua_State* state)
{
    luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    const int type = lua_getfield(state, -1, LUA_DBLIBNAME);
    lua_remove(state, -2);
    if (type == LUA_TTABLE)
        return true;
    lua_pop(state, 1);
    return false;
}

} // namespace

void UserHooks::install(lua_State* state)
{
    if (!pushDebugLibrary(state))
        return;
    replaceFunction(state, "sethook", setHook);
    replaceFunction(state, "gethook", getHook);
    lua_pop(state, 1);
}

void UserHooks::remove(lua_State* state)
{
    if (!pushDebugLibrary(state))
        return;
    lua_pushcfunction(state, luaopen_debug);
    lua_call(state, 0, 1);
    for (const char* name : {"sethook", "gethook"}) {
        lua_getfield(state, -1, name);
        lua_setfield(state, -3, name);
    }
    lua_pop(state, 2);
}

int UserHooks::setHook(lua_State* state)
{
    int offset = 0;
    lua_State* thread = threadArgument(state, offset);
    Wish wish;
    if (lua_isnoneornil(state, offset + 1)) {
        lua_settop(state, offset + 1);
    } else {
        const char* text = luaL_checkstring(state, offset + 2);
        luaL_checktype(state, offset + 1, LUA_TFUNCTION);
        wish.count = static_cast<int>(luaL_optinteger(state, offset + 3, 0));
        wish.mask = maskFromText(text, wish.count);
    }
    pushHookTable(state);
    pushThread(state, thread);
    lua_pushvalue(state, offset + 1);
    lua_rawset(state, -3);
    Recorder* recorder = Recorder::of(state);
    if (!recorder)
        return 0;
    UserHooks& hooks = recorder->userHooks();
    hooks.m_wishes.insert(keyOf(thread)) = wish;
    hooks.m_isActive = true;
    recorder->userHooksChanged();
    const int mask = hooks.m_recorderMask | wish.mask;
    lua_sethook(thread, mask != 0 ? hooks.m_recorderHook : nullptr, mask, countOf(wish));
    return 0;
}

int UserHooks::countOf(const Wish& wish)
{
    if ((wish.mask & LUA_MASKCOUNT) != 0)
        return wish.count;
    return wish.mask != 0 ? wish.mask | maskInCount : 0;
}

UserHooks::Wish UserHooks::inheritedWish(lua_State* thread) const
{
    const int count = lua_gethookcount(thread);
    if ((count & maskInCount) != 0)
        return {count & maskBits, 0};
    const int mask = lua_gethookmask(thread) & ~m_recorderMask;
    if ((mask & LUA_MASKCOUNT) != 0)
        return {mask, count};
    return {};
}

int UserHooks::getHook(lua_State* state)
{
    int offset = 0;
    lua_State* thread = threadArgument(state, offset);
    Recorder* recorder = Recorder::of(state);
    Wish wish; // a copy: what follows may collect coroutines, and with them their wishes
    if (recorder) {
        UserHooks& hooks = recorder->userHooks();
        const Wish* own = hooks.m_wishes.find(keyOf(thread));
        wish = own ? *own : hooks.inheritedWish(thread);
    }
    if (wish.mask == 0) {
        luaL_pushfail(state);
        return 1;
    }
    pushHookTable(state);
    pushThread(state, thread);
    lua_rawget(state, -2);
    lua_remove(state, -2);
    pushMaskText(state, wish.mask);
    lua_pushinteger(state, wish.count);
    return 3;
}

int UserHooks::maskFor(lua_State* state)
{
    const Wish* wish = m_wishes.find(keyOf(state));
    return m_recorderMask | (wish ? wish->mask : 0);
}

int UserHooks::countFor(lua_State* state)
{
    const Wish* wish = m_wishes.find(keyOf(state));
    return countOf(wish ? *wish : inheritedWish(state));
}

void UserHooks::forget(const lua_State* thread)
{
    m_wishes.erase(reinterpret_cast<std::uintptr_t>(thread));
}

void UserHooks::dispatch(lua_State* state, lua_Debug* record)
{
    static constexpr const char* names[] = {"call", "return", "line", "count", "tail call"};
    const Wish* wish = m_wishes.find(keyOf(state));
    const int bit = record->event == LUA_HOOKTAILCALL ? LUA_MASKCALL : 1 << record->event;
    if (!wish || (wish->mask & bit) == 0)
        return;
    lua_getfield(state, LUA_REGISTRYINDEX, hookTableKey);
    lua_pushthread(state);
    if (lua_rawget(state, -2) == LUA_TFUNCTION) {
        lua_pushstring(state, names[record->event]);
        if (record->currentline >= 0)
            lua_pushinteger(state, record->currentline);
        else
            lua_pushnil(state);
        lua_call(state, 2, 0);
    } else {
        lua_pop(state, 1);
    }
    lua_pop(state, 1);
}

} // namespace perilune
