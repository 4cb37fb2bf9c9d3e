// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/ShareDelegate.h"

#include "gui/models/ItemRoles.h"
#include "gui/views/Theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

constexpr int barMargin = 2;

void drawBar(QPainter* painter, const QStyleOptionViewItem& option, double share)
{
    const QRectF cell = QRectF(option.rect).adjusted(barMargin, barMargin, -barMargin, -barMargin);
    const double width = cell.width() * std::clamp(share, 0.0, 1.0);
    if (width < 0.5)
        return;
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const ShareDelegate::BarColors colors = ShareDelegate::barColors(option.palette, isSelected);
    const QRectF bar(cell.left(), cell.top(), width, cell.height());
    painter->fillRect(bar, colors.fill);
    painter->fillRect(QRectF(bar.right() - 1.0, bar.top(), 1.0, bar.height()), colors.border);
}

} // namespace

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const QVariant share = index.data(ShareRole);
    if (!share.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    const QStyle* style = styled.widget ? styled.widget->style() : QApplication::style();
    const QString text = std::exchange(styled.text, QString());
    style->drawControl(QStyle::CE_ItemViewItem, &styled, painter, styled.widget);
    drawBar(painter, styled, share.toDouble());
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &styled, styled.widget) + 1;
    const bool isSelected = styled.state.testFlag(QStyle::State_Selected);
    style->drawItemText(painter, styled.rect.adjusted(margin, 0, -margin, 0),
                        static_cast<int>(styled.displayAlignment), styled.palette,
                        styled.state.testFlag(QStyle::State_Enabled), text,
                        isSelected ? QPalette::HighlightedText : QPalette::Text);
}

void ShareDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() > 0 && option->displayAlignment.testFlag(Qt::AlignLeft))
        option->text.prepend(QChar(0x2002)); // Keeps off the number to its left.
    if (!index.data(MatchRole).toBool())
        return;
    option->font.setBold(true);
    option->backgroundBrush = themeColors(option->palette).matchBackground;
}

QSize ShareDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(std::max(size.height(), option.fontMetrics.height() + 6));
    return size;
}

ShareDelegate::BarColors ShareDelegate::barColors(const QPalette& palette, bool isSelected)
{
    const QColor text = palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QColor background = palette.color(isSelected ? QPalette::Highlight : QPalette::Base);
    const ThemeColors colors = themeColors(palette);
    QColor fill = colors.bar;
    QColor border = colors.barBorder;
    if (isSelected) {
        border = text;
        // Darker than a dark row's own colour, lighter than a light one's: away from the text.
        const QColor away =
            contrastRatio(text, Qt::black) > contrastRatio(text, Qt::white) ? Qt::black : Qt::white;
        fill = blended(QColor(away.red(), away.green(), away.blue(), 70), background);
    }
    while (contrastRatio(fill, text) < 4.5 && contrastRatio(background, text) >= 4.5
           && fill != background) {
        const QColor next =
            blended(QColor(background.red(), background.green(), background.blue(), 64), fill);
        fill = next == fill ? background : next;
    }
    return {fill, border};
}

} // namespace perilune
