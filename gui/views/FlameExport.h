// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace perilune {

class FlameCanvas;

/// Pictures of what a flame graph shows between its left and right edge, with all of its levels (up
/// to a height that other programs can open), a title above and the legend beneath.
enum class FlamePicture
{
    Svg, ///< Text and shapes; each frame carries its details as a title.
    Png, ///< At twice the resolution of the screen.
    Pdf  ///< One page.
};

/// The SVG as text, for a file or the clipboard.
QByteArray flameSvg(FlameCanvas& canvas, const QString& title, int width);

/// Writes a picture and returns an empty text, or says why it could not.
QString writeFlamePicture(FlameCanvas& canvas, const QString& title, FlamePicture kind,
                          const QString& path);

} // namespace perilune
