// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/RecordedFunctions.h"

#include "core/profile/FunctionNames.h"

#include <optional>
#include <string>
#include <string_view>

namespace perilune {

namespace {

/// What a caller called a function: "f"; "__index" for a metamethod, whose name Lua gives without
/// the underscores; empty where it had no name for it.
std::string callSiteName(std::string_view name, std::string_view what)
{
    if (name.empty() || name == "?")
        return {};
    if (what == "metamethod" && !name.starts_with("__"))
        return "__" + std::string(name);
    return std::string(name);
}

class FunctionNamer
{
public:
    FunctionNamer(const RecordingSnapshot& snapshot, const std::vector<Source>& sources)
        : m_snapshot(snapshot)
        , m_sources(sources)
        , m_definitions(sources.size())
    {
    }

    std::string nameOf(const format::FunctionRecord& record)
    {
        const std::string given(m_snapshot.string(record.name));
        switch (record.kind) {
        case FunctionKind::Host:
            return "(interpreter)";
        case FunctionKind::Folded:
            return given.empty() ? "(calls beyond a limit)" : given;
        case FunctionKind::Main:
            return "main chunk " + labelOf(record);
        case FunctionKind::C:
            return cName(record, given);
        case FunctionKind::Lua:
            break;
        }
        return luaName(record);
    }

private:
    std::string cName(const format::FunctionRecord& record, const std::string& given) const
    {
        if (!given.empty() && given != "?")
            return given;
        const std::string callName = callNameOf(record);
        return callName.empty() ? "C function" : callName;
    }
    std::string luaName(const format::FunctionRecord& record)
    {
        if (const FunctionDefinition* definition = definitionOf(record);
            definition && !definition->name.empty())
            return definition->name;
        const std::string place =
            "<" + labelOf(record) + ":" + std::to_string(record.lineDefined) + ">";
        const std::string callName = callNameOf(record);
        if (callName.empty())
            return "function " + place;
        // The name is Lua's word for a role that many functions play.
        return callName == "for iterator" ? callName + " " + place : callName;
    }
    std::string callNameOf(const format::FunctionRecord& record) const
    {
        return callSiteName(m_snapshot.string(record.callName),
                            m_snapshot.string(record.callNameWhat));
    }
    std::string labelOf(const format::FunctionRecord& record) const
    {
        return record.source < m_sources.size() ? m_sources[record.source].label
                                                : std::string("unknown source");
    }
    const FunctionDefinition* definitionOf(const format::FunctionRecord& record)
    {
        if (record.source >= m_sources.size())
            return nullptr;
        auto& definitions = m_definitions[record.source];
        if (!definitions)
            definitions = findFunctionDefinitions(m_sources[record.source].text);
        return findDefinition(*definitions, record.ordinal, record.lineDefined,
                              record.lastLineDefined);
    }

    const RecordingSnapshot& m_snapshot;
    const std::vector<Source>& m_sources;
    std::vector<std::optional<std::vector<FunctionDefinition>>> m_definitions; ///< By source.
};

} // namespace

std::vector<Function> recordedFunctions(const RecordingSnapshot& snapshot,
                                        const std::vector<Source>& sources)
{
    FunctionNamer namer(snapshot, sources);
    std::vector<Function> functions;
    functions.reserve(snapshot.functions.size());
    for (const format::FunctionRecord& record : snapshot.functions) {
        Function function;
        if (record.source < sources.size())
            function.source = SourceId(record.source);
        function.line = record.lineDefined;
        function.lastLine = record.lastLineDefined;
        function.ordinal = record.ordinal;
        function.kind = record.kind;
        function.isStripped = record.isStripped != 0;
        function.name = namer.nameOf(record);
        functions.push_back(std::move(function));
    }
    return functions;
}

} // namespace perilune
