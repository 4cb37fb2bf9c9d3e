// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ExitCode.h"
#include "core/cli/ProfileFile.h"
#include "core/cli/Report.h"
#include "core/cli/Verb.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace perilune::cli {

namespace {

/// What `report` was asked for.
struct Request
{
    QString file;
    std::optional<qint64> run;
    bool isJson = false;
    ReportOptions options;
};

/// How many functions the table shows unless told otherwise; the JSON has all.
constexpr qint64 defaultTableLimit = 30;

void describe(QCommandLineParser& parser)
{
    parser.addOptions({
        {QStringLiteral("run"), QStringLiteral("The run to report; the newest if not given."),
         QStringLiteral("N")},
        {QStringLiteral("format"), QStringLiteral("table (default) or json."),
         QStringLiteral("FORMAT")},
        {QStringLiteral("sort"), QStringLiteral("self (default), total or calls; largest first."),
         QStringLiteral("COLUMN")},
        {QStringLiteral("limit"),
         QStringLiteral("Report only the first N functions, 0 for all (default: %1 in a table, all "
                        "in JSON).")
             .arg(defaultTableLimit),
         QStringLiteral("N")},
    });
}

/// The index of an option's value among `choices`, 0 when it is not given; prints an error for
/// others.
std::optional<int> choice(const QCommandLineParser& parser, const QString& option,
                          const QStringList& choices)
{
    if (!parser.isSet(option))
        return 0;
    const auto index = choices.indexOf(parser.value(option));
    if (index >= 0)
        return static_cast<int>(index);
    usageError(QStringLiteral("--%1 is one of %2, not “%3”.")
                   .arg(option, choices.join(QStringLiteral(", ")), parser.value(option)));
    return std::nullopt;
}

std::optional<QString> fileArgument(const QStringList& arguments)
{
    if (arguments.isEmpty())
        usageError(QStringLiteral("FILE is missing: a session or a recording."));
    else if (arguments.size() > 1)
        usageError(QStringLiteral("“%1” is one argument too many; a report is of one file.")
                       .arg(arguments[1]));
    else
        return arguments.first();
    return std::nullopt;
}

std::optional<Request> parse(const QCommandLineParser& parser)
{
    Request request;
    const auto format =
        choice(parser, QStringLiteral("format"), {QStringLiteral("table"), QStringLiteral("json")});
    const auto sort =
        choice(parser, QStringLiteral("sort"),
               {QStringLiteral("self"), QStringLiteral("total"), QStringLiteral("calls")});
    if (!format || !sort)
        return std::nullopt;
    request.isJson = *format == 1;
    request.options.sort = static_cast<SortKey>(*sort);
    const auto limit =
        wholeNumber(parser, QStringLiteral("limit"), 0, request.isJson ? 0 : defaultTableLimit);
    const auto run = wholeNumber(parser, QStringLiteral("run"), 1, 0);
    const auto file = limit && run ? fileArgument(parser.positionalArguments()) : std::nullopt;
    if (!file)
        return std::nullopt;
    request.options.limit = static_cast<std::size_t>(*limit);
    if (*run != 0)
        request.run = *run;
    request.file = *file;
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
    const auto table = FunctionTable::compute(**profile);
    const auto write = request->isJson ? writeJsonReport : writeTableReport;
    write(stdout, **profile, table, request->options);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        printError(QStringLiteral("The report cannot be written: %1.")
                       .arg(QString::fromLocal8Bit(std::strerror(errno))));
        return CannotRead;
    }
    return Success;
}

} // namespace

const Verb reportVerb = {"report",
                         "FILE [options]",
                         "Show which functions of a recorded run cost what.",
                         Verb::Options::Anywhere,
                         describe,
                         run};

} // namespace perilune::cli
