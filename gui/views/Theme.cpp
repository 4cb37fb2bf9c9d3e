// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/Theme.h"

#include "gui/views/ContrastStyle.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

/// The few colours from which a whole palette follows.
struct BaseColors
{
    QRgb window;
    QRgb base;
    QRgb alternateBase;
    QRgb text;
    QRgb mutedText;
    QRgb button;
    QRgb highlight;
    QRgb highlightedText;
    QRgb link;
    QRgb toolTip;
};

constexpr BaseColors lightColors = {0xfff4f5f8, 0xffffffff, 0xfff7f8fb, 0xff1c2030, 0xff626a7d,
                                    0xffeceef3, 0xff2c64d2, 0xffffffff, 0xff1f56bd, 0xffffffff};
constexpr BaseColors darkColors = {0xff24272f, 0xff1b1d23, 0xff20232a, 0xffe4e7ee, 0xff9aa3b4,
                                   0xff30343e, 0xff3b6fd4, 0xffffffff, 0xff8fb4ff, 0xff30343e};
constexpr BaseColors contrastColors = {0xff000000, 0xff000000, 0xff000000, 0xffffffff, 0xffffffff,
                                       0xff000000, 0xffffe000, 0xff000000, 0xff66e0ff, 0xff000000};

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto channel = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

void setShades(QPalette& palette, const QColor& window, const QColor& text)
{
    palette.setColor(QPalette::Light, mixed(window, Qt::white, 0.4));
    palette.setColor(QPalette::Midlight, mixed(window, text, 0.08));
    palette.setColor(QPalette::Mid, mixed(window, text, 0.25));
    palette.setColor(QPalette::Dark, mixed(window, text, 0.4));
    palette.setColor(QPalette::Shadow, mixed(window, Qt::black, 0.6));
}

QPalette paletteOf(const BaseColors& colors)
{
    const QColor window(colors.window);
    const QColor text(colors.text);
    QPalette palette;
    setShades(palette, window, text);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, QColor(colors.base));
    palette.setColor(QPalette::AlternateBase, QColor(colors.alternateBase));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, QColor(colors.mutedText));
    palette.setColor(QPalette::Button, QColor(colors.button));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::Highlight, QColor(colors.highlight));
    palette.setColor(QPalette::HighlightedText, QColor(colors.highlightedText));
    palette.setColor(QPalette::Link, QColor(colors.link));
    palette.setColor(QPalette::LinkVisited, QColor(colors.link));
    palette.setColor(QPalette::ToolTipBase, QColor(colors.toolTip));
    palette.setColor(QPalette::ToolTipText, text);
    const QColor disabled = mixed(window, text, 0.45);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mixed(window, text, 0.15));
    return palette;
}

bool isDarkPalette(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < 128;
}

bool isContrastPalette(const QPalette& palette)
{
    return contrastRatio(palette.color(QPalette::Base), palette.color(QPalette::Text)) > 20.5;
}

ThemeColors lightThemeColors()
{
    ThemeColors colors;
    colors.bar = QColor(0xffc9daf8);
    colors.barBorder = QColor(0xff9dbcf0);
    colors.error = QColor(0xffb3261e);
    colors.warning = QColor(0xff8a5200);
    colors.success = QColor(0xff1b6e3c);
    colors.errorBackground = QColor(0xfffce8e6);
    colors.warningBackground = QColor(0xfffff4d6);
    colors.infoBackground = QColor(0xffe6effd);
    colors.separator = QColor(0xffd5d9e2);
    colors.matchBackground = QColor(0xffffe9a8);
    colors.currentLine = QColor(0xfffff3c4);
    colors.keyword = QColor(0xff7a1fa2);
    colors.string = QColor(0xff1b6e3c);
    colors.number = QColor(0xffa34700);
    colors.comment = QColor(0xff656d80);
    colors.libraryName = QColor(0xff1f56bd);
    return colors;
}

ThemeColors darkThemeColors()
{
    ThemeColors colors;
    colors.isDark = true;
    colors.bar = QColor(0xff2c4673);
    colors.barBorder = QColor(0xff40629c);
    colors.error = QColor(0xffff9b91);
    colors.warning = QColor(0xfff0bd62);
    colors.success = QColor(0xff7fd29b);
    colors.errorBackground = QColor(0xff4a2422);
    colors.warningBackground = QColor(0xff443612);
    colors.infoBackground = QColor(0xff243552);
    colors.separator = QColor(0xff3a3f4b);
    colors.matchBackground = QColor(0xff574a17);
    colors.currentLine = QColor(0xff3a3720);
    colors.keyword = QColor(0xffd4a3f0);
    colors.string = QColor(0xff93d6a4);
    colors.number = QColor(0xfff0b37e);
    colors.comment = QColor(0xff8d96a8);
    colors.libraryName = QColor(0xff8fb4ff);
    return colors;
}

ThemeColors contrastThemeColors()
{
    ThemeColors colors = darkThemeColors();
    colors.isHighContrast = true;
    colors.bar = QColor(0xff00508a);
    colors.barBorder = QColor(0xff66e0ff);
    colors.error = QColor(0xffff9b91);
    colors.warning = QColor(0xffffe000);
    colors.success = QColor(0xff7dff9b);
    colors.errorBackground = QColor(0xff3d0000);
    colors.warningBackground = QColor(0xff2e2900);
    colors.infoBackground = QColor(0xff00263d);
    colors.separator = QColor(0xffffffff);
    colors.matchBackground = QColor(0xff5a5a00);
    colors.currentLine = QColor(0xff333300);
    colors.comment = QColor(0xffc8c8c8);
    return colors;
}

double channelLuminance(double value)
{
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * channelLuminance(color.redF()) + 0.7152 * channelLuminance(color.greenF())
        + 0.0722 * channelLuminance(color.blueF());
}

} // namespace

QPalette paletteForScheme(ColorScheme scheme, const QPalette& system)
{
    switch (scheme) {
    case ColorScheme::Light:
        return paletteOf(lightColors);
    case ColorScheme::Dark:
        return paletteOf(darkColors);
    case ColorScheme::HighContrast:
        return paletteOf(contrastColors);
    case ColorScheme::System:
        break;
    }
    return paletteOf(isDarkPalette(system) ? darkColors : lightColors);
}

void applyTheme(QApplication& application, ColorScheme scheme)
{
    static const QPalette system = QApplication::palette();
    const bool needsOutlines = scheme == ColorScheme::HighContrast;
    const bool hasOutlines = qobject_cast<ContrastStyle*>(application.style()) != nullptr;
    if (needsOutlines && !hasOutlines)
        QApplication::setStyle(new ContrastStyle);
    else if (!needsOutlines
             && (hasOutlines || application.style()->name() != QStringLiteral("fusion")))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const QPalette palette = paletteForScheme(scheme, system);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

ThemeColors themeColors(const QPalette& palette)
{
    if (!isDarkPalette(palette))
        return lightThemeColors();
    return isContrastPalette(palette) ? contrastThemeColors() : darkThemeColors();
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor blended(const QColor& top, const QColor& bottom)
{
    return mixed(bottom, top, top.alphaF());
}

} // namespace perilune
