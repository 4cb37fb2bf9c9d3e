// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <cstdint>
#include <optional>

namespace perilune {

enum class FlameDirection
{
    Icicle, ///< The root on top.
    Flame   ///< The root at the bottom.
};

/// The map between a flame graph's positions and levels and the pixels of a view.
struct FlameGeometry
{
    double from = 0.0; ///< The position at the left edge, in units of the layout's metric.
    double to = 1.0;   ///< At the right edge; more than `from`.
    int width = 1;     ///< Of the view, in pixels.
    int height = 1;
    int rowHeight = 20;
    int scroll = 0;               ///< Pixels of the content above the view.
    std::uint32_t levelCount = 0; ///< Levels that the content has room for.
    FlameDirection direction = FlameDirection::Icicle;
    double pixelRatio = 1.0;

    int contentHeight() const;
    double unitsPerPixel() const { return (to - from) / width; }
    /// Positions within one pixel of the device cannot be told apart.
    double unitsPerDevicePixel() const { return unitsPerPixel() / pixelRatio; }
    /// On a border between device pixels, so that edges stay sharp at every scale.
    double xOf(double position) const;
    double positionAt(double x) const { return from + x * unitsPerPixel(); }
    /// The upper edge of a level in the view; far outside of it for levels that are not visible.
    int yOf(std::uint32_t level) const;
    std::optional<std::uint32_t> levelAt(int y) const;
    /// The place of [start, end) at a level, at least one device pixel wide.
    QRectF rectOf(std::uint32_t level, double start, double end) const;
    /// The levels [first, second) that the rows from `top` to `bottom` show.
    std::pair<std::uint32_t, std::uint32_t> levelsBetween(int top, int bottom) const;
};

} // namespace perilune
