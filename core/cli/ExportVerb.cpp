// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ExitCode.h"
#include "core/cli/ProfileFile.h"
#include "core/cli/Verb.h"
#include "core/exchange/Export.h"

#include <QFile>

#include <optional>
#include <unistd.h>

namespace perilune::cli {

namespace {

/// What `export` was asked for.
struct Request
{
    QString file;
    std::optional<qint64> run;
    ExportFormat format = ExportFormat::Collapsed;
    QString output;
    ExportOptions options;
};

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "collapsed (…), speedscope (…), …"
QString formatList()
{
    QStringList formats;
    for (const ExportFormatInfo& info : exportFormats())
        formats.append(
            QStringLiteral("%1 (%2)").arg(toQString(info.name), toQString(info.description)));
    return formats.join(QStringLiteral("; "));
}

void describe(QCommandLineParser& parser)
{
    parser.addOptions({
        {QStringLiteral("format"),
         QStringLiteral("One of: %1. Told by the name of the output if not given.")
             .arg(formatList()),
         QStringLiteral("FORMAT")},
        {{QStringLiteral("o"), QStringLiteral("output")},
         QStringLiteral("The file to write; the standard output if not given."),
         QStringLiteral("OUT")},
        {QStringLiteral("run"), QStringLiteral("The run to export; the newest if not given."),
         QStringLiteral("N")},
        {QStringLiteral("raw"),
         QStringLiteral("Times as the clock showed them, not corrected for the recorder's cost.")},
        {QStringLiteral("limit"),
         QStringLiteral("Functions in Markdown and HTML, 0 for all (default: 25 and 1000)."),
         QStringLiteral("N")},
        {QStringLiteral("max-depth"),
         QStringLiteral("Frames of one stack in collapsed, speedscope and pprof (default: 500)."),
         QStringLiteral("N")},
        {QStringLiteral("bom"), QStringLiteral("CSV: begin with a byte-order mark.")},
        {QStringLiteral("plain-names"),
         QStringLiteral("CSV: no apostrophe before names that a spreadsheet takes for formulas.")},
    });
}

std::optional<ExportFormat> chooseFormat(const QCommandLineParser& parser, const QString& output)
{
    if (!parser.isSet(QStringLiteral("format"))) {
        const auto format = exportFormatOfFileName(output.toStdString());
        if (!format)
            usageError(QStringLiteral("--format is missing; it is one of %1.").arg(formatList()));
        return format;
    }
    const QString name = parser.value(QStringLiteral("format"));
    const auto format = findExportFormat(name.toStdString());
    if (!format)
        usageError(QStringLiteral("--format is one of %1; not “%2”.").arg(formatList(), name));
    return format;
}

std::optional<ExportOptions> readOptions(const QCommandLineParser& parser)
{
    ExportOptions options;
    options.rawTime = parser.isSet(QStringLiteral("raw"));
    options.byteOrderMark = parser.isSet(QStringLiteral("bom"));
    options.guardFormulas = !parser.isSet(QStringLiteral("plain-names"));
    const auto limit = wholeNumber(parser, QStringLiteral("limit"), 0, -1);
    if (!limit)
        return std::nullopt;
    const auto depth = wholeNumber(parser, QStringLiteral("max-depth"), 3, options.maximumDepth);
    if (!depth)
        return std::nullopt;
    if (*limit >= 0)
        options.rowLimit = static_cast<std::uint32_t>(std::min<qint64>(*limit, UINT32_MAX));
    options.maximumDepth = static_cast<std::uint32_t>(std::min<qint64>(*depth, UINT32_MAX));
    return options;
}

std::optional<Request> parse(const QCommandLineParser& parser)
{
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1) {
        usageError(files.isEmpty()
                       ? QStringLiteral("FILE is missing: a session or a recording.")
                       : QStringLiteral("“%1” is one argument too many; an export is of one file.")
                             .arg(files[1]));
        return std::nullopt;
    }
    Request request;
    request.file = files.first();
    request.output = parser.isSet(QStringLiteral("output")) ? parser.value(QStringLiteral("output"))
                                                            : QStringLiteral("-");
    const auto format = chooseFormat(parser, request.output);
    if (!format)
        return std::nullopt;
    request.format = *format;
    const auto options = readOptions(parser);
    if (!options)
        return std::nullopt;
    request.options = *options;
    const auto run = wholeNumber(parser, QStringLiteral("run"), 1, 0);
    if (!run)
        return std::nullopt;
    if (*run != 0)
        request.run = *run;
    if (request.format == ExportFormat::Pprof && request.output == QStringLiteral("-")
        && ::isatty(STDOUT_FILENO) != 0) {
        usageError(QStringLiteral("pprof is binary and not for a terminal; give -o OUT."));
        return std::nullopt;
    }
    return request;
}

int run(const QCommandLineParser& parser)
{
    const auto request = parse(parser);
    if (!request)
        return UsageError;
    const auto profile = loadProfile(request->file, request->run);
    if (!profile) {
        printError(QString::fromStdString(profile.error().detail));
        return CannotRead;
    }
    const auto written =
        exportProfile(**profile, request->format, QFile::encodeName(request->output).toStdString(),
                      request->options);
    if (!written) {
        printError(QString::fromStdString(written.error().detail));
        return CannotRead;
    }
    return Success;
}

} // namespace

const Verb exportVerb = {"export",
                         "FILE --format FORMAT [-o OUT] [options]",
                         "Write a run in the format of another tool.",
                         Verb::Options::Anywhere,
                         describe,
                         run};

} // namespace perilune::cli
