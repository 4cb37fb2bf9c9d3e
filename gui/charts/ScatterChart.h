// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace perilune {

/// A against B on logarithmic axes, a point for each function; larger points have more calls. The
/// diagonal is "no change", the band around it holds what is not clear. New and gone functions lie
/// on the edges.
class ScatterChart : public QWidget
{
    Q_OBJECT
public:
    explicit ScatterChart(QWidget* parent = nullptr);
    ~ScatterChart() override;

    void setComparison(std::shared_ptr<const Comparison> comparison);
    void setCurrentFunction(std::size_t function);
    /// Writes the picture as .png, .svg or .pdf; returns an empty text, or why it could not.
    QString writePicture(const QString& path);

    /// Where a function's point is, in this widget; nothing for one without a point.
    std::optional<QPoint> positionOf(std::size_t function) const;

Q_SIGNALS:
    void functionChosen(std::size_t function);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Private;
    void choose(const QPoint& position);

    std::unique_ptr<Private> m_d;
};

} // namespace perilune
