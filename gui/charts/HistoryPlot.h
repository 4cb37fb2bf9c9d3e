// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/charts/HistoryChart.h"
#include "gui/charts/PlotStyle.h"
#include "gui/charts/QCustomPlotHeader.h"

namespace perilune {

/// Draws a history series with QCustomPlot; HistoryChart adds mouse and keyboard.
class HistoryPlot
{
    Q_DECLARE_TR_FUNCTIONS(perilune::HistoryPlot)
public:
    explicit HistoryPlot(QWidget* parent);

    QWidget* widget() const { return m_plot; }
    void setSeries(std::shared_ptr<const HistorySeries> series);
    const HistorySeries& series() const { return *m_series; }
    void setLook(const HistoryLook& look);
    const HistoryLook& look() const { return m_look; }
    void setCurrent(std::optional<std::size_t> index);
    std::optional<std::size_t> current() const { return m_current; }
    void setHovered(std::optional<std::size_t> index);
    void resetZoom();
    void rebuild();
    QString write(const QString& path);

    QPointF positionOf(std::size_t index) const;
    /// The point nearest to `position`, where one is near enough.
    std::optional<std::size_t> indexAt(const QPoint& position) const;

private:
    struct Values
    {
        QVector<double> keys;
        QVector<double> values;
        void add(double key, double value)
        {
            keys.append(key);
            values.append(value);
        }
    };

    double keyOf(std::size_t index) const;
    bool isShown(std::size_t index) const { return m_series->point(index).hasValue(); }
    void createPlot(QWidget* parent);
    void setUpAxes();
    void setUpRunAxis();
    void setRanges();
    QCPRange valueRange() const;
    QCPRange clippedRange(const QCPRange& whole) const;
    QCPRange withMargins(const QCPRange& whole) const;

    void addBand();
    void addRollingMedian();
    void addBaseline();
    void addBreaks();
    void addSegments();
    void addSegment(std::size_t segment);
    void addIntervals(QCPGraph& graph, std::size_t segment);
    void addBoxes();
    void addMarks();
    void addShiftLabel(std::size_t index, bool isUp);
    enum class LabelWeight
    {
        Normal,
        Bold
    };
    QCPItemText* addLabel(const QString& text, const QColor& color, LabelWeight weight);
    void addFailures();
    void addOverlay();
    QCPGraph* addScatter(const Values& values, const QCPScatterStyle& style, const QString& layer);
    void placeClipped();
    void placeRings();
    void updateOverlay();
    double boxWidth() const;

    QCustomPlot* m_plot = nullptr;
    std::shared_ptr<const HistorySeries> m_series = std::make_shared<HistorySeries>();
    HistoryLook m_look;
    PlotColors m_colors;
    std::optional<std::size_t> m_current;
    std::optional<std::size_t> m_hovered;
    QCPGraph* m_currentRing = nullptr;
    QCPGraph* m_hoverRing = nullptr;
    QCPGraph* m_clippedAbove = nullptr;
    QCPGraph* m_clippedBelow = nullptr;
};

} // namespace perilune
