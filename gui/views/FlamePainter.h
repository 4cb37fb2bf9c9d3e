// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FlameLayout.h"
#include "gui/views/FlameColors.h"
#include "gui/views/FlameGeometry.h"
#include "gui/views/FlameLabels.h"

#include <QCoreApplication>
#include <QPalette>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace perilune {

/// What a flame graph emphasises.
struct FlameMarks
{
    std::optional<std::uint32_t> current; ///< A bar.
    std::optional<std::uint32_t> hovered; ///< The first bar of a span.
    std::optional<std::uint32_t>
        zoomed;                 ///< The bar that fills the width; those above it step back.
    FunctionId currentFunction; ///< Framed wherever it appears.
    /// Matches of a search among the bars before each bar; empty when nothing is searched for.
    std::vector<std::uint32_t> matchesBefore;
    bool hasFocus = false;

    bool isSearching() const { return !matchesBefore.empty(); }
    bool hasMatch(const FlameSpan& span) const
    {
        return matchesBefore[span.firstBar + span.barCount] > matchesBefore[span.firstBar];
    }
};

/// Draws the visible part of a flame layout: as much work as there are pixels, whatever the tree.
class FlamePainter
{
    Q_DECLARE_TR_FUNCTIONS(perilune::FlamePainter)
public:
    FlamePainter(const FlameLayout& layout, const FlameScheme& scheme, FlameLabels& labels,
                 const FlameMarks& marks, const QPalette& palette);

    /// Draws what lies within `clip` (in pixels of the view). Returns how many spans it drew.
    std::size_t paint(QPainter& painter, const FlameGeometry& geometry, const QRect& clip);

    /// The colour of a span as it is drawn.
    QRgb colorOf(const FlameSpan& span, std::uint32_t level) const;

private:
    void paintLevel(QPainter& painter, const FlameGeometry& geometry, std::uint32_t level,
                    const QRect& clip);
    void paintSpan(QPainter& painter, const FlameGeometry& geometry, std::uint32_t level,
                   const FlameSpan& span);
    void paintLabel(QPainter& painter, const QRectF& box, const FlameSpan& span, QRgb background,
                    int viewWidth);
    void paintText(QPainter& painter, const QRectF& room, const QStaticText& text, QRgb background);
    void paintMarks(QPainter& painter, const QRectF& box, const FlameSpan& span, QRgb background);
    bool isCurrent(const FlameSpan& span) const;

    const FlameLayout& m_layout;
    const FlameScheme& m_scheme;
    FlameLabels& m_labels;
    const FlameMarks& m_marks;
    QColor m_background;
    QColor m_highlight;
    QRgb m_mergedColor;
    QRgb m_matchColor;
    std::uint32_t m_zoomedLevel = 0;
    std::vector<FlameSpan> m_spans; ///< Of the level being drawn.
};

} // namespace perilune
