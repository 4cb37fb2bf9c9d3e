// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/ElidedLabel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace perilune {

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {0, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QRect line = contentsRect().adjusted(margin(), 0, -margin(), 0);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, line.width());
    painter.drawText(line, static_cast<int>(alignment()) | Qt::TextSingleLine, shown);
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty())
        return QLabel::event(event);
    const bool isCut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
    if (isCut)
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return isCut;
}

} // namespace perilune
