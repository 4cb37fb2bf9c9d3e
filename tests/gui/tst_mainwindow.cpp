// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/RecordingStore.h"
#include "gui/app/SessionController.h"
#include "gui/app/StatusLine.h"
#include "gui/app/WindowActions.h"
#include "gui/app/WindowDocks.h"
#include "gui/models/EnglishPlurals.h"
#include "gui/models/EnvironmentModel.h"
#include "gui/models/FunctionTableModel.h"
#include "gui/views/ArgumentsField.h"
#include "gui/views/DataView.h"
#include "gui/views/EdgePane.h"
#include "gui/views/EmptyState.h"
#include "gui/views/FilterBar.h"
#include "gui/views/FunctionsPane.h"
#include "gui/views/LaunchDialog.h"
#include "gui/views/MessageStrip.h"
#include "gui/views/OutputPane.h"
#include "gui/views/ProblemsPane.h"
#include "gui/views/RunBar.h"
#include "gui/views/RunsPane.h"
#include "gui/views/SourcePane.h"
#include "gui/views/SourceView.h"
#include "gui/views/Theme.h"
#include "gui/views/ViewTabs.h"
#include "tests/gui/WindowHarness.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>
#include <QUrl>

using namespace perilune;
using perilune::test::WindowHarness;

namespace {

const QByteArray program = R"(
local function leaf(n) local s = 0 for i = 1, n do s = s + i end return s end
local function heavy() local s = 0 for i = 1, 200 do s = s + leaf(2000) end return s end
local function light() return leaf(10) + 1 end
for i = 1, 5 do heavy() end
light()
print("done")
)";

/// A file dialog of Qt that gets a path typed and is accepted.
void typePath(QFileDialog& dialog, const QString& path)
{
    dialog.findChild<QLineEdit*>()->setText(path);
    dialog.findChild<QDialogButtonBox*>()
        ->button(dialog.acceptMode() == QFileDialog::AcceptSave ? QDialogButtonBox::Save
                                                                : QDialogButtonBox::Open)
        ->click();
}

QString stripText(MainWindow& window)
{
    return window.strip().isVisible() ? window.strip().text() : QString();
}

QPushButton* stripButton(MainWindow& window, const QString& text)
{
    for (QPushButton* button : window.strip().findChildren<QPushButton*>()) {
        if (button->text() == text)
            return button;
    }
    return nullptr;
}

void drop(MainWindow& window, const QStringList& paths)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls.append(QUrl::fromLocalFile(path));
    data.setUrls(urls);
    const QPoint centre = window.rect().center();
    QDragEnterEvent enter(centre, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(centre, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

void clickHeader(DataView& table, FunctionColumn column)
{
    const int section = static_cast<int>(column);
    QHeaderView* header = table.header();
    const QPoint position(header->sectionViewportPosition(section)
                              + header->sectionSize(section) / 2,
                          header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, position);
}

bool needsAccessibleName(const QWidget& widget)
{
    if (!widget.isVisible() || widget.focusPolicy() == Qt::NoFocus)
        return false;
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text().isEmpty();
    if (widget.parentWidget() != nullptr
        && (qobject_cast<const QComboBox*>(widget.parentWidget()) != nullptr
            || qobject_cast<const QAbstractSpinBox*>(widget.parentWidget()) != nullptr))
        return false;
    return qobject_cast<const QLineEdit*>(&widget) != nullptr
        || qobject_cast<const QComboBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractItemView*>(&widget) != nullptr;
}

} // namespace

class MainWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void welcomesFirst();
    void openingDoesNotRun();
    void dropFillsTheRunBar();
    void runsAndShowsFunctions();
    void sortsByClicksOnTheHeader();
    void filtersWhileTyping();
    void searchHighlights();
    void searchesTheSource();
    void selectionReachesEveryPane();
    void goesBackAndForward();
    void copiesRows();
    void selectionSurvivesTheNextRun();
    void passesArguments();
    void refusesUnclosedQuotes();
    void passesTheEnvironment();
    void stopsAnEndlessLoop();
    void showsScriptErrors();
    void showsSyntaxErrors();
    void namesMissingModules();
    void tellsExitCodes();
    void asksForInput();
    void survivesACrashOfTheScript();
    void tellsOutputAndErrorsApart();
    void cutsHugeOutput();
    void savesAndOpensAgain();
    void keepsUnsavedRunsForTheNextStart();
    void deletesUnsavedRunsWhenAsked();
    void editsRuns();
    void repeatsRuns();
    void keepsRunsThatNoFileTakes();
    void offersRunsOfADeadProgram();
    void measuresMoreWhenAsked();
    void reportsDamagedSessions();
    void explainsMissingSources();
    void noticesChangedSources();
    void namesEveryControl();
    void paintsInAllColors();
    void remembersItsLayout();
    void opensItsDialogs();

private:
    QTemporaryDir m_data;
};

void MainWindowTest::initTestCase()
{
    qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
    qputenv("PATH", QByteArray(BIN_DIR) + ':' + qgetenv("PATH")); // Where the runner is.
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::installTranslator(new EnglishPlurals(qApp));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    applyTheme(*qApp, ColorScheme::Light);
}

void MainWindowTest::welcomesFirst()
{
    WindowHarness harness;
    QVERIFY(harness.window().isWelcomeShown());
    QCOMPARE(harness.status(), QStringLiteral("Ready"));
    QVERIFY(!harness.window().docks().output().isVisible());
}

void MainWindowTest::openingDoesNotRun()
{
    WindowHarness harness;
    const QString path = harness.write(QStringLiteral("a.lua"), program);
    harness.onNextDialog<QFileDialog>([&](QFileDialog& dialog) { typePath(dialog, path); });
    harness.window().actions()[ActionId::OpenScript]->trigger();
    QCOMPARE(harness.window().runBar().spec().script, path);
    QVERIFY(!harness.window().workspace().runner().isBusy());
    QVERIFY(!harness.window().isWelcomeShown());
}

void MainWindowTest::dropFillsTheRunBar()
{
    WindowHarness harness;
    const QString path = harness.write(QStringLiteral("dropped.lua"), program);
    drop(harness.window(), {path});
    QCOMPARE(harness.window().runBar().spec().script, path);
    QVERIFY(!harness.window().workspace().runner().isBusy());
    QVERIFY(harness.window().document().isEmpty());
}

void MainWindowTest::runsAndShowsFunctions()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY2(harness.status().startsWith(QStringLiteral("Done ")), qPrintable(harness.status()));
    const QStringList rows = harness.visibleRows(
        harness.window().functions().table(),
        {int(FunctionColumn::Name), int(FunctionColumn::Calls), int(FunctionColumn::Location)});
    QVERIFY(rows.contains(QStringLiteral("leaf | 1,001 | script.lua:2")));
    QVERIFY(rows.contains(QStringLiteral("heavy | 5 | script.lua:3")));
    QVERIFY(rows.contains(QStringLiteral("light | 1 | script.lua:4")));
    QVERIFY(rows.contains(QStringLiteral("print | 1 | [C]")));
    QVERIFY(harness.waitForStored(1));
    QVERIFY(stripText(harness.window()).isEmpty());
    QVERIFY(harness.window().docks().output().isVisible());
    QTRY_COMPARE(harness.window().docks().output().text(), QStringLiteral("done\n"));
}

void MainWindowTest::sortsByClicksOnTheHeader()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    DataView& table = harness.window().functions().table();
    FunctionTableModel& model = harness.window().functions().model();
    QCOMPARE(model.sortColumn(), int(FunctionColumn::SelfTime));
    QCOMPARE(model.sortOrder(), Qt::DescendingOrder);
    QCOMPARE(harness.functionNames().first(), QStringLiteral("leaf"));

    clickHeader(table, FunctionColumn::Calls); // Numbers begin with the largest,
    QCOMPARE(model.sortColumn(), int(FunctionColumn::Calls));
    QCOMPARE(model.sortOrder(), Qt::DescendingOrder);
    clickHeader(table, FunctionColumn::Calls); // a second click turns round,
    QCOMPARE(model.sortOrder(), Qt::AscendingOrder);
    clickHeader(table, FunctionColumn::Name); // and texts begin with A.
    QCOMPARE(model.sortOrder(), Qt::AscendingOrder);
    QCOMPARE(harness.functionNames().first(), QStringLiteral("(interpreter)"));
}

void MainWindowTest::filtersWhileTyping()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    FunctionsPane& pane = harness.window().functions();
    QTest::keyClick(&harness.window(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field);
    QTest::keyClicks(field, QStringLiteral("lea"));
    QTRY_COMPARE(harness.functionNames(), QStringList{QStringLiteral("leaf")});
    QVERIFY2(pane.notice().startsWith(QStringLiteral("Showing 1 of 6 functions, ")),
             qPrintable(pane.notice()));
    QVERIFY(pane.notice().endsWith(QStringLiteral(" % of self time")));

    QTest::keyClicks(field, QStringLiteral("xyz"));
    QTRY_VERIFY(harness.functionNames().isEmpty());
    QCOMPARE(pane.emptyTitle(), QStringLiteral("No function matches “leaxyz”."));
    for (EmptyState* page : pane.findChildren<EmptyState*>()) {
        if (page->isVisible())
            QTest::mouseClick(page->findChild<QPushButton*>(), Qt::LeftButton);
    }
    QCOMPARE(harness.functionNames().size(), 6);
    QCOMPARE(pane.notice(), QStringLiteral("6 functions"));
}

void MainWindowTest::searchHighlights()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QTest::keyClick(&harness.window(), Qt::Key_F, Qt::ControlModifier);
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field);
    QTest::keyClicks(field, QStringLiteral("script.lua:"));
    FunctionTableModel& model = harness.window().functions().model();
    QCOMPARE(model.rowCount(), 6); // Nothing is hidden.
    QCOMPARE(model.matchCount(), 3);
    QTest::keyClick(&harness.window(), Qt::Key_F3);
    const FunctionId first = harness.window().document().currentFunction();
    QTest::keyClick(&harness.window(), Qt::Key_F3);
    QVERIFY(harness.window().document().currentFunction() != first);
}

void MainWindowTest::searchesTheSource()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.clickFunction(QStringLiteral("leaf")));
    harness.window().views().showView(QStringLiteral("source"));
    SourceView& view = harness.window().source().view();
    QCOMPARE(view.highlight(QStringLiteral("LEAF(")), 3);
    harness.window().document().setSearchText(QStringLiteral("light"));
    harness.window().actions()[ActionId::FindNext]->trigger();
    QCOMPARE(view.selectedText(), QStringLiteral("light"));
    QCOMPARE(view.currentLine(), 4);
    harness.window().actions()[ActionId::FindNext]->trigger();
    QCOMPARE(view.currentLine(), 6);
    harness.window().actions()[ActionId::FindPrevious]->trigger();
    QCOMPARE(view.currentLine(), 4);
}

void MainWindowTest::selectionReachesEveryPane()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.clickFunction(QStringLiteral("leaf")));
    EdgePane& callers = harness.window().docks().callers();
    const QStringList rows =
        harness.visibleRows(callers.table(), {EdgeModel::NameColumn, EdgeModel::CallsColumn});
    QCOMPARE(rows, (QStringList{QStringLiteral("heavy | 1,000"), QStringLiteral("light | 1")}));
    QCOMPARE(harness.window().document().currentLine().line, 2);
    QCOMPARE(harness.window().source().view().currentLine(), 2);
    QVERIFY(harness.window().source().view().text().startsWith(
        QStringLiteral("\nlocal function leaf")));

    // A double click on a caller moves the selection.
    const QModelIndex heavy = callers.model().index(0, 0);
    const QPoint position = callers.table().visualRect(heavy).center();
    QTest::mouseClick(callers.table().viewport(), Qt::LeftButton, {}, position);
    QTest::mouseDClick(callers.table().viewport(), Qt::LeftButton, {}, position);
    QCOMPARE(harness.functionNames().at(harness.window().functions().table().currentIndex().row()),
             QStringLiteral("heavy"));
    const QStringList callees =
        harness.visibleRows(harness.window().docks().callees().table(), {EdgeModel::NameColumn});
    QVERIFY(callees.contains(QStringLiteral("leaf")));
    QVERIFY(callees.contains(QStringLiteral("self")));
}

void MainWindowTest::goesBackAndForward()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.clickFunction(QStringLiteral("light")));
    const FunctionId light = harness.window().document().currentFunction();
    QVERIFY(harness.clickFunction(QStringLiteral("heavy")));
    const FunctionId heavy = harness.window().document().currentFunction();
    QTest::keyClick(&harness.window(), Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(harness.window().document().currentFunction(), light);
    QTest::mouseClick(&harness.window().functions().table(), Qt::ForwardButton);
    QCOMPARE(harness.window().document().currentFunction(), heavy);
    QTest::mouseClick(harness.window().functions().table().viewport(), Qt::BackButton);
    QCOMPARE(harness.window().document().currentFunction(), light);
}

void MainWindowTest::copiesRows()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.clickFunction(QStringLiteral("heavy")));
    DataView& table = harness.window().functions().table();
    QSignalSpy copied(&table, &DataView::rowsCopied);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied.count(), 1);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.at(0),
             QStringLiteral("Function\tSelf\tSelf %\tTotal\tTotal %\tCalls\tMean/call\tLocation"));
    QVERIFY(lines.at(1).startsWith(QStringLiteral("heavy\t")));
    QVERIFY(lines.at(1).endsWith(QStringLiteral("\tscript.lua:3")));
}

void MainWindowTest::selectionSurvivesTheNextRun()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.waitForStored(1));
    QVERIFY(harness.clickFunction(QStringLiteral("light")));
    harness.clickRunBar(QStringLiteral("Again"));
    QVERIFY(harness.waitForEnd());
    QVERIFY(harness.waitForStored(2));
    const Document& document = harness.window().document();
    QCOMPARE(document.profile()->function(document.currentFunction()).name, std::string("light"));
}

void MainWindowTest::passesArguments()
{
    WindowHarness harness;
    harness.window().openFile(harness.write(QStringLiteral("a.lua"), "print(#arg, arg[1], arg[2])"),
                              false);
    QLineEdit& line = harness.window().runBar().arguments().line();
    QTest::keyClicks(&line, QStringLiteral("'one word' two"));
    QCOMPARE(harness.window().runBar().arguments().splitText(), QStringLiteral("[one word] [two]"));
    QTest::keyClick(&line, Qt::Key_Return);
    QVERIFY(harness.waitForEnd());
    QTRY_COMPARE(harness.window().docks().output().text(), QStringLiteral("2\tone word\ttwo\n"));
}

void MainWindowTest::refusesUnclosedQuotes()
{
    WindowHarness harness;
    harness.window().openFile(harness.write(QStringLiteral("a.lua"), "print(1)"), false);
    QTest::keyClicks(&harness.window().runBar().arguments().line(), QStringLiteral("'one"));
    QVERIFY(!harness.window().actions()[ActionId::Run]->isEnabled());
    QVERIFY(!harness.window().runBar().arguments().splitText().isEmpty());
}

void MainWindowTest::passesTheEnvironment()
{
    WindowHarness harness;
    harness.window().openFile(
        harness.write(QStringLiteral("a.lua"), "print(os.getenv('PERILUNE_TEST'))"), false);
    harness.onNextDialog<LaunchDialog>([](LaunchDialog& dialog) {
        dialog.environment().setChanges(
            {{QStringLiteral("PERILUNE_TEST"), QStringLiteral("seen")}});
        for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Run"))
                button->click();
        }
    });
    QTest::keyClick(&harness.window(), Qt::Key_L, Qt::ControlModifier);
    QVERIFY(harness.waitForEnd());
    QTRY_COMPARE(harness.window().docks().output().text(), QStringLiteral("seen\n"));
}

void MainWindowTest::stopsAnEndlessLoop()
{
    WindowHarness harness;
    const QByteArray endless =
        "local function spin(n) for i = 1, n do end end\nwhile true do spin(1000) end\n";
    harness.window().openFile(harness.write(QStringLiteral("endless.lua"), endless), false);
    harness.clickRunBar(QStringLiteral("Run"));
    // The table fills while the script runs.
    QTRY_VERIFY_WITH_TIMEOUT(harness.functionNames().contains(QStringLiteral("spin")), 60000);
    QVERIFY2(harness.status().startsWith(QStringLiteral("Running ")), qPrintable(harness.status()));
    harness.clickRunBar(QStringLiteral("Stop"));
    QVERIFY(harness.waitForEnd());
    QVERIFY2(harness.status().startsWith(QStringLiteral("Stopped by you (partial) ")),
             qPrintable(harness.status()));
    QVERIFY(harness.functionNames().contains(QStringLiteral("spin")));
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("Stopped by you")));
    QVERIFY(harness.waitForStored(1));
}

void MainWindowTest::showsScriptErrors()
{
    WindowHarness harness;
    QVERIFY(harness.run("local function f() error('boom') end\nlocal function g() f() end\ng()\n"));
    QVERIFY2(harness.status().startsWith(QStringLiteral("Script error (partial) ")),
             qPrintable(harness.status()));
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("script.lua:1</a>: boom")));
    QVERIFY(harness.functionNames().contains(QStringLiteral("f")));
    QCOMPARE(harness.window().docks().problems().problemCount(), 1);
    Q_EMIT harness.window().strip().linkActivated(QStringLiteral("line"));
    QCOMPARE(harness.window().views().currentView(), QStringLiteral("source"));
    QCOMPARE(harness.window().source().view().currentLine(), 1);

    // A click on a line of the traceback goes there.
    QTreeWidget& list = harness.window().docks().problems().list();
    QTreeWidgetItem* frame = list.topLevelItem(0)->child(2);
    QVERIFY(frame->text(1).endsWith(QStringLiteral(":2")));
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(frame).center());
    QCOMPARE(harness.window().source().view().currentLine(), 2);
}

void MainWindowTest::showsSyntaxErrors()
{
    WindowHarness harness;
    QVERIFY(harness.run("local x = 1\nx = = 2\n"));
    QCOMPARE(harness.status(), QStringLiteral("Syntax error"));
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("script.lua:2</a>")));
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("nothing ran")));
    QCOMPARE(harness.window().views().currentView(), QStringLiteral("source"));
    QCOMPARE(harness.window().source().view().currentLine(), 2);
    QVERIFY(harness.window().workspace().session().runs().empty());
    // The next run shows its functions again.
    QVERIFY(harness.run(program));
    QCOMPARE(harness.window().views().currentView(), QStringLiteral("functions"));
}

void MainWindowTest::namesMissingModules()
{
    WindowHarness harness;
    QVERIFY(harness.run("require 'no.such.module'\n"));
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("“no.such.module” was not found")));
    QVERIFY(stripButton(harness.window(), QStringLiteral("Launch settings…")));
    QTreeWidget& list = harness.window().docks().problems().list();
    QVERIFY(list.topLevelItem(0)->childCount() > 3);
    QVERIFY(list.topLevelItem(0)->child(1)->text(0).startsWith(QStringLiteral("no file")));
}

void MainWindowTest::tellsExitCodes()
{
    WindowHarness harness;
    QVERIFY(harness.run("local function f() os.exit(3) end\nf()\n"));
    QVERIFY2(harness.status().startsWith(QStringLiteral("Done (exit code 3) ")),
             qPrintable(harness.status()));
    QVERIFY(harness.functionNames().contains(QStringLiteral("f")));
}

void MainWindowTest::asksForInput()
{
    WindowHarness harness;
    harness.window().openFile(harness.write(QStringLiteral("ask.lua"),
                                            "io.write('Name? ')\nprint('Hello, ' .. io.read())\n"),
                              false);
    harness.clickRunBar(QStringLiteral("Run"));
    QTRY_VERIFY_WITH_TIMEOUT(harness.status().startsWith(QStringLiteral("Waiting for input ")),
                             60000);
    OutputPane& output = harness.window().docks().output();
    QTRY_COMPARE(output.text(), QStringLiteral("Name? "));
    QLineEdit* field = output.findChild<QLineEdit*>();
    QVERIFY(field->isVisible());
    QTest::keyClicks(field, QStringLiteral("Ada"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(harness.waitForEnd());
    QTRY_COMPARE(output.text(), QStringLiteral("Name? Ada\nHello, Ada\n"));
    QVERIFY(!field->isVisible());
}

void MainWindowTest::survivesACrashOfTheScript()
{
    WindowHarness harness;
    QVERIFY(harness.run(
        "local function f() os.execute('kill -SEGV $PPID') while true do end end\nf()\n"));
    QVERIFY2(harness.status().startsWith(QStringLiteral("Killed (SIGSEGV) ")),
             qPrintable(harness.status()));
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("SIGSEGV")));
    QVERIFY(harness.functionNames().contains(QStringLiteral("f")));
}

void MainWindowTest::tellsOutputAndErrorsApart()
{
    OutputPane pane;
    pane.append("plain \x1b[31mred\x1b[0m\n", OutputPane::Channel::Output);
    pane.append("b\xc3", OutputPane::Channel::Error);
    pane.append("\xa4"
                "d\n",
                OutputPane::Channel::Error);
    QTRY_COMPARE(pane.text(), QStringLiteral("plain red\nbäd\n"));
}

void MainWindowTest::cutsHugeOutput()
{
    OutputPane pane;
    const QByteArray block = QByteArray(1023, 'x') + '\n';
    for (int i = 0; i < 6 * 1024; ++i)
        pane.append(block, OutputPane::Channel::Output);
    pane.append("the end\n", OutputPane::Channel::Output);
    QTRY_VERIFY_WITH_TIMEOUT(pane.text().endsWith(QStringLiteral("the end\n")), 60000);
    QVERIFY(pane.text().size() <= OutputPane::keptBytes);
    QVERIFY2(pane.notice().startsWith(QStringLiteral("Showing the last 4.000 MiB of 6.000 MiB")),
             qPrintable(pane.notice()));
}

void MainWindowTest::savesAndOpensAgain()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.waitForStored(1));
    QVERIFY(harness.window().isWindowModified());
    const QStringList rows =
        harness.visibleRows(harness.window().functions().table(), {0, 1, 3, 5, 7});
    const QString path = harness.path(QStringLiteral("saved.perilune"));
    QSignalSpy saved(&harness.window().workspace().session(), &SessionController::saved);
    harness.onNextDialog<QFileDialog>([&](QFileDialog& dialog) { typePath(dialog, path); });
    QTest::keyClick(&harness.window(), Qt::Key_S, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
    QVERIFY(!harness.window().isWindowModified());
    QVERIFY(harness.window().windowTitle().startsWith(QStringLiteral("saved.perilune")));
    QVERIFY(harness.window().close());

    harness.restart();
    QVERIFY(harness.window().isWelcomeShown());
    drop(harness.window(), {path});
    QVERIFY(harness.waitForStored(1));
    QCOMPARE(harness.visibleRows(harness.window().functions().table(), {0, 1, 3, 5, 7}), rows);
    QVERIFY(harness.clickFunction(QStringLiteral("leaf")));
    QVERIFY(
        harness.window().source().view().text().contains(QStringLiteral("local function leaf")));
}

void MainWindowTest::keepsUnsavedRunsForTheNextStart()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.waitForStored(1));
    harness.answerNextQuestion(QStringLiteral("Keep for later"));
    QVERIFY(harness.window().close());
    harness.restart();
    QVERIFY(
        stripText(harness.window()).contains(QStringLiteral("unsaved runs from 1 earlier start")));
    QTest::mouseClick(stripButton(harness.window(), QStringLiteral("Open")), Qt::LeftButton);
    QVERIFY(harness.waitForStored(1));
    QVERIFY(harness.functionNames().contains(QStringLiteral("leaf")));
    QVERIFY(harness.window().isWindowModified());
}

void MainWindowTest::deletesUnsavedRunsWhenAsked()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.waitForStored(1));
    harness.answerNextQuestion(QStringLiteral("Cancel"));
    QVERIFY(!harness.window().close());
    harness.answerNextQuestion(QStringLiteral("Delete"));
    QVERIFY(harness.window().close());
    harness.restart();
    QVERIFY(stripText(harness.window()).isEmpty());
    QVERIFY(harness.window().isWelcomeShown());
}

void MainWindowTest::editsRuns()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.waitForStored(1));
    harness.clickRunBar(QStringLiteral("Again"));
    QVERIFY(harness.waitForEnd());
    QVERIFY(harness.waitForStored(2));
    RunsPane& pane = harness.window().docks().runs();
    const SessionController& session = harness.window().workspace().session();
    const std::int64_t first = session.runs().front().id;

    // A click loads a run.
    const QModelIndex index = pane.model().indexOf(first);
    QTest::mouseClick(pane.list().viewport(), Qt::LeftButton, {},
                      pane.list().visualRect(index).center());
    QTRY_COMPARE_WITH_TIMEOUT(harness.window().workspace().shownRun(), first, 60000);

    // F2 renames it in place.
    QTest::keyClick(&pane.list(), Qt::Key_F2);
    auto* editor = pane.list().findChild<QLineEdit*>();
    QVERIFY(editor);
    QTest::keyClicks(editor, QStringLiteral("before"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(session.runs().front().name, std::string("before"), 60000);

    pane.baselineAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(session.baseline().has_value(), 60000);
    QCOMPARE(session.baseline()->id, first);

    QTest::keyClick(&pane.list(), Qt::Key_Delete);
    QCOMPARE(session.runs().size(), std::size_t(1));
    for (QPushButton* button : pane.findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("Undo"))
            QTest::mouseClick(button, Qt::LeftButton);
    }
    QTRY_COMPARE_WITH_TIMEOUT(session.runs().size(), std::size_t(2), 60000);
}

void MainWindowTest::repeatsRuns()
{
    WindowHarness harness;
    harness.window().openFile(harness.write(QStringLiteral("a.lua"), program), false);
    harness.window().runBar().setPlan({2, 1});
    harness.clickRunBar(QStringLiteral("Run"));
    QVERIFY(harness.waitForEnd());
    QVERIFY(harness.waitForStored(3));
    const std::vector<RunSummary>& runs = harness.window().workspace().session().runs();
    QVERIFY(runs[0].info.isWarmUp);
    QVERIFY(!runs[1].info.isWarmUp);
    QVERIFY(runs[0].info.repeatGroup.has_value());
    QCOMPARE(runs[2].info.repeatGroup, runs[0].info.repeatGroup);
}

void MainWindowTest::keepsRunsThatNoFileTakes()
{
    WindowHarness harness;
    QDir().mkpath(harness.path(QStringLiteral("state")));
    harness.write(QStringLiteral("state/unsaved"), "in the way of the folder");
    QVERIFY(harness.run(program));
    QTRY_VERIFY_WITH_TIMEOUT(
        stripText(harness.window()).contains(QStringLiteral("could not be stored")), 60000);
    QVERIFY(harness.functionNames().contains(QStringLiteral("leaf")));
    QVERIFY(harness.window().workspace().session().hasUnsavedRuns());
    const QString path = harness.path(QStringLiteral("elsewhere.perilune"));
    harness.onNextDialog<QFileDialog>([&](QFileDialog& dialog) { typePath(dialog, path); });
    QTest::mouseClick(stripButton(harness.window(), QStringLiteral("Save elsewhere…")),
                      Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(harness.window().workspace().session().runs().size(), std::size_t(1),
                              60000);
    QVERIFY(!harness.window().workspace().session().hasUnsavedRuns());
}

void MainWindowTest::offersRunsOfADeadProgram()
{
    // A recording whose program has died, as a crash of the window leaves it behind.
    QProcess died;
    died.start(QStringLiteral("true"), QStringList());
    QVERIFY(died.waitForStarted());
    const qint64 deadProcess = died.processId();
    QVERIFY(died.waitForFinished());
    WindowHarness harness;
    const QString script = harness.write(QStringLiteral("left.lua"), program);
    const Result<QString> own = recordingStore::newPath();
    QVERIFY(own);
    const QString left = QString(*own).replace(QString::number(QCoreApplication::applicationPid()),
                                               QString::number(deadProcess));
    QProcess runner;
    runner.start(QStringLiteral(BIN_DIR "/perilune-runner"),
                 {QStringLiteral("--recording"), left, QStringLiteral("--"), script});
    QVERIFY(runner.waitForFinished());
    QVERIFY(!recordingStore::findOrphans().isEmpty());

    harness.ownRecordings();
    harness.restart();
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("unsaved runs")));
    QTest::mouseClick(stripButton(harness.window(), QStringLiteral("Open")), Qt::LeftButton);
    QVERIFY(harness.waitForStored(1));
    QVERIFY(harness.functionNames().contains(QStringLiteral("leaf")));
    QTRY_VERIFY_WITH_TIMEOUT(recordingStore::findOrphans().isEmpty(), 60000);
}

void MainWindowTest::measuresMoreWhenAsked()
{
    WindowHarness harness;
    const QString path = harness.write(QStringLiteral("a.lua"), program);
    LaunchSpec spec;
    spec.script = path;
    spec.memory = true;
    spec.durations = true;
    LaunchDialog dialog(spec);
    QCOMPARE(dialog.spec().memory, true);
    QCOMPARE(dialog.spec().durations, true);
    QCOMPARE(dialog.spec().lines, false);
    harness.window().runBar().setSpec(dialog.spec());
    harness.clickRunBar(QStringLiteral("Run"));
    QVERIFY(harness.waitForEnd());
    const auto profile = harness.window().document().profile();
    QVERIFY(profile->tree->has(Metric::Bytes));
    QVERIFY(!profile->durations.empty());
}

void MainWindowTest::reportsDamagedSessions()
{
    WindowHarness harness;
    const QString path =
        harness.write(QStringLiteral("broken.perilune"),
                      "SQLite format 3" + QByteArray(1, '\0') + QByteArray(5000, 'x'));
    harness.window().openFile(path, false);
    QTRY_VERIFY_WITH_TIMEOUT(
        stripText(harness.window()).contains(QStringLiteral("broken.perilune could not be opened")),
        60000);
    harness.window().openFile(harness.path(QStringLiteral("nothing.lua")), false);
    QVERIFY(stripText(harness.window()).contains(QStringLiteral("does not exist")));
}

void MainWindowTest::explainsMissingSources()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.clickFunction(QStringLiteral("print")));
    QCOMPARE(harness.window().source().emptyState().title(),
             QStringLiteral("print is a C function"));
}

void MainWindowTest::noticesChangedSources()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    harness.write(QStringLiteral("script.lua"), "-- changed\n" + program);
    QVERIFY(harness.clickFunction(QStringLiteral("print")));
    QVERIFY(harness.clickFunction(QStringLiteral("leaf")));
    harness.window().views().showView(QStringLiteral("source"));
    MessageStrip& strip = harness.window().source().strip();
    QVERIFY(strip.text().contains(QStringLiteral("File changed since this run")));
    QVERIFY(!harness.window().source().view().text().contains(QStringLiteral("-- changed")));
    QTest::mouseClick(strip.findChild<QPushButton*>(), Qt::LeftButton);
    QVERIFY(harness.window().source().view().text().contains(QStringLiteral("-- changed")));
}

void MainWindowTest::namesEveryControl()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    for (int view = 0; view < harness.window().views().count(); ++view) {
        harness.window().views().setCurrentIndex(view);
        for (const QWidget* widget : harness.window().findChildren<QWidget*>()) {
            if (needsAccessibleName(*widget) && widget->accessibleName().isEmpty()) {
                QFAIL(qPrintable(QStringLiteral("%1 “%2” in %3 has no accessible name")
                                     .arg(QString::fromLatin1(widget->metaObject()->className()),
                                          widget->objectName(),
                                          harness.window().views().currentView())));
            }
        }
    }
}

void MainWindowTest::paintsInAllColors()
{
    WindowHarness harness;
    QVERIFY(harness.run("error('for the strip')"));
    for (const ColorScheme scheme :
         {ColorScheme::Light, ColorScheme::Dark, ColorScheme::HighContrast, ColorScheme::Light}) {
        applyTheme(*qApp, scheme);
        QCoreApplication::processEvents();
        const QImage image = harness.window().grab().toImage();
        const QColor base = QApplication::palette().color(QPalette::Base);
        const QColor text = QApplication::palette().color(QPalette::Text);
        QVERIFY(contrastRatio(base, text) > 10.0);
        int basePixels = 0;
        for (int x = 0; x < image.width(); x += 7) {
            for (int y = 0; y < image.height(); y += 7)
                basePixels += image.pixelColor(x, y) == base ? 1 : 0;
        }
        QVERIFY(basePixels > 100); // The panes follow the palette at once.
        const ThemeColors colors = themeColors(QApplication::palette());
        const QColor window = QApplication::palette().color(QPalette::Window);
        for (const QColor& color : {colors.error, colors.warning, colors.success})
            QVERIFY(contrastRatio(color, window) >= 4.5);
        for (const QColor& color :
             {colors.keyword, colors.string, colors.number, colors.comment, colors.libraryName})
            QVERIFY(contrastRatio(color, base) >= 4.5);
        QVERIFY(contrastRatio(text, colors.bar) >= 4.5);
        QVERIFY(contrastRatio(text, colors.matchBackground) >= 4.5);
        QVERIFY(contrastRatio(colors.error, colors.errorBackground) >= 4.5);
        QVERIFY(contrastRatio(colors.warning, colors.warningBackground) >= 4.5);
    }
}

void MainWindowTest::remembersItsLayout()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    QVERIFY(harness.waitForStored(1));
    DataView& table = harness.window().functions().table();
    clickHeader(table, FunctionColumn::Calls);
    table.setColumnHidden(int(FunctionColumn::MeanTime), true);
    harness.window().views().showView(QStringLiteral("source"));
    harness.answerNextQuestion(QStringLiteral("Delete"));
    QVERIFY(harness.window().close());

    harness.restart();
    QVERIFY(harness.run(program));
    QVERIFY(harness.window().functions().table().isColumnHidden(int(FunctionColumn::MeanTime)));
    QCOMPARE(harness.window().functions().model().sortColumn(), int(FunctionColumn::Calls));
    QCOMPARE(harness.window().views().currentView(), QStringLiteral("source"));
    harness.window().actions()[ActionId::ResetLayout]->trigger();
    QVERIFY(!harness.window().functions().table().isColumnHidden(int(FunctionColumn::MeanTime)));
    QCOMPARE(harness.window().functions().model().sortColumn(), int(FunctionColumn::SelfTime));
}

void MainWindowTest::opensItsDialogs()
{
    WindowHarness harness;
    QVERIFY(harness.run(program));
    for (const ActionId id : {ActionId::Settings, ActionId::ShortcutSheet, ActionId::About}) {
        harness.onNextDialog<QDialog>([](QDialog& dialog) { dialog.reject(); });
        harness.window().actions()[id]->trigger();
    }
    harness.onNextDialog<QDialog>([](QDialog& dialog) {
        auto* field = dialog.findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("ligh"));
        QTest::keyClick(field, Qt::Key_Return);
    });
    harness.window().actions()[ActionId::GoToFunction]->trigger();
    const Document& document = harness.window().document();
    QCOMPARE(document.profile()->function(document.currentFunction()).name, std::string("light"));
}

QTEST_MAIN(MainWindowTest)
#include "tst_mainwindow.moc"
