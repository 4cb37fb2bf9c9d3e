// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/Icons.h"

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
    ThemeIconEngine(QByteArray svg, const QColor& color)
        : m_svg(std::move(svg))
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
        return m_color.isValid() ? m_color : palette.color(QPalette::ButtonText);
    }

    static QRectF squareIn(const QRect& rect)
    {
        const int side = std::min(rect.width(), rect.height());
        QRectF square(0, 0, side, side);
        square.moveCenter(QRectF(rect).center());
        return square;
    }

    QByteArray m_svg;
    QColor m_color;
};

} // namespace

QIcon themedIcon(const QString& name)
{
    return tintedIcon(name, QColor());
}

QIcon tintedIcon(const QString& name, const QColor& color)
{
    initIconResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemeIconEngine(file.readAll(), color));
}

QIcon applicationIcon()
{
    initIconResources();
    return QIcon(QStringLiteral(":/icons/perilune.svg"));
}

} // namespace perilune
