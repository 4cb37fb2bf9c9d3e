// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/ShareDelegate.h"

namespace perilune {

/// Draws the bar of a cell's DeltaBarRole from the middle of the cell, to the right for slower, and
/// the text of clear changes in their colour.
class CompareDelegate : public ShareDelegate
{
    Q_OBJECT
public:
    using ShareDelegate::ShareDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace perilune
