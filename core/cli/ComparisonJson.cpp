// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ComparisonReport.h"
#include "core/cli/JsonWriter.h"

#include <array>
#include <optional>
#include <string_view>

namespace perilune::cli {

namespace {

using Layout = JsonWriter::Layout;

// The words of the format: only ever added to.
constexpr std::array<std::string_view, 4> verdictNames = {"too_few_runs", "no_clear_change",
                                                          "slower", "faster"};
constexpr std::array<std::string_view, 5> statusNames = {"same", "moved", "renamed", "new", "gone"};
constexpr std::array<std::string_view, 7> reasonNames = {
    "manual", "same_key", "line_moved", "file_renamed", "file_changed", "similar_body", "none"};
constexpr std::array<std::string_view, 3> normalisationNames = {"absolute", "per_call", "share"};
constexpr std::array<std::string_view, 3> correctionNames = {"none", "ranks", "welch"};
constexpr std::array<std::string_view, 20> itemNames = {"script",
                                                        "script_text",
                                                        "git_commit",
                                                        "arguments",
                                                        "working_directory",
                                                        "environment",
                                                        "stdin",
                                                        "interpreter",
                                                        "lua_version",
                                                        "machine",
                                                        "mode",
                                                        "sampling_interval",
                                                        "clock",
                                                        "options",
                                                        "correction",
                                                        "run_count",
                                                        "partial",
                                                        "drift",
                                                        "unsteady",
                                                        "common_shift"};

template<typename Names, typename Value>
std::string_view nameIn(const Names& names, Value value)
{
    return names[static_cast<std::size_t>(value)];
}

void numberOrNull(JsonWriter& json, std::string_view name, const std::optional<double>& value)
{
    json.key(name);
    if (value)
        json.value(*value);
    else
        json.null();
}

void writeSide(JsonWriter& json, std::string_view name, const ComparedSide& side)
{
    json.key(name);
    json.beginObject();
    json.member("file", side.file.toStdString());
    json.key("runs");
    json.beginArray(Layout::Inline);
    for (const std::int64_t run : side.runs)
        json.value(run);
    json.endArray();
    const RunInfo& run = side.group.back().profile->run;
    json.member("script", run.script);
    json.member("script_hash", run.scriptHash);
    json.endObject();
}

void writeChange(JsonWriter& json, const ChangeEstimate& change)
{
    json.member("a", change.medianA);
    json.member("b", change.medianB);
    json.member("delta", change.medianB - change.medianA);
    json.key("ratio");
    change.ratio ? json.value(*change.ratio) : json.null();
    json.key("interval");
    if (change.interval) {
        json.beginArray(Layout::Inline);
        json.value(change.interval->lower);
        json.value(change.interval->upper);
        json.endArray();
    } else {
        json.null();
    }
    const bool isJudged = change.verdict != Verdict::TooFewRuns;
    numberOrNull(json, "p", isJudged ? std::optional(change.rankTest.p) : std::nullopt);
    numberOrNull(json, "adjusted_p", isJudged ? std::optional(change.adjustedP) : std::nullopt);
    json.member("verdict", nameIn(verdictNames, change.verdict));
}

void writeWhole(JsonWriter& json, const Comparison& comparison)
{
    json.key("whole");
    json.beginObject();
    json.member("runs_a", comparison.whole().countA);
    json.member("runs_b", comparison.whole().countB);
    writeChange(json, comparison.whole());
    json.endObject();
}

void writeSetUp(JsonWriter& json, const std::vector<SetUpDifference>& setUp)
{
    json.key("set_up");
    json.beginArray();
    for (const SetUpDifference& difference : setUp) {
        json.beginObject(Layout::Inline);
        json.member("item", nameIn(itemNames, difference.item));
        json.member("expected", difference.weight == SetUpWeight::Expected);
        json.member("a", difference.a);
        json.member("b", difference.b);
        json.endObject();
    }
    json.endArray();
}

void writeFunctionSide(JsonWriter& json, std::string_view name,
                       const std::optional<MatchedSide>& side)
{
    json.key(name);
    if (!side) {
        json.null();
        return;
    }
    json.beginObject(Layout::Inline);
    json.member("name", side->name);
    json.member("location", side->location);
    json.endObject();
}

void writeFunction(JsonWriter& json, const Comparison& comparison, const ComparisonRow& row)
{
    const MatchedFunction& function = comparison.functionOf(row);
    json.beginObject(Layout::Inline);
    json.member("name", function.shown().name);
    json.member("location", function.shown().location);
    json.member("status", nameIn(statusNames, function.status));
    json.member("match", nameIn(reasonNames, function.reason));
    json.member("similarity", function.similarity);
    writeFunctionSide(json, "function_a", function.a);
    writeFunctionSide(json, "function_b", function.b);
    writeChange(json, row.change);
    numberOrNull(json, "delta_share", row.deltaShare());
    json.member("calls_a", row.callsA);
    json.member("calls_b", row.callsB);
    json.member("unchanged", comparison.isUnchanged(row));
    json.endObject();
}

FamilyCorrection correctionOf(const Comparison& comparison)
{
    for (const ComparisonRow& row : comparison.rows())
        if (row.change.familySize > 1)
            return row.change.correction;
    return FamilyCorrection::None;
}

} // namespace

void writeComparisonJson(std::FILE* stream, const ComparisonReport& report)
{
    const Comparison& comparison = *report.comparison;
    const ComparisonOptions& options = comparison.options();
    JsonWriter json(stream);
    json.beginObject();
    json.member("format", "perilune-comparison");
    json.member("version", 1);
    json.member("written_by", "Perilune " PERILUNE_VERSION);
    writeSide(json, "a", report.sides.a);
    writeSide(json, "b", report.sides.b);
    json.member("metric", report.metric);
    json.member("normalise", nameIn(normalisationNames, options.normalisation));
    json.member("threshold", options.rules.threshold);
    json.member("level", options.rules.level);
    json.member("correction", nameIn(correctionNames, correctionOf(comparison)));
    writeSetUp(json, report.setUp);
    writeWhole(json, comparison);
    numberOrNull(json, "fail_if_slower", report.failShare);
    json.member("failed", report.isRegression());
    json.key("functions");
    json.beginArray();
    for (const std::size_t row : report.reportedRows())
        writeFunction(json, comparison, comparison.rows()[row]);
    json.endArray();
    json.endObject();
    std::fputc('\n', stream);
}

} // namespace perilune::cli
