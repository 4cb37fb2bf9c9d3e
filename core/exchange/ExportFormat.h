// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace perilune {

/// What a profile can be written as.
enum class ExportFormat
{
    Collapsed,    ///< Stacks in lines, weighed with self time in nanoseconds.
    Speedscope,   ///< JSON of speedscope.app.
    Callgrind,    ///< Valgrind's profile format 1, of KCachegrind.
    Pprof,        ///< Gzipped protocol buffer of `go tool pprof`.
    CsvFunctions, ///< One row per function.
    CsvEdges,     ///< One row per pair of caller and callee.
    CsvLines,     ///< One row per line of a function; only titles where lines were not measured.
    Markdown,     ///< A table for issue reports.
    Html,         ///< A report in one file that needs nothing else.
};

/// A format as people choose it.
struct ExportFormatInfo
{
    ExportFormat format;
    std::string_view name;        ///< As on the command line: "speedscope".
    std::string_view suffix;      ///< Of file names, with its dot: ".speedscope.json".
    std::string_view description; ///< A few English words on what opens it.
};

std::span<const ExportFormatInfo> exportFormats();
const ExportFormatInfo& infoOf(ExportFormat format);
std::optional<ExportFormat> findExportFormat(std::string_view name);
/// The format that a file name ends like; the longest suffix wins.
std::optional<ExportFormat> exportFormatOfFileName(std::string_view path);

} // namespace perilune
