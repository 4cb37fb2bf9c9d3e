// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <QColor>
#include <QPalette>
#include <QSharedPointer>
#include <QString>

class QCPAxis;
class QCPAxisTicker;
class QCustomPlot;

namespace perilune {

/// Colours of our charts. Each is legible on the palette's Base; none carries a meaning alone.
struct PlotColors
{
    QColor base;
    QColor text;
    QColor muted; ///< Axes, captions.
    QColor grid;
    QColor series; ///< Lines and points.
    QColor seriesFill;
    QColor band;   ///< Where values are expected.
    QColor slower; ///< Orange.
    QColor faster; ///< Blue.
    QColor same;
    QColor focus; ///< Ring of the current point.
};
PlotColors plotColors(const QPalette& palette);

/// Colours, fonts and margins of a plot, from its palette.
void stylePlot(QCustomPlot& plot);
void styleAxis(QCPAxis& axis, const PlotColors& colors);

/// Makes an axis read values of a metric: round steps of one unit, which its label names. The label
/// follows when the range changes the unit.
void setMetricAxis(QCPAxis& axis, Metric metric, const QString& title);
/// The same for a logarithmic axis: each label carries its own unit.
void setLogMetricAxis(QCPAxis& axis, Metric metric, const QString& title);

/// Writes a plot as .png (at twice its size), .svg or .pdf, by the end of the name. Returns an
/// empty text, or why it could not.
QString writePlot(QCustomPlot& plot, const QString& path);

} // namespace perilune
