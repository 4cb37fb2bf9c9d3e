// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/RunsPane.h"

#include "gui/views/EmptyState.h"
#include "gui/views/Icons.h"
#include "gui/views/MessageStrip.h"

#include <QAction>
#include <QHeaderView>
#include <QInputDialog>
#include <QStackedLayout>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace perilune {

RunsPane::RunsPane(QWidget* parent)
    : QWidget(parent)
{
    createWidgets();
    createActions();
    layOut();
    connectWidgets();
    setRuns({});
}

void RunsPane::createWidgets()
{
    m_model = new RunsModel(this);
    m_list = new QTreeView(this);
    m_list->setModel(m_model);
    m_list->setAccessibleName(tr("Runs"));
    m_list->setUniformRowHeights(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_list->setIndentation(14);
    QHeaderView* header = m_list->header();
    header->setStretchLastSection(false);
    const int character = fontMetrics().averageCharWidth();
    header->setSectionResizeMode(RunsModel::RunColumn, QHeaderView::Stretch);
    header->resizeSection(RunsModel::DurationColumn, 12 * character);
    header->resizeSection(RunsModel::StatusColumn, 9 * character);
    m_empty = new EmptyState(this);
    m_empty->setContent(tr("No runs yet"),
                        tr("Each run of a script is kept here until you delete it."));
    m_undo = new MessageStrip(this);
}

void RunsPane::createActions()
{
    m_rename = addRowAction(QStringLiteral("edit"), tr("&Rename"), &RunsPane::rename);
    m_rename->setShortcut(Qt::Key_F2);
    m_notes = addRowAction(QStringLiteral("note"), tr("&Notes…"), &RunsPane::editNotes);
    m_baseline =
        addRowAction(QStringLiteral("star"), tr("Set as &baseline"), &RunsPane::toggleBaseline);
    m_delete = addRowAction(QStringLiteral("delete"), tr("&Delete"), &RunsPane::deleteSelected);
    m_delete->setShortcut(QKeySequence::Delete);
}

QAction* RunsPane::addRowAction(const QString& icon, const QString& text, void (RunsPane::*slot)())
{
    auto* action = new QAction(themedIcon(icon), text, m_list);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, slot);
    m_list->addAction(action);
    return action;
}

void RunsPane::layOut()
{
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_undo);
    layout->addLayout(m_stack, 1);
}

void RunsPane::connectWidgets()
{
    connect(m_model, &RunsModel::runEdited, this, &RunsPane::runEdited);
    connect(m_list, &QTreeView::clicked, this, &RunsPane::chooseCurrent);
    connect(m_list, &QTreeView::activated, this, &RunsPane::chooseCurrent);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunsPane::updateActions);
}

void RunsPane::setRuns(std::vector<RunSummary> runs)
{
    const RunSummary* current = currentRun();
    const std::int64_t id = current != nullptr ? current->id : m_model->loadedRun();
    m_model->setRuns(std::move(runs));
    m_list->expandAll();
    m_stack->setCurrentWidget(m_model->runCount() == 0 ? static_cast<QWidget*>(m_empty) : m_list);
    selectRun(id);
    updateActions();
}

void RunsPane::setLoadedRun(std::int64_t id)
{
    m_model->setLoadedRun(id);
    selectRun(id);
}

void RunsPane::selectRun(std::int64_t id)
{
    const QModelIndex index = m_model->indexOf(id);
    if (index.isValid() && !m_list->selectionModel()->isSelected(index))
        m_list->setCurrentIndex(index);
}

void RunsPane::offerUndo(const QString& text)
{
    m_undo->showMessage(MessageStrip::Kind::Information, text,
                        {{tr("Undo"), [this] { Q_EMIT undoRequested(); }}});
}

void RunsPane::closeUndo()
{
    m_undo->clear();
}

std::vector<const RunSummary*> RunsPane::selectedRuns() const
{
    std::vector<const RunSummary*> runs;
    for (const QModelIndex& index : m_list->selectionModel()->selectedRows()) {
        if (const RunSummary* run = m_model->runAt(index))
            runs.push_back(run);
    }
    return runs;
}

const RunSummary* RunsPane::currentRun() const
{
    return m_model->runAt(m_list->currentIndex());
}

void RunsPane::chooseCurrent()
{
    const RunSummary* run = currentRun();
    if (run != nullptr && m_list->selectionModel()->selectedRows().size() == 1)
        Q_EMIT runChosen(run->id);
}

void RunsPane::rename()
{
    if (currentRun() != nullptr)
        m_list->edit(m_list->currentIndex().siblingAtColumn(RunsModel::RunColumn));
}

void RunsPane::editNotes()
{
    const RunSummary* run = currentRun();
    if (run == nullptr)
        return;
    RunSummary changed = *run;
    bool isAccepted = false;
    const QString notes = QInputDialog::getMultiLineText(
        this, tr("Notes"), tr("Notes on %1:").arg(RunsModel::titleOf(*run)),
        QString::fromStdString(run->notes), &isAccepted);
    changed.notes = notes.toStdString();
    if (isAccepted)
        Q_EMIT runEdited(changed);
}

void RunsPane::deleteSelected()
{
    std::vector<std::int64_t> ids;
    for (const RunSummary* run : selectedRuns())
        ids.push_back(run->id);
    if (!ids.empty())
        Q_EMIT deletionRequested(ids);
}

void RunsPane::toggleBaseline()
{
    const RunSummary* run = currentRun();
    if (run == nullptr)
        return;
    RunSummary changed = *run;
    changed.isBaseline = !changed.isBaseline;
    Q_EMIT runEdited(changed);
}

void RunsPane::updateActions()
{
    const RunSummary* run = currentRun();
    for (QAction* action : {m_rename, m_notes, m_baseline})
        action->setEnabled(run != nullptr);
    m_delete->setEnabled(!selectedRuns().empty());
    m_baseline->setText(run != nullptr && run->isBaseline ? tr("No longer the &baseline")
                                                          : tr("Set as &baseline"));
}

} // namespace perilune
