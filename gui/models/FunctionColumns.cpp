// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/FunctionColumns.h"

#include <QCoreApplication>

#include <array>

namespace perilune {

namespace {

std::uint64_t selfOf(const FunctionRow& row, Metric metric)
{
    return row.costs.self[static_cast<std::size_t>(metric)];
}

std::uint64_t totalOf(const FunctionRow& row, Metric metric)
{
    return row.costs.total[static_cast<std::size_t>(metric)];
}

CellValue durationOf(std::uint64_t nanoseconds)
{
    return CellValue::ofDuration(Duration::fromNanoseconds(static_cast<std::int64_t>(nanoseconds)));
}

CellValue shareOfRun(const FunctionRow& row, std::uint64_t nanoseconds)
{
    const std::uint64_t whole = row.table.sum(Metric::Time);
    return CellValue::ofShare(
        whole == 0 ? 0.0 : static_cast<double>(nanoseconds) / static_cast<double>(whole));
}

CellValue name(const FunctionRow& row)
{
    return CellValue::ofText(QString::fromStdString(row.function().name));
}

CellValue selfTime(const FunctionRow& row)
{
    return durationOf(selfOf(row, Metric::Time));
}

CellValue selfShare(const FunctionRow& row)
{
    return shareOfRun(row, selfOf(row, Metric::Time));
}

CellValue totalTime(const FunctionRow& row)
{
    return durationOf(totalOf(row, Metric::Time));
}

CellValue totalShare(const FunctionRow& row)
{
    return shareOfRun(row, totalOf(row, Metric::Time));
}

CellValue calls(const FunctionRow& row)
{
    return CellValue::ofCount(row.costs.calls);
}

CellValue meanTime(const FunctionRow& row)
{
    const std::optional<Duration> mean = row.costs.meanTime();
    return mean ? CellValue::ofDuration(*mean) : CellValue::none();
}

CellValue location(const FunctionRow& row)
{
    return CellValue::ofText(QString::fromStdString(row.profile.location(row.function())));
}

CellValue selfMean(const FunctionRow& row)
{
    return row.costs.calls == 0 ? CellValue::none()
                                : durationOf(selfOf(row, Metric::Time) / row.costs.calls);
}

CellValue kind(const FunctionRow& row)
{
    return CellValue::ofText(kindTitle(row.function().kind));
}

CellValue tailCalls(const FunctionRow& row)
{
    return CellValue::ofCount(row.costs.tailCalls);
}

CellValue callers(const FunctionRow& row)
{
    return CellValue::ofCount(row.costs.callerCount);
}

CellValue callees(const FunctionRow& row)
{
    return CellValue::ofCount(row.costs.calleeCount);
}

template<Duration DurationStatistics::*member>
CellValue statistic(const FunctionRow& row)
{
    const std::size_t index = row.costs.function.value();
    if (index >= row.profile.durations.size() || row.profile.durations[index].count == 0)
        return CellValue::none();
    return CellValue::ofDuration(row.profile.durations[index].*member);
}

CellValue selfBytes(const FunctionRow& row)
{
    return row.profile.tree->has(Metric::Bytes) ? CellValue::ofBytes(selfOf(row, Metric::Bytes))
                                                : CellValue::none();
}

CellValue totalBytes(const FunctionRow& row)
{
    return row.profile.tree->has(Metric::Bytes) ? CellValue::ofBytes(totalOf(row, Metric::Bytes))
                                                : CellValue::none();
}

CellValue rawSelf(const FunctionRow& row)
{
    return row.profile.tree->has(Metric::RawTime) ? durationOf(selfOf(row, Metric::RawTime))
                                                  : CellValue::none();
}

CellValue rawTotal(const FunctionRow& row)
{
    return row.profile.tree->has(Metric::RawTime) ? durationOf(totalOf(row, Metric::RawTime))
                                                  : CellValue::none();
}

CellValue samples(const FunctionRow& row)
{
    return row.profile.tree->has(Metric::Samples) ? CellValue::ofCount(selfOf(row, Metric::Samples))
                                                  : CellValue::none();
}

bool hasDurations(const Profile& profile)
{
    return !profile.durations.empty();
}

template<Metric metric>
bool hasMetric(const Profile& profile)
{
    return profile.tree->has(metric);
}

using Kind = CellValue::Kind;

constexpr std::array<FunctionColumnSpec, functionColumnCount> columns = {{
    {QT_TRANSLATE_NOOP("FunctionColumn", "Function"),
     QT_TRANSLATE_NOOP(
         "FunctionColumn",
         "The function's name as its source defines it. All closures of one definition "
         "are one function."),
     Kind::Text, name, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Self"),
     QT_TRANSLATE_NOOP(
         "FunctionColumn",
         "Time in the function itself, without the functions it calls. Example: f runs "
         "for 10 ms, of which g, called by f, takes 7 ms: the self time of f is 3 ms. "
         "Time while a coroutine is suspended belongs to nobody inside it."),
     Kind::Duration, selfTime, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Self %"),
     QT_TRANSLATE_NOOP("FunctionColumn",
                       "Self time as a share of the whole run. All rows add up to 100 %."),
     Kind::Share, selfShare, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Total"),
     QT_TRANSLATE_NOOP(
         "FunctionColumn",
         "Time while the function is running or waits for functions it called. Example: "
         "f runs for 10 ms, of which g, called by f, takes 7 ms: the total of f is 10 ms. "
         "Recursion is counted once, so no total exceeds the run."),
     Kind::Duration, totalTime, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Total %"),
     QT_TRANSLATE_NOOP(
         "FunctionColumn",
         "Total time as a share of the whole run. Rows do not add up: a caller's total "
         "contains its callees'."),
     Kind::Share, totalShare, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Calls"),
     QT_TRANSLATE_NOOP("FunctionColumn",
                       "How often the function was entered, tail calls included."),
     Kind::Count, calls, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Mean/call"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Total time divided by calls."), Kind::Duration, meanTime,
     nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Location"),
     QT_TRANSLATE_NOOP("FunctionColumn", "File and line of the definition; [C] for a C function."),
     Kind::Text, location, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Self/call"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Self time divided by calls."), Kind::Duration, selfMean,
     nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Kind"),
     QT_TRANSLATE_NOOP("FunctionColumn",
                       "Lua function, C function, or the main chunk of a file or loaded string."),
     Kind::Text, kind, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Tail calls"),
     QT_TRANSLATE_NOOP("FunctionColumn", "How many of the calls were tail calls (“return f()”)."),
     Kind::Count, tailCalls, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Callers"),
     QT_TRANSLATE_NOOP("FunctionColumn", "How many different functions called it."), Kind::Count,
     callers, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Callees"),
     QT_TRANSLATE_NOOP("FunctionColumn", "How many different functions it called."), Kind::Count,
     callees, nullptr},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Min"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Shortest call."), Kind::Duration,
     statistic<&DurationStatistics::minimum>, hasDurations},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Median"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Half of the calls were shorter."), Kind::Duration,
     statistic<&DurationStatistics::median>, hasDurations},
    {QT_TRANSLATE_NOOP("FunctionColumn", "95 %"),
     QT_TRANSLATE_NOOP("FunctionColumn", "95 of 100 calls were shorter."), Kind::Duration,
     statistic<&DurationStatistics::percentile95>, hasDurations},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Max"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Longest call."), Kind::Duration,
     statistic<&DurationStatistics::maximum>, hasDurations},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Self allocated"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Memory allocated by the function itself."), Kind::Bytes,
     selfBytes, hasMetric<Metric::Bytes>},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Total allocated"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Memory allocated by the function and what it called."),
     Kind::Bytes, totalBytes, hasMetric<Metric::Bytes>},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Raw self"),
     QT_TRANSLATE_NOOP("FunctionColumn", "Self time before the profiler's own cost was taken out."),
     Kind::Duration, rawSelf, hasMetric<Metric::RawTime>},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Raw total"),
     QT_TRANSLATE_NOOP("FunctionColumn",
                       "Total time before the profiler's own cost was taken out."),
     Kind::Duration, rawTotal, hasMetric<Metric::RawTime>},
    {QT_TRANSLATE_NOOP("FunctionColumn", "Samples"),
     QT_TRANSLATE_NOOP("FunctionColumn",
                       "How many samples found the function on top of the stack."),
     Kind::Count, samples, hasMetric<Metric::Samples>},
}};

} // namespace

const FunctionColumnSpec& specOf(FunctionColumn column)
{
    return columns[static_cast<std::size_t>(column)];
}

QString titleOf(FunctionColumn column)
{
    return QCoreApplication::translate("FunctionColumn", specOf(column).title);
}

QString toolTipOf(FunctionColumn column)
{
    return QCoreApplication::translate("FunctionColumn", specOf(column).toolTip);
}

bool isMeasured(FunctionColumn column, const Profile& profile)
{
    const FunctionColumnSpec& spec = specOf(column);
    return spec.isMeasured == nullptr || spec.isMeasured(profile);
}

QString kindTitle(FunctionKind kind)
{
    switch (kind) {
    case FunctionKind::Host:
        return QCoreApplication::translate("FunctionKind", "Host program");
    case FunctionKind::Main:
        return QCoreApplication::translate("FunctionKind", "Main chunk");
    case FunctionKind::Lua:
        return QCoreApplication::translate("FunctionKind", "Lua");
    case FunctionKind::C:
        return QCoreApplication::translate("FunctionKind", "C");
    case FunctionKind::Folded:
        return QCoreApplication::translate("FunctionKind", "Folded calls");
    }
    return {};
}

} // namespace perilune
