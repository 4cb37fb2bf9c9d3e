// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ExitCode.h"
#include "core/cli/RunRecorder.h"
#include "core/cli/Verb.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace perilune::cli {

namespace {

QCommandLineOption option(const char* name, const QString& description, const char* value = nullptr)
{
    return {QLatin1String(name), description, QString::fromUtf8(value)};
}

void describe(QCommandLineParser& parser)
{
    parser.addOption(
        {{QStringLiteral("o"), QStringLiteral("output")},
         QStringLiteral("The session that the run is added to; made if it is not there."),
         QStringLiteral("FILE")});
    parser.addOptions({
        option("name", QStringLiteral("A name for the run."), "TEXT"),
        option("cwd", QStringLiteral("Run the script in this folder."), "DIR"),
        option("env", QStringLiteral("Set an environment variable; may be repeated."), "K=V"),
        option("stdin", QStringLiteral("What the script reads from its standard input."), "FILE"),
        option("timeout", QStringLiteral("Stop the script after S seconds."), "S"),
        option("repeat", QStringLiteral("Run N times, each in a fresh process."), "N"),
        option("warmup", QStringLiteral("Run W times before; marked as warm-ups."), "W"),
        option("mode", QStringLiteral("exact (default): every call; sampling: a timer."), "MODE"),
        option("interval", QStringLiteral("Time between samples: 1ms (default), 250us, …"), "TIME"),
        option("clock", QStringLiteral("tsc, monotonic or cpu; the best wall clock if not given."),
               "CLOCK"),
        option("lines", QStringLiteral("Measure lines too.")),
        option("memory", QStringLiteral("Measure allocations too.")),
        option("durations", QStringLiteral("Measure how the durations of calls are distributed.")),
        option("reference",
               QStringLiteral("Run the script once before without any hook, unseen, to "
                              "fit the correction of times.")),
        option("timeline", QStringLiteral("Record the order of calls.")),
        option("max-nodes", QStringLiteral("Bound of the call tree."), "N"),
        option("max-depth", QStringLiteral("Bound of its depth."), "N"),
        option("max-string-bytes", QStringLiteral("Bound of names and source texts."), "N"),
    });
}

/// "250us" as a time; nothing for what is none.
std::optional<std::chrono::nanoseconds> parseTime(const QString& text)
{
    struct Unit
    {
        const char* suffix;
        double nanoseconds;
    };
    constexpr std::array<Unit, 5> units = {
        {{"ns", 1.0}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    for (const Unit& unit : units) {
        const QString suffix = QString::fromUtf8(unit.suffix);
        if (!text.endsWith(suffix))
            continue;
        bool isNumber = false;
        const double number = text.chopped(suffix.size()).toDouble(&isNumber);
        const double nanoseconds = std::round(number * unit.nanoseconds);
        if (isNumber && nanoseconds >= 1.0 && nanoseconds <= 1e12)
            return std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
        return std::nullopt;
    }
    return std::nullopt;
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

    std::optional<RecordRequest> read()
    {
        const bool isGood = readScript() && readEnvironment() && readTimes() && readMode()
            && readRepeat() && readLimits();
        return isGood ? std::optional(m_request) : std::nullopt;
    }

private:
    QString value(const char* name) const { return m_parser.value(QLatin1String(name)); }
    bool isSet(const char* name) const { return m_parser.isSet(QLatin1String(name)); }

    bool fail(const QString& message) const
    {
        usageError(message);
        return false;
    }

    bool readScript()
    {
        const QStringList words = m_parser.positionalArguments();
        if (words.isEmpty())
            return fail(QStringLiteral("SCRIPT is missing: a Lua file, behind all options."));
        if (!isSet("output"))
            return fail(
                QStringLiteral("-o FILE is missing: the session that the run is added to."));
        LaunchSpec& spec = m_request.spec;
        spec.workingDirectory = value("cwd");
        spec.script = words.first();
        spec.arguments = words.mid(1);
        // A script named from here is found, though it is run elsewhere.
        if (!QFileInfo::exists(scriptPath(spec)) && QFileInfo::exists(spec.script))
            spec.script = QFileInfo(spec.script).absoluteFilePath();
        spec.standardInput = value("stdin");
        m_request.output = value("output");
        m_request.runName = value("name");
        return true;
    }

    bool readEnvironment()
    {
        for (const QString& variable : m_parser.values(QStringLiteral("env"))) {
            const auto equals = variable.indexOf(u'=');
            if (equals < 1)
                return fail(QStringLiteral("--env needs NAME=VALUE, not “%1”.").arg(variable));
            m_request.spec.environment.append({variable.left(equals), variable.mid(equals + 1)});
        }
        return true;
    }

    bool readTimes()
    {
        if (isSet("timeout")) {
            bool isNumber = false;
            const double seconds = value("timeout").toDouble(&isNumber);
            if (!isNumber || !(seconds > 0.0) || seconds > 1e6)
                return fail(QStringLiteral("--timeout needs a number of seconds, not “%1”.")
                                .arg(value("timeout")));
            m_request.spec.timeLimit = std::chrono::milliseconds(
                std::max<std::int64_t>(1, std::llround(seconds * 1000.0)));
        }
        if (isSet("interval")) {
            const auto interval = parseTime(value("interval"));
            if (!interval)
                return fail(
                    QStringLiteral("--interval needs a time such as 1ms or 250us, not “%1”.")
                        .arg(value("interval")));
            m_request.spec.samplingInterval = *interval;
        }
        return true;
    }

    bool readMode()
    {
        LaunchSpec& spec = m_request.spec;
        const QString mode = isSet("mode") ? value("mode") : QStringLiteral("exact");
        if (mode == QStringLiteral("sampling"))
            spec.mode = ProfilingMode::Sampling;
        else if (mode != QStringLiteral("exact"))
            return fail(QStringLiteral("--mode is exact or sampling, not “%1”.").arg(mode));
        const QString clock = value("clock");
        if (clock == QStringLiteral("cpu"))
            spec.clock = ClockKind::Cpu;
        else if (clock.isEmpty() || clock == QStringLiteral("tsc")
                 || clock == QStringLiteral("monotonic"))
            spec.clockSource = clock;
        else
            return fail(QStringLiteral("--clock is tsc, monotonic or cpu, not “%1”.").arg(clock));
        spec.lines = isSet("lines");
        spec.memory = isSet("memory");
        spec.durations = isSet("durations");
        spec.timeline = isSet("timeline");
        spec.referenceRun = isSet("reference");
        if (spec.referenceRun && spec.mode != ProfilingMode::Exact)
            return fail(QStringLiteral("--reference goes with --mode exact only."));
        return true;
    }

    bool readRepeat()
    {
        const auto runs = wholeNumber(m_parser, QStringLiteral("repeat"), 1, 1);
        const auto warmUps = wholeNumber(m_parser, QStringLiteral("warmup"), 0, 0);
        if (!runs || !warmUps)
            return false;
        constexpr qint64 maximumRuns = 100000;
        if (*runs + *warmUps > maximumRuns)
            return fail(
                QStringLiteral("--repeat and --warmup: more than %1 runs.").arg(maximumRuns));
        m_request.plan = {static_cast<int>(*runs), static_cast<int>(*warmUps)};
        return true;
    }

    /// A bound that fits its type.
    template<typename Number>
    bool readLimit(const char* name, std::optional<Number>& limit)
    {
        const auto number = wholeNumber(m_parser, QLatin1String(name), 1, 0);
        if (!number)
            return false;
        if (static_cast<quint64>(*number) > std::numeric_limits<Number>::max())
            return fail(QStringLiteral("--%1 is too large.").arg(QLatin1String(name)));
        if (*number != 0)
            limit = static_cast<Number>(*number);
        return true;
    }

    bool readLimits()
    {
        LaunchSpec& spec = m_request.spec;
        return readLimit("max-nodes", spec.maximumNodes)
            && readLimit("max-depth", spec.maximumDepth)
            && readLimit("max-string-bytes", spec.maximumStringBytes);
    }

    const QCommandLineParser& m_parser;
    RecordRequest m_request;
};

int run(const QCommandLineParser& parser)
{
    const auto request = RequestReader(parser).read();
    return request ? RunRecorder(*request).record() : UsageError;
}

} // namespace

const Verb recordVerb = {"record",
                         "[options] -o FILE SCRIPT [ARGS…]",
                         "Run a Lua script and record where its time goes.",
                         Verb::Options::BeforeFirstWord,
                         describe,
                         run};

} // namespace perilune::cli
