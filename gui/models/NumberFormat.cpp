// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/NumberFormat.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace perilune {

namespace {

constexpr QChar minusSign(0x2212);

struct Unit
{
    const char* symbol;
    double size; ///< In the base unit.
    double next; ///< How many of this unit make one of the next; infinite for the last.
};

constexpr std::array<Unit, 5> timeUnits = {{
    {"ns", 1.0, 1000.0},
    {"µs", 1e3, 1000.0},
    {"ms", 1e6, 1000.0},
    {"s", 1e9, 60.0},
    {"min", 60e9, HUGE_VAL},
}};

constexpr std::array<Unit, 5> byteUnits = {{
    {"B", 1.0, 1024.0},
    {"KiB", 1024.0, 1024.0},
    {"MiB", 1048576.0, 1024.0},
    {"GiB", 1073741824.0, 1024.0},
    {"TiB", 1099511627776.0, HUGE_VAL},
}};

QString textOf(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

double roundedTo(double value, int decimals)
{
    const double factor = std::pow(10.0, decimals);
    return std::round(value * factor) / factor;
}

/// Decimals that give 3 to 4 significant digits: 1.284, 12.3, 123.4.
int decimalsFor(double value)
{
    return roundedTo(value, 3) < 10.0 ? 3 : 1;
}

/// `value` in the first of `units` in which it stays below one of the next after rounding, so that
/// 999.96 µs reads "1.000 ms". The first unit is indivisible: it has no decimals.
template<std::size_t N>
QString inBestUnit(double value, const std::array<Unit, N>& units, const QLocale& locale)
{
    std::size_t index = 0;
    double rounded = std::round(value / units[0].size);
    int decimals = 0;
    while (rounded >= units[index].next) {
        ++index;
        const double scaled = std::max(value / units[index].size, 1.0);
        decimals = decimalsFor(scaled);
        rounded = roundedTo(scaled, decimals);
    }
    return locale.toString(rounded, 'f', decimals) + QLatin1Char(' ') + textOf(units[index].symbol);
}

QString inFixedUnit(double nanoseconds, TimeUnit unit, const QLocale& locale)
{
    constexpr std::array<int, 4> decimals = {0, 1, 3, 6};
    const auto index = static_cast<std::size_t>(unit) - 1;
    return locale.toString(nanoseconds / timeUnits[index].size, 'f', decimals[index])
        + QLatin1Char(' ') + textOf(timeUnits[index].symbol);
}

QString formatMagnitude(double nanoseconds, TimeUnit unit, const QLocale& locale)
{
    return unit == TimeUnit::Automatic ? inBestUnit(nanoseconds, timeUnits, locale)
                                       : inFixedUnit(nanoseconds, unit, locale);
}

double magnitude(Duration duration)
{
    return std::abs(static_cast<double>(duration.nanoseconds()));
}

QString signOf(double value)
{
    if (value == 0.0)
        return {};
    return value < 0.0 ? QString(minusSign) : QStringLiteral("+");
}

QString percentMagnitude(double share, const QLocale& locale)
{
    const double percent = std::abs(share) * 100.0;
    if (percent == 0.0)
        return QStringLiteral("0 %");
    if (percent < 0.1)
        return QLatin1Char('<') + locale.toString(0.1, 'f', 1) + QStringLiteral(" %");
    return locale.toString(percent, 'f', 1) + QStringLiteral(" %");
}

} // namespace

QString formatDuration(Duration duration, TimeUnit unit, const QLocale& locale)
{
    const QString text = formatMagnitude(magnitude(duration), unit, locale);
    return duration.nanoseconds() < 0 ? minusSign + text : text;
}

QString formatExactDuration(Duration duration)
{
    const QString text = formatCount(static_cast<std::uint64_t>(std::llabs(duration.nanoseconds())))
        + QStringLiteral(" ns");
    return duration.nanoseconds() < 0 ? minusSign + text : text;
}

QString formatSignedDuration(Duration duration, TimeUnit unit)
{
    return signOf(static_cast<double>(duration.nanoseconds()))
        + formatMagnitude(magnitude(duration), unit, QLocale());
}

QString formatPercent(double share, const QLocale& locale)
{
    if (!std::isfinite(share))
        return noValue();
    const QString text = percentMagnitude(share, locale);
    return share < 0.0 ? minusSign + text : text;
}

QString formatSignedPercent(double share)
{
    if (!std::isfinite(share))
        return noValue();
    return signOf(share) + percentMagnitude(share, QLocale());
}

QString formatCount(std::uint64_t count, const QLocale& locale)
{
    return locale.toString(static_cast<qulonglong>(count));
}

QString formatBytes(std::uint64_t bytes, const QLocale& locale)
{
    return inBestUnit(static_cast<double>(bytes), byteUnits, locale);
}

QString formatMetric(Metric metric, std::uint64_t value, TimeUnit unit)
{
    switch (metric) {
    case Metric::Time:
    case Metric::RawTime:
        return formatDuration(Duration::fromNanoseconds(static_cast<std::int64_t>(value)), unit);
    case Metric::Bytes:
        return formatBytes(value);
    case Metric::Calls:
    case Metric::Samples:
    case Metric::Blocks:
        break;
    }
    return formatCount(value);
}

QString metricTitle(Metric metric)
{
    switch (metric) {
    case Metric::Time:
        return QCoreApplication::translate("Metric", "Time");
    case Metric::RawTime:
        return QCoreApplication::translate("Metric", "Raw time");
    case Metric::Calls:
        return QCoreApplication::translate("Metric", "Calls");
    case Metric::Samples:
        return QCoreApplication::translate("Metric", "Samples");
    case Metric::Bytes:
        return QCoreApplication::translate("Metric", "Allocated");
    case Metric::Blocks:
        return QCoreApplication::translate("Metric", "Allocations");
    }
    return {};
}

QString noValue()
{
    return QStringLiteral("–");
}

QString formatClock(Duration elapsed)
{
    const std::int64_t seconds = elapsed.nanoseconds() / 1'000'000'000;
    const auto twoDigits = [](std::int64_t value) {
        return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
    };
    const QString secondsText = QLatin1Char(':') + twoDigits(seconds % 60);
    const std::int64_t hours = seconds / 3600;
    const std::int64_t minutes = seconds / 60 % 60;
    if (hours == 0)
        return QString::number(minutes) + secondsText;
    return QString::number(hours) + QLatin1Char(':') + twoDigits(minutes) + secondsText;
}

} // namespace perilune
