// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/NumberText.h"
#include "core/cli/Report.h"
#include "core/cli/TextTable.h"
#include "core/session/Names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perilune::cli {

namespace {

constexpr std::size_t maximumNameWidth = 48;
constexpr std::size_t maximumLocationWidth = 60;

std::uint64_t weight(const FunctionCosts& costs, SortKey key)
{
    switch (key) {
    case SortKey::Self:
        return costs.self[0];
    case SortKey::Total:
        return costs.total[0];
    case SortKey::Calls:
        return costs.calls;
    }
    return 0;
}

/// "script error, exit code 1"
std::string statusText(const RunInfo& run)
{
    std::string text(nameOf(run.status));
    std::replace(text.begin(), text.end(), '_', ' ');
    if (run.signal != 0)
        text += " by signal " + std::to_string(run.signal);
    if (run.exitCode != 0)
        text += ", exit code " + std::to_string(run.exitCode);
    return text;
}

/// What was run and how it ended, in a few lines.
std::string heading(const Profile& profile)
{
    const RunInfo& run = profile.run;
    std::string text = run.script.empty() ? "Run" : run.script;
    for (const std::string& argument : run.arguments)
        text += " " + argument;
    text += "\n" + statusText(run) + " · " + durationText(run.wallTime) + " · "
        + (run.luaVersion.empty() ? "Lua" : run.luaVersion) + " · " + std::string(nameOf(run.mode))
        + " mode";
    if (run.isPartial())
        text += " · partial";
    text += "\n";
    if (!run.errorMessage.empty())
        text += run.errorMessage + "\n";
    for (const std::string& warning : run.warnings)
        text += "Note: " + warning + "\n";
    return text;
}

/// What the columns look at.
struct Row
{
    const Profile& profile;
    const FunctionTable& table;
    const FunctionCosts& costs;

    const Function& function() const { return profile.function(costs.function); }
    std::uint64_t self(Metric metric) const { return costs.self[static_cast<std::size_t>(metric)]; }
    double share(std::uint64_t time) const
    {
        const std::uint64_t whole = table.sum(Metric::Time);
        return whole == 0 ? 0.0 : static_cast<double>(time) / static_cast<double>(whole);
    }
};

struct Column
{
    const char* title;
    std::string (*text)(const Row&);
    std::optional<Metric> metric = {}; ///< Shown only where this was measured.
    TextTable::Alignment alignment = TextTable::Alignment::Right;
    std::size_t maximumWidth = 0;
};

constexpr auto left = TextTable::Alignment::Left;

const std::array<Column, 10> columns = {{
    {"Function", [](const Row& row) { return row.function().name; }, {}, left, maximumNameWidth},
    {"Self", [](const Row& row) { return durationText(row.costs.selfTime()); }},
    {"Self %", [](const Row& row) { return percentText(row.share(row.costs.self[0])); }},
    {"Total", [](const Row& row) { return durationText(row.costs.totalTime()); }},
    {"Total %", [](const Row& row) { return percentText(row.share(row.costs.total[0])); }},
    {"Calls", [](const Row& row) { return countText(row.costs.calls); }, Metric::Calls},
    {"Mean/call",
     [](const Row& row) {
         const auto mean = row.costs.meanTime();
         return mean ? durationText(*mean) : std::string("–");
     },
     Metric::Calls},
    {"Samples", [](const Row& row) { return countText(row.self(Metric::Samples)); },
     Metric::Samples},
    {"Allocated", [](const Row& row) { return bytesText(row.self(Metric::Bytes)); }, Metric::Bytes},
    {"Location",
     [](const Row& row) { return row.profile.location(row.function()); },
     {},
     left,
     maximumLocationWidth},
}};

bool isShown(const Column& column, const CallTree& tree)
{
    return !column.metric || tree.has(*column.metric);
}

std::string tableText(const Profile& profile, const FunctionTable& table,
                      const std::vector<FunctionCosts>& rows)
{
    TextTable text;
    for (const Column& column : columns) {
        if (isShown(column, *profile.tree))
            text.addColumn(column.title, column.alignment, column.maximumWidth);
    }
    for (const FunctionCosts& costs : rows) {
        std::vector<std::string> texts;
        for (const Column& column : columns) {
            if (isShown(column, *profile.tree))
                texts.push_back(column.text({profile, table, costs}));
        }
        text.addRow(std::move(texts));
    }
    return text.text();
}

} // namespace

std::vector<FunctionCosts> reportedRows(const FunctionTable& table, const ReportOptions& options)
{
    std::vector<FunctionCosts> rows = table.rows();
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const FunctionCosts& left, const FunctionCosts& right) {
                         return weight(left, options.sort) > weight(right, options.sort);
                     });
    if (options.limit != 0 && rows.size() > options.limit)
        rows.resize(options.limit);
    return rows;
}

void writeTableReport(std::FILE* stream, const Profile& profile, const FunctionTable& table,
                      const ReportOptions& options)
{
    const auto rows = reportedRows(table, options);
    std::string report = heading(profile) + "\n" + tableText(profile, table, rows);
    if (rows.size() < table.rows().size())
        report += "\n" + countText(rows.size()) + " of " + countText(table.rows().size())
            + " functions; --limit 0 shows all.\n";
    std::fwrite(report.data(), 1, report.size(), stream);
}

} // namespace perilune::cli
