// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/Icons.h"

#include "gui/views/Theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

#include <algorithm>
#include <utility>

/// The icons are linked in with a static library, whose resources do not register themselves; the
/// macro must stand outside of any namespace.
static void initIconResources()
{
    Q_INIT_RESOURCE(icons);
}

namespace perilune {

namespace {

/// Draws an SVG whose lines are "currentColor" in a colour of the palette.
class ThemeIconEngine : public QIconEngine
{
public:
    ThemeIconEngine(QByteArray svg, IconTint tint, const QColor& color)
        : m_svg(std::move(svg))
        , m_tint(tint)
        , m_color(color)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        QByteArray svg = m_svg;
        svg.replace("currentColor", colorFor(mode).name().toLatin1());
        QSvgRenderer(svg).render(painter, squareIn(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return result;
    }

    QIconEngine* clone() const override { return new ThemeIconEngine(*this); }

private:
    QColor colorFor(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (mode == QIcon::Selected)
            return palette.color(QPalette::HighlightedText);
        if (m_color.isValid())
            return m_color;
        switch (m_tint) {
        case IconTint::Go:
            return themeColors(palette).success;
        case IconTint::Halt:
            return themeColors(palette).error;
        case IconTint::Plain:
            break;
        }
        return palette.color(QPalette::ButtonText);
    }

    static QRectF squareIn(const QRect& rect)
    {
        const int side = std::min(rect.width(), rect.height());
        QRectF square(0, 0, side, side);
        square.moveCenter(QRectF(rect).center());
        return square;
    }

    QByteArray m_svg;
    IconTint m_tint;
    QColor m_color; ///< Instead of the tint's, if valid.
};

QIcon createIcon(const QString& name, IconTint tint, const QColor& color)
{
    initIconResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemeIconEngine(file.readAll(), tint, color));
}

} // namespace

QIcon themedIcon(const QString& name)
{
    return createIcon(name, IconTint::Plain, QColor());
}

QIcon themedIcon(const QString& name, IconTint tint)
{
    return createIcon(name, tint, QColor());
}

QIcon tintedIcon(const QString& name, const QColor& color)
{
    return createIcon(name, IconTint::Plain, color);
}

QIcon applicationIcon()
{
    initIconResources();
    return QIcon(QStringLiteral(":/icons/perilune.svg"));
}

} // namespace perilune
