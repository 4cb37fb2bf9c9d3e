// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/MainWindow.h"

#include "gui/models/Document.h"
#include "gui/views/ViewTabs.h"
#include "gui/views/WelcomePage.h"

#include <QStackedWidget>

namespace perilune {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_document(new Document(this))
{
    createCentre();
    createViews();
}

MainWindow::~MainWindow() = default;

void MainWindow::createCentre()
{
    m_welcome = new WelcomePage(this);
    m_views = new ViewTabs(this);
    m_centre = new QStackedWidget(this);
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(m_views);
    setCentralWidget(m_centre);
    resize(1280, 800);
}

void MainWindow::createViews()
{
    // Each view is one line: m_views->addView(new XPane(*m_document), "name", tr("Title")).
}

} // namespace perilune
