// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <vector>

class QAction;

namespace perilune {

/// What the window can be asked to do. The order is that of the shortcut sheet.
enum class ActionId
{
    OpenScript,
    OpenSession,
    Save,
    SaveAs,
    CloseSession,
    Settings,
    Quit,
    Run,
    Stop,
    Again,
    Launch,
    Find,
    FindNext,
    FindPrevious,
    Filter,
    GoToFunction,
    Back,
    Forward,
    NextView,
    PreviousView,
    OpenInEditor,
    SetBaseline,
    ResetLayout,
    FullScreen,
    Help,
    ShortcutSheet,
    About,
};

/// All actions of the window with their texts, icons and keys, made from one table.
class WindowActions : public QObject
{
    Q_OBJECT
public:
    explicit WindowActions(QWidget* window);

    QAction* operator[](ActionId id) const { return m_actions[static_cast<std::size_t>(id)]; }

    /// For the shortcut sheet: the heading an action stands under.
    struct Group
    {
        QString title;
        QList<QAction*> actions;
    };
    std::vector<Group> groups() const;

    /// Key sequences as people read them: "F5 or Ctrl+R".
    static QString keysOf(const QAction& action);

private:
    std::vector<QAction*> m_actions; ///< By ActionId.
};

} // namespace perilune
