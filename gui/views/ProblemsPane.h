// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QWidget>

class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace perilune {

class EmptyState;
struct Problem;

/// What went wrong in the run: errors with their traceback, and warnings; a click goes to the line.
class ProblemsPane : public QWidget
{
    Q_OBJECT
public:
    explicit ProblemsPane(Document& document, QWidget* parent = nullptr);

    int problemCount() const { return m_problemCount; }
    /// Goes to the first line that a problem names; false when there is none.
    bool showFirstLine();
    QTreeWidget& list() { return *m_list; }

Q_SIGNALS:
    void problemCountChanged(int count);
    /// A line was chosen and is the document's current line now.
    void lineActivated();

private:
    void createWidgets();
    void connectWidgets();
    void showProblems();
    void addProblem(const Problem& problem, QTreeWidgetItem* parent);
    void activate(QTreeWidgetItem* item);
    void copySelection();

    Document& m_document;
    QTreeWidget* m_list = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    int m_problemCount = 0;
};

} // namespace perilune
