// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/LuaLayout.h"

#include <lua.hpp>

#include <cstdlib>

namespace perilune::layout {

namespace {

// The public headers do not name these two; Lua tells its allocator the type of a new object, and
// prototypes have the first number behind the public types in every 5.4.
constexpr std::size_t typePrototype = LUA_NUMTYPES + 1;

struct Probe
{
    ObjectSizes sizes;
    const void* threadBlock = nullptr;
    int matches = 0;
    int mismatches = 0;

    void check(bool isRight) { ++(isRight ? matches : mismatches); }
};

void* probeAllocate(void* userData, void* block, std::size_t oldSize, std::size_t newSize)
{
    auto* probe = static_cast<Probe*>(userData);
    if (newSize == 0) {
        std::free(block);
        return nullptr;
    }
    void* memory = std::realloc(block, newSize);
    if (!block && oldSize == typePrototype)
        probe->sizes.prototype = newSize;
    if (!block && oldSize == LUA_TTHREAD) {
        probe->sizes.thread = newSize;
        probe->threadBlock = memory;
    }
    return memory;
}

Probe* probeOf(lua_State* state)
{
    void* userData = nullptr;
    lua_getallocf(state, &userData);
    return static_cast<Probe*>(userData);
}

/// Compares what the layout says of the running function with what the public API says.
void probeHook(lua_State* state, lua_Debug* record)
{
    if (record->event == LUA_HOOKRET)
        return;
    Probe& probe = *probeOf(state);
    const void* callInfo = record->i_ci;
    lua_getinfo(state, "Suf", record);
    const void* function = lua_topointer(state, -1);
    const bool isC = lua_iscfunction(state, -1) != 0;
    probe.check(isLuaFunction(callInfo) == !isC);
    const void* slot = load<const void*>(callInfo, callInfoFunction);
    if (isC) {
        const auto key = reinterpret_cast<std::uintptr_t>(lua_tocfunction(state, -1));
        probe.check(functionKey(callInfo) == key);
    } else if (isLuaFunction(callInfo)) {
        probe.check(load<const void*>(slot, 0) == function);
        const auto* proto = reinterpret_cast<const void*>(functionKey(callInfo));
        probe.check(load<int>(proto, protoLine) == record->linedefined);
        probe.check(load<int>(proto, protoLastLine) == record->lastlinedefined);
        probe.check(load<std::uint8_t>(proto, protoParameters) == record->nparams);
        probe.check(load<std::uint8_t>(proto, protoIsVararg) == (record->isvararg != 0));
        probe.check(load<int>(proto, protoLineInfoSize) > 0);
    }
    lua_pop(state, 1);
    lua_Debug caller;
    const bool hasCaller = lua_getstack(state, 1, &caller) != 0;
    probe.check(runningCallInfo(state) == callInfo);
    const unsigned status = load<unsigned short>(callInfo, callInfoStatus);
    probe.check(((status & statusIsC) != 0) == isC);
    probe.check(load<int>(state, stateHookMask) == (LUA_MASKCALL | LUA_MASKRET));
    probe.check(load<lua_Hook>(state, stateHook) == probeHook);
    probe.check(hasCaller ? previous(callInfo) == static_cast<const void*>(caller.i_ci)
                          : isBase(previous(callInfo)));
}

constexpr const char* probeChunk = R"(
local function one(a, b) return a end
local function two(...)
  local inner = function(x) return x end
  local other = function(x, y)
    return y
  end
  return inner, other
end
one(1, 2)
local i, o = two(1)
i(1) o(1, 2)
math.abs(-1)
for w in string.gmatch("a b", "%a") do one(w) end
coroutine.wrap(function() one(1) end)()
return one, two, i, o, select(1, two()))";

/// Where the hook and its counters are, by setting them.
void checkHookFields(lua_State* state, Probe& probe)
{
    lua_sethook(state, probeHook, LUA_MASKCOUNT, 12345);
    probe.check(load<lua_Hook>(state, stateHook) == probeHook);
    probe.check(load<int>(state, stateHookMask) == LUA_MASKCOUNT);
    probe.check(load<int>(state, stateBaseHookCount) == 12345);
    probe.check(load<int>(state, stateHookCount) == 12345);
    lua_sethook(state, nullptr, 0, 0);
    probe.check(load<int>(state, stateHookMask) == 0);
}

/// Writes a hook into the fields as the sampler does and sees whether it fires inside a loop.
void countHook(lua_State* state, lua_Debug* record)
{
    probeOf(state)->check(record->event == LUA_HOOKCOUNT);
    lua_sethook(state, nullptr, 0, 0);
    lua_pushboolean(state, 1);
    lua_setglobal(state, "fired");
}

int armHook(lua_State* state)
{
    store(state, stateHook, static_cast<lua_Hook>(countHook));
    store(state, stateBaseHookCount, 1);
    store(state, stateHookCount, 1);
    store(state, stateHookMask, LUA_MASKCOUNT);
    auto* caller = const_cast<void*>(previous(runningCallInfo(state)));
    store(caller, callInfoTrap, 1);
    return 0;
}

void checkArming(lua_State* state, Probe& probe)
{
    lua_register(state, "arm", armHook);
    probe.check(luaL_dostring(state, "local s = 0 arm() for i = 1, 9 do s = s + i end") == LUA_OK);
    lua_getglobal(state, "fired");
    probe.check(lua_toboolean(state, -1) != 0);
    lua_pop(state, 1);
}

/// Nested prototypes: two closures of one function share it, in the order of the source.
void checkNested(lua_State* state, Probe& probe)
{
    const auto protoAt = [&](int index) {
        return load<const void*>(lua_topointer(state, index), closureFunction);
    };
    const void* two = protoAt(2);
    if (load<int>(two, protoNestedCount) != 2) {
        probe.check(false);
        return;
    }
    const auto* const* nested = load<const void* const*>(two, protoNested);
    probe.check(nested[0] == protoAt(3));
    probe.check(nested[1] == protoAt(4));
    probe.check(protoAt(3) == protoAt(5));
    probe.check(protoAt(1) != protoAt(2));
    probe.check(load<int>(protoAt(1), protoNestedCount) == 0);
}

} // namespace

bool isLayoutValid(ObjectSizes& sizes)
{
    static_assert(sizeof(void*) == 8, "the layout is that of 64-bit machines");
    if (lua_version(nullptr) != LUA_VERSION_NUM)
        return false;
    Probe probe;
    lua_State* state = lua_newstate(probeAllocate, &probe);
    if (!state)
        return false;
    luaL_openlibs(state);
    lua_settop(state, 0);
    bool hasRun =
        luaL_loadbufferx(state, probeChunk, std::strlen(probeChunk), "=probe", "t") == LUA_OK;
    if (hasRun) {
        lua_sethook(state, probeHook, LUA_MASKCALL | LUA_MASKRET, 0);
        hasRun = lua_pcall(state, 0, 5, 0) == LUA_OK;
        lua_sethook(state, nullptr, 0, 0);
    }
    if (hasRun && probe.mismatches == 0)
        checkNested(state, probe);
    if (hasRun && probe.mismatches == 0)
        checkHookFields(state, probe);
    if (hasRun && probe.mismatches == 0)
        checkArming(state, probe);
    if (hasRun) {
        const lua_State* thread = lua_newthread(state);
        probe.sizes.threadOffset = static_cast<std::size_t>(
            reinterpret_cast<const char*>(thread) - static_cast<const char*>(probe.threadBlock));
        probe.check(probe.sizes.threadOffset < probe.sizes.thread);
    }
    lua_close(state);
    sizes = probe.sizes;
    return hasRun && probe.mismatches == 0 && probe.matches > 60 && sizes.prototype > 0
        && sizes.thread > 0;
}

} // namespace perilune::layout
