// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/app/AppPaths.h"
#include "gui/app/MainWindow.h"
#include "gui/app/Settings.h"

#include <QAbstractItemView>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <memory>

class QMessageBox;

namespace perilune::test {

/// A main window with settings and data of its own, and what tests do with it.
class WindowHarness
{
public:
    WindowHarness();
    ~WindowHarness();

    MainWindow& window() { return *m_window; }
    /// Another window over the same settings and data, as after a new start.
    void restart();
    /// From the next start on, recordings of dead programs in the data folder are offered.
    void ownRecordings() { m_paths.ownsRecordings = true; }

    /// Writes a file into the harness' folder and returns its path.
    QString write(const QString& name, const QByteArray& text) const;
    QString path(const QString& name) const { return m_folder.filePath(name); }

    /// Opens a script made of `text`, clicks on Run and waits for the end.
    bool run(const QByteArray& text, const QString& name = QStringLiteral("script.lua"));
    /// Clicks on the run bar's button for an action.
    void clickRunBar(const QString& accessibleName);
    bool waitForEnd();
    /// Until the last run is in the session file.
    bool waitForStored(int runCount);

    QStringList functionNames();
    QStringList visibleRows(QAbstractItemView& view, const QList<int>& columns) const;
    /// Clicks into the row of the functions table whose name is `name`.
    bool clickFunction(const QString& name);
    QString status();

    /// Does something with the next modal dialog, which must be a T.
    template<typename T>
    void onNextDialog(std::function<void(T&)> action)
    {
        waitForDialog([action = std::move(action)](QWidget* dialog) {
            auto* wanted = qobject_cast<T*>(dialog);
            if (wanted != nullptr)
                action(*wanted);
            return wanted != nullptr;
        });
    }
    void answerNextQuestion(const QString& buttonText);

private:
    void createWindow();
    static void waitForDialog(std::function<bool(QWidget*)> action);

    QTemporaryDir m_folder;
    AppPaths m_paths;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace perilune::test
