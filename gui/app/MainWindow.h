// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/app/Workspace.h"

#include <QMainWindow>

class QMenu;
class QStackedWidget;

namespace perilune {

class CallTreeView;
class FlameGraphView;
class FunctionsPane;
class RunBar;
class SourcePane;
class StatusLine;
class ViewTabs;
class WelcomePage;
class WindowActions;
class WindowDocks;
class WindowLayout;

/// The main window: puts the panes together, gives each the document, and turns actions into calls
/// of the workspace.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(Settings& settings, const AppPaths& paths, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a file as if it had been dropped; with `isRun` a script is run at once.
    void openFile(const QString& path, bool isRun);

    Workspace& workspace() { return *m_workspace; }
    Document& document() { return m_workspace->document(); }
    WindowActions& actions() { return *m_actions; }
    WindowDocks& docks() { return *m_docks; }
    RunBar& runBar() { return *m_runBar; }
    ViewTabs& views() { return *m_views; }
    FunctionsPane& functions() { return *m_functions; }
    SourcePane& source() { return *m_source; }
    MessageStrip& strip() { return *m_strip; }
    StatusLine& statusLine() { return *m_statusLine; }
    bool isWelcomeShown() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void createRunBar();
    void createCentre();
    void createViews();
    void createCorners();
    void createMenus();
    QMenu* createHistoryMenu(bool isBack);
    QString titleOf(const Document::Place& place) const;
    void createStatusBar();
    void fillRecentMenu(QMenu* menu);

    void connectActions();
    void connectFileActions();
    void connectRunActions();
    void connectMoveActions();
    void connectHelpActions();
    void connectWorkspace();
    void connectSession();
    void connectPanes();
    void connectOutput();
    void connectRuns();
    void addViewShortcuts();

    void openScriptDialog();
    void openSessionDialog();
    void openExample();
    void save();
    void saveAs();
    void closeSession();
    void runFromBar();
    void editLaunch();
    void proposeLaunch(const LaunchSpec& spec);
    void showRunStarted(const LaunchSpec& spec);
    void showRunFinished();
    void postNotice(const Notice& notice);
    void takeStep(Notice::Step step);
    void showProblemLine();
    void openInEditor();
    void openEditorAt(const QString& path, int line);
    void editSettings();
    void showHelp();
    void showAbout();

    void updateActions();
    void updateTitle();
    void updateRecent();
    void updatePage();
    void sayCopied(int count);

    /// Asks what becomes of unsaved runs; returns whether the session may be left, and sets
    /// `isKept`.
    bool mayLeaveSession(bool& isKept);

    Settings& m_settings;
    Workspace* m_workspace = nullptr;
    WindowActions* m_actions = nullptr;
    WindowDocks* m_docks = nullptr;
    WindowLayout* m_layout = nullptr;
    RunBar* m_runBar = nullptr;
    QStackedWidget* m_centre = nullptr;
    WelcomePage* m_welcome = nullptr;
    ViewTabs* m_views = nullptr;
    MessageStrip* m_strip = nullptr;
    FunctionsPane* m_functions = nullptr;
    CallTreeView* m_callTree = nullptr;
    FlameGraphView* m_flame = nullptr;
    SourcePane* m_source = nullptr;
    StatusLine* m_statusLine = nullptr;
    QMenu* m_recentMenu = nullptr;
    QString m_viewBeforeError;         ///< Which a syntax error's line has covered; else empty.
    bool m_isClosingAfterSave = false; ///< The window closes once the session has been written.
};

} // namespace perilune
