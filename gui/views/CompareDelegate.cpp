// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CompareDelegate.h"

#include "gui/models/ComparisonModel.h"
#include "gui/views/CompareColors.h"
#include "gui/views/Theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune {

namespace {

constexpr int barMargin = 2;

void drawDeltaBar(QPainter& painter, const QStyleOptionViewItem& option, double delta,
                  ChangeStrength strength)
{
    const QRectF cell = QRectF(option.rect).adjusted(barMargin, barMargin, -barMargin, -barMargin);
    const double middle = std::round(cell.center().x());
    const double width = cell.width() / 2.0 * std::clamp(delta, -1.0, 1.0);
    const CompareColors colors(option.palette);
    QColor fill = colors.fill(delta > 0.0 ? 0.7 : -0.7, strength);
    fill.setAlphaF(themeColors(option.palette).isDark ? 0.75f : 0.65f);
    painter.fillRect(
        QRectF(std::min(middle, middle + width), cell.top(), std::abs(width), cell.height()), fill);
    painter.fillRect(QRectF(middle, option.rect.top(), 1.0, option.rect.height()),
                     option.palette.color(QPalette::Mid));
}

} // namespace

void CompareDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    ShareDelegate::initStyleOption(option, index);
    if (static_cast<CompareColumn>(index.column()) != CompareColumn::Verdict)
        return;
    const bool isClearChange = index.data(ClearRole).toBool();
    const double delta =
        index.siblingAtColumn(static_cast<int>(CompareColumn::Delta)).data(DeltaBarRole).toDouble();
    const CompareColors colors(option->palette);
    const QColor color = !isClearChange ? option->palette.color(QPalette::PlaceholderText)
        : delta > 0.0                   ? colors.slowerText()
                                        : colors.fasterText();
    option->palette.setColor(QPalette::Text, color);
    option->font.setBold(isClearChange);
}

void CompareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const QVariant delta = index.data(DeltaBarRole);
    if (!delta.isValid()) {
        ShareDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    const QStyle* style = styled.widget ? styled.widget->style() : QApplication::style();
    const QString text = std::exchange(styled.text, QString());
    style->drawControl(QStyle::CE_ItemViewItem, &styled, painter, styled.widget);
    const auto strength =
        index.data(ClearRole).toBool() ? ChangeStrength::Strong : ChangeStrength::Weak;
    drawDeltaBar(*painter, styled, delta.toDouble(), strength);
    const bool isSelected = styled.state.testFlag(QStyle::State_Selected);
    painter->setPen(styled.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text));
    painter->setFont(styled.font);
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &styled, styled.widget) + 1;
    painter->drawText(styled.rect.adjusted(margin, 0, -margin, 0),
                      Qt::AlignVCenter | Qt::AlignRight, text);
}

} // namespace perilune
