// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CallTreeTable.h"

#include "gui/models/CallTreeModel.h"
#include "gui/models/CallTreeWalk.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <queue>

#include <algorithm>

namespace perilune {

namespace {

constexpr int openBelowLimit = 1000;    // rows
constexpr int singleChildLimit = 50;    // levels
constexpr int hotPathLimit = 50;        // levels
constexpr int levelsAboveRevealed = 20; // of a row that is too deep to be shown from the top
constexpr int widestIndentation = 14;   // pixels
constexpr int narrowestIndentation = 4;
constexpr int charactersOfName = 28;   // that a row of any depth has room for
constexpr int charactersOfColumn = 70; // at which steps become narrower

} // namespace

CallTreeTable::CallTreeTable(CallTreeModel& model, QWidget* parent)
    : DataView(parent)
    , m_model(model)
{
    setRootIsDecorated(true);
    setItemsExpandable(true);
    setExpandsOnDoubleClick(false);
    setIndentation(widestIndentation);
    setAllColumnsShowFocus(true);
    setUp(&model, defaultCallTreeColumnCount, -1, Qt::DescendingOrder);
    setColumnWidths({56, 11, 10, 11, 10, 11, 11, 11, 28});
    connect(this, &QTreeView::expanded, this, &CallTreeTable::openSingleChildren);
}

void CallTreeTable::openHeaviestChain()
{
    // The last of them is where the chain ends: it is seen, but stays closed.
    std::vector<QModelIndex> path = hotPath(m_model, {}, HotPathRule());
    if (!path.empty())
        path.pop_back();
    for (const QModelIndex& index : path)
        openQuietly(index);
}

void CallTreeTable::followHotPath()
{
    HotPathRule rule;
    rule.maximumLevels = hotPathLimit;
    const QModelIndex start = currentIndex().siblingAtColumn(0);
    const std::vector<QModelIndex> path =
        hotPath(m_model, start.isValid() ? start : rootIndex(), rule);
    if (!path.empty())
        reveal(path.back());
    else if (start.isValid())
        Q_EMIT noticeChanged(tr("The hot path ends here: no callee has 40 % of this row."));
}

void CallTreeTable::openBelow(const QModelIndex& index)
{
    using Entry = std::pair<std::uint64_t, QModelIndex>;
    const auto isLighter = [](const Entry& a, const Entry& b) { return a.first < b.first; };
    std::priority_queue<Entry, std::vector<Entry>, decltype(isLighter)> waiting(isLighter);
    const auto add = [&](const QModelIndex& row) {
        if (m_model.hasChildren(row))
            waiting.emplace(m_model.rows().part(m_model.weight(), m_model.rowAt(row)), row);
    };
    add(index.siblingAtColumn(0));
    setUpdatesEnabled(false);
    int opened = 0;
    while (!waiting.empty() && opened < openBelowLimit) {
        const QModelIndex row = waiting.top().second;
        waiting.pop();
        if (!isExpanded(row)) {
            openQuietly(row);
            opened += m_model.rowCount(row);
        }
        for (int child = 0; isExpanded(row) && child < m_model.rowCount(row); ++child)
            add(m_model.index(child, 0, row));
    }
    setUpdatesEnabled(true);
    Q_EMIT noticeChanged(waiting.empty() ? QString()
                                         : tr("%Ln row(s) opened, the heaviest first. "
                                              "Press * again to open more.",
                                              nullptr, opened));
}

void CallTreeTable::reveal(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    std::vector<QModelIndex> above;
    for (QModelIndex row = index.parent(); row.isValid() && row != rootIndex(); row = row.parent())
        above.push_back(row);
    const bool isOutside =
        hasTop() && (above.empty() ? index.parent() : above.back().parent()) != rootIndex();
    if (isOutside)
        setTop({});
    if (above.size() >= static_cast<std::size_t>(depthLimit)) {
        setTop(above[levelsAboveRevealed]);
        above.resize(levelsAboveRevealed);
    }
    for (auto row = above.rbegin(); row != above.rend(); ++row)
        openQuietly(*row);
    selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

void CallTreeTable::setTop(const QModelIndex& index)
{
    setRootIndex(index);
    setIndentation(widestIndentation);
    setNameWidthMinimum(0);
    Q_EMIT topChanged();
}

/// 1 for the rows that stand outermost.
int CallTreeTable::depthBelowTop(const QModelIndex& index) const
{
    int depth = 0;
    for (QModelIndex row = index; row.isValid() && row != rootIndex(); row = row.parent())
        ++depth;
    return depth;
}

/// Keeps the names of deep rows in sight: a wider column first, then narrower steps.
void CallTreeTable::makeRoomFor(const QModelIndex& index)
{
    const int depth = depthBelowTop(index) + 1;
    const int character = fontMetrics().averageCharWidth();
    const int roomForName = charactersOfName * character;
    const int widest = charactersOfColumn * character;
    const int step =
        std::clamp((widest - roomForName) / depth, narrowestIndentation, widestIndentation);
    setIndentation(std::min(step, indentation()));
    setNameWidthMinimum(std::max(depth * indentation() + roomForName, nameWidthMinimum()));
}

void CallTreeTable::openQuietly(const QModelIndex& index)
{
    const QScopedValueRollback guard(m_isOpening, true);
    if (isTooDeep(index))
        return;
    makeRoomFor(index);
    expand(index);
}

/// A chain of single callees opens with its first row.
void CallTreeTable::openSingleChildren(const QModelIndex& index)
{
    if (m_isOpening)
        return;
    const QScopedValueRollback guard(m_isOpening, true);
    QModelIndex row = index;
    for (int level = 0; level < singleChildLimit && m_model.rowCount(row) == 1; ++level) {
        row = m_model.index(0, 0, row);
        if (!m_model.hasChildren(row) || isTooDeep(row))
            break;
        expand(row);
    }
    if (!isTooDeep(index)) {
        makeRoomFor(row);
        return;
    }
    collapse(index);
    Q_EMIT noticeChanged(tr("%Ln rows are open beneath each other. To go deeper, show only this "
                            "branch (context menu).",
                            nullptr, depthLimit));
}

void CallTreeTable::copyRows(TableFormat format)
{
    QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty() && currentIndex().isValid())
        rows.append(currentIndex());
    if (rows.isEmpty())
        return;
    std::sort(rows.begin(), rows.end(), [this](const QModelIndex& a, const QModelIndex& b) {
        return visualRect(a).top() < visualRect(b).top();
    });
    QGuiApplication::clipboard()->setText(treeText(m_model, rows, visibleColumns(), format));
    Q_EMIT rowsCopied(static_cast<int>(rows.size()));
}

void CallTreeTable::keyPressEvent(QKeyEvent* event)
{
    const bool hasCommand = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    if (event->key() == Qt::Key_H && !hasCommand)
        return followHotPath();
    if (event->key() == Qt::Key_Asterisk && !hasCommand)
        return openBelow(currentIndex());
    DataView::keyPressEvent(event);
}

} // namespace perilune
