// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

class QStackedWidget;

namespace perilune {

class Document;
class ViewTabs;
class WelcomePage;

/// The main window: puts the panes together and gives each the document.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return *m_document; }

private:
    void createCentre();
    void createViews();

    Document* m_document = nullptr;
    QStackedWidget* m_centre = nullptr;
    WelcomePage* m_welcome = nullptr;
    ViewTabs* m_views = nullptr;
};

} // namespace perilune
