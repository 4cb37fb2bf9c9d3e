// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/charts/PlotStyle.h"

#include "gui/charts/QCustomPlotHeader.h"
#include "gui/models/NumberFormat.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>
#include <QSvgGenerator>

#include <array>
#include <cmath>

namespace perilune {

namespace {

struct AxisUnit
{
    const char* symbol;
    double size;
};

constexpr std::array<AxisUnit, 4> timeUnits = {{{"ns", 1.0}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr std::array<AxisUnit, 4> byteUnits = {
    {{"B", 1.0}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}}};
constexpr std::array<AxisUnit, 1> countUnits = {{{"", 1.0}}};

template<std::size_t N>
AxisUnit largestBelow(double value, const std::array<AxisUnit, N>& units)
{
    AxisUnit chosen = units[0];
    for (const AxisUnit& unit : units)
        if (value >= unit.size)
            chosen = unit;
    return chosen;
}

AxisUnit unitFor(Metric metric, double largest)
{
    switch (metric) {
    case Metric::Time:
    case Metric::RawTime:
        return largestBelow(largest, timeUnits);
    case Metric::Bytes:
        return largestBelow(largest, byteUnits);
    case Metric::Calls:
    case Metric::Samples:
    case Metric::Blocks:
        break;
    }
    return countUnits[0];
}

double largestOf(const QCPRange& range)
{
    return std::max(std::abs(range.lower), std::abs(range.upper));
}

/// Ticks at round numbers of the unit that fits the range.
class MetricTicker : public QCPAxisTicker
{
public:
    explicit MetricTicker(Metric metric)
        : m_metric(metric)
    {
        setTickCount(5);
    }

protected:
    double getTickStep(const QCPRange& range) override
    {
        const double unit = unitFor(m_metric, largestOf(range)).size;
        return unit * QCPAxisTicker::getTickStep(QCPRange(range.lower / unit, range.upper / unit));
    }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const double value = tick / unitFor(m_metric, m_largest).size;
        return QLocale().toString(value, 'g', 6);
    }

    QVector<double> createTickVector(double step, const QCPRange& range) override
    {
        m_largest = largestOf(range);
        return QCPAxisTicker::createTickVector(step, range);
    }

private:
    Metric m_metric;
    double m_largest = 1.0;
};

/// Ticks at powers of ten; each label with its own unit.
class LogMetricTicker : public QCPAxisTickerLog
{
public:
    explicit LogMetricTicker(Metric metric)
        : m_metric(metric)
    {
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const AxisUnit unit = unitFor(m_metric, tick);
        const QString number = QLocale().toString(tick / unit.size, 'g', 4);
        return unit.symbol[0] == '\0' ? number
                                      : number + QChar(0x00a0) + QString::fromUtf8(unit.symbol);
    }

private:
    Metric m_metric;
};

void updateUnitLabel(QCPAxis& axis, Metric metric, const QString& title)
{
    const AxisUnit unit = unitFor(metric, largestOf(axis.range()));
    axis.setLabel(unit.symbol[0] == '\0'
                      ? title
                      : QStringLiteral("%1 (%2)").arg(title, QString::fromUtf8(unit.symbol)));
}

/// The name of the object in an axis that keeps the unit in its label true.
const QString unitWatcher = QStringLiteral("unitWatcher");

QString writeFailure(const QString& path)
{
    return QCoreApplication::translate("perilune::PlotStyle", "Cannot write %1.").arg(path);
}

bool writeSvg(QCustomPlot& plot, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(plot.size());
    generator.setViewBox(QRect(QPoint(0, 0), plot.size()));
    QCPPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(QRect(QPoint(0, 0), plot.size()), plot.palette().color(QPalette::Base));
    plot.toPainter(&painter, plot.width(), plot.height());
    painter.end();
    return file.commit();
}

} // namespace

PlotColors plotColors(const QPalette& palette)
{
    PlotColors colors;
    colors.base = palette.color(QPalette::Base);
    colors.text = palette.color(QPalette::Text);
    colors.muted = palette.color(QPalette::PlaceholderText);
    const bool isDark = colors.base.lightness() < 128;
    colors.grid = colors.text;
    colors.grid.setAlphaF(isDark ? 0.14f : 0.10f);
    colors.series = isDark ? QColor(0xff8fb4ff) : QColor(0xff1f56bd);
    colors.seriesFill = colors.series;
    colors.seriesFill.setAlphaF(isDark ? 0.35f : 0.22f);
    colors.band = colors.text;
    colors.band.setAlphaF(isDark ? 0.13f : 0.08f);
    colors.slower = isDark ? QColor(0xffffab5c) : QColor(0xffb85300);
    colors.faster = isDark ? QColor(0xff6fb7ff) : QColor(0xff0a63b8);
    colors.same = colors.muted;
    colors.focus = colors.text;
    return colors;
}

void styleAxis(QCPAxis& axis, const PlotColors& colors)
{
    const QFont font = axis.parentPlot()->font();
    axis.setBasePen(QPen(colors.muted));
    axis.setTickPen(QPen(colors.muted));
    axis.setSubTickPen(QPen(colors.grid));
    axis.setTickLabelColor(colors.text);
    axis.setLabelColor(colors.muted);
    axis.setTickLabelFont(font);
    axis.setLabelFont(font);
    axis.grid()->setPen(QPen(colors.grid));
    axis.grid()->setZeroLinePen(QPen(colors.grid));
    axis.grid()->setSubGridVisible(false);
}

void stylePlot(QCustomPlot& plot)
{
    const PlotColors colors = plotColors(plot.palette());
    plot.setBackground(QBrush(colors.base));
    for (QCPAxisRect* rect : plot.axisRects()) {
        for (QCPAxis* axis : rect->axes())
            styleAxis(*axis, colors);
    }
}

void setMetricAxis(QCPAxis& axis, Metric metric, const QString& title)
{
    axis.setScaleType(QCPAxis::stLinear);
    axis.setTicker(QSharedPointer<MetricTicker>::create(metric));
    delete axis.findChild<QObject*>(unitWatcher);
    auto* watcher = new QObject(&axis);
    watcher->setObjectName(unitWatcher);
    QObject::connect(&axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), watcher,
                     [&axis, metric, title] { updateUnitLabel(axis, metric, title); });
    updateUnitLabel(axis, metric, title);
}

void setLogMetricAxis(QCPAxis& axis, Metric metric, const QString& title)
{
    axis.setScaleType(QCPAxis::stLogarithmic);
    axis.setTicker(QSharedPointer<LogMetricTicker>::create(metric));
    delete axis.findChild<QObject*>(unitWatcher);
    axis.setLabel(title);
}

QString writePlot(QCustomPlot& plot, const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    bool isWritten = false;
    if (suffix == QStringLiteral("pdf"))
        isWritten = plot.savePdf(path, 0, 0, QCP::epAllowCosmetic, QStringLiteral("Perilune"));
    else if (suffix == QStringLiteral("svg"))
        isWritten = writeSvg(plot, path);
    else
        isWritten = plot.savePng(path, 0, 0, 2.0);
    return isWritten ? QString() : writeFailure(path);
}

} // namespace perilune
