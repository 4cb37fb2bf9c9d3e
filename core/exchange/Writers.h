// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/Export.h"
#include "core/exchange/Output.h"

#include <string_view>

/// One writer per format; errors of writing stay in the output.
namespace perilune {

void writeCollapsed(const Profile& profile, const ExportOptions& options, Output& out);
void writeSpeedscope(const Profile& profile, const ExportOptions& options, Output& out);
void writeCallgrind(const Profile& profile, const ExportOptions& options, Output& out);
void writePprof(const Profile& profile, const ExportOptions& options, Output& out);
void writeCsvFunctions(const Profile& profile, const ExportOptions& options, Output& out);
void writeCsvEdges(const Profile& profile, const ExportOptions& options, Output& out);
void writeCsvLines(const Profile& profile, const ExportOptions& options, Output& out);
void writeMarkdown(const Profile& profile, const ExportOptions& options, Output& out);
void writeHtml(const Profile& profile, const ExportOptions& options, Output& out);

/// The metric that stands for time.
inline Metric timeMetric(const Profile& profile, const ExportOptions& options)
{
    return options.rawTime && profile.tree->has(Metric::RawTime) ? Metric::RawTime : Metric::Time;
}

/// Name of the frame in whose place frames past ExportOptions::maximumDepth would stand.
inline constexpr std::string_view cutFrameName = "(deeper frames left out)";

} // namespace perilune
