// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CellValue.h"

#include <algorithm>

namespace perilune {

namespace {

CellValue ofNumber(CellValue::Kind kind, std::int64_t number)
{
    CellValue cell;
    cell.kind = kind;
    cell.number = number;
    return cell;
}

} // namespace

CellValue CellValue::ofText(const QString& text)
{
    CellValue cell;
    cell.kind = Kind::Text;
    cell.text = text;
    return cell;
}

CellValue CellValue::ofDuration(Duration duration)
{
    return ofNumber(Kind::Duration, duration.nanoseconds());
}

CellValue CellValue::ofShare(double share)
{
    CellValue cell;
    cell.kind = Kind::Share;
    cell.share = share;
    return cell;
}

CellValue CellValue::ofCount(std::uint64_t count)
{
    return ofNumber(Kind::Count, static_cast<std::int64_t>(count));
}

CellValue CellValue::ofBytes(std::uint64_t bytes)
{
    return ofNumber(Kind::Bytes, static_cast<std::int64_t>(bytes));
}

QString CellValue::shownText(TimeUnit unit, const QLocale& locale) const
{
    switch (kind) {
    case Kind::None:
        break;
    case Kind::Text:
        return text;
    case Kind::Duration:
        return formatDuration(Duration::fromNanoseconds(number), unit, locale);
    case Kind::Share:
        return formatPercent(share, locale);
    case Kind::Count:
        return formatCount(static_cast<std::uint64_t>(number), locale);
    case Kind::Bytes:
        return formatBytes(static_cast<std::uint64_t>(number), locale);
    }
    return noValue();
}

QString CellValue::exactText() const
{
    switch (kind) {
    case Kind::None:
        break;
    case Kind::Text:
        return text;
    case Kind::Share:
        return QString::number(share * 100.0, 'f', 6);
    case Kind::Duration:
    case Kind::Count:
    case Kind::Bytes:
        return QString::number(number);
    }
    return {};
}

QString CellValue::toolTip() const
{
    if (kind == Kind::Duration)
        return formatExactDuration(Duration::fromNanoseconds(number));
    if (kind == Kind::Bytes)
        return formatCount(static_cast<std::uint64_t>(number)) + QStringLiteral(" B");
    return {};
}

std::uint64_t CellValue::sortKey() const
{
    if (kind == Kind::None)
        return 0;
    if (kind == Kind::Share) // Shares sort finer than a millionth of the whole.
        return 1 + static_cast<std::uint64_t>(std::max(share, 0.0) * 1e15);
    return 1 + static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0));
}

QString exactUnitSuffix(CellValue::Kind kind)
{
    switch (kind) {
    case CellValue::Kind::Duration:
        return QStringLiteral(" (ns)");
    case CellValue::Kind::Bytes:
        return QStringLiteral(" (B)");
    case CellValue::Kind::None:
    case CellValue::Kind::Text:
    case CellValue::Kind::Share:
    case CellValue::Kind::Count:
        break;
    }
    return {};
}

} // namespace perilune
