// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlamePainter.h"

#include "gui/views/Theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

constexpr double textMargin = 4.0;
/// Frames narrower than this have no gap to their neighbour: it would be all that one sees.
constexpr double narrowestWithGap = 3.0;
constexpr double narrowestWithText = 24.0;

QRgb mixedWith(QRgb color, const QColor& other, int percent)
{
    const auto channel = [percent](int from, int to) { return from + (to - from) * percent / 100; };
    return qRgb(channel(qRed(color), other.red()), channel(qGreen(color), other.green()),
                channel(qBlue(color), other.blue()));
}

} // namespace

FlamePainter::FlamePainter(const FlameLayout& layout, const FlameScheme& scheme,
                           FlameLabels& labels, const FlameMarks& marks, const QPalette& palette)
    : m_layout(layout)
    , m_scheme(scheme)
    , m_labels(labels)
    , m_marks(marks)
    , m_background(palette.color(QPalette::Base))
    , m_highlight(palette.color(QPalette::Text))
    , m_mergedColor(themeColors(palette).isDark ? 0xff3a3d44 : 0xffc4c6ca)
    , m_matchColor(palette.color(QPalette::Highlight).rgb())
    , m_zoomedLevel(marks.zoomed ? layout.levelOf(*marks.zoomed) : 0)
{
}

std::size_t FlamePainter::paint(QPainter& painter, const FlameGeometry& geometry, const QRect& clip)
{
    std::size_t count = 0;
    painter.setFont(m_labels.font());
    const auto [first, last] = geometry.levelsBetween(clip.top(), clip.bottom() + 1);
    for (std::uint32_t level = first; level < last; ++level) {
        // The whole width whatever the clip: a run of small frames is the same at each repaint.
        m_spans.clear();
        m_layout.findSpans(level, geometry.from, geometry.to, geometry.unitsPerDevicePixel(),
                           m_spans);
        paintLevel(painter, geometry, level, clip);
        count += m_spans.size();
    }
    return count;
}

void FlamePainter::paintLevel(QPainter& painter, const FlameGeometry& geometry, std::uint32_t level,
                              const QRect& clip)
{
    const double left = geometry.positionAt(clip.left() - 1);
    const double right = geometry.positionAt(clip.right() + 2);
    for (const FlameSpan& span : m_spans) {
        if (static_cast<double>(span.end) > left && static_cast<double>(span.start) < right)
            paintSpan(painter, geometry, level, span);
    }
}

void FlamePainter::paintSpan(QPainter& painter, const FlameGeometry& geometry, std::uint32_t level,
                             const FlameSpan& span)
{
    const QRectF whole =
        geometry.rectOf(level, static_cast<double>(span.start), static_cast<double>(span.end));
    const double gap = whole.width() >= narrowestWithGap ? 1.0 / geometry.pixelRatio : 0.0;
    const QRectF box = whole.adjusted(0, 0, -gap, -1.0 / geometry.pixelRatio);
    const QRgb color = colorOf(span, level);
    painter.fillRect(box, QColor(color));
    if (!span.isMerged)
        paintFlamePattern(painter, box, m_scheme.patternOf(m_layout, span.firstBar), color);
    if (box.width() >= narrowestWithText)
        paintLabel(painter, box, span, color, geometry.width);
    paintMarks(painter, box, span, color);
}

QRgb FlamePainter::colorOf(const FlameSpan& span, std::uint32_t level) const
{
    const bool isRun = span.isMerged && span.barCount > 1;
    const bool isMatch = m_marks.isSearching() && m_marks.hasMatch(span);
    if (isRun && isMatch)
        return m_matchColor;
    QRgb color = isRun ? m_mergedColor : m_scheme.colorOf(m_layout, span.firstBar);
    if (m_marks.isSearching() && !isMatch)
        color = mixedWith(color, m_background, 72);
    if (level < m_zoomedLevel)
        color = mixedWith(color, m_background, 45);
    if (m_marks.hovered == span.firstBar)
        color = mixedWith(color, m_highlight, 14);
    return color;
}

void FlamePainter::paintLabel(QPainter& painter, const QRectF& box, const FlameSpan& span,
                              QRgb background, int viewWidth)
{
    // A frame that begins or ends outside keeps its name in sight.
    const double left = std::max(box.left(), 0.0) + textMargin;
    const double right = std::min(box.right(), static_cast<double>(viewWidth)) - textMargin;
    const QRectF room(left, box.top(), right - left, box.height());
    if (span.isMerged) {
        const QStaticText text(tr("%Ln small frame(s)", nullptr, static_cast<int>(span.barCount)));
        if (text.size().width() <= room.width())
            paintText(painter, room, text, background);
        return;
    }
    const FunctionId function = m_layout.tree().function(m_layout.node(span.firstBar));
    if (const QStaticText* text = m_labels.find(function, static_cast<int>(room.width())))
        paintText(painter, room, *text, background);
}

void FlamePainter::paintText(QPainter& painter, const QRectF& room, const QStaticText& text,
                             QRgb background)
{
    painter.setPen(QColor(textColorOn(background)));
    const double top = room.top() + std::floor((room.height() - m_labels.textHeight()) / 2.0);
    painter.drawStaticText(QPointF(std::round(room.left()), top), text);
}

void FlamePainter::paintMarks(QPainter& painter, const QRectF& box, const FlameSpan& span,
                              QRgb background)
{
    const bool isCurrentBar = isCurrent(span);
    const bool isCurrentFunction = m_marks.currentFunction.isValid() && !span.isMerged
        && m_layout.tree().function(m_layout.node(span.firstBar)) == m_marks.currentFunction;
    if (!isCurrentBar && !isCurrentFunction)
        return;
    const double width = isCurrentBar ? 2.0 : 1.0;
    QPen pen(isCurrentBar && m_marks.hasFocus ? m_highlight : QColor(textColorOn(background)),
             width);
    if (!isCurrentBar)
        pen.setStyle(Qt::DotLine);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double inset = width / 2.0;
    if (box.width() > 2.0 * width)
        painter.drawRect(box.adjusted(inset, inset, -inset, -inset));
    else
        painter.fillRect(box, pen.color());
}

bool FlamePainter::isCurrent(const FlameSpan& span) const
{
    return m_marks.current && *m_marks.current >= span.firstBar
        && *m_marks.current < span.firstBar + span.barCount;
}

} // namespace perilune
