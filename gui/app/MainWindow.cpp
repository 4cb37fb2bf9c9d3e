// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/MainWindow.h"

#include "gui/app/AppPaths.h"
#include "gui/app/ExternalEditor.h"
#include "gui/app/FileQuestions.h"
#include "gui/app/GoToDialog.h"
#include "gui/app/HelpWindow.h"
#include "gui/app/Settings.h"
#include "gui/app/SettingsDialog.h"
#include "gui/app/ShortcutSheet.h"
#include "gui/app/StatusLine.h"
#include "gui/app/WindowActions.h"
#include "gui/app/WindowDocks.h"
#include "gui/app/WindowLayout.h"
#include "gui/models/NumberFormat.h"
#include "gui/models/RunText.h"
#include "gui/views/ArgumentsField.h"
#include "gui/views/CallTreeTable.h"
#include "gui/views/CallTreeView.h"
#include "gui/views/DataView.h"
#include "gui/views/DetailsPane.h"
#include "gui/views/EdgePane.h"
#include "gui/views/FilterBar.h"
#include "gui/views/FlameGraphView.h"
#include "gui/views/FunctionsPane.h"
#include "gui/views/Icons.h"
#include "gui/views/LaunchDialog.h"
#include "gui/views/OutputPane.h"
#include "gui/views/ProblemsPane.h"
#include "gui/views/RunBar.h"
#include "gui/views/RunsPane.h"
#include "gui/views/SourcePane.h"
#include "gui/views/SourceView.h"
#include "gui/views/ViewTabs.h"
#include "gui/views/WelcomePage.h"

#include <QAction>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QShortcut>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace perilune {

namespace {

constexpr int statusMessageMs = 4000;
constexpr int longestHistoryMenu = 20;

QString folderOf(const QString& path)
{
    return path.isEmpty() ? QDir::currentPath() : QFileInfo(path).absolutePath();
}

QStringList localFiles(const QMimeData& data)
{
    QStringList files;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    }
    return files;
}

} // namespace

MainWindow::MainWindow(Settings& settings, const AppPaths& paths, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_workspace(new Workspace(settings, paths, this))
    , m_actions(new WindowActions(this))
{
    setAcceptDrops(true);
    QCoreApplication::instance()->installEventFilter(this);
    setDockNestingEnabled(true);
    createRunBar();
    createCentre();
    createViews();
    createCorners();
    createStatusBar();
    m_docks = new WindowDocks(*this, document());
    createMenus();
    connectActions();
    connectWorkspace();
    connectPanes();

    m_layout = new WindowLayout(*this, *m_docks, *m_views, settings);
    m_layout->addTable(QStringLiteral("functions"), m_functions->table());
    m_layout->addTable(QStringLiteral("calltree"), m_callTree->table());
    m_layout->addTable(QStringLiteral("callers"), m_docks->callers().table());
    m_layout->addTable(QStringLiteral("callees"), m_docks->callees().table());
    m_layout->restore();
    updateRecent();
    updateActions();
    updateTitle();
    updatePage();
    m_workspace->offerLeftSessions();
}

MainWindow::~MainWindow() = default;

void MainWindow::createRunBar()
{
    const WindowActions& actions = *m_actions;
    m_runBar =
        new RunBar({actions[ActionId::OpenScript], actions[ActionId::Run], actions[ActionId::Stop],
                    actions[ActionId::Again], actions[ActionId::Launch]},
                   this);
    auto* bar = new QToolBar(tr("Run"), this);
    bar->setObjectName(QStringLiteral("runToolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addWidget(m_runBar);
    addToolBar(bar);
}

void MainWindow::createCentre()
{
    m_strip = new MessageStrip(this);
    m_welcome = new WelcomePage(this);
    m_views = new ViewTabs(this);
    m_centre = new QStackedWidget(this);
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(m_views);

    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    layout->addWidget(m_centre, 1);
    setCentralWidget(centre);
}

void MainWindow::createViews()
{
    m_functions = new FunctionsPane(document());
    m_callTree = new CallTreeView(document());
    m_flame = new FlameGraphView(document());
    m_source = new SourcePane(document());
    m_views->addView(m_functions, QStringLiteral("functions"), tr("Functions"));
    m_views->addView(m_callTree, QStringLiteral("calltree"), tr("Call tree"));
    m_views->addView(m_flame, QStringLiteral("flame"), tr("Flame graph"));
    m_views->addView(m_source, QStringLiteral("source"), tr("Source"));
    addViewShortcuts();
}

/// Back and forward to the left of the tabs.
void MainWindow::createCorners()
{
    auto* left = new QWidget(m_views);
    auto* leftLayout = new QHBoxLayout(left);
    leftLayout->setContentsMargins(4, 0, 4, 0);
    leftLayout->setSpacing(0);
    for (const ActionId id : {ActionId::Back, ActionId::Forward}) {
        auto* button = new QToolButton(left);
        button->setDefaultAction((*m_actions)[id]);
        button->setAutoRaise(true);
        button->setPopupMode(QToolButton::DelayedPopup);
        button->setMenu(createHistoryMenu(id == ActionId::Back));
        leftLayout->addWidget(button);
    }
    m_views->setCornerWidget(left, Qt::TopLeftCorner);
}

/// The places that lie back or ahead, nearest first; opens when the button is held down.
QMenu* MainWindow::createHistoryMenu(bool isBack)
{
    auto* menu = new QMenu(this);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, isBack] {
        menu->clear();
        const int current = static_cast<int>(document().historyIndex());
        const int count = static_cast<int>(document().history().size());
        const int step = isBack ? -1 : 1;
        for (int index = current + step; index >= 0 && index < count; index += step) {
            if (menu->actions().size() >= longestHistoryMenu)
                break;
            const auto place = static_cast<std::size_t>(index);
            menu->addAction(titleOf(document().history()[place]), this,
                            [this, place] { document().goTo(place); });
        }
    });
    return menu;
}

QString MainWindow::titleOf(const Document::Place& place) const
{
    if (!place.function.isValid())
        return tr("(no function)");
    return QString::fromStdString(m_workspace->document().profile()->function(place.function).name);
}

void MainWindow::createStatusBar()
{
    m_statusLine = new StatusLine(*m_workspace, this);
    statusBar()->addWidget(m_statusLine);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::createMenus()
{
    const WindowActions& actions = *m_actions;
    const auto add = [&](QMenu* menu, std::initializer_list<ActionId> ids) {
        for (const ActionId id : ids)
            menu->addAction(actions[id]);
        return menu;
    };
    QMenu* file =
        add(menuBar()->addMenu(tr("&File")), {ActionId::OpenScript, ActionId::OpenSession});
    m_recentMenu = file->addMenu(tr("Open &recent"));
    file->addSeparator();
    add(file, {ActionId::Save, ActionId::SaveAs, ActionId::CloseSession});
    file->addSeparator();
    add(file, {ActionId::Settings, ActionId::Quit});

    add(menuBar()->addMenu(tr("&Run")),
        {ActionId::Run, ActionId::Stop, ActionId::Again, ActionId::Launch})
        ->addSeparator();
    QMenu* go = add(menuBar()->addMenu(tr("&Go")), {ActionId::Back, ActionId::Forward});
    go->addSeparator();
    add(go,
        {ActionId::GoToFunction, ActionId::Find, ActionId::FindNext, ActionId::FindPrevious,
         ActionId::Filter});
    go->addSeparator();
    add(go, {ActionId::OpenInEditor});

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view->addActions(m_docks->toggleActions());
    view->addSeparator();
    add(view, {ActionId::NextView, ActionId::PreviousView});
    view->addSeparator();
    add(view, {ActionId::ResetLayout, ActionId::FullScreen});
    add(menuBar()->addMenu(tr("&Help")),
        {ActionId::Help, ActionId::ShortcutSheet, ActionId::About});
}

void MainWindow::fillRecentMenu(QMenu* menu)
{
    menu->clear();
    for (const QString& path : m_settings.recentFiles()) {
        QAction* action = menu->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openFile(path, false); });
    }
    menu->setEnabled(!menu->isEmpty());
    menu->addSeparator();
    menu->addAction(tr("&Clear list"), &m_settings, &Settings::clearRecentFiles);
}

void MainWindow::addViewShortcuts()
{
    for (int number = 1; number <= 8; ++number) {
        auto* shortcut =
            new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number)), this);
        connect(shortcut, &QShortcut::activated, this, [this, number] {
            if (number <= m_views->count())
                m_views->setCurrentIndex(number - 1);
        });
    }
}

void MainWindow::connectActions()
{
    connectFileActions();
    connectRunActions();
    connectMoveActions();
    connectHelpActions();
}

void MainWindow::connectFileActions()
{
    const WindowActions& actions = *m_actions;
    connect(actions[ActionId::OpenScript], &QAction::triggered, this,
            &MainWindow::openScriptDialog);
    connect(actions[ActionId::OpenSession], &QAction::triggered, this,
            &MainWindow::openSessionDialog);
    connect(actions[ActionId::Save], &QAction::triggered, this, &MainWindow::save);
    connect(actions[ActionId::SaveAs], &QAction::triggered, this, &MainWindow::saveAs);
    connect(actions[ActionId::CloseSession], &QAction::triggered, this, &MainWindow::closeSession);
    connect(actions[ActionId::Settings], &QAction::triggered, this, &MainWindow::editSettings);
    connect(actions[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
    connect(m_welcome, &WelcomePage::openScriptRequested, this, &MainWindow::openScriptDialog);
    connect(m_welcome, &WelcomePage::openSessionRequested, this, &MainWindow::openSessionDialog);
    connect(m_welcome, &WelcomePage::exampleRequested, this, &MainWindow::openExample);
    connect(m_welcome, &WelcomePage::recentFileChosen, this,
            [this](const QString& path) { openFile(path, false); });
    connect(&m_settings, &Settings::recentFilesChanged, this, &MainWindow::updateRecent);
}

void MainWindow::connectRunActions()
{
    const WindowActions& actions = *m_actions;
    connect(actions[ActionId::Run], &QAction::triggered, this, &MainWindow::runFromBar);
    connect(actions[ActionId::Stop], &QAction::triggered, &m_workspace->runner(),
            &RunController::stop);
    connect(actions[ActionId::Again], &QAction::triggered, m_workspace, &Workspace::runAgain);
    connect(actions[ActionId::Launch], &QAction::triggered, this, &MainWindow::editLaunch);
    connect(m_runBar, &RunBar::runRequested, this, &MainWindow::runFromBar);
    connect(m_runBar, &RunBar::specChanged, this, &MainWindow::updateActions);
    connect(m_runBar, &RunBar::scriptChosen, m_workspace, &Workspace::openFile);
}

void MainWindow::connectMoveActions()
{
    const WindowActions& actions = *m_actions;
    connect(actions[ActionId::Back], &QAction::triggered, &document(), &Document::goBack);
    connect(actions[ActionId::Forward], &QAction::triggered, &document(), &Document::goForward);
    connect(actions[ActionId::NextView], &QAction::triggered, m_views, &ViewTabs::showNext);
    connect(actions[ActionId::PreviousView], &QAction::triggered, m_views, &ViewTabs::showPrevious);
    connect(actions[ActionId::Filter], &QAction::triggered, this, [this] {
        m_views->setCurrentWidget(m_functions);
        m_functions->focusFilter();
    });
    const std::pair<ActionId, const char*> findSlots[] = {
        {ActionId::Find, "focusSearch"},
        {ActionId::FindNext, "showNextMatch"},
        {ActionId::FindPrevious, "showPreviousMatch"}};
    for (const auto& [id, slot] : findSlots) {
        connect(actions[id], &QAction::triggered, this,
                [this, name = slot] { QMetaObject::invokeMethod(m_views->currentWidget(), name); });
    }
    connect(actions[ActionId::GoToFunction], &QAction::triggered, this,
            [this] { GoToDialog(document(), this).exec(); });
    connect(actions[ActionId::OpenInEditor], &QAction::triggered, this, &MainWindow::openInEditor);
    connect(actions[ActionId::SetBaseline], &QAction::triggered, m_docks->runs().baselineAction(),
            &QAction::trigger);
}

void MainWindow::connectHelpActions()
{
    const WindowActions& actions = *m_actions;
    connect(actions[ActionId::ResetLayout], &QAction::triggered, this,
            [this] { m_layout->reset(); });
    connect(actions[ActionId::FullScreen], &QAction::triggered, this,
            [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    connect(actions[ActionId::Help], &QAction::triggered, this, &MainWindow::showHelp);
    connect(actions[ActionId::ShortcutSheet], &QAction::triggered, this,
            [this] { ShortcutSheet(*m_actions, this).exec(); });
    connect(actions[ActionId::About], &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::connectWorkspace()
{
    connect(m_workspace, &Workspace::launchProposed, this, &MainWindow::proposeLaunch);
    connect(m_workspace, &Workspace::runStarted, this, &MainWindow::showRunStarted);
    connect(m_workspace, &Workspace::runFinished, this, &MainWindow::showRunFinished);
    connect(&m_workspace->runner(), &RunController::runStarted, this,
            [this] { m_docks->output().startRun(); });
    connect(m_workspace, &Workspace::noticePosted, this, &MainWindow::postNotice);
    connect(m_workspace, &Workspace::noticeWithdrawn, m_strip, &MessageStrip::clear);
    connect(&m_workspace->runner(), &RunController::stateChanged, this, &MainWindow::updateActions);
    connect(&document(), &Document::profileChanged, this, &MainWindow::updatePage);
    connect(&document(), &Document::historyChanged, this, &MainWindow::updateActions);
    connect(m_strip, &MessageStrip::linkActivated, this, &MainWindow::showProblemLine);
    connectSession();
}

void MainWindow::connectSession()
{
    SessionController& session = m_workspace->session();
    connect(&session, &SessionController::sessionChanged, this, &MainWindow::updateTitle);
    connect(&session, &SessionController::runsChanged, this, [this] {
        m_docks->runs().setRuns(m_workspace->session().runs());
        updateTitle();
        updateActions();
        updatePage();
    });
    connect(&session, &SessionController::saved, this, [this](const QString& path) {
        statusBar()->showMessage(tr("Saved %1").arg(path), statusMessageMs);
        if (m_isClosingAfterSave)
            close();
    });
    connect(&session, &SessionController::saveFailed, this,
            [this] { m_isClosingAfterSave = false; });
}

void MainWindow::connectPanes()
{
    connect(m_functions, &FunctionsPane::functionActivated, this,
            [this] { m_views->setCurrentWidget(m_source); });
    connect(m_functions, &FunctionsPane::rowsCopied, this, &MainWindow::sayCopied);
    connect(m_callTree, &CallTreeView::functionActivated, this,
            [this] { m_views->setCurrentWidget(m_source); });
    connect(m_callTree, &CallTreeView::rowsCopied, this, &MainWindow::sayCopied);
    connect(m_callTree, &CallTreeView::flameGraphRequested, this,
            [this] { m_views->setCurrentWidget(m_flame); });
    connect(m_flame, &FlameGraphView::callTreeRequested, this,
            [this] { m_views->setCurrentWidget(m_callTree); });
    connect(m_flame, &FlameGraphView::messageShown, this,
            [this](const QString& text) { statusBar()->showMessage(text, statusMessageMs); });
    connect(m_functions, &FunctionsPane::runRequested, this, &MainWindow::runFromBar);
    connect(&m_docks->callers(), &EdgePane::rowsCopied, this, &MainWindow::sayCopied);
    connect(&m_docks->callees(), &EdgePane::rowsCopied, this, &MainWindow::sayCopied);
    connect(&m_docks->details(), &DetailsPane::locationActivated, this,
            [this] { m_views->setCurrentWidget(m_source); });
    connect(&m_docks->problems(), &ProblemsPane::lineActivated, this,
            [this] { m_views->setCurrentWidget(m_source); });
    connect(m_source, &SourcePane::editorRequested, this, &MainWindow::openEditorAt);
    connectOutput();
    connectRuns();
}

void MainWindow::connectOutput()
{
    OutputPane& output = m_docks->output();
    RunController& runner = m_workspace->runner();
    connect(&runner, &RunController::outputReceived, &output, &OutputPane::append);
    connect(&runner, &RunController::inputAwaited, &output, [this] {
        m_docks->raiseOutput();
        m_docks->output().showInputAwaited();
    });
    connect(&output, &OutputPane::inputEntered, &runner, &RunController::writeInput);
    connect(&output, &OutputPane::inputEnded, &runner, &RunController::closeInput);
    connect(&output, &OutputPane::stopRequested, &runner, &RunController::stop);
}

void MainWindow::connectRuns()
{
    RunsPane& runs = m_docks->runs();
    SessionController& session = m_workspace->session();
    connect(&runs, &RunsPane::runChosen, m_workspace, &Workspace::showRun);
    connect(&runs, &RunsPane::runEdited, &session, &SessionController::updateRun);
    connect(&runs, &RunsPane::deletionRequested, this,
            [this](const std::vector<std::int64_t>& ids) {
                m_workspace->session().removeRuns(ids);
                m_docks->runs().offerUndo(
                    tr("%Ln run(s) deleted.", nullptr, static_cast<int>(ids.size())));
            });
    connect(&runs, &RunsPane::undoRequested, this, [this] {
        m_docks->runs().closeUndo();
        m_workspace->session().undoRemoval();
    });
    connect(m_workspace, &Workspace::shownRunChanged, &runs, &RunsPane::setLoadedRun);
}

bool MainWindow::isWelcomeShown() const
{
    return m_centre->currentWidget() == m_welcome;
}

void MainWindow::openFile(const QString& path, bool isRun)
{
    m_workspace->openFile(path);
    if (isRun && m_runBar->spec().script == path)
        runFromBar();
}

void MainWindow::openScriptDialog()
{
    const QString path = askForFile(this, folderOf(m_runBar->spec().script));
    if (!path.isEmpty())
        openFile(path, false);
}

void MainWindow::openSessionDialog()
{
    const QString path = askForSession(this, folderOf(m_workspace->session().path()));
    if (!path.isEmpty())
        openFile(path, false);
}

void MainWindow::openExample()
{
    const QString script = exampleScript();
    if (script.isEmpty())
        postNotice({MessageStrip::Kind::Error, tr("The examples are not installed."), {}});
    else
        openFile(script, false);
}

/// A session with a file is always saved: each run goes into it at once.
void MainWindow::save()
{
    if (m_workspace->session().path().isEmpty())
        saveAs();
    else
        statusBar()->showMessage(tr("Everything is saved in %1").arg(m_workspace->session().path()),
                                 statusMessageMs);
}

void MainWindow::saveAs()
{
    const SessionController& session = m_workspace->session();
    QString suggestion = session.path();
    if (suggestion.isEmpty() && !session.runs().empty())
        suggestion = QFileInfo(scriptName(session.runs().back().info)).completeBaseName()
            + QStringLiteral(".perilune");
    const QString path = askForSavePath(this, suggestion);
    if (path.isEmpty())
        m_isClosingAfterSave = false;
    else
        m_workspace->session().saveAs(path);
}

void MainWindow::closeSession()
{
    bool isKept = true;
    if (m_workspace->runner().isBusy() || !mayLeaveSession(isKept))
        return;
    m_workspace->closeSession(isKept);
    m_runBar->setSpec({});
    updateActions();
    updatePage();
}

bool MainWindow::mayLeaveSession(bool& isKept)
{
    isKept = true;
    if (!m_workspace->session().hasUnsavedRuns())
        return true;
    switch (askAboutUnsaved(this, static_cast<int>(m_workspace->session().runs().size()))) {
    case UnsavedAnswer::Cancel:
        return false;
    case UnsavedAnswer::Save:
        saveAs();
        return false;
    case UnsavedAnswer::Keep:
        return true;
    case UnsavedAnswer::Discard:
        isKept = false;
        return true;
    }
    return false;
}

void MainWindow::runFromBar()
{
    if (m_workspace->runner().isBusy())
        return;
    if (m_runBar->spec().script.isEmpty())
        openScriptDialog();
    else if (m_runBar->isValid())
        m_workspace->run(m_runBar->spec(), m_runBar->plan());
}

void MainWindow::editLaunch()
{
    LaunchDialog dialog(m_runBar->spec(), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    proposeLaunch(dialog.spec());
    if (dialog.isRunRequested())
        runFromBar();
}

void MainWindow::proposeLaunch(const LaunchSpec& spec)
{
    m_runBar->setSpec(spec);
    m_strip->clear();
    updateActions();
    updatePage();
}

void MainWindow::showRunStarted(const LaunchSpec& spec)
{
    if (!m_viewBeforeError.isEmpty())
        m_views->showView(std::exchange(m_viewBeforeError, QString()));
    m_runBar->setSpec(spec);
    m_docks->output().setInputEnabled(spec.standardInput.isEmpty());
    updatePage();
    updateActions();
}

void MainWindow::showRunFinished()
{
    m_docks->output().endRun();
    if (!document().currentFunction().isValid())
        m_functions->selectFirst();
    const RunInfo& run = document().profile()->run;
    if (!run.errorMessage.empty())
        m_docks->raiseProblems();
    if (run.status == RunStatus::SyntaxError) {
        m_viewBeforeError = m_views->currentView();
        showProblemLine();
    }
    updateActions();
}

void MainWindow::postNotice(const Notice& notice)
{
    static const QHash<Notice::Step, QString> titles = {
        {Notice::Step::ShowLine, tr("Show line")},
        {Notice::Step::ShowProblems, tr("Show problems")},
        {Notice::Step::LaunchSettings, tr("Launch settings…")},
        {Notice::Step::RunAgain, tr("Run again")},
        {Notice::Step::SaveElsewhere, tr("Save elsewhere…")},
        {Notice::Step::OpenLeft, tr("Open")},
        {Notice::Step::DiscardLeft, tr("Delete")},
    };
    QList<MessageStrip::Action> actions;
    for (const Notice::Step step : notice.steps)
        actions.append({titles.value(step), [this, step] { takeStep(step); }});
    m_strip->showMessage(notice.kind, notice.text, actions);
}

void MainWindow::takeStep(Notice::Step step)
{
    switch (step) {
    case Notice::Step::ShowLine:
        showProblemLine();
        break;
    case Notice::Step::ShowProblems:
        m_docks->raiseProblems();
        break;
    case Notice::Step::LaunchSettings:
        editLaunch();
        break;
    case Notice::Step::RunAgain:
        m_workspace->runAgain();
        break;
    case Notice::Step::SaveElsewhere:
        saveAs();
        break;
    case Notice::Step::OpenLeft:
        m_strip->clear();
        m_workspace->openLeftSession();
        break;
    case Notice::Step::DiscardLeft:
        m_strip->clear();
        m_workspace->discardLeftSessions();
        break;
    }
}

void MainWindow::showProblemLine()
{
    m_docks->problems().showFirstLine();
}

void MainWindow::openInEditor()
{
    const SourceLine line = document().currentLine();
    if (!line.source.isValid())
        return;
    const Source& source = document().profile()->sources[line.source.value()];
    if (!source.path.empty())
        openEditorAt(QString::fromStdString(source.path), line.line);
}

void MainWindow::openEditorAt(const QString& path, int line)
{
    if (!perilune::openInEditor(m_settings.editorCommand(), path, line)) {
        postNotice({MessageStrip::Kind::Error,
                    tr("The editor could not be started. Choose its command in the settings."),
                    {}});
    }
}

void MainWindow::editSettings()
{
    SettingsDialog dialog(m_settings, this);
    connect(&dialog, &SettingsDialog::keptRunsChanged, &m_workspace->session(),
            &SessionController::setKeptRuns);
    dialog.exec();
}

void MainWindow::showHelp()
{
    auto* help = new HelpWindow(helpFolder(), this);
    help->setAttribute(Qt::WA_DeleteOnClose);
    help->show();
}

void MainWindow::showAbout()
{
    QMessageBox::about(
        this, tr("About Perilune"),
        tr("<h3>Perilune %1</h3><p>The desktop profiler for Lua.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later.</p>")
            .arg(QStringLiteral(PERILUNE_VERSION)));
}

void MainWindow::updateActions()
{
    const WindowActions& actions = *m_actions;
    const bool isBusy = m_workspace->runner().isBusy();
    actions[ActionId::Run]->setEnabled(!isBusy && m_runBar->arguments().isValid());
    actions[ActionId::Stop]->setEnabled(m_workspace->runner().canStop());
    actions[ActionId::Again]->setEnabled(m_workspace->canRunAgain());
    actions[ActionId::Launch]->setEnabled(!isBusy);
    actions[ActionId::Save]->setEnabled(!m_workspace->session().isEmpty());
    actions[ActionId::SaveAs]->setEnabled(!m_workspace->session().isEmpty());
    actions[ActionId::CloseSession]->setEnabled(!isBusy);
    actions[ActionId::Back]->setEnabled(document().canGoBack());
    actions[ActionId::Forward]->setEnabled(document().canGoForward());
    const bool hasFunctions = !document().isEmpty();
    for (const ActionId id : {ActionId::Filter, ActionId::GoToFunction, ActionId::Find,
                              ActionId::FindNext, ActionId::FindPrevious, ActionId::OpenInEditor})
        actions[id]->setEnabled(hasFunctions);
    m_runBar->setRunning(isBusy);
}

void MainWindow::updateTitle()
{
    const SessionController& session = m_workspace->session();
    if (session.path().isEmpty() && session.runs().empty())
        setWindowTitle({});
    else
        setWindowTitle(session.title() + QStringLiteral("[*]"));
    setWindowModified(session.hasUnsavedRuns());
}

void MainWindow::updateRecent()
{
    fillRecentMenu(m_recentMenu);
    m_welcome->setRecentFiles(m_settings.recentFiles());
    m_runBar->setRecentScripts(m_settings.recentScripts());
}

/// The welcome page until there is a script, a run or a session.
void MainWindow::updatePage()
{
    const bool isWelcome = document().isEmpty() && m_workspace->session().runs().empty()
        && m_runBar->spec().script.isEmpty() && !m_workspace->runner().isBusy();
    m_layout->setPanesShown(!isWelcome);
    m_centre->setCurrentWidget(isWelcome ? static_cast<QWidget*>(m_welcome) : m_views);
    m_functions->setReadyScript(m_workspace->runner().isBusy() ? QString()
                                                               : m_runBar->spec().script);
}

void MainWindow::sayCopied(int count)
{
    statusBar()->showMessage(tr("%Ln row(s) copied", nullptr, count), statusMessageMs);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    event->ignore();
    if (m_workspace->runner().isBusy() && !askToStop(this))
        return;
    bool isKept = true;
    m_isClosingAfterSave = true;
    if (!mayLeaveSession(isKept))
        return;
    m_layout->keep();
    m_workspace->session().startNew(isKept);
    m_workspace->session().waitForDone();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList files = localFiles(*event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    openFile(files.first(), false);
    if (files.size() > 1) {
        postNotice({MessageStrip::Kind::Information,
                    tr("Opened %1. Files are opened one at a time.")
                        .arg(QFileInfo(files.first()).fileName().toHtmlEscaped()),
                    {}});
    }
}

/// The back and forward buttons of a mouse work wherever the pointer is in the window.
bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() != QEvent::MouseButtonPress || widget == nullptr || widget->window() != this)
        return QMainWindow::eventFilter(watched, event);
    const Qt::MouseButton button = static_cast<QMouseEvent*>(event)->button();
    if (button == Qt::BackButton)
        document().goBack();
    else if (button == Qt::ForwardButton)
        document().goForward();
    else
        return QMainWindow::eventFilter(watched, event);
    return true;
}

} // namespace perilune
