// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;

namespace perilune {

/// What the window shows when nothing is open: three ways to begin, and the recent files.
class WelcomePage : public QWidget
{
    Q_OBJECT
public:
    explicit WelcomePage(QWidget* parent = nullptr);

    /// Paths of scripts and sessions, latest first.
    void setRecentFiles(const QStringList& paths);

Q_SIGNALS:
    void openScriptRequested();
    void openSessionRequested();
    void exampleRequested();
    void recentFileChosen(const QString& path);

private:
    QWidget* createHeading();
    QWidget* createButtons();
    QWidget* createRecentList();
    void layOut();

    QListWidget* m_recentList = nullptr;
    QLabel* m_noRecent = nullptr;
    QLabel* m_recentTitle = nullptr;
};

} // namespace perilune
