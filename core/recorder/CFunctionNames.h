// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

struct lua_State;

namespace perilune {

/// Public names of C functions: the shortest path to each from `package.loaded` ("string.format"),
/// from the metatables of the registry ("file:read"), or known ones that no table holds ("ipairs
/// iterator").
///
/// Looks with raw access only and allocates nothing in the Lua state, so the script cannot notice.
class CFunctionNames
{
public:
    /// The name of the C function with this address, or an empty string. `state` needs room for
    /// 16 stack slots and is left as it was.
    const std::string& nameOf(lua_State* state, std::uint64_t address);

    /// Gives a function that no table holds its name.
    void learn(std::uint64_t address, const std::string& name) { m_names[address] = name; }

private:
    void scan(lua_State* state);
    void scanLoaded(lua_State* state);
    void scanMetatables(lua_State* state);
    void scanTable(lua_State* state, int depth, const std::string& prefix, const char* separator);
    void learnHiddenFunctions();
    void consider(std::uint64_t address, const std::string& name);

    std::unordered_map<std::uint64_t, std::string> m_names;
    bool m_hasLearnt = false;
};

} // namespace perilune
