// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/CFunctionNames.h"

#include <lua.hpp>

#include <cstdint>
#include <cstring>

namespace perilune {

namespace {

std::uint64_t addressAt(lua_State* state, int index)
{
    return reinterpret_cast<std::uintptr_t>(lua_tocfunction(state, index));
}

} // namespace

const std::string& CFunctionNames::nameOf(lua_State* state, std::uint64_t address)
{
    if (!m_hasLearnt)
        learnHiddenFunctions();
    // Libraries are loaded while the script runs, so an unknown function means: look again.
    if (!m_names.contains(address))
        scan(state);
    return m_names[address];
}

void CFunctionNames::scan(lua_State* state)
{
    const int top = lua_gettop(state);
    scanLoaded(state);
    lua_settop(state, top);
    scanMetatables(state);
    lua_settop(state, top);
}

void CFunctionNames::scanLoaded(lua_State* state)
{
    lua_getfield(state, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (!lua_istable(state, -1))
        return;
    for (lua_pushnil(state); lua_next(state, -2) != 0; lua_pop(state, 1)) {
        if (lua_type(state, -2) != LUA_TSTRING)
            continue;
        const std::string module = lua_tostring(state, -2);
        if (lua_iscfunction(state, -1))
            consider(addressAt(state, -1), module);
        else if (lua_istable(state, -1))
            scanTable(state, module == LUA_GNAME ? 0 : 2, module == LUA_GNAME ? "" : module, ".");
    }
}

void CFunctionNames::scanMetatables(lua_State* state)
{
    lua_pushnil(state);
    while (lua_next(state, LUA_REGISTRYINDEX) != 0) {
        const bool isNamed = lua_type(state, -2) == LUA_TSTRING && lua_istable(state, -1);
        if (isNamed && std::strcmp(lua_tostring(state, -2), LUA_LOADED_TABLE) != 0
            && std::strcmp(lua_tostring(state, -2), LUA_PRELOAD_TABLE) != 0) {
            std::string type = lua_tostring(state, -2);
            if (type == LUA_FILEHANDLE)
                type = "file";
            scanTable(state, 1, type, ":");
        }
        lua_pop(state, 1);
    }
}

/// Visits the table on top of the stack; at most `depth` levels of tables inside it.
void CFunctionNames::scanTable(lua_State* state, int depth, const std::string& prefix,
                               const char* separator)
{
    for (lua_pushnil(state); lua_next(state, -2) != 0; lua_pop(state, 1)) {
        std::string name = prefix;
        if (lua_type(state, -2) == LUA_TSTRING) {
            const std::string key = lua_tostring(state, -2);
            // The methods of a type are those of its __index table.
            if (!(lua_istable(state, -1) && key == "__index"))
                name += (prefix.empty() ? "" : separator) + key;
        } else if (lua_isinteger(state, -2)) {
            name += "[" + std::to_string(lua_tointeger(state, -2)) + "]";
        } else {
            continue;
        }
        if (lua_iscfunction(state, -1))
            consider(addressAt(state, -1), name);
        else if (depth > 0 && lua_istable(state, -1) && name != "package.loaded")
            scanTable(state, depth - 1, name, separator);
    }
}

void CFunctionNames::consider(std::uint64_t address, const std::string& name)
{
    std::string& known = m_names[address];
    const bool isBetter = known.empty() || name.size() < known.size()
        || (name.size() == known.size() && name < known);
    if (isBetter)
        known = name;
}

/// Iterators and resumers are held by no table; a state of our own shows their addresses.
void CFunctionNames::learnHiddenFunctions()
{
    m_hasLearnt = true;
    lua_State* state = luaL_newstate();
    if (!state)
        return;
    luaL_openlibs(state);
    static constexpr struct
    {
        const char* code;
        const char* name;
    } hidden[] = {
        {"return (ipairs({}))", "ipairs iterator"},
        {"return (string.gmatch('', ''))", "string.gmatch iterator"},
        {"return coroutine.wrap(function() end)", "coroutine.wrap resumer"},
        {"return (io.lines('/dev/null'))", "io.lines iterator"},
    };
    for (const auto& function : hidden) {
        if (luaL_loadstring(state, function.code) == LUA_OK && lua_pcall(state, 0, 1, 0) == LUA_OK
            && lua_iscfunction(state, -1))
            m_names[addressAt(state, -1)] = function.name;
        lua_settop(state, 0);
    }
    lua_close(state);
}

} // namespace perilune
