// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/NumberText.h"
#include "core/cli/Report.h"
#include "core/cli/TextTable.h"
#include "core/session/Names.h"

#include <algorithm>
#include <string>

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

std::vector<std::string> rowTexts(const Profile& profile, const FunctionTable& table,
                                  const FunctionCosts& costs)
{
    const Function& function = profile.function(costs.function);
    const auto share = [&](std::uint64_t time) {
        const std::uint64_t whole = table.sum(Metric::Time);
        return whole == 0 ? 0.0 : static_cast<double>(time) / static_cast<double>(whole);
    };
    const auto mean = costs.meanTime();
    return {function.name,
            durationText(costs.selfTime()),
            percentText(share(costs.self[0])),
            durationText(costs.totalTime()),
            percentText(share(costs.total[0])),
            countText(costs.calls),
            mean ? durationText(*mean) : "–",
            profile.location(function)};
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
    using enum TextTable::Alignment;
    TextTable text;
    text.addColumn("Function", Left, maximumNameWidth);
    for (const char* title : {"Self", "Self %", "Total", "Total %", "Calls", "Mean/call"})
        text.addColumn(title, Right);
    text.addColumn("Location", Left, maximumLocationWidth);
    const auto rows = reportedRows(table, options);
    for (const FunctionCosts& costs : rows)
        text.addRow(rowTexts(profile, table, costs));

    std::string report = heading(profile) + "\n" + text.text();
    if (rows.size() < table.rows().size())
        report += "\n" + countText(rows.size()) + " of " + countText(table.rows().size())
            + " functions; --limit 0 shows all.\n";
    std::fwrite(report.data(), 1, report.size(), stream);
}

} // namespace perilune::cli
