// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ComparisonReport.h"

#include "core/cli/NumberText.h"
#include "core/cli/TextTable.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace perilune::cli {

namespace {

constexpr std::size_t maximumNameWidth = 40;
constexpr std::size_t maximumLocationWidth = 48;

enum class Unit
{
    Duration,
    Bytes,
    Count,
    Share
};

Unit unitOf(const ComparisonOptions& options)
{
    if (options.normalisation == Normalisation::ShareOfRun)
        return Unit::Share;
    const bool isTime = options.metric == Metric::Time || options.metric == Metric::RawTime;
    if (options.cost == CostKind::Calls)
        return Unit::Count;
    return isTime ? Unit::Duration : (options.metric == Metric::Bytes ? Unit::Bytes : Unit::Count);
}

std::string costText(double value, const ComparisonOptions& options)
{
    const auto whole = std::llround(value);
    switch (unitOf(options)) {
    case Unit::Duration:
        return durationText(Duration::fromNanoseconds(whole));
    case Unit::Bytes:
        return bytesText(static_cast<std::uint64_t>(whole));
    case Unit::Share:
        return percentText(value);
    case Unit::Count:
        break;
    }
    return countText(static_cast<std::uint64_t>(whole));
}

std::string signedText(double value, const std::string& magnitude)
{
    if (value == 0.0)
        return magnitude;
    return (value > 0.0 ? "+" : "−") + magnitude;
}

std::string signedCost(double value, const ComparisonOptions& options)
{
    return signedText(value, costText(std::abs(value), options));
}

std::string signedPercent(double share)
{
    return signedText(share, percentText(std::abs(share)));
}

bool isTime(const ComparisonOptions& options)
{
    return options.cost != CostKind::Calls
        && (options.metric == Metric::Time || options.metric == Metric::RawTime);
}

std::string changeText(double ratio, const ComparisonOptions& options)
{
    const std::string size = percentText(std::abs(ratio - 1.0));
    if (isTime(options))
        return size + (ratio >= 1.0 ? " slower" : " faster");
    return size + (ratio >= 1.0 ? " more" : " less");
}

std::string runCounts(const ChangeEstimate& change)
{
    return std::to_string(change.countA) + " + " + std::to_string(change.countB) + " runs";
}

std::string verdictText(Verdict verdict, const ComparisonOptions& options)
{
    switch (verdict) {
    case Verdict::Slower:
        return isTime(options) ? "slower" : "more";
    case Verdict::Faster:
        return isTime(options) ? "faster" : "less";
    case Verdict::NoClearChange:
        return "no clear change";
    case Verdict::TooFewRuns:
        break;
    }
    return "too few runs";
}

std::string statusText(const MatchedFunction& function)
{
    switch (function.status) {
    case MatchStatus::New:
        return "new";
    case MatchStatus::Gone:
        return "gone";
    case MatchStatus::Renamed:
        return "renamed?";
    case MatchStatus::Moved:
        return function.reason == MatchReason::FileRenamed ? "file renamed" : "moved";
    case MatchStatus::Exact:
        break;
    }
    return function.reason == MatchReason::Manual ? "matched by you" : "";
}

std::string callsText(const ComparisonRow& row)
{
    const std::string before = countText(static_cast<std::uint64_t>(std::llround(row.callsA)));
    const std::string after = countText(static_cast<std::uint64_t>(std::llround(row.callsB)));
    return before == after ? before : before + " → " + after;
}

std::string deltaShareText(const ComparisonRow& row, MatchStatus status)
{
    if (status == MatchStatus::New)
        return "new";
    if (status == MatchStatus::Gone)
        return "gone";
    const auto share = row.deltaShare();
    return share ? signedPercent(*share) : "–";
}

std::string joinedNumbers(const std::vector<std::int64_t>& numbers)
{
    const bool isRange = numbers.size() > 2
        && numbers.back() - numbers.front() == static_cast<std::int64_t>(numbers.size()) - 1;
    if (isRange)
        return std::to_string(numbers.front()) + "–" + std::to_string(numbers.back());
    std::string text;
    for (const std::int64_t number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

std::string sideText(const char* letter, const ComparedSide& side)
{
    const RunInfo& run = side.group.back().profile->run;
    return std::string(letter) + "  " + side.file.toStdString() + ", run"
        + (side.runs.size() == 1 ? " " : "s ") + joinedNumbers(side.runs) + ": " + run.script;
}

std::string itemText(SetUpItem item)
{
    constexpr std::array<const char*, 20> titles = {"script",
                                                    "text of the script",
                                                    "Git commit",
                                                    "arguments",
                                                    "working directory",
                                                    "environment",
                                                    "standard input",
                                                    "interpreter",
                                                    "Lua version",
                                                    "machine",
                                                    "mode",
                                                    "sampling interval",
                                                    "clock",
                                                    "options",
                                                    "overhead correction",
                                                    "number of runs",
                                                    "runs that did not come to their end",
                                                    "drift between first and last runs",
                                                    "spread of the runs",
                                                    "all functions alike, per call"};
    return titles[static_cast<std::size_t>(item)];
}

std::string setUpText(const SetUpDifference& difference)
{
    const auto orNone = [](const std::string& text) {
        return text.empty() ? std::string("none") : text;
    };
    if (difference.item == SetUpItem::CommonShift)
        return "All functions changed alike, by " + difference.b
            + " per call: the machine may have been slower or faster.";
    return std::string(difference.weight == SetUpWeight::Warning ? "Differs: " : "Changed: ")
        + itemText(difference.item) + ": A " + orNone(difference.a) + ", B " + orNone(difference.b)
        + ".";
}

struct Column
{
    const char* title;
    TextTable::Alignment alignment;
    std::size_t maximumWidth;
    std::string (*text)(const Comparison& comparison, const ComparisonRow& row);
};

constexpr auto left = TextTable::Alignment::Left;
constexpr auto right = TextTable::Alignment::Right;

const std::array<Column, 9> columns = {{
    {"Function", left, maximumNameWidth,
     [](const Comparison& c, const ComparisonRow& row) { return c.functionOf(row).shown().name; }},
    {"A", right, 0,
     [](const Comparison& c, const ComparisonRow& row) {
         return c.functionOf(row).a ? costText(row.change.medianA, c.options()) : std::string("–");
     }},
    {"B", right, 0,
     [](const Comparison& c, const ComparisonRow& row) {
         return c.functionOf(row).b ? costText(row.change.medianB, c.options()) : std::string("–");
     }},
    {"Δ", right, 0,
     [](const Comparison& c, const ComparisonRow& row) {
         return signedCost(row.delta(), c.options());
     }},
    {"Δ %", right, 0,
     [](const Comparison& c, const ComparisonRow& row) {
         return deltaShareText(row, c.functionOf(row).status);
     }},
    {"Calls", right, 0, [](const Comparison&, const ComparisonRow& row) { return callsText(row); }},
    {"Clear?", left, 0,
     [](const Comparison& c, const ComparisonRow& row) {
         return verdictText(row.change.verdict, c.options());
     }},
    {"Status", left, 0,
     [](const Comparison& c, const ComparisonRow& row) { return statusText(c.functionOf(row)); }},
    {"Location", left, maximumLocationWidth,
     [](const Comparison& c, const ComparisonRow& row) {
         return c.functionOf(row).shown().location;
     }},
}};

std::string markdownCell(std::string text)
{
    for (std::size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2))
        text.insert(bar, "\\");
    std::replace_if(
        text.begin(), text.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x20; },
        ' ');
    return text;
}

std::string markdownTable(const ComparisonReport& report, const std::vector<std::size_t>& rows)
{
    std::string titles = "|";
    std::string rule = "|";
    for (const Column& column : columns) {
        titles += std::string(" ") + column.title + " |";
        rule += column.alignment == right ? " ---: |" : " --- |";
    }
    std::string text = titles + "\n" + rule + "\n";
    for (const std::size_t row : rows) {
        text += "|";
        for (const Column& column : columns)
            text += " "
                + markdownCell(column.text(*report.comparison, report.comparison->rows()[row]))
                + " |";
        text += "\n";
    }
    return text;
}

std::string plainTable(const ComparisonReport& report, const std::vector<std::size_t>& rows)
{
    TextTable table;
    for (const Column& column : columns)
        table.addColumn(column.title, column.alignment, column.maximumWidth);
    for (const std::size_t row : rows) {
        std::vector<std::string> texts;
        for (const Column& column : columns)
            texts.push_back(column.text(*report.comparison, report.comparison->rows()[row]));
        table.addRow(std::move(texts));
    }
    return table.text();
}

std::string omittedText(const ComparisonReport& report, std::size_t shown)
{
    const std::size_t all = report.comparison->rows().size();
    if (shown == all)
        return {};
    return std::to_string(all - shown) + " of " + std::to_string(all)
        + " functions not shown: unchanged, or past the limit (--all, --limit 0 show them).\n";
}

} // namespace

bool ComparisonReport::isRegression() const
{
    const ChangeEstimate& whole = comparison->whole();
    return failShare && whole.verdict == Verdict::Slower
        && (!whole.ratio || *whole.ratio - 1.0 > *failShare);
}

std::vector<std::size_t> ComparisonReport::reportedRows() const
{
    std::vector<std::size_t> rows = comparison->byDelta();
    if (!showsUnchanged)
        std::erase_if(rows, [this](std::size_t row) {
            return comparison->isUnchanged(comparison->rows()[row]);
        });
    if (limit > 0)
        rows.resize(std::min(limit, rows.size()));
    return rows;
}

std::string verdictSentence(const Comparison& comparison)
{
    const ChangeEstimate& whole = comparison.whole();
    const ComparisonOptions& options = comparison.options();
    if (!whole.ratio)
        return "Nothing to compare: A has nothing of it.";
    const std::string change = changeText(*whole.ratio, options);
    if (whole.verdict == Verdict::TooFewRuns)
        return "Too few runs to say (" + runCounts(whole) + "): B was " + change
            + " in the median. Run each " + std::to_string(options.rules.minimumRuns) + " times.";
    std::string evidence;
    if (whole.interval)
        evidence = "95 % interval " + signedPercent(whole.interval->lower - 1.0) + " … "
            + signedPercent(whole.interval->upper - 1.0) + ", ";
    evidence += runCounts(whole);
    if (isClear(whole.verdict))
        return "B is " + change + " (" + evidence + "): clear change.";
    return "No clear change: B is " + change + " (" + evidence + ").";
}

void writeComparison(std::FILE* stream, const ComparisonReport& report, ReportStyle style)
{
    const bool isMarkdown = style == ReportStyle::Markdown;
    const char* lineEnd = isMarkdown ? "  \n" : "\n";
    std::string text =
        sideText("A", report.sides.a) + lineEnd + sideText("B", report.sides.b) + lineEnd;
    for (const SetUpDifference& difference : report.setUp)
        text += setUpText(difference) + lineEnd;
    const std::string verdict = verdictSentence(*report.comparison);
    text += isMarkdown ? "\n**" + verdict + "**\n\n" : verdict + "\n\n";
    const std::vector<std::size_t> rows = report.reportedRows();
    text += isMarkdown ? markdownTable(report, rows) : plainTable(report, rows);
    if (const std::string omitted = omittedText(report, rows.size()); !omitted.empty())
        text += "\n" + omitted;
    if (report.isRegression())
        text +=
            "\nFailed: B is clearly slower by more than " + percentText(*report.failShare) + ".\n";
    std::fputs(text.c_str(), stream);
}

} // namespace perilune::cli
