// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CallTreeColumns.h"

#include <QCoreApplication>

#include <array>

namespace perilune {

namespace {

CellValue valueOf(Metric metric, std::uint64_t value)
{
    switch (metric) {
    case Metric::Time:
    case Metric::RawTime:
        return CellValue::ofDuration(Duration::fromNanoseconds(static_cast<std::int64_t>(value)));
    case Metric::Bytes:
        return CellValue::ofBytes(value);
    case Metric::Calls:
    case Metric::Samples:
    case Metric::Blocks:
        break;
    }
    return CellValue::ofCount(value);
}

CellValue shareOf(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? CellValue::none()
                      : CellValue::ofShare(static_cast<double>(part) / static_cast<double>(whole));
}

CellValue name(const CallTreeRow& row)
{
    return CellValue::ofText(nameOf(row));
}

CellValue self(const CallTreeRow& row)
{
    return valueOf(row.weight, row.rows.self(row.weight, row.row));
}

CellValue selfShare(const CallTreeRow& row)
{
    return shareOf(row.rows.self(row.weight, row.row), row.whole(row.weight));
}

CellValue total(const CallTreeRow& row)
{
    return valueOf(row.weight, row.rows.total(row.weight, row.row));
}

CellValue totalShare(const CallTreeRow& row)
{
    return shareOf(row.rows.total(row.weight, row.row), row.whole(row.weight));
}

CellValue parentShare(const CallTreeRow& row)
{
    const CallTreeRows::Row parent = row.rows.parent(row.row);
    return shareOf(row.rows.part(row.weight, row.row), row.rows.divided(row.weight, parent));
}

CellValue calls(const CallTreeRow& row)
{
    return row.profile.tree->has(Metric::Calls) ? CellValue::ofCount(row.rows.calls(row.row))
                                                : CellValue::none();
}

CellValue mean(const CallTreeRow& row)
{
    const std::uint64_t count = row.profile.tree->has(Metric::Calls) ? row.rows.calls(row.row) : 0;
    return count == 0 ? CellValue::none()
                      : valueOf(row.weight, row.rows.total(row.weight, row.row) / count);
}

CellValue location(const CallTreeRow& row)
{
    return CellValue::ofText(QString::fromStdString(row.profile.location(row.function())));
}

CellValue selfBytes(const CallTreeRow& row)
{
    return row.profile.tree->has(Metric::Bytes)
        ? CellValue::ofBytes(row.rows.self(Metric::Bytes, row.row))
        : CellValue::none();
}

CellValue totalBytes(const CallTreeRow& row)
{
    return row.profile.tree->has(Metric::Bytes)
        ? CellValue::ofBytes(row.rows.total(Metric::Bytes, row.row))
        : CellValue::none();
}

CellValue samples(const CallTreeRow& row)
{
    return row.profile.tree->has(Metric::Samples)
        ? CellValue::ofCount(row.rows.total(Metric::Samples, row.row))
        : CellValue::none();
}

template<Metric metric>
bool hasMetric(const Profile& profile, Metric)
{
    return profile.tree->has(metric);
}

bool hasMean(const Profile& profile, Metric weight)
{
    return profile.tree->has(Metric::Calls) && weight != Metric::Calls;
}

using Kind = CellValue::Kind;

constexpr std::array<CallTreeColumnSpec, callTreeColumnCount> columns = {{
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Function"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "The function, reached by the path of the rows above it."),
     Kind::Text, name, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Self"),
     QT_TRANSLATE_NOOP(
         "CallTreeColumn",
         "Spent in the function itself on this path, without what it called. Bottom-up: "
         "by the function at the top of the branch when it was called this way."),
     Kind::None, self, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Self %"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "Self as a share of the whole run."), Kind::Share,
     selfShare, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Total"),
     QT_TRANSLATE_NOOP("CallTreeColumn",
                       "Spent in the function and in all it called on this path. Bottom-up: by the "
                       "function at the top of the branch when it was called this way, recursion "
                       "counted once."),
     Kind::None, total, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Total %"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "Total as a share of the whole run."), Kind::Share,
     totalShare, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "% of parent"),
     QT_TRANSLATE_NOOP(
         "CallTreeColumn",
         "Total as a share of the total of the row above. Bottom-up: self as a share of "
         "the self of the row above."),
     Kind::Share, parentShare, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Calls"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "How often this path was taken, tail calls included."),
     Kind::Count, calls, hasMetric<Metric::Calls>},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Mean/call"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "Total divided by calls."), Kind::None, mean, hasMean},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Location"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "File and line of the definition; [C] for a C function."),
     Kind::Text, location, nullptr},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Self allocated"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "Bytes allocated by the function itself on this path."),
     Kind::Bytes, selfBytes, hasMetric<Metric::Bytes>},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Allocated"),
     QT_TRANSLATE_NOOP("CallTreeColumn",
                       "Bytes allocated by the function and all it called on this path."),
     Kind::Bytes, totalBytes, hasMetric<Metric::Bytes>},
    {QT_TRANSLATE_NOOP("CallTreeColumn", "Samples"),
     QT_TRANSLATE_NOOP("CallTreeColumn", "How often the path was seen by the sampler."),
     Kind::Count, samples, hasMetric<Metric::Samples>},
}};

} // namespace

const CallTreeColumnSpec& specOf(CallTreeColumn column)
{
    return columns[static_cast<std::size_t>(column)];
}

QString titleOf(CallTreeColumn column, Metric weight)
{
    const CallTreeColumnSpec& spec = specOf(column);
    const QString title = QCoreApplication::translate("CallTreeColumn", spec.title);
    if (spec.kind != Kind::None || weight == Metric::Time)
        return title;
    return QCoreApplication::translate("CallTreeColumn", "%1, %2")
        .arg(title, metricTitle(weight).toLower());
}

QString toolTipOf(CallTreeColumn column)
{
    return QCoreApplication::translate("CallTreeColumn", specOf(column).toolTip);
}

CellValue::Kind kindOf(CallTreeColumn column, Metric weight)
{
    const CellValue::Kind kind = specOf(column).kind;
    return kind == Kind::None ? valueOf(weight, 0).kind : kind;
}

bool isMeasured(CallTreeColumn column, const Profile& profile, Metric weight)
{
    const CallTreeColumnSpec& spec = specOf(column);
    return spec.isMeasured == nullptr || spec.isMeasured(profile, weight);
}

QString nameOf(const CallTreeRow& row)
{
    QStringList names;
    for (const FunctionId function : row.rows.functions(row.row))
        names.append(QString::fromStdString(row.profile.function(function).name));
    return names.join(QStringLiteral(" › "));
}

} // namespace perilune
