// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/RunBar.h"

#include "gui/models/RunText.h"
#include "gui/views/ArgumentsField.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace perilune {

namespace {

/// The path as one types it: relative "~" is spelled out, blanks around it are not part of it.
QString typedPath(const QString& text)
{
    const QString path = text.trimmed();
    return path.startsWith(QStringLiteral("~/")) ? QDir::homePath() + path.mid(1) : path;
}

} // namespace

RunBar::RunBar(const Actions& actions, QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("runBar"));
    createWidgets(actions);
    layOut();
    connectWidgets();
}

void RunBar::createWidgets(const Actions& actions)
{
    m_script = new QComboBox(this);
    m_script->setEditable(true);
    m_script->setInsertPolicy(QComboBox::NoInsert);
    m_script->setAccessibleName(tr("Script"));
    m_script->setToolTip(tr("The Lua script to run"));
    m_script->lineEdit()->setPlaceholderText(tr("Lua script"));
    m_script->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_script->setMinimumContentsLength(20);
    m_arguments = new ArgumentsField(this);
    m_mode = new QComboBox(this);
    m_mode->setAccessibleName(tr("Profiling mode"));
    addOptions();
    createRepeatFields();
    m_open = createButton(actions.openScript, Qt::ToolButtonIconOnly);
    m_launch = createButton(actions.launch, Qt::ToolButtonIconOnly);
    m_run = createButton(actions.run, Qt::ToolButtonTextBesideIcon);
    m_stop = createButton(actions.stop, Qt::ToolButtonTextBesideIcon);
    m_again = createButton(actions.again, Qt::ToolButtonTextBesideIcon);
}

void RunBar::createRepeatFields()
{
    m_repeat = new QSpinBox(this);
    m_repeat->setRange(1, 1000);
    m_repeat->setPrefix(tr("× "));
    m_repeat->setAccessibleName(tr("Number of runs"));
    m_repeat->setToolTip(
        tr("How many times to run the script, one after another, each in a fresh process"));
    m_warmUp = new QSpinBox(this);
    m_warmUp->setRange(0, 100);
    m_warmUp->setPrefix(tr("+ "));
    m_warmUp->setSuffix(tr(" warm-up"));
    m_warmUp->setAccessibleName(tr("Number of warm-up runs"));
    m_warmUp->setToolTip(
        tr("Runs before the first one that counts, to fill the caches of the system"));
    m_warmUp->hide();
    connect(m_repeat, &QSpinBox::valueChanged, this,
            [this](int runs) { m_warmUp->setVisible(runs > 1); });
}

RepeatPlan RunBar::plan() const
{
    const int runs = m_repeat->value();
    return {runs, runs > 1 ? m_warmUp->value() : 0};
}

void RunBar::setPlan(const RepeatPlan& plan)
{
    m_repeat->setValue(plan.runs);
    m_warmUp->setValue(plan.warmUps);
}

void RunBar::addOptions()
{
    const auto add = [this](ProfilingMode mode, const QString& toolTip) {
        m_mode->addItem(modeTitle(mode), static_cast<int>(mode));
        m_mode->setItemData(m_mode->count() - 1, toolTip, Qt::ToolTipRole);
    };
    add(ProfilingMode::Exact, tr("Every call is counted and timed."));
    add(ProfilingMode::Sampling,
        tr("Looks at the stack a thousand times a second: hardly slows the script, but "
           "counts no calls."));
    m_mode->setToolTip(tr("Profiling mode"));
}

QToolButton* RunBar::createButton(QAction* action, Qt::ToolButtonStyle style)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(style);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->iconText());
    return button;
}

void RunBar::layOut()
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 5, 6, 5);
    layout->setSpacing(5);
    layout->addWidget(m_script, 4, Qt::AlignTop);
    layout->addWidget(m_open, 0, Qt::AlignTop);
    layout->addWidget(m_arguments, 3, Qt::AlignTop);
    layout->addWidget(m_mode, 0, Qt::AlignTop);
    layout->addWidget(m_repeat, 0, Qt::AlignTop);
    layout->addWidget(m_warmUp, 0, Qt::AlignTop);
    layout->addWidget(m_launch, 0, Qt::AlignTop);
    layout->addSpacing(6);
    layout->addWidget(m_run, 0, Qt::AlignTop);
    layout->addWidget(m_stop, 0, Qt::AlignTop);
    layout->addWidget(m_again, 0, Qt::AlignTop);
}

void RunBar::connectWidgets()
{
    connect(m_script->lineEdit(), &QLineEdit::textEdited, this, &RunBar::specChanged);
    connect(m_script->lineEdit(), &QLineEdit::returnPressed, this, &RunBar::runRequested);
    connect(m_script, &QComboBox::activated, this,
            [this](int index) { Q_EMIT scriptChosen(m_script->itemText(index)); });
    connect(m_arguments, &ArgumentsField::argumentsChanged, this, &RunBar::specChanged);
    connect(m_arguments, &ArgumentsField::returnPressed, this, &RunBar::runRequested);
    connect(m_mode, &QComboBox::activated, this, &RunBar::specChanged);
}

void RunBar::setSpec(const LaunchSpec& spec)
{
    const QSignalBlocker blocker(this);
    m_rest = spec;
    m_script->setEditText(spec.script);
    m_script->lineEdit()->setToolTip(spec.script);
    m_arguments->setArguments(spec.arguments);
    m_mode->setCurrentIndex(std::max(m_mode->findData(static_cast<int>(spec.mode)), 0));
    showLaunchHint();
}

LaunchSpec RunBar::spec() const
{
    LaunchSpec spec = m_rest;
    spec.script = typedPath(m_script->currentText());
    spec.arguments = m_arguments->arguments();
    spec.mode = static_cast<ProfilingMode>(m_mode->currentData().toInt());
    return spec;
}

bool RunBar::isValid() const
{
    return m_arguments->isValid() && !m_script->currentText().trimmed().isEmpty();
}

void RunBar::setRecentScripts(const QStringList& paths)
{
    const QString text = m_script->currentText();
    const QSignalBlocker blocker(m_script);
    m_script->clear();
    m_script->addItems(paths);
    m_script->setEditText(text);
}

void RunBar::setRunning(bool isRunning)
{
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_script, m_arguments, m_mode, m_repeat, m_warmUp})
        widget->setEnabled(!isRunning);
}

/// The launch button says what is set beyond the bar, so that nothing hidden changes a run.
void RunBar::showLaunchHint()
{
    QStringList hidden;
    if (!m_rest.workingDirectory.isEmpty()
        && m_rest.workingDirectory != QFileInfo(m_rest.script).absolutePath())
        hidden.append(tr("folder: %1").arg(m_rest.workingDirectory));
    for (const auto& [name, value] : m_rest.environment)
        hidden.append(value ? tr("environment: %1=%2").arg(name, *value)
                            : tr("environment: without %1").arg(name));
    if (!m_rest.standardInput.isEmpty())
        hidden.append(tr("standard input: %1").arg(m_rest.standardInput));
    if (m_rest.timeLimit)
        hidden.append(
            tr("time limit: %1 s").arg(static_cast<double>(m_rest.timeLimit->count()) / 1000.0));
    const std::pair<bool, QString> measured[] = {
        {m_rest.lines, tr("measures lines")},
        {m_rest.memory, tr("measures memory")},
        {m_rest.durations, tr("measures durations of calls")},
        {m_rest.clock == ClockKind::Cpu, tr("counts processor time")}};
    for (const auto& [isOn, text] : measured) {
        if (isOn)
            hidden.append(text);
    }
    const QString base = m_launch->defaultAction()->toolTip();
    m_launch->setToolTip(
        hidden.isEmpty() ? base : base + QLatin1Char('\n') + hidden.join(QLatin1Char('\n')));
    m_launch->setText(hidden.isEmpty() ? QString() : QString::number(hidden.size()));
    m_launch->setToolButtonStyle(hidden.isEmpty() ? Qt::ToolButtonIconOnly
                                                  : Qt::ToolButtonTextBesideIcon);
}

} // namespace perilune
