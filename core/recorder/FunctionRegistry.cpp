// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/FunctionRegistry.h"

#include "core/recorder/LuaLayout.h"

#include <lua.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace perilune {

using format::FunctionKind;
using format::FunctionRecord;
using format::Section;

namespace {

/// Registry key of the table from function values to indices, for the public API path.
const char functionTableKey = 0;

int hashPiece(lua_State*, const void* piece, std::size_t bytes, void* target)
{
    auto* identity = static_cast<std::pair<std::uint64_t, std::uint64_t>*>(target);
    identity->first = hashOf({static_cast<const char*>(piece), bytes}, identity->first);
    identity->second += bytes;
    return 0;
}

FunctionRecord nestedRecord(const void* prototype, std::uint32_t source)
{
    FunctionRecord function = emptyFunctionRecord();
    function.source = source;
    function.lineDefined = layout::load<int>(prototype, layout::protoLine);
    function.lastLineDefined = layout::load<int>(prototype, layout::protoLastLine);
    function.parameterCount = layout::load<std::uint8_t>(prototype, layout::protoParameters);
    function.isVararg = layout::load<std::uint8_t>(prototype, layout::protoIsVararg) != 0;
    function.isStripped = layout::load<int>(prototype, layout::protoLineInfoSize) == 0;
    return function;
}

} // namespace

FunctionRecord emptyFunctionRecord()
{
    FunctionRecord function = {};
    function.name = function.callName = function.callNameWhat = format::none;
    function.source = format::none;
    function.ordinal = format::none;
    function.lineDefined = function.lastLineDefined = -1;
    function.kind = FunctionKind::Lua;
    return function;
}

FunctionRegistry::FunctionRegistry(RecordingWriter& writer, std::uint64_t stringBytes)
    : m_writer(writer)
    , m_sources(writer)
{
    const std::uint64_t bytes = std::min<std::uint64_t>(stringBytes, 1u << 30);
    writer.setLimit(Section::Functions, 64u << 20);
    writer.setLimit(Section::Strings, bytes);
    writer.setLimit(Section::SourceText, bytes);
}

void FunctionRegistry::bind(std::uint64_t key, std::uint32_t function)
{
    const std::uint32_t* known = m_entries.find(key);
    if (known && *known != function)
        ++m_generation;
    m_entries.insert(key) = function;
}

void FunctionRegistry::forget(const void* block)
{
    const auto key = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(block));
    if (!m_entries.find(key))
        return;
    m_entries.erase(key);
    // Already now: the next function at this address may be one that a cache has under it.
    ++m_generation;
}

std::uint32_t FunctionRegistry::addRecord(const FunctionRecord& function)
{
    const std::uint32_t index = m_writer.append(Section::Functions, function);
    m_isIncomplete = m_isIncomplete || index == format::none;
    return index;
}

std::uint32_t FunctionRegistry::addString(const char* text)
{
    const auto found = m_strings.find(text);
    if (found != m_strings.end())
        return found->second;
    const std::uint32_t reference = m_writer.addString(text);
    m_isIncomplete = m_isIncomplete || reference == format::none;
    m_strings.emplace(text, reference);
    return reference;
}

bool FunctionRegistry::addHost()
{
    FunctionRecord function = emptyFunctionRecord();
    function.kind = FunctionKind::Host;
    return addRecord(function) == 0;
}

/// What lua_getinfo says of the running function; its value is left on the stack.
FunctionRecord FunctionRegistry::describe(lua_State* state, lua_Debug* record)
{
    FunctionRecord function = emptyFunctionRecord();
    record->name = nullptr;
    lua_getinfo(state, "nSuf", record);
    function.lineDefined = record->linedefined;
    function.lastLineDefined = record->lastlinedefined;
    function.parameterCount = record->nparams;
    function.isVararg = record->isvararg != 0;
    if (*record->what == 'C')
        function.kind = FunctionKind::C;
    else if (*record->what == 'm')
        function.kind = FunctionKind::Main;
    if (function.kind != FunctionKind::C)
        function.source = m_sources.indexOf({record->source, record->srclen});
    if (record->name) {
        function.callName = addString(record->name);
        function.callNameWhat = addString(record->namewhat);
    }
    return function;
}

std::uint32_t FunctionRegistry::add(lua_State* state, lua_Debug* record, std::uint64_t key)
{
    const int event = record->event; // lua_getinfo leaves it alone, but it is the caller's
    const std::uint32_t function =
        layout::isLuaFunction(record->i_ci) ? addLua(state, record, key) : addC(state, record, key);
    record->event = event;
    return function;
}

std::uint32_t FunctionRegistry::addC(lua_State* state, lua_Debug* record, std::uint64_t address)
{
    FunctionRecord function = describe(state, record);
    lua_pop(state, 1);
    const std::string& name = m_cNames.nameOf(state, address);
    if (!name.empty()) {
        function.name = addString(name.c_str());
    } else if (function.callName == format::none) {
        // No table holds it and its caller has no name for it: say at least where it lives.
        Dl_info library;
        if (::dladdr(reinterpret_cast<const void*>(address), &library) != 0 && library.dli_fname) {
            const char* slash = std::strrchr(library.dli_fname, '/');
            const auto offset = address - reinterpret_cast<std::uintptr_t>(library.dli_fbase);
            char text[256];
            std::snprintf(text, sizeof text, "C function %.200s+0x%llx",
                          slash ? slash + 1 : library.dli_fname,
                          static_cast<unsigned long long>(offset));
            function.name = addString(text);
        }
    }
    const std::uint32_t index = addRecord(function);
    if (index != format::none)
        bind(address, index);
    return index;
}

FunctionRegistry::CodeIdentity FunctionRegistry::codeIdentity(lua_State* state,
                                                              const lua_Debug* record)
{
    CodeIdentity identity(hashOf({record->source, record->srclen}), 0);
    lua_dump(state, hashPiece, &identity, 0);
    return identity;
}

std::uint32_t FunctionRegistry::addLua(lua_State* state, lua_Debug* record, std::uint64_t prototype)
{
    FunctionRecord function = describe(state, record);
    const CodeIdentity identity = codeIdentity(state, record);
    lua_pop(state, 1);
    const bool hasOrdinals = function.kind == FunctionKind::Main;
    if (hasOrdinals)
        function.ordinal = 0;
    function.isStripped =
        layout::load<int>(reinterpret_cast<const void*>(prototype), layout::protoLineInfoSize) == 0;
    const auto known = m_byCode.find(identity);
    const std::uint32_t index = known != m_byCode.end() ? known->second : addRecord(function);
    if (index == format::none)
        return index;
    bind(prototype, index);
    addNested(prototype, index, function.source, hasOrdinals, known == m_byCode.end());
    m_byCode.emplace(identity, index);
    return index;
}

/// Walks all prototypes inside `prototype` in the order of their `function` keywords; the n-th has
/// the index of the outermost plus n.
void FunctionRegistry::addNested(std::uint64_t prototype, std::uint32_t function,
                                 std::uint32_t source, bool hasOrdinals, bool isNew)
{
    struct Level
    {
        const void* const* next;
        const void* const* end;
    };
    const auto levelOf = [](const void* outer) {
        const auto* nested = layout::load<const void* const*>(outer, layout::protoNested);
        return Level{nested, nested + layout::load<int>(outer, layout::protoNestedCount)};
    };
    std::vector<Level> levels{levelOf(reinterpret_cast<const void*>(prototype))};
    std::uint32_t ordinal = 0;
    while (!levels.empty()) {
        if (levels.back().next == levels.back().end) {
            levels.pop_back();
            continue;
        }
        const void* nested = *levels.back().next++;
        ++ordinal;
        if (isNew) {
            FunctionRecord record = nestedRecord(nested, source);
            record.ordinal = hasOrdinals ? ordinal : format::none;
            if (addRecord(record) == format::none)
                return;
        }
        if (function + ordinal >= m_writer.count(Section::Functions))
            return; // the chunk was cut short by a limit when it was first met
        bind(reinterpret_cast<std::uintptr_t>(nested), function + ordinal);
        levels.push_back(levelOf(nested));
    }
}

void FunctionRegistry::noteCallName(lua_State* state, lua_Debug* record, std::uint32_t function)
{
    auto& known = m_writer.data<FunctionRecord>(Section::Functions)[function];
    if (known.callName != format::none || known.kind != FunctionKind::Lua)
        return;
    record->name = nullptr;
    if (lua_getinfo(state, "n", record) == 0 || !record->name)
        return;
    known.callNameWhat = addString(record->namewhat);
    known.callName = addString(record->name);
}

std::uint32_t FunctionRegistry::findOrAddByApi(lua_State* state, lua_Debug* record)
{
    const int event = record->event;
    lua_getinfo(state, "f", record);
    // Values are looked up by closure, weakly, so that the table keeps nothing alive.
    if (lua_rawgetp(state, LUA_REGISTRYINDEX, &functionTableKey) != LUA_TTABLE) {
        lua_pop(state, 1);
        lua_createtable(state, 0, 0);
        lua_createtable(state, 0, 1);
        lua_pushliteral(state, "k");
        lua_setfield(state, -2, "__mode");
        lua_setmetatable(state, -2);
        lua_pushvalue(state, -1);
        lua_rawsetp(state, LUA_REGISTRYINDEX, &functionTableKey);
    }
    lua_pushvalue(state, -2);
    if (lua_rawget(state, -2) == LUA_TNUMBER) {
        const auto index = static_cast<std::uint32_t>(lua_tointeger(state, -1));
        lua_pop(state, 3);
        return index;
    }
    lua_pop(state, 1);
    lua_insert(state, -2); // table, function
    std::uint32_t index = format::none;
    if (lua_CFunction address = lua_tocfunction(state, -1)) {
        const auto key = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
        index = find(key);
        if (index == format::none)
            index = addC(state, record, key);
    } else {
        FunctionRecord function = describe(state, record);
        CodeIdentity identity = codeIdentity(state, record);
        lua_pop(state, 1);
        // Without the layout the place in the chunk is not known; its lines have to do.
        identity.second ^= static_cast<std::uint64_t>(function.lineDefined) << 32
            ^ static_cast<std::uint64_t>(function.lastLineDefined) << 48;
        const auto known = m_byCode.find(identity);
        if (function.kind == FunctionKind::Main)
            function.ordinal = 0;
        index = known != m_byCode.end() ? known->second : addRecord(function);
        m_byCode.emplace(identity, index);
    }
    if (index != format::none) {
        lua_pushinteger(state, index);
        lua_rawset(state, -3);
        lua_pop(state, 1);
    } else {
        lua_pop(state, 2);
    }
    record->event = event;
    return index;
}

} // namespace perilune
