// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/HistoryReport.h"

#include "core/cli/JsonWriter.h"
#include "core/cli/NumberText.h"
#include "core/cli/TextTable.h"
#include "core/cli/TimeText.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace perilune::cli {

namespace {

using Layout = JsonWriter::Layout;

std::string_view markName(const HistoryRow& row)
{
    constexpr std::array<std::string_view, 5> names = {"", "above", "below", "shift_up",
                                                       "shift_down"};
    return row.isFailed ? "failed" : names[static_cast<std::size_t>(row.point.mark)];
}

std::string markText(const HistoryRow& row)
{
    std::string text = row.isBaseline ? "★ baseline " : "";
    if (row.isFailed)
        return text + "! failed";
    switch (row.point.mark) {
    case HistoryMark::Above:
    case HistoryMark::Below:
        return text + "outlier";
    case HistoryMark::ShiftUp:
        return text + "▲ slower from here on";
    case HistoryMark::ShiftDown:
        return text + "▼ faster from here on";
    case HistoryMark::None:
        break;
    }
    return text;
}

std::string valueText(double value, HistoryUnit unit)
{
    const auto whole = std::llround(value);
    switch (unit) {
    case HistoryUnit::Nanoseconds:
        return durationText(Duration::fromNanoseconds(whole));
    case HistoryUnit::Bytes:
        return bytesText(static_cast<std::uint64_t>(whole));
    case HistoryUnit::Count:
        break;
    }
    return countText(static_cast<std::uint64_t>(whole));
}

std::string runNumbers(const HistoryRow& row, const char* separator)
{
    std::string text;
    for (const std::int64_t run : row.runs)
        text += (text.empty() ? "" : separator) + std::to_string(run);
    return text;
}

std::string shortNumbers(const HistoryRow& row)
{
    if (row.runs.size() < 3)
        return runNumbers(row, ", ");
    return std::to_string(row.runs.front()) + "–" + std::to_string(row.runs.back());
}

/// The median of the newest baseline, if there is one.
std::optional<double> baselineOf(const HistoryTable& table)
{
    std::optional<double> baseline;
    for (const HistoryRow& row : table.rows)
        if (row.isBaseline && row.point.hasValue())
            baseline = row.point.median;
    return baseline;
}

std::optional<double> deltaOf(const HistoryRow& row, const std::optional<double>& baseline)
{
    if (!baseline || *baseline == 0.0 || !row.point.hasValue())
        return std::nullopt;
    return row.point.median / *baseline - 1.0;
}

std::string signedPercent(double share)
{
    const std::string size = percentText(std::abs(share));
    return share == 0.0 ? size : (share > 0.0 ? "+" : "−") + size;
}

std::string textOf(const HistoryTable& history, HistoryUnit unit)
{
    TextTable table;
    const auto right = TextTable::Alignment::Right;
    const auto left = TextTable::Alignment::Left;
    table.addColumn("Run", left);
    table.addColumn("Started", left);
    table.addColumn("Median", right);
    table.addColumn("95 % interval", left);
    table.addColumn("Runs", right);
    table.addColumn("To baseline", right);
    table.addColumn("Note", left, 60);
    const auto baseline = baselineOf(history);
    const std::string* setUp = nullptr;
    for (const HistoryRow& row : history.rows) {
        const HistoryPoint& point = row.point;
        const auto delta = deltaOf(row, baseline);
        std::string note = markText(row);
        if (point.hasValue() && setUp && *setUp != row.setUp)
            note += (note.empty() ? "" : "; ") + std::string("set-up: ") + row.setUp;
        if (point.hasValue())
            setUp = &row.setUp;
        table.addRow({shortNumbers(row), isoTime(row.startedAtUnixMs),
                      point.hasValue() ? valueText(point.median, unit) : std::string("–"),
                      point.interval ? valueText(point.interval->lower, unit) + " … "
                              + valueText(point.interval->upper, unit)
                                     : std::string(),
                      std::to_string(point.repeatCount),
                      delta ? signedPercent(*delta) : std::string(), note});
    }
    return table.text();
}

std::string csvText(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char byte : text)
        quoted += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    return quoted + "\"";
}

std::string number(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.15g", value);
    return text.data();
}

std::string number(const std::optional<double>& value)
{
    return value ? number(*value) : std::string();
}

std::optional<double> lowerOf(const std::optional<Interval>& interval)
{
    return interval ? std::optional(interval->lower) : std::nullopt;
}

std::optional<double> upperOf(const std::optional<Interval>& interval)
{
    return interval ? std::optional(interval->upper) : std::nullopt;
}

void writeCsv(std::FILE* stream, const HistoryReport& report)
{
    std::fputs(
        "file,script,runs,name,started_at,repeats,median,interval_low,interval_high,expected,"
        "band_low,band_high,mark,baseline,segment,set_up\r\n",
        stream);
    for (const HistoryTable& table : report.tables) {
        for (const HistoryRow& row : table.rows) {
            const HistoryPoint& point = row.point;
            const std::array<std::string, 16> fields = {csvText(table.file),
                                                        csvText(table.script),
                                                        csvText(runNumbers(row, " ")),
                                                        csvText(row.name),
                                                        isoTime(row.startedAtUnixMs),
                                                        std::to_string(point.repeatCount),
                                                        point.hasValue() ? number(point.median)
                                                                         : std::string(),
                                                        number(lowerOf(point.interval)),
                                                        number(upperOf(point.interval)),
                                                        number(point.centre),
                                                        number(lowerOf(point.band)),
                                                        number(upperOf(point.band)),
                                                        std::string(markName(row)),
                                                        row.isBaseline ? "1" : "0",
                                                        std::to_string(point.segment),
                                                        csvText(row.setUp)};
            std::string line;
            for (const std::string& field : fields)
                line += (&field == fields.data() ? "" : ",") + field;
            std::fputs((line + "\r\n").c_str(), stream);
        }
    }
}

void numberOrNull(JsonWriter& json, std::string_view name, const std::optional<double>& value)
{
    json.key(name);
    if (value)
        json.value(*value);
    else
        json.null();
}

void writeInterval(JsonWriter& json, std::string_view name, const std::optional<Interval>& interval)
{
    json.key(name);
    if (!interval) {
        json.null();
        return;
    }
    json.beginArray(Layout::Inline);
    json.value(interval->lower);
    json.value(interval->upper);
    json.endArray();
}

void writeRow(JsonWriter& json, const HistoryRow& row)
{
    const HistoryPoint& point = row.point;
    json.beginObject(Layout::Inline);
    json.key("runs");
    json.beginArray(Layout::Inline);
    for (const std::int64_t run : row.runs)
        json.value(run);
    json.endArray();
    json.member("name", row.name);
    json.member("started_at", isoTime(row.startedAtUnixMs));
    json.member("repeats", point.repeatCount);
    numberOrNull(json, "median", point.hasValue() ? std::optional(point.median) : std::nullopt);
    writeInterval(json, "interval", point.interval);
    numberOrNull(json, "expected", point.centre);
    writeInterval(json, "band", point.band);
    json.member("mark", markName(row));
    json.member("baseline", row.isBaseline);
    json.member("segment", point.segment);
    json.member("set_up", row.setUp);
    json.endObject();
}

void writeJson(std::FILE* stream, const HistoryReport& report)
{
    constexpr std::array<std::string_view, 3> unitNames = {"ns", "bytes", "count"};
    JsonWriter json(stream);
    json.beginObject();
    json.member("format", "perilune-history");
    json.member("version", 1);
    json.member("written_by", "Perilune " PERILUNE_VERSION);
    json.member("function", report.function);
    json.member("metric", report.metric);
    json.member("unit", unitNames[static_cast<std::size_t>(report.unit)]);
    json.key("histories");
    json.beginArray();
    for (const HistoryTable& table : report.tables) {
        json.beginObject();
        json.member("file", table.file);
        json.member("script", table.script);
        json.key("points");
        json.beginArray();
        for (const HistoryRow& row : table.rows)
            writeRow(json, row);
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
    std::fputc('\n', stream);
}

void writeTables(std::FILE* stream, const HistoryReport& report)
{
    std::string text;
    for (const HistoryTable& table : report.tables) {
        text += text.empty() ? "" : "\n";
        text += table.script + " in " + table.file + ": " + report.metric
            + (report.function.empty() ? "" : " of " + report.function) + "\n"
            + textOf(table, report.unit);
    }
    std::fputs(text.empty() ? "No runs.\n" : text.c_str(), stream);
}

} // namespace

HistoryUnit unitOf(HistoryQuantity quantity)
{
    switch (quantity) {
    case HistoryQuantity::Calls:
        return HistoryUnit::Count;
    case HistoryQuantity::SelfBytes:
    case HistoryQuantity::TotalBytes:
        return HistoryUnit::Bytes;
    case HistoryQuantity::Self:
    case HistoryQuantity::Total:
    case HistoryQuantity::Mean:
        break;
    }
    return HistoryUnit::Nanoseconds;
}

HistoryTable makeHistoryTable(const std::string& file, const std::string& script,
                              const std::vector<RunSummary>& runs,
                              const std::vector<RunPoint>& points)
{
    std::vector<HistoryEntry> entries;
    for (const RunPoint& point : points)
        entries.push_back(point.entry);
    const HistoryAnalysis analysis = analyseHistory(entries);
    HistoryTable table{file, script, {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        HistoryRow row;
        for (const std::size_t run : points[i].runs) {
            row.runs.push_back(runs[run].id);
            row.isBaseline = row.isBaseline || runs[run].isBaseline;
            row.name = runs[run].name;
        }
        row.startedAtUnixMs = points[i].entry.startedAtUnixMs;
        row.isFailed = points[i].entry.isFailed;
        row.setUp = points[i].entry.setUp;
        row.point = analysis.points[i];
        table.rows.push_back(std::move(row));
    }
    return table;
}

void writeHistory(std::FILE* stream, const HistoryReport& report, HistoryFormat format)
{
    switch (format) {
    case HistoryFormat::Table:
        writeTables(stream, report);
        break;
    case HistoryFormat::Csv:
        writeCsv(stream, report);
        break;
    case HistoryFormat::Json:
        writeJson(stream, report);
        break;
    }
}

} // namespace perilune::cli
