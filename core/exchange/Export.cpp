// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Export.h"

#include "core/exchange/Output.h"
#include "core/exchange/Writers.h"

namespace perilune {

namespace {

using Writer = void (*)(const Profile&, const ExportOptions&, Output&);

Writer writerOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Collapsed:
        return writeCollapsed;
    case ExportFormat::Speedscope:
        return writeSpeedscope;
    case ExportFormat::Callgrind:
        return writeCallgrind;
    case ExportFormat::Pprof:
        return writePprof;
    case ExportFormat::CsvFunctions:
        return writeCsvFunctions;
    case ExportFormat::CsvEdges:
        return writeCsvEdges;
    case ExportFormat::CsvLines:
        return writeCsvLines;
    case ExportFormat::Markdown:
        return writeMarkdown;
    case ExportFormat::Html:
        return writeHtml;
    }
    return writeCollapsed;
}

} // namespace

Result<void> exportProfile(const Profile& profile, ExportFormat format, const std::string& path,
                           const ExportOptions& options)
{
    auto file = FileOutput::create(path);
    if (!file)
        return file.error();
    writerOf(format)(profile, options, **file);
    return (*file)->finish();
}

} // namespace perilune
