// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/WindowDocks.h"

#include "gui/views/DetailsPane.h"
#include "gui/views/EdgePane.h"
#include "gui/views/OutputPane.h"
#include "gui/views/ProblemsPane.h"
#include "gui/views/RunsPane.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

namespace perilune {

WindowDocks::WindowDocks(QMainWindow& window, Document& document)
    : QObject(&window)
    , m_window(window)
{
    m_runs = new RunsPane;
    m_details = new DetailsPane(document);
    m_callers = new EdgePane(document, EdgeModel::Direction::Callers);
    m_callees = new EdgePane(document, EdgeModel::Direction::Callees);
    m_output = new OutputPane;
    m_problems = new ProblemsPane(document);
    m_runsDock = addDock(m_runs, QStringLiteral("runs"), tr("Runs"));
    m_detailsDock = addDock(m_details, QStringLiteral("details"), tr("Details"));
    m_callersDock = addDock(m_callers, QStringLiteral("callers"), tr("Callers"));
    m_calleesDock = addDock(m_callees, QStringLiteral("callees"), tr("Callees"));
    m_outputDock = addDock(m_output, QStringLiteral("output"), tr("Output"));
    m_problemsDock = addDock(m_problems, QStringLiteral("problems"), tr("Problems"));
    connect(m_problems, &ProblemsPane::problemCountChanged, this, &WindowDocks::showProblemCount);
    resetLayout();
}

QDockWidget* WindowDocks::addDock(QWidget* pane, const QString& name, const QString& title)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(pane);
    dock->toggleViewAction()->setText(title);
    m_docks.push_back(dock);
    return dock;
}

void WindowDocks::resetLayout()
{
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
    m_window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, m_runsDock);
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_detailsDock);
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_callersDock);
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_calleesDock);
    m_window.addDockWidget(Qt::BottomDockWidgetArea, m_outputDock);
    m_window.tabifyDockWidget(m_outputDock, m_problemsDock);
    for (QDockWidget* dock : m_docks)
        dock->show();
    m_outputDock->raise();
    m_window.resizeDocks({m_runsDock, m_detailsDock}, {250, 320}, Qt::Horizontal);
    m_window.resizeDocks({m_detailsDock, m_callersDock, m_calleesDock}, {250, 190, 230},
                         Qt::Vertical);
    m_window.resizeDocks({m_outputDock}, {170}, Qt::Vertical);
}

void WindowDocks::raiseOutput()
{
    raise(m_outputDock);
}

void WindowDocks::raiseProblems()
{
    raise(m_problemsDock);
}

void WindowDocks::raise(QDockWidget* dock)
{
    dock->show();
    dock->raise();
}

void WindowDocks::setVisible(bool isVisible)
{
    for (QDockWidget* dock : m_docks)
        dock->setVisible(isVisible);
    if (isVisible)
        m_outputDock->raise();
}

QList<QAction*> WindowDocks::toggleActions() const
{
    QList<QAction*> actions;
    for (const QDockWidget* dock : m_docks)
        actions.append(dock->toggleViewAction());
    return actions;
}

void WindowDocks::showProblemCount(int count)
{
    m_problemsDock->setWindowTitle(count == 0 ? tr("Problems") : tr("Problems (%1)").arg(count));
}

} // namespace perilune
