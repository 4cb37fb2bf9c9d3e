// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace perilune {

/// Draws the bar of a cell's ShareRole under its text; cells without a share look as usual.
class ShareDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// A little more air between rows than Fusion gives.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// Cells that the search matches stand out by weight and background.
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

public:
    /// The bar's colours for a row of a palette; the text on it keeps a contrast of at least 4.5.
    struct BarColors
    {
        QColor fill;
        QColor border;
    };
    static BarColors barColors(const QPalette& palette, bool isSelected);
};

} // namespace perilune
