// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/charts/HistoryPlot.h"

#include "core/analysis/Statistics.h"
#include "gui/models/NumberFormat.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perilune {

namespace {

constexpr double pointSize = 7.0;
constexpr std::size_t manyRuns = 300; ///< From here on points are small and labels short.
constexpr double nearEnough = 18.0;   ///< Pixels between the pointer and a point.
constexpr double edgeInset = 8.0;     ///< Pixels between the edge and an arrow for a clipped point.
constexpr double gap = std::numeric_limits<double>::quiet_NaN();
const QString overlayLayer = QStringLiteral("overlay"); // QCustomPlot's own, buffered apart.
const QString mainLayer = QStringLiteral("main");

/// Ticks at whole run numbers, labelled by when the run began.
class RunTicker : public QCPAxisTickerFixed
{
public:
    explicit RunTicker(std::shared_ptr<const HistorySeries> series)
        : m_series(std::move(series))
    {
        setTickStep(1.0);
        setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        setTickCount(8);
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const auto index = static_cast<std::ptrdiff_t>(std::llround(tick)) - 1;
        if (index < 0 || index >= static_cast<std::ptrdiff_t>(m_series->size()))
            return {};
        const HistoryItem& item = m_series->item(static_cast<std::size_t>(index));
        const QDateTime started = QDateTime::fromMSecsSinceEpoch(item.entry.startedAtUnixMs);
        return QString::number(index + 1) + QLatin1Char('\n')
            + QLocale().toString(started, QStringLiteral("d MMM hh:mm"));
    }

    int getSubTickCount(double) override { return 0; }

private:
    std::shared_ptr<const HistorySeries> m_series;
};

QPen linePen(const QColor& color, double width, Qt::PenStyle style = Qt::SolidLine)
{
    QPen pen(color, width, style);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

} // namespace

HistoryPlot::HistoryPlot(QWidget* parent)
{
    createPlot(parent);
    rebuild();
}

void HistoryPlot::createPlot(QWidget* parent)
{
    m_plot = new QCustomPlot(parent);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->axisRect()->setMinimumMargins(QMargins(12, 12, 16, 8));
    m_plot->setNoAntialiasingOnDrag(true);
}

void HistoryPlot::setSeries(std::shared_ptr<const HistorySeries> series)
{
    m_series = std::move(series);
    if (m_current && *m_current >= m_series->size())
        m_current.reset();
    m_hovered.reset();
    rebuild();
}

void HistoryPlot::setLook(const HistoryLook& look)
{
    if (look == m_look)
        return;
    m_look = look;
    rebuild();
}

void HistoryPlot::setCurrent(std::optional<std::size_t> index)
{
    m_current = index;
    updateOverlay();
}

void HistoryPlot::setHovered(std::optional<std::size_t> index)
{
    if (index == m_hovered)
        return;
    m_hovered = index;
    updateOverlay();
}

void HistoryPlot::resetZoom()
{
    setRanges();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString HistoryPlot::write(const QString& path)
{
    return writePlot(*m_plot, path);
}

void HistoryPlot::rebuild()
{
    m_colors = plotColors(m_plot->palette());
    m_plot->clearPlottables();
    m_plot->clearItems();
    stylePlot(*m_plot);
    setUpAxes();
    addBand();
    addRollingMedian();
    addBaseline();
    addBreaks();
    if (m_look.shape == HistoryLook::Shape::Boxes)
        addBoxes();
    addSegments();
    addMarks();
    addFailures();
    addOverlay();
    setRanges();
    placeRings();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

double HistoryPlot::keyOf(std::size_t index) const
{
    if (m_look.across == HistoryLook::Across::Order)
        return static_cast<double>(index) + 1.0;
    return static_cast<double>(m_series->item(index).entry.startedAtUnixMs) / 1000.0;
}

void HistoryPlot::setUpAxes()
{
    setUpRunAxis();
    if (m_look.isLogarithmic)
        setLogMetricAxis(*m_plot->yAxis, m_series->metric(), m_series->quantity());
    else
        setMetricAxis(*m_plot->yAxis, m_series->metric(), m_series->quantity());
}

void HistoryPlot::setUpRunAxis()
{
    if (m_look.across == HistoryLook::Across::Order) {
        m_plot->xAxis->setTicker(QSharedPointer<RunTicker>::create(m_series));
        m_plot->xAxis->setLabel(tr("Runs, oldest first"));
        return;
    }
    const auto ticker = QSharedPointer<QCPAxisTickerDateTime>::create();
    ticker->setDateTimeFormat(QStringLiteral("d MMM yyyy\nhh:mm"));
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis->setLabel(tr("Date of the run"));
}

void HistoryPlot::setRanges()
{
    if (m_series->isEmpty()) {
        m_plot->xAxis->setRange(0.0, 1.0);
        m_plot->yAxis->setRange(0.0, 1.0);
        return;
    }
    QCPRange keys(keyOf(0), keyOf(0));
    for (std::size_t i = 0; i < m_series->size(); ++i)
        keys.expand(keyOf(i));
    const double margin =
        std::max(keys.size() * 0.02, m_look.across == HistoryLook::Across::Order ? 0.6 : 60.0);
    m_plot->xAxis->setRange(keys.lower - margin, keys.upper + margin);

    const QCPRange whole = valueRange();
    m_plot->yAxis->setRange(withMargins(m_look.isClipped ? clippedRange(whole) : whole));
    placeClipped();
}

QCPRange HistoryPlot::valueRange() const
{
    double lower = std::numeric_limits<double>::max();
    double upper = std::numeric_limits<double>::lowest();
    const auto include = [&lower, &upper](double value) {
        lower = std::min(lower, value);
        upper = std::max(upper, value);
    };
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (!point.hasValue())
            continue;
        include(point.median);
        if (m_look.shape == HistoryLook::Shape::Boxes) {
            include(point.box.lowerWhisker);
            include(point.box.upperWhisker);
            std::for_each(point.box.outliers.begin(), point.box.outliers.end(), include);
        } else if (point.interval) {
            include(point.interval->lower);
            include(point.interval->upper);
        }
    }
    return lower <= upper ? QCPRange(lower, upper) : QCPRange(0.0, 1.0);
}

/// The part of the range that most runs lie in.
QCPRange HistoryPlot::clippedRange(const QCPRange& whole) const
{
    std::vector<double> medians;
    for (std::size_t i = 0; i < m_series->size(); ++i)
        if (isShown(i))
            medians.push_back(m_series->point(i).median);
    const double lower = quantile(medians, 0.25);
    const double upper = quantile(medians, 0.75);
    const double reach = std::max(3.0 * (upper - lower), 0.02 * upper);
    return {std::max(whole.lower, lower - reach), std::min(whole.upper, upper + reach)};
}

QCPRange HistoryPlot::withMargins(const QCPRange& whole) const
{
    if (m_look.isLogarithmic) {
        const double lower = whole.lower > 0.0 ? whole.lower : std::max(1.0, whole.upper / 1e6);
        const double upper = std::max(whole.upper, lower);
        const double factor = std::max(1.1, std::pow(upper / lower, 0.08));
        return {lower / factor, upper * factor};
    }
    const double lower = m_look.isZeroBased ? 0.0 : whole.lower;
    const double size = whole.upper - lower;
    const double margin = size > 0.0 ? size * 0.1 : std::max(1.0, whole.upper * 0.05);
    const double below = m_look.isZeroBased ? 0.0 : margin;
    return {std::max(lower - below, std::min(0.0, whole.lower)), whole.upper + margin};
}

void HistoryPlot::addBand()
{
    Values lower;
    Values upper;
    std::size_t segment = 0;
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (!point.hasValue())
            continue;
        const bool isBroken = point.segment != std::exchange(segment, point.segment);
        if (isBroken || !point.band) {
            lower.add(keyOf(i), gap);
            upper.add(keyOf(i), gap);
        }
        if (point.band) {
            lower.add(keyOf(i), point.band->lower);
            upper.add(keyOf(i), point.band->upper);
        }
    }
    QCPGraph* bottom = m_plot->addGraph();
    bottom->setData(lower.keys, lower.values, true);
    bottom->setPen(Qt::NoPen);
    QCPGraph* top = m_plot->addGraph();
    top->setData(upper.keys, upper.values, true);
    top->setPen(Qt::NoPen);
    top->setBrush(m_colors.band);
    top->setChannelFillGraph(bottom);
}

void HistoryPlot::addRollingMedian()
{
    Values centre;
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (point.hasValue())
            centre.add(keyOf(i), point.centre.value_or(gap));
    }
    QCPGraph* graph = m_plot->addGraph();
    graph->setData(centre.keys, centre.values, true);
    graph->setPen(linePen(m_colors.muted, 1.2));
}

void HistoryPlot::addBaseline()
{
    const auto baseline = m_series->baseline();
    if (!baseline)
        return;
    const double level = m_series->point(*baseline).median;
    auto* line = new QCPItemStraightLine(m_plot);
    line->setPen(linePen(m_colors.text, 1.0, Qt::DashLine));
    line->point1->setCoords(0.0, level);
    line->point2->setCoords(1.0, level);
    QCPItemText* label = addLabel(tr("★ baseline"), m_colors.text, LabelWeight::Normal);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    label->position->setTypeY(QCPItemPosition::ptPlotCoords);
    label->position->setCoords(0.005, level);
}

void HistoryPlot::addBreaks()
{
    for (const HistoryBreak& change : m_series->breaks()) {
        const double after = keyOf(change.point);
        const double before = change.point > 0 ? keyOf(change.point - 1) : after;
        const double key = (before + after) / 2.0;
        auto* line = new QCPItemStraightLine(m_plot);
        line->setPen(linePen(m_colors.muted, 1.0, Qt::DotLine));
        line->point1->setCoords(key, 0.0);
        line->point2->setCoords(key, 1.0);
        QCPItemText* label =
            addLabel(QString::fromStdString(change.after), m_colors.muted, LabelWeight::Normal);
        label->setRotation(-90.0);
        label->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
        label->position->setTypeX(QCPItemPosition::ptPlotCoords);
        label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        label->position->setCoords(key, 0.02);
    }
}

void HistoryPlot::addSegments()
{
    const std::size_t segments = m_series->breaks().size() + 1;
    for (std::size_t segment = 0; segment < segments; ++segment)
        addSegment(segment);
}

/// The runs between two breaks: their line, points and intervals.
void HistoryPlot::addSegment(std::size_t segment)
{
    Values medians;
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (point.hasValue() && point.segment == segment)
            medians.add(keyOf(i), point.median);
    }
    QCPGraph* graph = m_plot->addGraph();
    graph->setData(medians.keys, medians.values, true);
    QColor line = m_colors.series;
    line.setAlphaF(0.55f);
    const bool hasBoxes = m_look.shape == HistoryLook::Shape::Boxes;
    graph->setPen(hasBoxes ? QPen(Qt::NoPen) : linePen(line, 1.3));
    const bool isDense = m_series->size() > manyRuns;
    if (!hasBoxes)
        graph->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssDisc, m_colors.series, isDense ? 3.0 : pointSize));
    if (!hasBoxes && !isDense)
        addIntervals(*graph, segment);
}

void HistoryPlot::addIntervals(QCPGraph& graph, std::size_t segment)
{
    QVector<double> below;
    QVector<double> above;
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (!point.hasValue() || point.segment != segment)
            continue;
        below.append(point.interval ? point.median - point.interval->lower : 0.0);
        above.append(point.interval ? point.interval->upper - point.median : 0.0);
    }
    auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->setDataPlottable(&graph);
    bars->setErrorType(QCPErrorBars::etValueError);
    bars->setData(below, above);
    bars->setPen(linePen(m_colors.series, 1.2));
    bars->setWhiskerWidth(5.0);
    bars->setSymbolGap(pointSize);
}

double HistoryPlot::boxWidth() const
{
    double smallest = std::numeric_limits<double>::max();
    for (std::size_t i = 1; i < m_series->size(); ++i)
        if (const double distance = keyOf(i) - keyOf(i - 1); distance > 0.0)
            smallest = std::min(smallest, distance);
    return smallest == std::numeric_limits<double>::max() ? 0.5 : smallest * 0.55;
}

void HistoryPlot::addBoxes()
{
    auto* boxes = new QCPStatisticalBox(m_plot->xAxis, m_plot->yAxis);
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (!point.hasValue())
            continue;
        const BoxSummary& box = point.box;
        boxes->addData(keyOf(i), box.lowerWhisker, box.lowerQuartile, box.median, box.upperQuartile,
                       box.upperWhisker, QVector<double>(box.outliers.begin(), box.outliers.end()));
    }
    boxes->setWidth(boxWidth());
    boxes->setPen(linePen(m_colors.series, 1.2));
    boxes->setBrush(m_colors.seriesFill);
    boxes->setMedianPen(linePen(m_colors.text, 2.0));
    boxes->setWhiskerPen(linePen(m_colors.series, 1.2));
    boxes->setWhiskerBarPen(linePen(m_colors.series, 1.2));
    boxes->setOutlierStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, m_colors.series, 4.0));
}

QCPGraph* HistoryPlot::addScatter(const Values& values, const QCPScatterStyle& style,
                                  const QString& layer)
{
    QCPGraph* graph = m_plot->addGraph();
    graph->setData(values.keys, values.values, true);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(style);
    graph->setLayer(layer);
    return graph;
}

void HistoryPlot::addMarks()
{
    Values outliers;
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const HistoryPoint& point = m_series->point(i);
        if (point.mark == HistoryMark::ShiftUp || point.mark == HistoryMark::ShiftDown)
            addShiftLabel(i, point.mark == HistoryMark::ShiftUp);
        else if (point.mark != HistoryMark::None)
            outliers.add(keyOf(i), point.median);
    }
    addScatter(outliers,
               QCPScatterStyle(QCPScatterStyle::ssCircle, linePen(m_colors.slower, 1.8),
                               Qt::NoBrush, pointSize + 7.0),
               mainLayer);
    if (const auto baseline = m_series->baseline()) {
        Values star;
        star.add(keyOf(*baseline), m_series->point(*baseline).median);
        addScatter(star,
                   QCPScatterStyle(QCPScatterStyle::ssDiamond, linePen(m_colors.base, 1.2),
                                   m_colors.text, pointSize + 6.0),
                   mainLayer);
    }
}

/// "▲ slower" over the first run of a new level, where there are few of them; else the sign alone.
void HistoryPlot::addShiftLabel(std::size_t index, bool isUp)
{
    const QString sign = isUp ? QStringLiteral("▲") : QStringLiteral("▼");
    const QString word = isUp ? tr("▲ slower") : tr("▼ faster");
    QCPItemText* label = addLabel(m_series->size() > manyRuns ? sign : word,
                                  isUp ? m_colors.slower : m_colors.faster, LabelWeight::Bold);
    label->setBrush(Qt::NoBrush);
    label->setPadding(QMargins(0, 8, 0, 8));
    label->setPositionAlignment(Qt::AlignHCenter | (isUp ? Qt::AlignBottom : Qt::AlignTop));
    label->position->setCoords(keyOf(index), m_series->point(index).median);
}

QCPItemText* HistoryPlot::addLabel(const QString& text, const QColor& color, LabelWeight weight)
{
    auto* label = new QCPItemText(m_plot);
    label->setText(text);
    label->setColor(color);
    QFont font = m_plot->font();
    font.setBold(weight == LabelWeight::Bold);
    label->setFont(font);
    QColor background = m_colors.base;
    background.setAlphaF(0.75f);
    label->setBrush(background);
    label->setPadding(QMargins(3, 1, 3, 1));
    return label;
}

/// Failed runs have no value: a cross on the axis keeps their place.
void HistoryPlot::addFailures()
{
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        if (!m_series->item(i).entry.isFailed)
            continue;
        QCPItemText* label = addLabel(QStringLiteral("!"), m_colors.slower, LabelWeight::Bold);
        label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        label->position->setTypeX(QCPItemPosition::ptPlotCoords);
        label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        label->position->setCoords(keyOf(i), 1.0);
    }
}

void HistoryPlot::addOverlay()
{
    const auto ring = [this](double width, double size) {
        return QCPScatterStyle(QCPScatterStyle::ssCircle, linePen(m_colors.focus, width),
                               Qt::NoBrush, size);
    };
    m_currentRing = addScatter({}, ring(2.2, pointSize + 6.0), overlayLayer);
    m_hoverRing = addScatter({}, ring(1.2, pointSize + 4.0), overlayLayer);
    const auto arrow = [this](QCPScatterStyle::ScatterShape shape) {
        return QCPScatterStyle(shape, linePen(m_colors.slower, 1.5), m_colors.base,
                               pointSize + 2.0);
    };
    m_clippedAbove = addScatter({}, arrow(QCPScatterStyle::ssTriangle), mainLayer);
    m_clippedBelow = addScatter({}, arrow(QCPScatterStyle::ssTriangleInverted), mainLayer);
    for (QCPGraph* graph : {m_currentRing, m_hoverRing, m_clippedAbove, m_clippedBelow})
        graph->setSelectable(QCP::stNone);
}

/// Arrows at the edge for the points that a clipped range leaves out.
void HistoryPlot::placeClipped()
{
    Values above;
    Values below;
    const QCPRange range = m_plot->yAxis->range();
    const double atTop = m_plot->yAxis->pixelToCoord(m_plot->axisRect()->top() + edgeInset);
    const double atBottom = m_plot->yAxis->pixelToCoord(m_plot->axisRect()->bottom() - edgeInset);
    for (std::size_t i = 0; m_look.isClipped && i < m_series->size(); ++i) {
        if (!isShown(i))
            continue;
        if (m_series->point(i).median > range.upper)
            above.add(keyOf(i), atTop);
        else if (m_series->point(i).median < range.lower)
            below.add(keyOf(i), atBottom);
    }
    m_clippedAbove->setData(above.keys, above.values, true);
    m_clippedBelow->setData(below.keys, below.values, true);
}

void HistoryPlot::placeRings()
{
    const auto place = [this](QCPGraph* ring, std::optional<std::size_t> index) {
        Values values;
        if (index && *index < m_series->size() && isShown(*index))
            values.add(keyOf(*index), m_series->point(*index).median);
        ring->setData(values.keys, values.values, true);
    };
    place(m_currentRing, m_current);
    place(m_hoverRing, m_hovered);
}

/// Draws the rings alone; the rest of the picture stays.
void HistoryPlot::updateOverlay()
{
    placeRings();
    if (m_plot->isVisible())
        m_plot->layer(overlayLayer)->replot();
}

QPointF HistoryPlot::positionOf(std::size_t index) const
{
    const double bottom = m_plot->axisRect()->bottom();
    const double x = m_plot->xAxis->coordToPixel(keyOf(index));
    if (!isShown(index))
        return {x, bottom - 6.0};
    const double top = m_plot->axisRect()->top();
    return {x, std::clamp(m_plot->yAxis->coordToPixel(m_series->point(index).median), top, bottom)};
}

std::optional<std::size_t> HistoryPlot::indexAt(const QPoint& position) const
{
    std::optional<std::size_t> nearest;
    double smallest = nearEnough;
    for (std::size_t i = 0; i < m_series->size(); ++i) {
        const QPointF away = positionOf(i) - QPointF(position);
        const double distance = std::hypot(away.x(), away.y());
        if (distance < smallest) {
            smallest = distance;
            nearest = i;
        }
    }
    return nearest;
}

} // namespace perilune
