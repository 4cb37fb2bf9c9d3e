// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/NumberText.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace perilune::cli {

namespace {

struct Unit
{
    const char* symbol;
    double size; ///< In the first unit, which has no parts.
    double next; ///< How many make one of the next unit; infinite for the last.
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

std::string fixed(double value, int decimals)
{
    std::array<char, 64> buffer = {};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

double rounded(double value, int decimals)
{
    const double factor = std::pow(10.0, decimals);
    return std::round(value * factor) / factor;
}

/// 1.284, 12.3, 123.4
int decimalsFor(double value)
{
    return rounded(value, 3) < 10.0 ? 3 : 1;
}

/// In the first unit in which the value stays below one of the next when rounded.
std::string inBestUnit(double magnitude, const std::array<Unit, 5>& units)
{
    std::size_t unit = 0;
    int decimals = 0;
    double value = magnitude;
    while (value >= units[unit].next) {
        ++unit;
        value = std::max(magnitude / units[unit].size, 1.0); // 59.96 s rounds to a minute
        decimals = decimalsFor(value);
        value = rounded(value, decimals);
    }
    return fixed(value, decimals) + " " + units[unit].symbol;
}

} // namespace

std::string durationText(Duration duration)
{
    const auto nanoseconds = static_cast<double>(duration.nanoseconds());
    return (nanoseconds < 0.0 ? "−" : "") + inBestUnit(std::abs(nanoseconds), timeUnits);
}

std::string bytesText(std::uint64_t bytes)
{
    return inBestUnit(static_cast<double>(bytes), byteUnits);
}

std::string percentText(double share)
{
    const double percent = share * 100.0;
    if (percent == 0.0)
        return "0 %";
    if (percent > 0.0 && percent < 0.1)
        return "<0.1 %";
    return fixed(percent, 1) + " %";
}

std::string countText(std::uint64_t count)
{
    std::string text = std::to_string(count);
    for (auto position = static_cast<std::ptrdiff_t>(text.size()) - 3; position > 0; position -= 3)
        text.insert(static_cast<std::size_t>(position), ",");
    return text;
}

} // namespace perilune::cli
