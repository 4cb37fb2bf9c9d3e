// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;

namespace perilune {

class DetailsPane;
class Document;
class EdgePane;
class OutputPane;
class ProblemsPane;
class RunsPane;

/// The panes around the centre and where they stand.
class WindowDocks : public QObject
{
    Q_OBJECT
public:
    WindowDocks(QMainWindow& window, Document& document);

    RunsPane& runs() { return *m_runs; }
    DetailsPane& details() { return *m_details; }
    EdgePane& callers() { return *m_callers; }
    EdgePane& callees() { return *m_callees; }
    OutputPane& output() { return *m_output; }
    ProblemsPane& problems() { return *m_problems; }

    /// Puts every pane where it stands at the first start.
    void resetLayout();
    /// Brings a pane to the front, shown if it was closed.
    void raiseOutput();
    void raiseProblems();
    /// Hides all panes or shows those that were not closed by the user: the welcome page stands
    /// alone.
    void setVisible(bool isVisible);
    /// Switches for the View menu.
    QList<QAction*> toggleActions() const;

private:
    QDockWidget* addDock(QWidget* pane, const QString& name, const QString& title);
    void raise(QDockWidget* dock);
    void showProblemCount(int count);

    QMainWindow& m_window;
    RunsPane* m_runs = nullptr;
    DetailsPane* m_details = nullptr;
    EdgePane* m_callers = nullptr;
    EdgePane* m_callees = nullptr;
    OutputPane* m_output = nullptr;
    ProblemsPane* m_problems = nullptr;
    QDockWidget* m_runsDock = nullptr;
    QDockWidget* m_detailsDock = nullptr;
    QDockWidget* m_callersDock = nullptr;
    QDockWidget* m_calleesDock = nullptr;
    QDockWidget* m_outputDock = nullptr;
    QDockWidget* m_problemsDock = nullptr;
    std::vector<QDockWidget*> m_docks;
};

} // namespace perilune
