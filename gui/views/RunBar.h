// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/RepeatLauncher.h"

#include <QStringList>
#include <QWidget>

class QAction;
class QComboBox;
class QSpinBox;
class QToolButton;

namespace perilune {

class ArgumentsField;

/// The bar on top of the window: which script, its arguments, how it is profiled, and the buttons
/// that run it. What it does not show (folder, environment, limits) it keeps from the last
/// setSpec().
class RunBar : public QWidget
{
    Q_OBJECT
public:
    /// What the buttons do and the bar only shows.
    struct Actions
    {
        QAction* openScript = nullptr;
        QAction* run = nullptr;
        QAction* stop = nullptr;
        QAction* again = nullptr;
        QAction* launch = nullptr;
    };

    explicit RunBar(const Actions& actions, QWidget* parent = nullptr);

    void setSpec(const LaunchSpec& spec);
    LaunchSpec spec() const;
    /// How often to run it.
    RepeatPlan plan() const;
    void setPlan(const RepeatPlan& plan);
    /// False while the arguments have an unclosed quote.
    bool isValid() const;
    void setRecentScripts(const QStringList& paths);
    /// While a script runs its launch cannot be changed.
    void setRunning(bool isRunning);
    ArgumentsField& arguments() { return *m_arguments; }
    QComboBox& script() { return *m_script; }

Q_SIGNALS:
    /// The user changed something.
    void specChanged();
    /// Another script was chosen from the list or typed.
    void scriptChosen(const QString& path);
    void runRequested();

private:
    void createWidgets(const Actions& actions);
    void layOut();
    void connectWidgets();
    void createRepeatFields();
    void addOptions();
    void showLaunchHint();
    QToolButton* createButton(QAction* action, Qt::ToolButtonStyle style);

    LaunchSpec m_rest; ///< What the bar does not show.
    QComboBox* m_script = nullptr;
    ArgumentsField* m_arguments = nullptr;
    QComboBox* m_mode = nullptr;
    QSpinBox* m_repeat = nullptr;
    QSpinBox* m_warmUp = nullptr;
    QToolButton* m_open = nullptr;
    QToolButton* m_launch = nullptr;
    QToolButton* m_run = nullptr;
    QToolButton* m_stop = nullptr;
    QToolButton* m_again = nullptr;
};

} // namespace perilune
