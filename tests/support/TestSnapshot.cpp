// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TestSnapshot.h"

namespace perilune::test {

using format::FunctionKind;
using format::none;

namespace {

format::FunctionRecord emptyFunction(FunctionKind kind)
{
    format::FunctionRecord function = {};
    function.name = function.callName = function.callNameWhat = none;
    function.source = none;
    function.lineDefined = function.lastLineDefined = -1;
    function.ordinal = none;
    function.kind = kind;
    return function;
}

std::uint32_t append(RecordingSnapshot& snapshot, const format::FunctionRecord& function)
{
    snapshot.functions.push_back(function);
    return static_cast<std::uint32_t>(snapshot.functions.size() - 1);
}

} // namespace

TestSnapshot::TestSnapshot()
{
    format::Header& header = snapshot.header;
    header.state = static_cast<std::uint32_t>(format::State::Finished);
    header.ticksPerSecond = 1e9;
    header.startTicks = header.lastTicks = header.endTicks = 1000;
    header.luaVersion = header.errorMessage = header.traceback = header.workingDirectory = none;
    append(snapshot, emptyFunction(FunctionKind::Host));
    addNode(none, 0, 1, 0);
}

std::uint32_t TestSnapshot::addString(std::string_view text)
{
    const auto reference = static_cast<std::uint32_t>(snapshot.strings.size());
    const auto length = static_cast<std::uint32_t>(text.size());
    const auto* bytes = reinterpret_cast<const char*>(&length);
    snapshot.strings.insert(snapshot.strings.end(), bytes, bytes + sizeof length);
    snapshot.strings.insert(snapshot.strings.end(), text.begin(), text.end());
    return reference;
}

std::uint32_t TestSnapshot::addSource(std::string_view chunkName, std::string_view text)
{
    format::SourceRecord source = {};
    source.chunkName = addString(chunkName);
    source.path = none;
    source.textOffset = snapshot.texts.size();
    source.textBytes = text.size();
    source.kind = chunkName.starts_with('@') ? format::SourceKind::File
        : chunkName.starts_with('=')         ? format::SourceKind::None
                                             : format::SourceKind::String;
    source.isComplete = text.empty() ? 0 : 1;
    snapshot.texts.insert(snapshot.texts.end(), text.begin(), text.end());
    snapshot.sources.push_back(source);
    return static_cast<std::uint32_t>(snapshot.sources.size() - 1);
}

std::uint32_t TestSnapshot::addC(std::string_view name)
{
    format::FunctionRecord function = emptyFunction(FunctionKind::C);
    function.name = name.empty() ? none : addString(name);
    return append(snapshot, function);
}

std::uint32_t TestSnapshot::addMain(std::uint32_t source)
{
    format::FunctionRecord function = emptyFunction(FunctionKind::Main);
    function.source = source;
    function.lineDefined = function.lastLineDefined = 0;
    function.ordinal = 0;
    return append(snapshot, function);
}

std::uint32_t TestSnapshot::addLua(std::uint32_t source, int line, int lastLine,
                                   std::uint32_t ordinal)
{
    format::FunctionRecord function = emptyFunction(FunctionKind::Lua);
    function.source = source;
    function.lineDefined = line;
    function.lastLineDefined = lastLine;
    function.ordinal = ordinal;
    return append(snapshot, function);
}

std::uint32_t TestSnapshot::addNode(std::uint32_t parent, std::uint32_t function,
                                    std::uint64_t calls, std::uint64_t selfTicks)
{
    format::NodeRecord node = {};
    node.parent = parent;
    node.function = function;
    node.calls = calls;
    node.selfTicks = selfTicks;
    snapshot.nodes.push_back(node);
    snapshot.header.lastTicks += selfTicks;
    snapshot.header.endTicks = snapshot.header.lastTicks;
    return static_cast<std::uint32_t>(snapshot.nodes.size() - 1);
}

} // namespace perilune::test
