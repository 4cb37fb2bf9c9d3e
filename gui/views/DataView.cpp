// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/DataView.h"

#include "gui/views/ShareDelegate.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>

#include <algorithm>

namespace perilune {

namespace {

constexpr int smallestNameWidth = 12; ///< Of the first column, in characters.

} // namespace

DataView::DataView(QWidget* parent)
    : QTreeView(parent)
{
    setUniformRowHeights(true);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTextElideMode(Qt::ElideMiddle);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setItemDelegate(new ShareDelegate(this));
    header()->setSectionsMovable(true);
    header()->setFirstSectionMovable(false);
    header()->setStretchLastSection(false);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    header()->setHighlightSections(false);
    connect(header(), &QHeaderView::customContextMenuRequested, this, &DataView::showHeaderMenu);
    connect(header(), &QHeaderView::sectionResized, this,
            [this](int column) { fitColumns(column); });
    connect(this, &QTreeView::activated, this, &DataView::rowActivated);
}

void DataView::setUp(QAbstractItemModel* model, int shownColumns, int sortColumn,
                     Qt::SortOrder order)
{
    m_shownColumns = shownColumns;
    m_defaultSortColumn = sortColumn;
    m_defaultSortOrder = order;
    setModel(model);
    if (sortColumn >= 0) {
        header()->setSortIndicator(sortColumn, order);
        setSortingEnabled(true);
    }
    resetColumns();
}

void DataView::setColumnWidths(const QList<int>& characters)
{
    m_widths = characters;
    resetColumns();
}

QByteArray DataView::columnState() const
{
    return header()->saveState();
}

void DataView::restoreColumnState(const QByteArray& state)
{
    if (state.isEmpty() || !header()->restoreState(state))
        return;
    fitColumns(-1);
    if (isSortingEnabled())
        sortByColumn(header()->sortIndicatorSection(), header()->sortIndicatorOrder());
}

void DataView::resetColumns()
{
    if (model() == nullptr)
        return;
    const int character = fontMetrics().averageCharWidth();
    for (int column = 0; column < model()->columnCount(); ++column) {
        header()->moveSection(header()->visualIndex(column), column);
        setColumnHidden(column, column >= m_shownColumns);
        const int width = m_widths.value(column, 12) * character + 12;
        header()->resizeSection(column, width);
    }
    fitColumns(-1);
    if (isSortingEnabled())
        sortByColumn(m_defaultSortColumn, m_defaultSortOrder);
}

void DataView::setNameWidthMinimum(int pixels)
{
    m_nameWidthMinimum = pixels;
    fitColumns(-1);
}

void DataView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    fitColumns(-1);
}

/// Lets the first column, or the last when the first was `resized`, take what the others leave.
void DataView::fitColumns(int resized)
{
    if (m_isFitting || model() == nullptr || header()->count() == 0)
        return;
    const QScopedValueRollback fitting(m_isFitting, true);
    const int adapted = resized == 0 ? lastShownColumn() : 0;
    int others = 0;
    for (const int column : visibleColumns())
        others += column == adapted ? 0 : header()->sectionSize(column);
    const int character = fontMetrics().averageCharWidth();
    const int smallest =
        adapted == 0 ? std::max(smallestNameWidth * character, m_nameWidthMinimum) : 6 * character;
    header()->resizeSection(adapted, std::max(viewport()->width() - others, smallest));
}

int DataView::lastShownColumn() const
{
    return visibleColumns().constLast();
}

QList<int> DataView::selectedRowNumbers() const
{
    QList<int> rows;
    if (selectionModel() == nullptr)
        return rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.append(index.row());
    if (rows.isEmpty() && currentIndex().isValid())
        rows.append(currentIndex().row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

QList<int> DataView::visibleColumns() const
{
    QList<int> columns;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column))
            columns.append(column);
    }
    return columns;
}

void DataView::copyRows(TableFormat format)
{
    const QList<int> rows = selectedRowNumbers();
    if (rows.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(tableText(*model(), rows, visibleColumns(), format));
    Q_EMIT rowsCopied(static_cast<int>(rows.size()));
}

void DataView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copyRows(TableFormat::TabSeparated);
        event->accept();
        return;
    }
    QTreeView::keyPressEvent(event);
}

void DataView::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addActions(m_rowActions);
    menu.addSeparator();
    addCopyActions(menu);
    menu.exec(event->globalPos());
}

void DataView::addCopyActions(QMenu& menu)
{
    const bool hasRows = !selectedRowNumbers().isEmpty();
    const auto add = [&](const QString& text, TableFormat format) {
        QAction* action = menu.addAction(text, this, [this, format] { copyRows(format); });
        action->setEnabled(hasRows);
        return action;
    };
    add(tr("&Copy"), TableFormat::TabSeparated)->setShortcut(QKeySequence::Copy);
    add(tr("Copy with &exact numbers"), TableFormat::TabSeparatedExact);
    add(tr("Copy as CS&V"), TableFormat::Csv);
    add(tr("Copy as &Markdown"), TableFormat::Markdown);
    menu.addAction(tr("Select &all"), this, &QTreeView::selectAll)
        ->setShortcut(QKeySequence::SelectAll);
}

void DataView::showHeaderMenu(const QPoint& position)
{
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    for (int column = 0; column < model()->columnCount(); ++column) {
        QString title = model()->headerData(column, Qt::Horizontal).toString();
        if (m_unmeasured.contains(column))
            title = tr("%1 (not measured)").arg(title);
        QAction* action = menu.addAction(title);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column != 0);
        action->setToolTip(model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        connect(action, &QAction::toggled, this, [this, column](bool isShown) {
            setColumnHidden(column, !isShown);
            fitColumns(-1);
        });
    }
    menu.addSeparator();
    menu.addAction(tr("&Reset columns"), this, &DataView::resetColumns);
    menu.exec(header()->mapToGlobal(position));
}

} // namespace perilune
