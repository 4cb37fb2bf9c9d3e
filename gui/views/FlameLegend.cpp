// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameLegend.h"

#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace perilune {

namespace {

constexpr int swatch = 11;
constexpr int swatchGap = 5;
constexpr int entryGap = 16;
constexpr int longestEntry = 220;
constexpr int gradientWidth = 160;
constexpr std::size_t toolTipLimit = 30;

} // namespace

FlameLegend::FlameLegend(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Legend of colours"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FlameLegend::setScheme(std::shared_ptr<const FlameScheme> scheme)
{
    m_legend = scheme->legend();
    setToolTip(textOfAll());
    setAccessibleDescription(m_legend.title);
    update();
}

QSize FlameLegend::sizeHint() const
{
    return {400, fontMetrics().height() + 8};
}

QSize FlameLegend::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void FlameLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintLine(painter, rect().adjusted(8, 0, -8, 0));
}

void FlameLegend::paintLine(QPainter& painter, const QRect& line) const
{
    const QString title = tr("%1:").arg(m_legend.title);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
    int left = line.left() + painter.fontMetrics().horizontalAdvance(title) + 10;
    if (!m_legend.gradient.empty())
        left = paintGradient(painter, line, left) + entryGap;
    paintEntries(painter, line, left);
}

void FlameLegend::paintEntries(QPainter& painter, const QRect& line, int left) const
{
    const QFontMetrics metrics = painter.fontMetrics();
    const auto moreText = [this](std::size_t shown) {
        return tr("+ %Ln more", nullptr, static_cast<int>(m_legend.entries.size() - shown));
    };
    const int moreWidth = metrics.horizontalAdvance(moreText(0)) + entryGap;
    std::size_t shown = 0;
    for (const FlameScheme::LegendEntry& entry : m_legend.entries) {
        const QString text = metrics.elidedText(entry.text, Qt::ElideMiddle, longestEntry);
        const int width = swatch + swatchGap + metrics.horizontalAdvance(text);
        const bool isLast = shown + 1 == m_legend.entries.size();
        if (left + width + (isLast ? 0 : moreWidth) > line.right())
            break;
        const QRect box(left, line.center().y() - swatch / 2, swatch, swatch);
        painter.fillRect(box, entry.color);
        paintFlamePattern(painter, box, entry.pattern, entry.color.rgb());
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect room(box.right() + 1 + swatchGap, line.top(), line.right(), line.height());
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        left += width + entryGap;
        ++shown;
    }
    if (shown == m_legend.entries.size())
        return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(left, line.top(), line.right() - left, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, moreText(shown));
}

/// Returns where it ends.
int FlameLegend::paintGradient(QPainter& painter, const QRect& line, int left) const
{
    const QFontMetrics metrics = painter.fontMetrics();
    const auto drawEnd = [&](const QString& text) {
        const QRect room(left, line.top(), line.right() - left, line.height());
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        left += metrics.horizontalAdvance(text) + swatchGap;
    };
    drawEnd(m_legend.gradient.front().text);
    const QRect box(left, line.center().y() - swatch / 2, gradientWidth, swatch);
    QLinearGradient gradient(box.topLeft(), box.topRight());
    const double last = static_cast<double>(m_legend.gradient.size() - 1);
    for (std::size_t i = 0; i < m_legend.gradient.size(); ++i)
        gradient.setColorAt(static_cast<double>(i) / last, m_legend.gradient[i].color);
    painter.fillRect(box, gradient);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    left += gradientWidth + swatchGap;
    drawEnd(m_legend.gradient.back().text);
    return left;
}

QString FlameLegend::textOfAll() const
{
    QStringList lines;
    const std::size_t count = std::min(m_legend.entries.size(), toolTipLimit);
    for (std::size_t i = 0; i < count; ++i) {
        lines << QStringLiteral("<span style=\"color:%1\">&#9632;</span> %2")
                     .arg(m_legend.entries[i].color.name(),
                          m_legend.entries[i].text.toHtmlEscaped());
    }
    if (count < m_legend.entries.size()) {
        const auto more = static_cast<int>(m_legend.entries.size() - count);
        lines << tr("+ %Ln more", nullptr, more);
    }
    return lines.join(QStringLiteral("<br>"));
}

} // namespace perilune
