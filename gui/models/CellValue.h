// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Duration.h"
#include "gui/models/NumberFormat.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace perilune {

/// What one cell of a table says, before it becomes text: a number with its kind, a text, or
/// nothing.
struct CellValue
{
    enum class Kind
    {
        None,
        Text,
        Duration,
        Share,
        Count,
        Bytes
    };

    Kind kind = Kind::None;
    std::int64_t number = 0; ///< Nanoseconds, count or bytes.
    double share = 0.0;
    QString text;

    static CellValue none() { return {}; }
    static CellValue ofText(const QString& text);
    static CellValue ofDuration(Duration duration);
    static CellValue ofShare(double share);
    static CellValue ofCount(std::uint64_t count);
    static CellValue ofBytes(std::uint64_t bytes);

    /// As on the screen; "–" for nothing.
    QString shownText(TimeUnit unit, const QLocale& locale = QLocale()) const;
    /// For other programs: nanoseconds, bytes, percent with all digits; empty for nothing.
    QString exactText() const;
    /// Where the shown text is rounded, the exact value with its unit; else empty.
    QString toolTip() const;
    /// Orders cells of one column by their raw values; nothing comes below everything.
    std::uint64_t sortKey() const;
};

/// The unit of exactText() as it follows a column's title: " (ns)", or nothing.
QString exactUnitSuffix(CellValue::Kind kind);

} // namespace perilune
