// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/FlameColors.h"

#include <QWidget>

#include <memory>
#include <vector>

class QPainter;

namespace perilune {

/// One line that explains the colours of a flame graph: as many names as fit, heaviest first, and
/// how many more there are; or a gradient with its ends. The tooltip lists more of them.
class FlameLegend : public QWidget
{
    Q_OBJECT
public:
    explicit FlameLegend(QWidget* parent = nullptr);

    void setScheme(std::shared_ptr<const FlameScheme> scheme);
    /// Draws the line for a picture as it is drawn on the screen.
    void paintLine(QPainter& painter, const QRect& line) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintEntries(QPainter& painter, const QRect& line, int left) const;
    int paintGradient(QPainter& painter, const QRect& line, int left) const;
    QString textOfAll() const;

    FlameScheme::Legend m_legend;
};

} // namespace perilune
