// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/charts/ScatterChart.h"

#include "gui/charts/PlotStyle.h"
#include "gui/charts/QCustomPlotHeader.h"
#include "gui/models/CompareText.h"
#include "gui/models/NumberFormat.h"

#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace perilune {

namespace {

constexpr double nearEnough = 10.0;
constexpr std::array<double, 3> pointSizes = {5.0, 8.0, 12.0};
const QString overlayLayer = QStringLiteral("overlay");

/// Metric whose axis reads like what is compared.
Metric axisMetric(const ComparisonOptions& options)
{
    const bool isPlainNumber =
        options.cost == CostKind::Calls || options.normalisation == Normalisation::ShareOfRun;
    return isPlainNumber ? Metric::Calls : options.metric;
}

std::size_t sizeClass(double calls)
{
    return calls < 100.0 ? 0 : (calls < 100000.0 ? 1 : 2);
}

struct ScatterPoint
{
    std::size_t row = 0;
    double a = 0.0;
    double b = 0.0;
};

} // namespace

class ScatterChart::Private
{
    Q_DECLARE_TR_FUNCTIONS(perilune::ScatterChart)
public:
    explicit Private(QWidget* parent)
        : plot(new QCustomPlot(parent))
    {
        plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
        plot->axisRect()->setMinimumMargins(QMargins(12, 12, 16, 8));
        plot->setFocusPolicy(Qt::NoFocus);
    }

    void setComparison(std::shared_ptr<const Comparison> next)
    {
        comparison = std::move(next);
        current = SIZE_MAX;
        rebuild();
    }

    void rebuild();
    void placeRing();
    QPointF pixelOf(const ScatterPoint& point) const
    {
        return {plot->xAxis->coordToPixel(point.a), plot->yAxis->coordToPixel(point.b)};
    }
    const ScatterPoint* pointAt(const QPoint& position) const;
    QString describe(const ScatterPoint& point) const;

    QCustomPlot* plot;
    std::shared_ptr<const Comparison> comparison;
    std::vector<ScatterPoint> points;
    std::size_t current = SIZE_MAX; ///< Index in MatchedRuns::functions().
    QCPGraph* ring = nullptr;

private:
    void collectPoints();
    void setUpAxes();
    double bandFactor() const;
    void addDiagonal(double factor, const QPen& pen, const QBrush& brush);
    void addPoints(const PlotColors& colors, Verdict verdict, std::size_t size);
    void addCaption(const PlotColors& colors, const QString& text, Qt::Alignment alignment,
                    double x, double y);

    double m_lower = 1.0;
    double m_upper = 10.0;
};

/// A cost of 0 has no place on a logarithmic axis: it is drawn a little below the smallest one.
void ScatterChart::Private::collectPoints()
{
    points.clear();
    double smallest = std::numeric_limits<double>::max();
    double largest = 0.0;
    for (const ComparisonRow& row : comparison->rows()) {
        for (const double value : {row.change.medianA, row.change.medianB}) {
            if (value > 0.0)
                smallest = std::min(smallest, value);
            largest = std::max(largest, value);
        }
    }
    if (largest <= 0.0)
        return;
    // Six decades are enough to see what matters.
    smallest = std::max(smallest, largest / 1e6);
    m_lower = smallest / 2.0;
    m_upper = largest * 2.0;
    for (std::size_t i = 0; i < comparison->rows().size(); ++i) {
        const ChangeEstimate& change = comparison->rows()[i].change;
        if (change.medianA < smallest && change.medianB < smallest)
            continue;
        points.push_back({i, std::max(change.medianA, m_lower), std::max(change.medianB, m_lower)});
    }
}

void ScatterChart::Private::setUpAxes()
{
    const Metric metric = axisMetric(comparison->options());
    const QString title = comparedTitle(comparison->options());
    setLogMetricAxis(*plot->xAxis, metric, tr("A: %1").arg(title));
    setLogMetricAxis(*plot->yAxis, metric, tr("B: %1").arg(title));
    plot->xAxis->setRange(m_lower / 1.2, m_upper);
    plot->yAxis->setRange(m_lower / 1.2, m_upper);
}

/// How far from the diagonal changes lie that are not clear, at least the threshold.
double ScatterChart::Private::bandFactor() const
{
    std::vector<double> distances;
    for (const ComparisonRow& row : comparison->rows())
        if (row.change.verdict == Verdict::NoClearChange && row.change.ratio
            && *row.change.ratio > 0.0)
            distances.push_back(std::abs(std::log(*row.change.ratio)));
    const double noise = std::exp(quantile(distances, 0.9));
    return std::max(1.0 + comparison->options().rules.threshold, noise);
}

void ScatterChart::Private::addDiagonal(double factor, const QPen& pen, const QBrush& brush)
{
    QCPGraph* upper = plot->addGraph();
    upper->setData({m_lower / 10, m_upper * 10}, {m_lower / 10 * factor, m_upper * 10 * factor},
                   true);
    upper->setPen(pen);
    if (factor == 1.0)
        return;
    QCPGraph* lower = plot->addGraph();
    lower->setData({m_lower / 10, m_upper * 10}, {m_lower / 10 / factor, m_upper * 10 / factor},
                   true);
    lower->setPen(pen);
    upper->setBrush(brush);
    upper->setChannelFillGraph(lower);
}

void ScatterChart::Private::addPoints(const PlotColors& colors, Verdict verdict, std::size_t size)
{
    QVector<double> keys;
    QVector<double> values;
    for (const ScatterPoint& point : points) {
        const ComparisonRow& row = comparison->rows()[point.row];
        if (row.change.verdict == verdict && sizeClass(std::max(row.callsA, row.callsB)) == size) {
            keys.append(point.a);
            values.append(point.b);
        }
    }
    if (keys.isEmpty())
        return;
    QColor color = verdict == Verdict::Slower ? colors.slower : colors.faster;
    if (!isClear(verdict))
        color = verdict == Verdict::TooFewRuns ? colors.series : colors.same;
    QColor fill = color;
    fill.setAlphaF(isClear(verdict) ? 0.75f : 0.35f);
    QCPGraph* graph = plot->addGraph();
    graph->setData(keys, values);
    graph->setLineStyle(QCPGraph::lsNone);
    const auto shape = verdict == Verdict::Slower ? QCPScatterStyle::ssTriangle
        : verdict == Verdict::Faster              ? QCPScatterStyle::ssTriangleInverted
                                                  : QCPScatterStyle::ssCircle;
    graph->setScatterStyle(QCPScatterStyle(shape, QPen(color, 1.2), fill, pointSizes[size]));
}

void ScatterChart::Private::addCaption(const PlotColors& colors, const QString& text,
                                       Qt::Alignment alignment, double x, double y)
{
    auto* label = new QCPItemText(plot);
    label->setText(text);
    label->setColor(colors.muted);
    label->setFont(plot->font());
    label->setPositionAlignment(alignment);
    label->position->setType(QCPItemPosition::ptAxisRectRatio);
    label->position->setCoords(x, y);
}

void ScatterChart::Private::rebuild()
{
    plot->clearPlottables();
    plot->clearItems();
    ring = nullptr;
    points.clear();
    const PlotColors colors = plotColors(plot->palette());
    stylePlot(*plot);
    if (comparison) {
        collectPoints();
        setUpAxes();
        const double band = bandFactor();
        addDiagonal(band, Qt::NoPen, colors.band);
        addDiagonal(1.0, QPen(colors.muted, 1.0, Qt::DashLine), Qt::NoBrush);
        for (const Verdict verdict :
             {Verdict::NoClearChange, Verdict::TooFewRuns, Verdict::Faster, Verdict::Slower})
            for (const std::size_t size : {2u, 1u, 0u})
                addPoints(colors, verdict, size);
        addCaption(colors, tr("B slower ▲"), Qt::AlignLeft | Qt::AlignTop, 0.01, 0.01);
        addCaption(colors, tr("▼ B faster"), Qt::AlignRight | Qt::AlignBottom, 0.99, 0.99);
        addCaption(colors, tr("Band: ±%1, size: calls").arg(formatPercent(band - 1.0)),
                   Qt::AlignRight | Qt::AlignTop, 0.99, 0.01);
        ring = plot->addGraph();
        ring->setLineStyle(QCPGraph::lsNone);
        ring->setLayer(overlayLayer);
        ring->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colors.focus, 2.0), Qt::NoBrush, 17.0));
        placeRing();
    }
    plot->replot(QCustomPlot::rpQueuedReplot);
}

void ScatterChart::Private::placeRing()
{
    if (!ring)
        return;
    QVector<double> keys;
    QVector<double> values;
    for (const ScatterPoint& point : points) {
        if (comparison->rows()[point.row].function == current) {
            keys.append(point.a);
            values.append(point.b);
        }
    }
    ring->setData(keys, values);
    if (plot->isVisible())
        plot->layer(overlayLayer)->replot();
}

const ScatterPoint* ScatterChart::Private::pointAt(const QPoint& position) const
{
    const ScatterPoint* nearest = nullptr;
    double smallest = nearEnough;
    for (const ScatterPoint& point : points) {
        const QPointF away = pixelOf(point) - QPointF(position);
        const double distance = std::hypot(away.x(), away.y());
        if (distance < smallest) {
            smallest = distance;
            nearest = &point;
        }
    }
    return nearest;
}

QString ScatterChart::Private::describe(const ScatterPoint& point) const
{
    const ComparisonRow& row = comparison->rows()[point.row];
    const MatchedSide& shown = comparison->functionOf(row).shown();
    return QString::fromStdString(shown.name) + u'\n' + QString::fromStdString(shown.location)
        + u'\n' + verdictDetails(row.change, comparison->options());
}

ScatterChart::ScatterChart(QWidget* parent)
    : QWidget(parent)
    , m_d(std::make_unique<Private>(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_d->plot);
    m_d->plot->installEventFilter(this);
    setAccessibleName(tr("Scatter of A against B"));
    setAccessibleDescription(tr("The table has the same numbers."));
}

ScatterChart::~ScatterChart() = default;

void ScatterChart::setComparison(std::shared_ptr<const Comparison> comparison)
{
    m_d->setComparison(std::move(comparison));
}

void ScatterChart::setCurrentFunction(std::size_t function)
{
    m_d->current = function;
    m_d->placeRing();
}

QString ScatterChart::writePicture(const QString& path)
{
    return writePlot(*m_d->plot, path);
}

std::optional<QPoint> ScatterChart::positionOf(std::size_t function) const
{
    for (const ScatterPoint& point : m_d->points)
        if (m_d->comparison->rows()[point.row].function == function)
            return m_d->pixelOf(point).toPoint();
    return std::nullopt;
}

void ScatterChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_d->rebuild();
}

void ScatterChart::choose(const QPoint& position)
{
    const ScatterPoint* point = m_d->pointAt(position);
    if (!point)
        return;
    const std::size_t function = m_d->comparison->rows()[point->row].function;
    setCurrentFunction(function);
    Q_EMIT functionChosen(function);
}

bool ScatterChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const ScatterPoint* point = m_d->pointAt(help->pos()))
            QToolTip::showText(help->globalPos(), m_d->describe(*point), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton)
            choose(mouse->position().toPoint());
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace perilune
