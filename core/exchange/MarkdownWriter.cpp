// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/HeaviestFunctions.h"
#include "core/exchange/RunSummaryText.h"
#include "core/exchange/Text.h"
#include "core/exchange/Writers.h"

#include <string>

namespace perilune {

namespace {

/// Text of a cell that shows as it is: what has a meaning in Markdown or HTML is escaped.
std::string plain(std::string_view text)
{
    std::string result;
    for (const char c : singleLine(text)) {
        if (c == '<')
            result += "&lt;";
        else if (c == '&')
            result += "&amp;";
        else if (std::string_view("\\`*_{}[]|~#").find(c) != std::string_view::npos)
            result += {'\\', c};
        else
            result += c;
    }
    return result;
}

} // namespace

void writeMarkdown(const Profile& profile, const ExportOptions& options, Output& out)
{
    const HeaviestFunctions functions(profile, timeMetric(profile, options),
                                      options.rowLimit.value_or(25));
    for (const auto& [title, text] : runFacts(profile, options))
        out << "- " << title << ": " << plain(text) << '\n';
    out << "\n| Function | Self | Self % | Total | Total % | Calls | Location |\n"
           "|:---|---:|---:|---:|---:|---:|:---|\n";
    const bool hasCalls = profile.tree->has(Metric::Calls);
    for (const FunctionCosts& costs : functions.rows()) {
        const Function& function = profile.function(costs.function);
        const std::uint64_t self = functions.self(costs);
        const std::uint64_t total = functions.total(costs);
        out << "| " << plain(function.name) << " | " << durationText(self) << " | "
            << shareText(self, functions.sum()) << " | " << durationText(total) << " | "
            << shareText(total, functions.sum()) << " | "
            << (hasCalls ? countText(costs.calls) : "–") << " | "
            << plain(profile.location(function)) << " |\n";
    }
    out << '\n' << functions.countsText() << '\n';
}

} // namespace perilune
