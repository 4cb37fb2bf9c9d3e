// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/DataView.h"

namespace perilune {

class CallTreeModel;

/// The call tree on the screen: opening and closing by keyboard, the hot path, copying.
///
/// No more than `depthLimit` rows are open beneath each other, since Qt walks open rows
/// recursively; what lies deeper is reached by making one of them the top (setTop).
class CallTreeTable : public DataView
{
    Q_OBJECT
public:
    static constexpr int depthLimit = 250;

    explicit CallTreeTable(CallTreeModel& model, QWidget* parent = nullptr);

    /// Opens the way to the heaviest rows, as at the first sight of a profile.
    void openHeaviestChain();
    /// Opens and selects the hot path beneath the current row.
    void followHotPath();
    /// Opens everything beneath a row, heaviest first, up to a limit.
    void openBelow(const QModelIndex& index);
    /// Selects a row and opens what is above it.
    void reveal(const QModelIndex& index);
    /// Shows only what is beneath a row; an invalid index shows all.
    void setTop(const QModelIndex& index);
    bool hasTop() const { return rootIndex().isValid(); }

    void copyRows(TableFormat format) override;

Q_SIGNALS:
    /// Something to say beneath the tree; empty when it no longer holds.
    void noticeChanged(const QString& text);
    void topChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void openSingleChildren(const QModelIndex& index);
    void openQuietly(const QModelIndex& index);
    int depthBelowTop(const QModelIndex& index) const;
    bool isTooDeep(const QModelIndex& index) const { return depthBelowTop(index) > depthLimit; }
    void makeRoomFor(const QModelIndex& index);

    CallTreeModel& m_model;
    bool m_isOpening = false; ///< Rows are opened by us, not by the user.
};

} // namespace perilune
