// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

class QApplication;

namespace perilune {

enum class ColorScheme
{
    System,
    Light,
    Dark,
    HighContrast
};

/// The window's own palette for a scheme; System follows `system`, the desktop's palette.
QPalette paletteForScheme(ColorScheme scheme, const QPalette& system);

/// Sets the Fusion style and the palette of a scheme. The desktop's palette is remembered at the
/// first call, which therefore comes before anything else changes it.
void applyTheme(QApplication& application, ColorScheme scheme);

/// Colours that QPalette has no role for. Each is legible on the palette's Base and Window, and
/// none of them carries a meaning alone: a word, sign or icon stands beside it.
struct ThemeColors
{
    bool isDark = false;
    bool isHighContrast = false;

    QColor bar; ///< Behind the text of a share.
    QColor barBorder;
    QColor error; ///< Text and icons.
    QColor warning;
    QColor success;
    QColor errorBackground; ///< Of message strips.
    QColor warningBackground;
    QColor infoBackground;
    QColor separator;
    QColor matchBackground; ///< Of what a search found.
    QColor currentLine;     ///< Background of the line a source view points at.

    QColor keyword;
    QColor string;
    QColor number;
    QColor comment;
    QColor libraryName;
};

ThemeColors themeColors(const QPalette& palette);

/// The contrast of two opaque colours after WCAG 2, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);
/// `top` with its alpha laid over an opaque `bottom`.
QColor blended(const QColor& top, const QColor& bottom);

} // namespace perilune
