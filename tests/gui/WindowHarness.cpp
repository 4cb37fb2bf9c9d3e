// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/WindowHarness.h"

#include "gui/app/SessionController.h"
#include "gui/app/StatusLine.h"
#include "gui/models/FunctionTableModel.h"
#include "gui/views/DataView.h"
#include "gui/views/FunctionsPane.h"
#include "gui/views/RunBar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

namespace perilune::test {

namespace {

constexpr int longWaitMs = 60000; ///< For machines under load; nothing is measured by it.
constexpr int dialogPollMs = 20;

} // namespace

WindowHarness::WindowHarness()
    : m_paths(AppPaths::below(m_folder.filePath(QStringLiteral("state"))))
{
    createWindow();
}

WindowHarness::~WindowHarness() = default;

void WindowHarness::createWindow()
{
    m_settings = std::make_unique<Settings>(m_paths.settingsFile);
    m_window = std::make_unique<MainWindow>(*m_settings, m_paths);
    m_window->resize(1300, 820);
    m_window->show();
    if (!QTest::qWaitForWindowExposed(m_window.get()))
        qFatal("the window does not appear");
}

void WindowHarness::restart()
{
    m_window.reset();
    createWindow();
}

QString WindowHarness::write(const QString& name, const QByteArray& text) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(file.fileName()));
    return file.fileName();
}

bool WindowHarness::run(const QByteArray& text, const QString& name)
{
    m_window->openFile(write(name, text), false);
    clickRunBar(QStringLiteral("Run"));
    return waitForEnd();
}

void WindowHarness::clickRunBar(const QString& accessibleName)
{
    for (QAbstractButton* button : m_window->runBar().findChildren<QAbstractButton*>()) {
        if (button->accessibleName() == accessibleName)
            QTest::mouseClick(button, Qt::LeftButton);
    }
}

bool WindowHarness::waitForEnd()
{
    return QTest::qWaitFor([this] { return !m_window->workspace().runner().isBusy(); }, longWaitMs);
}

bool WindowHarness::waitForStored(int runCount)
{
    const auto isStored = [this, runCount] {
        return static_cast<int>(m_window->workspace().session().runs().size()) == runCount
            && m_window->workspace().shownRun() != 0;
    };
    return QTest::qWaitFor(isStored, longWaitMs);
}

QStringList WindowHarness::functionNames()
{
    return visibleRows(m_window->functions().table(), {0});
}

QStringList WindowHarness::visibleRows(QAbstractItemView& view, const QList<int>& columns) const
{
    QStringList rows;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        QStringList cells;
        for (const int column : columns)
            cells.append(view.model()->index(row, column).data().toString());
        rows.append(cells.join(QStringLiteral(" | ")));
    }
    return rows;
}

bool WindowHarness::clickFunction(const QString& name)
{
    DataView& table = m_window->functions().table();
    const int row = static_cast<int>(functionNames().indexOf(name));
    if (row < 0)
        return false;
    const QModelIndex index = table.model()->index(row, 0);
    table.scrollTo(index);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    return true;
}

QString WindowHarness::status()
{
    return m_window->statusLine().text();
}

void WindowHarness::answerNextQuestion(const QString& buttonText)
{
    onNextDialog<QMessageBox>([buttonText](QMessageBox& box) {
        for (QAbstractButton* button : box.buttons()) {
            if (button->text().remove(QLatin1Char('&')) == buttonText)
                button->click();
        }
    });
}

void WindowHarness::waitForDialog(std::function<bool(QWidget*)> action)
{
    QTimer::singleShot(dialogPollMs, qApp, [action = std::move(action)] {
        QWidget* dialog = QApplication::activeModalWidget();
        if (dialog == nullptr || !action(dialog))
            waitForDialog(action);
    });
}

} // namespace perilune::test
