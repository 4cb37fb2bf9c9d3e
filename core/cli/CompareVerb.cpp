// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ComparisonReport.h"
#include "core/cli/ExitCode.h"
#include "core/cli/Verb.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace perilune::cli {

namespace {

enum class Format
{
    Table,
    Json,
    Markdown
};

/// What --metric may be.
struct MetricChoice
{
    const char* name;
    CostKind cost;
    Metric metric;
};

constexpr std::array<MetricChoice, 11> metrics = {{
    {"self", CostKind::Self, Metric::Time},
    {"total", CostKind::Total, Metric::Time},
    {"calls", CostKind::Calls, Metric::Time},
    {"mean", CostKind::Mean, Metric::Time},
    {"raw-self", CostKind::Self, Metric::RawTime},
    {"raw-total", CostKind::Total, Metric::RawTime},
    {"samples", CostKind::Self, Metric::Samples},
    {"self-bytes", CostKind::Self, Metric::Bytes},
    {"total-bytes", CostKind::Total, Metric::Bytes},
    {"self-blocks", CostKind::Self, Metric::Blocks},
    {"total-blocks", CostKind::Total, Metric::Blocks},
}};

struct Request
{
    SideRequest a;
    SideRequest b;
    Format format = Format::Table;
    MetricChoice metric = metrics[0];
    ComparisonOptions options;
    std::optional<double> failShare;
    std::size_t limit = 0;
    bool showsUnchanged = false;
};

constexpr qint64 defaultTableLimit = 30;

QStringList metricNames()
{
    QStringList names;
    for (const MetricChoice& metric : metrics)
        names << QLatin1String(metric.name);
    return names;
}

void describe(QCommandLineParser& parser)
{
    parser.addOptions({
        {QStringLiteral("run"),
         QStringLiteral(
             "Runs of B such as 3, 2,5 or 4-13; given twice, of A and then of B. Without it "
             "the newest run with its repeats, and in one file for A what ran before or the "
             "baseline."),
         QStringLiteral("RUNS")},
        {QStringLiteral("metric"),
         QStringLiteral("What to compare: %1 (default: self).")
             .arg(metricNames().join(QStringLiteral(", "))),
         QStringLiteral("METRIC")},
        {QStringLiteral("normalise"),
         QStringLiteral("absolute (default), per-call, or share of the run."),
         QStringLiteral("HOW")},
        {QStringLiteral("threshold"),
         QStringLiteral("A change up to this share is never called clear (default: 1%)."),
         QStringLiteral("SHARE")},
        {QStringLiteral("fail-if-slower"),
         QStringLiteral(
             "End with exit code 3 when B as a whole is clearly slower by more than this."),
         QStringLiteral("SHARE")},
        {QStringLiteral("format"), QStringLiteral("table (default), json or markdown."),
         QStringLiteral("FORMAT")},
        {QStringLiteral("all"), QStringLiteral("Also functions that did not change.")},
        {QStringLiteral("limit"),
         QStringLiteral("Report only the first N functions, 0 for all (default: %1, all in JSON).")
             .arg(defaultTableLimit),
         QStringLiteral("N")},
    });
}

/// "5%", "5 %" or "0.05" as 0.05.
std::optional<double> parseShare(const QString& text)
{
    QString number = text.trimmed();
    const bool isPercent = number.endsWith(u'%');
    if (isPercent)
        number = number.chopped(1).trimmed();
    bool isNumber = false;
    const double value = number.toDouble(&isNumber) / (isPercent ? 100.0 : 1.0);
    return isNumber && value >= 0.0 && value < 1e6 ? std::optional(value) : std::nullopt;
}

/// Reads the options into a request, group by group; each group prints its own error and gives
/// false.
class RequestReader
{
public:
    explicit RequestReader(const QCommandLineParser& parser)
        : m_parser(parser)
    {
    }

    std::optional<Request> read()
    {
        const bool isGood =
            readFiles() && readRuns() && readMetric() && readShares() && readFormat();
        return isGood ? std::optional(m_request) : std::nullopt;
    }

private:
    static bool fail(const QString& message)
    {
        usageError(message);
        return false;
    }

    bool readFiles()
    {
        const QStringList files = m_parser.positionalArguments();
        if (files.isEmpty() || files.size() > 2)
            return fail(
                files.isEmpty()
                    ? QStringLiteral("FILE is missing: two sessions, or one with two sets of runs")
                    : QStringLiteral("“%1” is one file too many; two are compared").arg(files[2]));
        m_request.a.file = files.first();
        m_request.b.file = files.last();
        return true;
    }

    bool readRuns()
    {
        const QStringList values = m_parser.values(QStringLiteral("run"));
        if (values.size() > 2)
            return fail(QStringLiteral("--run is given at most twice: for A and for B"));
        for (qsizetype i = 0; i < values.size(); ++i) {
            const auto runs = parseRunNumbers(values[i]);
            if (!runs)
                return fail(QStringLiteral("--run needs numbers such as 3, 2,5 or 4-13, not “%1”")
                                .arg(values[i]));
            (i == values.size() - 1 ? m_request.b : m_request.a).runs = runs;
        }
        return true;
    }

    bool readMetric()
    {
        if (m_parser.isSet(QStringLiteral("metric"))) {
            const auto index = metricNames().indexOf(m_parser.value(QStringLiteral("metric")));
            if (index < 0)
                return fail(QStringLiteral("--metric is one of %1, not “%2”")
                                .arg(metricNames().join(QStringLiteral(", ")),
                                     m_parser.value(QStringLiteral("metric"))));
            m_request.metric = metrics[static_cast<std::size_t>(index)];
        }
        m_request.options.cost = m_request.metric.cost;
        m_request.options.metric = m_request.metric.metric;
        if (!m_parser.isSet(QStringLiteral("normalise")))
            return true;
        const QStringList names = {QStringLiteral("absolute"), QStringLiteral("per-call"),
                                   QStringLiteral("share")};
        const auto index = names.indexOf(m_parser.value(QStringLiteral("normalise")));
        if (index < 0)
            return fail(QStringLiteral("--normalise is absolute, per-call or share, not “%1”")
                            .arg(m_parser.value(QStringLiteral("normalise"))));
        m_request.options.normalisation = static_cast<Normalisation>(index);
        return true;
    }

    bool readShare(const QString& option, std::optional<double>& share)
    {
        if (!m_parser.isSet(option))
            return true;
        share = parseShare(m_parser.value(option));
        return share
            || fail(QStringLiteral("--%1 needs a share such as 5%, not “%2”")
                        .arg(option, m_parser.value(option)));
    }

    bool readShares()
    {
        std::optional<double> threshold;
        if (!readShare(QStringLiteral("threshold"), threshold)
            || !readShare(QStringLiteral("fail-if-slower"), m_request.failShare))
            return false;
        if (threshold)
            m_request.options.rules.threshold = *threshold;
        return true;
    }

    bool readFormat()
    {
        if (m_parser.isSet(QStringLiteral("format"))) {
            const QStringList names = {QStringLiteral("table"), QStringLiteral("json"),
                                       QStringLiteral("markdown")};
            const auto index = names.indexOf(m_parser.value(QStringLiteral("format")));
            if (index < 0)
                return fail(QStringLiteral("--format is table, json or markdown, not “%1”")
                                .arg(m_parser.value(QStringLiteral("format"))));
            m_request.format = static_cast<Format>(index);
        }
        const bool isJson = m_request.format == Format::Json;
        const auto limit =
            wholeNumber(m_parser, QStringLiteral("limit"), 0, isJson ? 0 : defaultTableLimit);
        if (!limit)
            return false;
        m_request.limit = static_cast<std::size_t>(*limit);
        m_request.showsUnchanged = isJson || m_parser.isSet(QStringLiteral("all"));
        return true;
    }

    const QCommandLineParser& m_parser;
    Request m_request;
};

/// The metrics that not every run has are a reason to say so rather than to compare zeros.
bool isMeasured(const ComparedSides& sides, Metric metric)
{
    for (const ComparedSide* side : {&sides.a, &sides.b})
        for (const ComparedRun& run : side->group)
            if (!run.profile->tree->has(metric))
                return false;
    return true;
}

void write(const ComparisonReport& report, Format format)
{
    if (format == Format::Json)
        writeComparisonJson(stdout, report);
    else
        writeComparison(stdout, report,
                        format == Format::Table ? ReportStyle::Table : ReportStyle::Markdown);
}

int run(const QCommandLineParser& parser)
{
    const auto request = RequestReader(parser).read();
    if (!request)
        return UsageError;
    Result<ComparedSides> sides = loadSides(request->a, request->b);
    if (!sides) {
        printError(QString::fromStdString(sides.error().detail));
        return CannotRead;
    }
    const Metric needed =
        request->options.cost == CostKind::Calls ? Metric::Calls : request->options.metric;
    if (!isMeasured(*sides, needed)) {
        printError(QStringLiteral("Not all of these runs have measured what --metric %1 compares.")
                       .arg(QLatin1String(request->metric.name)));
        return CannotRead;
    }
    ComparisonReport report;
    report.sides = *std::move(sides);
    const auto runs =
        MatchedRuns::match(report.sides.a.group, report.sides.b.group, report.sides.manualMatches);
    report.setUp = findSetUpDifferences(*runs);
    report.comparison = Comparison::compute(runs, request->options);
    report.metric = request->metric.name;
    report.failShare = request->failShare;
    report.limit = request->limit;
    report.showsUnchanged = request->showsUnchanged;
    write(report, request->format);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        printError(QStringLiteral("The comparison cannot be written: %1.")
                       .arg(QString::fromLocal8Bit(std::strerror(errno))));
        return CannotRead;
    }
    return report.isRegression() ? Regression : Success;
}

} // namespace

const Verb compareVerb = {"compare",
                          "A B [options]",
                          "Compare two runs or groups of runs, and say whether a change is clear.",
                          Verb::Options::Anywhere,
                          describe,
                          run};

} // namespace perilune::cli
