// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/ExportFormat.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

// The suffix of collapsed stacks says the unit, which the format cannot; speedscope knows its end.
constexpr std::array formats = {
    ExportFormatInfo{ExportFormat::Collapsed, "collapsed", ".ns.collapsedstack.txt",
                     "collapsed stacks, for flamegraph.pl, inferno, speedscope"},
    ExportFormatInfo{ExportFormat::Speedscope, "speedscope", ".speedscope.json",
                     "JSON for speedscope.app"},
    ExportFormatInfo{ExportFormat::Callgrind, "callgrind", ".callgrind",
                     "call graph for KCachegrind and callgrind_annotate"},
    ExportFormatInfo{ExportFormat::Pprof, "pprof", ".pb.gz",
                     "for go tool pprof, speedscope, Pyroscope"},
    ExportFormatInfo{ExportFormat::CsvFunctions, "csv", ".csv", "table of functions"},
    ExportFormatInfo{ExportFormat::CsvEdges, "csv-edges", ".edges.csv",
                     "table of callers and callees"},
    ExportFormatInfo{ExportFormat::CsvLines, "csv-lines", ".lines.csv", "table of source lines"},
    ExportFormatInfo{ExportFormat::Markdown, "markdown", ".md", "table for issue reports"},
    ExportFormatInfo{ExportFormat::Html, "html", ".html", "report with flame graph, in one file"},
};

} // namespace

std::span<const ExportFormatInfo> exportFormats()
{
    return formats;
}

const ExportFormatInfo& infoOf(ExportFormat format)
{
    return *std::ranges::find(formats, format, &ExportFormatInfo::format);
}

std::optional<ExportFormat> findExportFormat(std::string_view name)
{
    const auto found = std::ranges::find(formats, name, &ExportFormatInfo::name);
    if (found == formats.end())
        return {};
    return found->format;
}

std::optional<ExportFormat> exportFormatOfFileName(std::string_view path)
{
    const ExportFormatInfo* best = nullptr;
    for (const ExportFormatInfo& info : formats) {
        if (path.ends_with(info.suffix) && (!best || info.suffix.size() > best->suffix.size()))
            best = &info;
    }
    if (!best)
        return {};
    return best->format;
}

} // namespace perilune
