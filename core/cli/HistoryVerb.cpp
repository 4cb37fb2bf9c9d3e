// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ExitCode.h"
#include "core/cli/HistoryReport.h"
#include "core/cli/Verb.h"
#include "core/session/RunHistory.h"

#include <QFile>
#include <QStringList>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>

namespace perilune::cli {

namespace {

struct QuantityChoice
{
    const char* name;
    HistoryQuantity quantity;
};

constexpr std::array<QuantityChoice, 6> quantities = {{
    {"total", HistoryQuantity::Total},
    {"self", HistoryQuantity::Self},
    {"calls", HistoryQuantity::Calls},
    {"mean", HistoryQuantity::Mean},
    {"self-bytes", HistoryQuantity::SelfBytes},
    {"total-bytes", HistoryQuantity::TotalBytes},
}};

struct Request
{
    QStringList files;
    QString script;   ///< Empty: all.
    QString function; ///< Empty: the whole run.
    QuantityChoice quantity = quantities[0];
    HistoryFormat format = HistoryFormat::Table;
};

QStringList quantityNames()
{
    QStringList names;
    for (const QuantityChoice& choice : quantities)
        names << QLatin1String(choice.name);
    return names;
}

void describe(QCommandLineParser& parser)
{
    parser.addOptions({
        {QStringLiteral("function"),
         QStringLiteral("Follow this function, NAME or NAME@FILE; the whole run if not given."),
         QStringLiteral("NAME")},
        {QStringLiteral("metric"),
         QStringLiteral("What to follow: %1 (default: total; self for a function).")
             .arg(quantityNames().join(QStringLiteral(", "))),
         QStringLiteral("METRIC")},
        {QStringLiteral("script"), QStringLiteral("Only runs of this script."),
         QStringLiteral("SCRIPT")},
        {QStringLiteral("format"), QStringLiteral("table (default), csv or json."),
         QStringLiteral("FORMAT")},
    });
}

std::optional<Request> parse(const QCommandLineParser& parser)
{
    Request request;
    request.files = parser.positionalArguments();
    if (request.files.isEmpty()) {
        usageError(QStringLiteral("FILE is missing: one or more sessions"));
        return std::nullopt;
    }
    request.script = parser.value(QStringLiteral("script"));
    request.function = parser.value(QStringLiteral("function"));
    const QString metric = parser.isSet(QStringLiteral("metric"))
        ? parser.value(QStringLiteral("metric"))
        : (request.function.isEmpty() ? QStringLiteral("total") : QStringLiteral("self"));
    const auto index = quantityNames().indexOf(metric);
    const QStringList formats = {QStringLiteral("table"), QStringLiteral("csv"),
                                 QStringLiteral("json")};
    const auto format = parser.isSet(QStringLiteral("format"))
        ? formats.indexOf(parser.value(QStringLiteral("format")))
        : 0;
    if (index < 0)
        usageError(QStringLiteral("--metric is one of %1, not “%2”")
                       .arg(quantityNames().join(QStringLiteral(", ")), metric));
    else if (format < 0)
        usageError(QStringLiteral("--format is table, csv or json, not “%1”")
                       .arg(parser.value(QStringLiteral("format"))));
    if (index < 0 || format < 0)
        return std::nullopt;
    request.quantity = quantities[static_cast<std::size_t>(index)];
    request.format = static_cast<HistoryFormat>(format);
    return request;
}

/// The labels of the sources in which a function of this name is; a C function has the empty label.
Result<std::vector<std::string>>
sourcesOf(const Session& session, const std::vector<RunSummary>& runs, const std::string& name)
{
    std::set<std::string> labels;
    // The newest run that has it says where it is; older ones may have had it elsewhere.
    for (auto run = runs.rbegin(); run != runs.rend() && labels.empty(); ++run) {
        const auto profile = session.loadRun(run->id);
        if (!profile)
            return profile.error();
        for (const Function& function : (*profile)->functions) {
            const Source* source = (*profile)->sourceOf(function);
            if (function.name == name)
                labels.insert(source ? source->label : std::string());
        }
    }
    return std::vector<std::string>(labels.begin(), labels.end());
}

/// What --function names: NAME, or NAME@FILE.
Result<HistorySubject> subjectOf(const Session& session, const std::vector<RunSummary>& runs,
                                 const QString& function)
{
    if (function.isEmpty())
        return HistorySubject::whole();
    const auto at = function.lastIndexOf(u'@');
    HistorySubject subject;
    subject.name = (at > 0 ? function.left(at) : function).toStdString();
    if (at > 0) {
        subject.source = function.mid(at + 1).toStdString();
        return subject;
    }
    const auto sources = sourcesOf(session, runs, subject.name);
    if (!sources)
        return sources.error();
    if (sources->empty())
        return Error{Error::Code::InvalidArgument,
                     "No run in “" + session.path() + "” has a function “" + subject.name + "”."};
    if (sources->size() > 1) {
        std::string places;
        for (const std::string& source : *sources)
            places += (places.empty() ? "" : ", ") + subject.name + "@" + source;
        return Error{Error::Code::InvalidArgument,
                     "There is more than one “" + subject.name + "”; name one of " + places + "."};
    }
    subject.source = sources->front();
    return subject;
}

Result<void> addFile(const QString& file, const Request& request, std::vector<HistoryTable>& tables)
{
    const Result<Session> session = Session::open(QFile::encodeName(file).toStdString());
    if (!session)
        return session.error();
    const auto runs = session->runs();
    if (!runs)
        return runs.error();
    const auto subject = subjectOf(*session, *runs, request.function);
    if (!subject)
        return subject.error();
    for (const std::string& script : scriptsOf(*runs)) {
        if (!request.script.isEmpty() && script != request.script.toStdString())
            continue;
        const auto points =
            loadHistory(*session, *runs, script, *subject, request.quantity.quantity);
        if (!points)
            return points.error();
        tables.push_back(makeHistoryTable(file.toStdString(), script, *runs, *points));
    }
    return {};
}

int run(const QCommandLineParser& parser)
{
    const auto request = parse(parser);
    if (!request)
        return UsageError;
    HistoryReport report;
    report.function = request->function.toStdString();
    report.metric = request->quantity.name;
    report.unit = unitOf(request->quantity.quantity);
    for (const QString& file : request->files) {
        if (const auto added = addFile(file, *request, report.tables); !added) {
            printError(QString::fromStdString(added.error().detail));
            return CannotRead;
        }
    }
    writeHistory(stdout, report, request->format);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        printError(QStringLiteral("The history cannot be written: %1.")
                       .arg(QString::fromLocal8Bit(std::strerror(errno))));
        return CannotRead;
    }
    return Success;
}

} // namespace

const Verb historyVerb = {"history",
                          "FILE… [options]",
                          "Show what runs cost over time, with outliers and changes of level.",
                          Verb::Options::Anywhere,
                          describe,
                          run};

} // namespace perilune::cli
