// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/TableText.h"

#include <QTreeView>

namespace perilune {

/// A table of numbers as all our panes show them: sorted by a click on the header, columns hidden
/// and shown from the header's menu, rows copied as text, shares drawn as bars.
class DataView : public QTreeView
{
    Q_OBJECT
public:
    explicit DataView(QWidget* parent = nullptr);

    /// Sets the model with everything that has to follow in the right order; `shownColumns` columns
    /// from the left are shown at first, and the rest is hidden.
    void setUp(QAbstractItemModel* model, int shownColumns, int sortColumn, Qt::SortOrder order);
    /// Widths in average characters. The first column takes what the others leave, so that the
    /// table fits its view; when the user widens the first, the last one gives way.
    void setColumnWidths(const QList<int>& characters);
    /// The first column does not give way below this many pixels; the table scrolls sideways
    /// instead.
    void setNameWidthMinimum(int pixels);
    int nameWidthMinimum() const { return m_nameWidthMinimum; }
    /// Names columns that a profile lacks; they stay in the menu, but say so.
    void setUnmeasuredColumns(const QList<int>& columns) { m_unmeasured = columns; }

    QByteArray columnState() const;
    void restoreColumnState(const QByteArray& state);
    void resetColumns();

    /// The selected rows, or the current one, top to bottom.
    QList<int> selectedRowNumbers() const;
    /// Visible columns in the order on the screen.
    QList<int> visibleColumns() const;
    virtual void copyRows(TableFormat format);
    /// Actions at the top of the context menu, above those for copying. Not owned.
    void setRowActions(const QList<QAction*>& actions) { m_rowActions = actions; }

Q_SIGNALS:
    void rowsCopied(int count);
    /// Enter or a double click.
    void rowActivated(const QModelIndex& index);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showHeaderMenu(const QPoint& position);
    void addCopyActions(QMenu& menu);
    void fitColumns(int resized);
    int lastShownColumn() const;

    int m_shownColumns = 0;
    int m_defaultSortColumn = 0;
    Qt::SortOrder m_defaultSortOrder = Qt::DescendingOrder;
    QList<int> m_widths;
    QList<int> m_unmeasured;
    int m_nameWidthMinimum = 0; ///< Pixels.
    bool m_isFitting = false;
    QList<QAction*> m_rowActions;
};

} // namespace perilune
