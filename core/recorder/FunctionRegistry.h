// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/CFunctionNames.h"
#include "core/recorder/PointerMap.h"
#include "core/recorder/SourceStore.h"
#include "core/recording/RecordingWriter.h"

#include <cstdint>
#include <map>
#include <utility>

struct lua_State;
struct lua_Debug;

namespace perilune {

/// A record that knows nothing yet.
format::FunctionRecord emptyFunctionRecord();

/// Gives each function the script runs its index in the recording.
///
/// A function is a prototype, not a closure and not a name. Prototypes are known by address while
/// they live (the allocator tells when one dies, see forget()); across lives by their chunk's
/// compiled code (source name, lines and constants included) and their place in it, so a chunk that
/// is loaded again gives the same functions, and different functions on one line stay apart.
class FunctionRegistry
{
public:
    /// `stringBytes` bounds names and source texts.
    FunctionRegistry(RecordingWriter& writer, std::uint64_t stringBytes);

    /// Index of the function with this key, or format::none when it is not known yet.
    std::uint32_t find(std::uint64_t key)
    {
        const std::uint32_t* function = m_entries.find(key);
        return function ? *function : format::none;
    }
    /// Registers the function that `record` (from a call hook) is about, through the layout, with
    /// all functions nested in it. format::none when there is no room.
    std::uint32_t add(lua_State* state, lua_Debug* record, std::uint64_t key);
    /// Index of the running function by the public API alone; slower, allocates in the Lua state.
    std::uint32_t findOrAddByApi(lua_State* state, lua_Debug* record);
    /// Registers the host as function 0; false when there is no room.
    bool addHost();

    /// Notes the name by which the running function was called, where none is known yet.
    void noteCallName(lua_State* state, lua_Debug* record, std::uint32_t function);

    /// Names a C function that no table holds.
    void learnName(std::uint64_t address, const char* name) { m_cNames.learn(address, name); }

    /// A block of Lua memory that may have held a prototype was freed.
    void forget(const void* block);
    /// Changes whenever an address may come to mean another function than before; caches keyed by
    /// address have to mix it in.
    std::uint32_t generation() const { return m_generation; }
    bool isIncomplete() const { return m_isIncomplete || m_sources.isIncomplete(); }

private:
    /// What a chunk compiled to, as far as telling chunks apart goes.
    using CodeIdentity = std::pair<std::uint64_t, std::uint64_t>;

    void bind(std::uint64_t key, std::uint32_t function);
    std::uint32_t addC(lua_State* state, lua_Debug* record, std::uint64_t address);
    std::uint32_t addLua(lua_State* state, lua_Debug* record, std::uint64_t prototype);
    std::uint32_t addRecord(const format::FunctionRecord& function);
    void addNested(std::uint64_t prototype, std::uint32_t function, std::uint32_t source,
                   bool hasOrdinals, bool isNew);
    format::FunctionRecord describe(lua_State* state, lua_Debug* record);
    CodeIdentity codeIdentity(lua_State* state, const lua_Debug* record);
    std::uint32_t addString(const char* text);

    RecordingWriter& m_writer;
    SourceStore m_sources;
    CFunctionNames m_cNames;
    PointerMap<std::uint32_t> m_entries;            ///< Functions by key.
    std::map<CodeIdentity, std::uint32_t> m_byCode; ///< First function of each known chunk.
    std::map<std::string, std::uint32_t, std::less<>> m_strings;
    std::uint32_t m_generation = 0;
    bool m_isIncomplete = false;
};

} // namespace perilune
