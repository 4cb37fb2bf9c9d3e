// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameGeometry.h"

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

/// Beyond what any screen shows and small enough for every engine of QPainter.
constexpr double farAway = 16000.0;

} // namespace

int FlameGeometry::contentHeight() const
{
    return std::max(static_cast<int>(levelCount) * rowHeight, height);
}

double FlameGeometry::xOf(double position) const
{
    const double x = (position - from) / unitsPerPixel();
    return std::clamp(std::round(x * pixelRatio) / pixelRatio, -farAway, farAway);
}

int FlameGeometry::yOf(std::uint32_t level) const
{
    const int rows = static_cast<int>(level);
    const int inContent = direction == FlameDirection::Icicle
        ? rows * rowHeight
        : contentHeight() - (rows + 1) * rowHeight;
    return inContent - scroll;
}

std::optional<std::uint32_t> FlameGeometry::levelAt(int y) const
{
    const int inContent =
        direction == FlameDirection::Icicle ? y + scroll : contentHeight() - 1 - y - scroll;
    if (inContent < 0)
        return {};
    const auto level = static_cast<std::uint32_t>(inContent / rowHeight);
    return level < levelCount ? std::optional(level) : std::nullopt;
}

QRectF FlameGeometry::rectOf(std::uint32_t level, double start, double end) const
{
    const double pixel = 1.0 / pixelRatio;
    // What begins within the last pixel is still seen there.
    const double left = start < to ? std::min(xOf(start), width - pixel) : xOf(start);
    const double right = std::max(xOf(end), left + pixel);
    return {left, static_cast<double>(yOf(level)), right - left, static_cast<double>(rowHeight)};
}

std::pair<std::uint32_t, std::uint32_t> FlameGeometry::levelsBetween(int top, int bottom) const
{
    const int first =
        direction == FlameDirection::Icicle ? top + scroll : contentHeight() - scroll - bottom;
    const int last = first + bottom - top;
    const auto levelOf = [this](int y) {
        return std::min(static_cast<std::uint32_t>(std::max(y, 0) / rowHeight), levelCount);
    };
    return {levelOf(first), levelOf(last + rowHeight - 1)};
}

} // namespace perilune
