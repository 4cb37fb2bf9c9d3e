// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/charts/WaterfallChart.h"

#include "gui/charts/PlotStyle.h"
#include "gui/charts/QCustomPlotHeader.h"
#include "gui/models/CompareText.h"
#include "gui/models/NumberFormat.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

constexpr std::size_t moverCount = 20;
constexpr int longestName = 260; ///< Pixels.
constexpr double barWidth = 0.7;

} // namespace

class WaterfallChart::Private
{
    Q_DECLARE_TR_FUNCTIONS(perilune::WaterfallChart)
public:
    explicit Private(QWidget* parent)
        : plot(new QCustomPlot(parent))
    {
        plot->axisRect()->setMinimumMargins(QMargins(12, 12, 16, 8));
        plot->setFocusPolicy(Qt::NoFocus);
        plot->yAxis->setRangeReversed(true);
    }

    void rebuild();
    std::optional<std::size_t> stepAt(const QPoint& position) const;
    QPoint middleOf(std::size_t step) const;
    QString describe(std::size_t step) const;

    QCustomPlot* plot;
    std::shared_ptr<const Comparison> comparison;
    std::vector<WaterfallStep> steps;
    std::size_t current = SIZE_MAX; ///< Index in MatchedRuns::functions().

private:
    double rowOf(std::size_t step) const { return static_cast<double>(step) + 2.0; }
    double lastRow() const { return static_cast<double>(steps.size()) + 2.0; }
    void setUpAxes();
    void addTotals(const PlotColors& colors);
    void addSteps(const PlotColors& colors);
    void addLabels(const PlotColors& colors);
    void addLabel(double value, double row, const QString& text, const QColor& color);
    QCPBars* addBars(const QColor& fill);
    QString nameOf(const WaterfallStep& step) const;
    ComparisonOptions selfOptions() const;

    double m_before = 0.0;
    double m_after = 0.0;
};

ComparisonOptions WaterfallChart::Private::selfOptions() const
{
    ComparisonOptions options = comparison->options();
    options.cost = CostKind::Self;
    options.normalisation = Normalisation::Absolute;
    return options;
}

QString WaterfallChart::Private::nameOf(const WaterfallStep& step) const
{
    if (!step.function)
        return tr("all others");
    return QString::fromStdString(comparison->runs().functions()[*step.function].shown().name);
}

/// Rows from top to bottom: A, the steps, B. The axis begins near the smallest level, or the steps
/// of a long run would be too short to see.
void WaterfallChart::Private::setUpAxes()
{
    double lowest = std::min(m_before, m_after);
    double highest = std::max(m_before, m_after);
    const QFontMetrics metrics(plot->font());
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    ticker->addTick(1.0, tr("A"));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        lowest = std::min({lowest, steps[i].start, steps[i].end});
        highest = std::max({highest, steps[i].start, steps[i].end});
        ticker->addTick(rowOf(i),
                        metrics.elidedText(nameOf(steps[i]), Qt::ElideMiddle, longestName));
    }
    ticker->addTick(lastRow(), tr("B"));
    plot->yAxis->setTicker(ticker);
    plot->yAxis->setSubTicks(false);
    plot->yAxis->grid()->setVisible(false);
    plot->yAxis->setRange(0.4, lastRow() + 0.6);

    const double margin = std::max((highest - lowest) * 0.25, highest * 0.01);
    const double from = std::max(0.0, lowest - margin);
    plot->xAxis->setRange(from < 0.15 * highest ? 0.0 : from, highest + margin * 1.2);
    setMetricAxis(*plot->xAxis, comparison->options().metric, comparedTitle(selfOptions()));
}

QCPBars* WaterfallChart::Private::addBars(const QColor& fill)
{
    auto* bars = new QCPBars(plot->yAxis, plot->xAxis);
    bars->setWidth(barWidth);
    bars->setBrush(fill);
    bars->setPen(Qt::NoPen); // A bar without length would still have an outline.
    return bars;
}

void WaterfallChart::Private::addTotals(const PlotColors& colors)
{
    QColor fill = colors.same;
    fill.setAlphaF(0.35f);
    QCPBars* totals = addBars(fill);
    totals->setData({1.0, lastRow()}, {m_before, m_after});
}

/// Stacked: an invisible bar up to the lower end of each step, the step upon it.
void WaterfallChart::Private::addSteps(const PlotColors& colors)
{
    QVector<double> rows;
    QVector<double> bases;
    QVector<double> slower;
    QVector<double> faster;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        rows.append(rowOf(i));
        bases.append(std::min(steps[i].start, steps[i].end));
        slower.append(std::max(0.0, steps[i].delta()));
        faster.append(std::max(0.0, -steps[i].delta()));
    }
    QCPBars* base = addBars(Qt::transparent);
    base->setData(rows, bases, true);
    const auto add = [&](const QColor& color, const QVector<double>& sizes, QCPBars* below) {
        QColor fill = color;
        fill.setAlphaF(0.75f);
        QCPBars* bars = addBars(fill);
        bars->setData(rows, sizes, true);
        bars->moveAbove(below);
        return bars;
    };
    add(colors.faster, faster, add(colors.slower, slower, base));
}

void WaterfallChart::Private::addLabel(double value, double row, const QString& text,
                                       const QColor& color)
{
    auto* label = new QCPItemText(plot);
    label->setText(text);
    label->setColor(color);
    label->setFont(plot->font());
    label->setPadding(QMargins(6, 0, 0, 0));
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->position->setAxes(plot->xAxis, plot->yAxis);
    label->position->setCoords(value, row);
}

void WaterfallChart::Private::addLabels(const PlotColors& colors)
{
    const ComparisonOptions options = selfOptions();
    addLabel(m_before, 1.0, formatCost(m_before, options), colors.text);
    addLabel(m_after, lastRow(), formatCost(m_after, options), colors.text);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const WaterfallStep& step = steps[i];
        const QColor color = step.delta() > 0.0 ? colors.slower : colors.faster;
        addLabel(std::max(step.start, step.end), rowOf(i), formatSignedCost(step.delta(), options),
                 color);
        if (!step.function || step.function != current)
            continue;
        auto* mark = new QCPItemRect(plot);
        mark->setPen(QPen(colors.focus, 1.5));
        mark->setBrush(Qt::NoBrush);
        mark->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
        mark->topLeft->setCoords(0.0, rowOf(i) - 0.5);
        mark->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
        mark->bottomRight->setCoords(1.0, rowOf(i) + 0.5);
    }
}

void WaterfallChart::Private::rebuild()
{
    plot->clearPlottables();
    plot->clearItems();
    steps.clear();
    const PlotColors colors = plotColors(plot->palette());
    stylePlot(*plot);
    if (comparison) {
        steps = comparison->waterfall(moverCount);
        m_before = steps.empty() ? comparison->whole().medianA : steps.front().start;
        m_after = steps.empty() ? m_before : steps.back().end;
        setUpAxes();
        addTotals(colors);
        addSteps(colors);
        addLabels(colors);
    }
    plot->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<std::size_t> WaterfallChart::Private::stepAt(const QPoint& position) const
{
    const auto row =
        static_cast<std::ptrdiff_t>(std::llround(plot->yAxis->pixelToCoord(position.y()))) - 2;
    if (row < 0 || row >= static_cast<std::ptrdiff_t>(steps.size()))
        return std::nullopt;
    return static_cast<std::size_t>(row);
}

QPoint WaterfallChart::Private::middleOf(std::size_t step) const
{
    const double value = (steps[step].start + steps[step].end) / 2.0;
    return QPointF(plot->xAxis->coordToPixel(value), plot->yAxis->coordToPixel(rowOf(step)))
        .toPoint();
}

QString WaterfallChart::Private::describe(std::size_t step) const
{
    const WaterfallStep& entry = steps[step];
    const ComparisonOptions options = selfOptions();
    QString text = nameOf(entry);
    if (entry.function) {
        const std::string& location =
            comparison->runs().functions()[*entry.function].shown().location;
        text += u'\n' + QString::fromStdString(location);
    } else {
        text += u'\n'
            + tr("The functions not shown, and by how much the median of the whole differs from "
                 "the sum of "
                 "the medians.");
    }
    return text + u'\n' + tr("Self %1").arg(formatSignedCost(entry.delta(), options));
}

WaterfallChart::WaterfallChart(QWidget* parent)
    : QWidget(parent)
    , m_d(std::make_unique<Private>(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_d->plot);
    m_d->plot->installEventFilter(this);
    setAccessibleName(tr("Waterfall from A to B"));
    setAccessibleDescription(
        tr("The table, sorted by the difference of self, has the same numbers."));
}

WaterfallChart::~WaterfallChart() = default;

void WaterfallChart::setComparison(std::shared_ptr<const Comparison> comparison)
{
    m_d->comparison = std::move(comparison);
    m_d->rebuild();
}

void WaterfallChart::setCurrentFunction(std::size_t function)
{
    if (function == m_d->current)
        return;
    m_d->current = function;
    m_d->rebuild();
}

QString WaterfallChart::writePicture(const QString& path)
{
    return writePlot(*m_d->plot, path);
}

std::optional<QPoint> WaterfallChart::positionOf(std::size_t function) const
{
    for (std::size_t i = 0; i < m_d->steps.size(); ++i)
        if (m_d->steps[i].function == function)
            return m_d->middleOf(i);
    return std::nullopt;
}

void WaterfallChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_d->rebuild();
}

bool WaterfallChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto step = m_d->stepAt(help->pos()))
            QToolTip::showText(help->globalPos(), m_d->describe(*step), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto step = m_d->stepAt(mouse->position().toPoint());
        if (mouse->button() == Qt::LeftButton && step && m_d->steps[*step].function) {
            const std::size_t function = *m_d->steps[*step].function;
            setCurrentFunction(function);
            Q_EMIT functionChosen(function);
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace perilune
