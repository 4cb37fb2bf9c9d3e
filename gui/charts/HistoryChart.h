// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/HistorySeries.h"

#include <QWidget>

#include <memory>
#include <optional>

class QCustomPlot;

namespace perilune {

/// How a history is drawn.
struct HistoryLook
{
    enum class Across
    {
        Order,
        Date
    };
    enum class Shape
    {
        Interval, ///< Median and its interval.
        Boxes     ///< Box plots of the repeats.
    };

    Across across = Across::Order;
    Shape shape = Shape::Interval;
    bool isLogarithmic = false;
    bool isZeroBased = false;
    bool isClipped = false; ///< Values far outside the others are drawn at the edge, as arrows.

    friend bool operator==(const HistoryLook&, const HistoryLook&) = default;
};

/// The runs of a script as points over time: rolling median and band, outliers ringed, change
/// points, baseline, failed runs on the axis, lines where the set-up changed.
///
/// Hovering describes a point, a click or the arrow keys choose one, a double click or Enter opens
/// it, Shift with either compares it with the baseline. Wheel zooms along the runs, dragging pans.
class HistoryChart : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryChart(QWidget* parent = nullptr);
    ~HistoryChart() override;

    void setSeries(std::shared_ptr<const HistorySeries> series);
    const HistorySeries& series() const;
    void setLook(const HistoryLook& look);
    const HistoryLook& look() const;

    std::optional<std::size_t> current() const;
    void setCurrent(std::optional<std::size_t> index);
    void resetZoom();

    /// Writes the picture as .png, .svg or .pdf; returns an empty text, or why it could not.
    QString writePicture(const QString& path);

    /// Where a point is drawn, in this widget; for tests and menus.
    QPoint positionOf(std::size_t index) const;
    std::optional<std::size_t> indexAt(const QPoint& position) const;

    QSize sizeHint() const override { return {900, 420}; }

Q_SIGNALS:
    void currentChanged(std::size_t index);
    void opened(std::size_t index);
    void comparisonRequested(std::size_t index);
    void menuRequested(std::size_t index, const QPoint& globalPosition);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Private;
    bool handleMouse(QEvent* event);
    void choose(std::size_t index);
    void step(int by);

    std::unique_ptr<Private> m_d;
};

} // namespace perilune
