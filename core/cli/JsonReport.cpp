// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/JsonWriter.h"
#include "core/cli/Report.h"
#include "core/cli/TimeText.h"
#include "core/session/Names.h"

#include <array>
#include <string>
#include <string_view>

namespace perilune::cli {

namespace {

using Layout = JsonWriter::Layout;

void textOrNull(JsonWriter& json, std::string_view name, const std::string& text)
{
    json.key(name);
    if (text.empty())
        json.null();
    else
        json.value(text);
}

void writeEnvironment(JsonWriter& json, const RunInfo& run)
{
    json.key("environment");
    json.beginObject(Layout::Inline);
    for (const auto& [name, value] : run.environment) {
        json.key(name);
        if (value)
            json.value(*value);
        else
            json.null();
    }
    json.endObject();
}

void writeTexts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts)
{
    json.key(name);
    json.beginArray(Layout::Inline);
    for (const std::string& text : texts)
        json.value(text);
    json.endArray();
}

void writeLaunch(JsonWriter& json, const RunInfo& run)
{
    json.member("script", run.script);
    writeTexts(json, "args", run.arguments);
    json.member("cwd", run.workingDirectory);
    writeEnvironment(json, run);
    textOrNull(json, "stdin", run.standardInput);
    textOrNull(json, "script_hash", run.scriptHash);
    textOrNull(json, "git_commit", run.gitCommit);
    json.member("git_dirty", run.gitDirty);
    json.member("machine", run.machine);
    json.member("started_at", isoTime(run.startedAtUnixMs));
    textOrNull(json, "repeat_group", run.repeatGroup.value_or(std::string()));
    json.member("warm_up", run.isWarmUp);
}

void writeOutcome(JsonWriter& json, const RunInfo& run)
{
    json.member("status", nameOf(run.status));
    json.member("partial", run.isPartial());
    json.member("exit_code", run.exitCode);
    json.member("signal", run.signal);
    textOrNull(json, "error", run.errorMessage);
    textOrNull(json, "traceback", run.traceback);
    writeTexts(json, "warnings", run.warnings);
}

void writeCorrection(JsonWriter& json, const OverheadCorrection& correction)
{
    json.key("correction");
    json.beginObject(Layout::Inline);
    json.member("method", nameOf(correction.method));
    json.member("removed_ns", correction.removed.nanoseconds());
    json.member("clamped_ns", correction.clamped.nanoseconds());
    json.member("slowdown", correction.estimatedSlowdown);
    json.member("residual_share", correction.residualShare);
    json.endObject();
}

void writeMeasurement(JsonWriter& json, const RunInfo& run)
{
    json.member("interpreter", run.interpreter);
    json.member("lua_version", run.luaVersion);
    json.member("mode", nameOf(run.mode));
    json.member("clock", nameOf(run.clock));
    json.member("clock_name", run.clockName);
    json.member("interval_ns", run.samplingInterval.nanoseconds());
    json.member("lines", run.hasLines);
    json.member("memory", run.hasMemory);
    json.member("durations", run.hasDurations);
    json.member("timeline", run.hasTimeline);
    json.member("wall_ns", run.wallTime.nanoseconds());
    json.member("excluded_ns", run.excludedTime.nanoseconds());
    json.member("calibration_ns", run.calibrationTime.nanoseconds());
    writeCorrection(json, run.correction);
    json.member("events", run.eventCount);
    json.member("switches", run.switchCount);
    json.member("samples", run.sampleCount);
    json.member("limits", run.limits);
    json.member("heap_peak_bytes", run.heapPeakBytes);
    json.member("heap_final_bytes", run.heapFinalBytes);
    json.member("collections", run.collectionCount);
}

void writeRun(JsonWriter& json, const RunInfo& run)
{
    json.key("run");
    json.beginObject();
    writeLaunch(json, run);
    writeOutcome(json, run);
    writeMeasurement(json, run);
    json.endObject();
}

/// Sampling counts no calls.
void callsOrNull(JsonWriter& json, const Profile& profile, std::string_view name,
                 std::uint64_t calls)
{
    json.key(name);
    if (profile.tree->has(Metric::Calls))
        json.value(calls);
    else
        json.null();
}

/// The name of a chunk as Lua shows it, without the mark in front: "lib/a.lua", "stdin", "[C]".
std::string sourceName(const Profile& profile, const Function& function)
{
    if (function.kind == FunctionKind::C)
        return "[C]";
    const Source* source = profile.sourceOf(function);
    if (source == nullptr)
        return {};
    const std::string& chunk = source->chunkName;
    const bool isNamed = chunk.starts_with('@') || chunk.starts_with('=');
    return isNamed ? chunk.substr(1) : source->label;
}

/// Writes one member for each metric beyond time that the run has.
void writeFurtherMetrics(JsonWriter& json, const Profile& profile, const FunctionCosts& costs)
{
    struct Name
    {
        Metric metric;
        const char* self;
        const char* total;
    };
    constexpr std::array<Name, 3> names = {{
        {Metric::Samples, "self_samples", "total_samples"},
        {Metric::Bytes, "self_bytes", "total_bytes"},
        {Metric::Blocks, "self_blocks", "total_blocks"},
    }};
    for (const Name& name : names) {
        if (!profile.tree->has(name.metric))
            continue;
        json.member(name.self, costs.self[static_cast<std::size_t>(name.metric)]);
        json.member(name.total, costs.total[static_cast<std::size_t>(name.metric)]);
    }
}

void writeDurations(JsonWriter& json, const Profile& profile, FunctionId id)
{
    if (id.value() >= profile.durations.size() || profile.durations[id.value()].count == 0)
        return;
    const DurationStatistics& duration = profile.durations[id.value()];
    json.member("minimum_ns", duration.minimum.nanoseconds());
    json.member("median_ns", duration.median.nanoseconds());
    json.member("percentile95_ns", duration.percentile95.nanoseconds());
    json.member("maximum_ns", duration.maximum.nanoseconds());
}

void writeFunction(JsonWriter& json, const Profile& profile, const FunctionCosts& costs)
{
    const Function& function = profile.function(costs.function);
    // Where nothing was taken out, the raw time is the time.
    const Metric raw = profile.tree->has(Metric::RawTime) ? Metric::RawTime : Metric::Time;
    json.beginObject(Layout::Inline);
    json.member("id", costs.function.value());
    json.member("name", function.name);
    json.member("source", sourceName(profile, function));
    json.member("line", function.line);
    json.member("last_line", function.lastLine);
    json.member("kind", nameOf(function.kind));
    callsOrNull(json, profile, "calls", costs.calls);
    callsOrNull(json, profile, "tail_calls", costs.tailCalls);
    json.member("self_ns", costs.self[0]);
    json.member("total_ns", costs.total[0]);
    json.member("raw_self_ns", costs.self[static_cast<std::size_t>(raw)]);
    json.member("raw_total_ns", costs.total[static_cast<std::size_t>(raw)]);
    writeFurtherMetrics(json, profile, costs);
    writeDurations(json, profile, costs.function);
    json.endObject();
}

void writeEdge(JsonWriter& json, const Profile& profile, const Edge& edge)
{
    json.beginObject(Layout::Inline);
    json.member("caller", edge.caller.value());
    json.member("callee", edge.callee.value());
    callsOrNull(json, profile, "calls", edge.calls);
    callsOrNull(json, profile, "tail_calls", edge.tailCalls);
    json.key("total_ns");
    if (edge.hasTotal)
        json.value(edge.total[0]);
    else
        json.null();
    json.endObject();
}

void writeTree(JsonWriter& json, const CallTree& tree)
{
    json.key("tree_columns");
    json.beginArray(Layout::Inline);
    for (const char* column : {"parent", "function", "calls", "self_ns", "tail"})
        json.value(column);
    json.endArray();
    json.key("tree");
    json.beginArray();
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index) {
        const NodeId node(index);
        json.beginArray(Layout::Inline);
        for (const std::uint32_t reference :
             {tree.parent(node).value(), tree.function(node).value()}) {
            if (reference == UINT32_MAX)
                json.null();
            else
                json.value(reference);
        }
        if (tree.has(Metric::Calls))
            json.value(tree.callCount(node));
        else
            json.null();
        json.value(tree.selfTime(node).nanoseconds());
        json.value(tree.isTailCall(node) ? 1 : 0);
        json.endArray();
    }
    json.endArray();
}

} // namespace

void writeJsonReport(std::FILE* stream, const Profile& profile, const FunctionTable& table,
                     const ReportOptions& options)
{
    JsonWriter json(stream);
    json.beginObject();
    json.member("format", "perilune-report");
    json.member("version", 1);
    json.member("written_by", "Perilune " PERILUNE_VERSION);
    writeRun(json, profile.run);
    json.key("functions");
    json.beginArray();
    for (const FunctionCosts& costs : reportedRows(table, options))
        writeFunction(json, profile, costs);
    json.endArray();
    json.key("edges");
    json.beginArray();
    for (const Edge& edge : table.edges())
        writeEdge(json, profile, edge);
    json.endArray();
    writeTree(json, *profile.tree);
    json.endObject();
}

} // namespace perilune::cli
