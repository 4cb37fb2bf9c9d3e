// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/RunsModel.h"

#include <QWidget>

class QAction;
class QStackedLayout;
class QTreeView;

namespace perilune {

class EmptyState;
class MessageStrip;

/// The runs of the open session: choose one to see it; rename, note, delete, set the baseline.
class RunsPane : public QWidget
{
    Q_OBJECT
public:
    explicit RunsPane(QWidget* parent = nullptr);

    void setRuns(std::vector<RunSummary> runs);
    void setLoadedRun(std::int64_t id);
    /// Says that runs were deleted and offers to bring them back.
    void offerUndo(const QString& text);
    void closeUndo();
    RunsModel& model() { return *m_model; }
    QTreeView& list() { return *m_list; }
    /// For the window's menu.
    QAction* baselineAction() { return m_baseline; }

Q_SIGNALS:
    void runChosen(std::int64_t id);
    void runEdited(const perilune::RunSummary& run);
    void deletionRequested(const std::vector<std::int64_t>& ids);
    void undoRequested();

private:
    void createWidgets();
    void createActions();
    void layOut();
    void connectWidgets();
    QAction* addRowAction(const QString& icon, const QString& text, void (RunsPane::*slot)());
    std::vector<const RunSummary*> selectedRuns() const;
    const RunSummary* currentRun() const;
    void chooseCurrent();
    void rename();
    void editNotes();
    void deleteSelected();
    void toggleBaseline();
    void updateActions();
    void selectRun(std::int64_t id);

    RunsModel* m_model = nullptr;
    QTreeView* m_list = nullptr;
    EmptyState* m_empty = nullptr;
    MessageStrip* m_undo = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_notes = nullptr;
    QAction* m_baseline = nullptr;
    QAction* m_delete = nullptr;
};

} // namespace perilune
