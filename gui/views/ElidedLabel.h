// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace perilune {

/// One line of plain text that gives way: cut at its end where there is no room, with the whole
/// text in the tooltip.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace perilune
