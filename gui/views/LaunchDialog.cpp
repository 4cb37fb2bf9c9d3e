// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/LaunchDialog.h"

#include "gui/models/EnvironmentModel.h"
#include "gui/models/RunText.h"
#include "gui/views/ArgumentsField.h"
#include "gui/views/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace perilune {

LaunchDialog::LaunchDialog(const LaunchSpec& spec, QWidget* parent)
    : QDialog(parent)
    , m_spec(spec)
{
    setWindowTitle(tr("Launch"));
    createFields();
    layOut();
    showSpec();
    connectFields();
    check();
    resize(620, 460);
}

void LaunchDialog::createFields()
{
    m_script = new QLineEdit(this);
    m_script->setAccessibleName(tr("Script"));
    m_arguments = new ArgumentsField(this);
    m_folder = new QLineEdit(this);
    m_folder->setAccessibleName(tr("Working directory"));
    m_folder->setPlaceholderText(tr("The directory this program was started in"));
    m_input = new QLineEdit(this);
    m_input->setAccessibleName(tr("Standard input file"));
    m_input->setPlaceholderText(tr("What you type in the Output pane"));
    m_timeLimit = new QDoubleSpinBox(this);
    m_timeLimit->setAccessibleName(tr("Time limit"));
    m_timeLimit->setRange(0.0, 1e6);
    m_timeLimit->setDecimals(1);
    m_timeLimit->setSuffix(tr(" s"));
    m_timeLimit->setSpecialValueText(tr("None"));
    createMeasureFields();
    m_environment =
        new EnvironmentModel(QProcessEnvironment::systemEnvironment().toStringList(), this);
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Keep"));
}

void LaunchDialog::createMeasureFields()
{
    m_mode = new QComboBox(this);
    m_mode->setAccessibleName(tr("Profiling mode"));
    m_mode->addItem(tr("Exact: every call is counted and timed"),
                    static_cast<int>(ProfilingMode::Exact));
    m_mode->addItem(tr("Sampling: the stack is looked at again and again"),
                    static_cast<int>(ProfilingMode::Sampling));
    m_interval = new QDoubleSpinBox(this);
    m_interval->setAccessibleName(tr("Sampling interval"));
    m_interval->setRange(0.1, 100.0);
    m_interval->setDecimals(1);
    m_interval->setSingleStep(0.5);
    m_interval->setSuffix(tr(" ms"));
    m_clock = new QComboBox(this);
    m_clock->setAccessibleName(tr("Clock"));
    m_clock->addItem(tr("Wall time: waiting counts"), static_cast<int>(ClockKind::Wall));
    m_clock->addItem(tr("Processor time: waiting does not count"),
                     static_cast<int>(ClockKind::Cpu));
    m_lines = new QCheckBox(
        tr("&Lines: how often each line ran and what it cost; slow in exact mode"), this);
    m_memory = new QCheckBox(tr("M&emory: what each function allocates"), this);
    m_durations =
        new QCheckBox(tr("&Durations: shortest, median and longest call of each function"), this);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &LaunchDialog::updateMeasureFields);
}

/// Sampling has an interval; only in exact mode single calls have durations.
void LaunchDialog::updateMeasureFields()
{
    const bool isSampling =
        m_mode->currentData().toInt() == static_cast<int>(ProfilingMode::Sampling);
    m_interval->setEnabled(isSampling);
    m_durations->setEnabled(!isSampling);
}

void LaunchDialog::layOut()
{
    auto* pages = new QTabWidget(this);
    pages->addTab(createScriptPage(), tr("Script"));
    pages->addTab(createEnvironmentPage(), tr("Environment"));
    pages->addTab(createMeasurePage(), tr("Measurement"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(pages, 1);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
}

QWidget* LaunchDialog::createScriptPage()
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Script:"), withBrowseButton(m_script, false, tr("Choose a Lua script")));
    form->addRow(tr("&Arguments:"), m_arguments);
    form->addRow(tr("&Working directory:"),
                 withBrowseButton(m_folder, true, tr("Choose the working directory")));
    form->addRow(tr("Standard &input:"),
                 withBrowseButton(m_input, false, tr("Choose a file for the standard input")));
    form->addRow(tr("&Time limit:"), m_timeLimit);
    return page;
}

QWidget* LaunchDialog::createEnvironmentPage()
{
    auto* page = new QWidget(this);
    m_environmentView = new QTableView(page);
    m_environmentView->setModel(m_environment);
    m_environmentView->setAccessibleName(tr("Environment variables"));
    m_environmentView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_environmentView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_environmentView->verticalHeader()->hide();
    m_environmentView->setShowGrid(false);
    m_environmentView->setAlternatingRowColors(true);
    m_environmentView->setWordWrap(false);
    m_environmentView->horizontalHeader()->setSectionResizeMode(EnvironmentModel::ValueColumn,
                                                                QHeaderView::Stretch);
    m_environmentView->setColumnWidth(EnvironmentModel::NameColumn, 180);
    auto* add = new QPushButton(tr("A&dd"), page);
    auto* unset = new QPushButton(tr("&Unset"), page);
    auto* inherit = new QPushButton(tr("In&herit"), page);
    unset->setToolTip(tr("The script does not get the selected variable."));
    inherit->setToolTip(tr("The selected variable is again as this program has it."));
    connect(add, &QPushButton::clicked, this, [this] {
        const QModelIndex name =
            m_environment->index(m_environment->addVariable(), EnvironmentModel::NameColumn);
        m_environmentView->setCurrentIndex(name);
        m_environmentView->edit(name);
    });
    connect(unset, &QPushButton::clicked, this, [this] {
        if (currentVariable() >= 0)
            m_environment->unset(currentVariable());
    });
    connect(inherit, &QPushButton::clicked, this, [this] {
        if (currentVariable() >= 0)
            m_environment->reset(currentVariable());
    });

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(add);
    buttons->addWidget(unset);
    buttons->addWidget(inherit);
    buttons->addStretch(1);
    auto* hint = new QLabel(tr("Double-click a value to change it; changes are in bold."), page);
    hint->setForegroundRole(QPalette::PlaceholderText);
    buttons->addWidget(hint);
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(m_environmentView, 1);
    layout->addLayout(buttons);
    return page;
}

QWidget* LaunchDialog::createMeasurePage()
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->addRow(tr("&Mode:"), m_mode);
    form->addRow(tr("Sampling &interval:"), m_interval);
    form->addRow(tr("&Clock:"), m_clock);
    form->addRow(tr("Also measure:"), m_lines);
    form->addRow(QString(), m_memory);
    form->addRow(QString(), m_durations);
    return page;
}

QWidget* LaunchDialog::withBrowseButton(QLineEdit* line, bool isFolder, const QString& title)
{
    auto* row = new QWidget(this);
    auto* button = new QPushButton(tr("Browse…"), row);
    button->setAccessibleName(title);
    connect(button, &QPushButton::clicked, this, [this, line, isFolder, title] {
        const QString path = isFolder ? QFileDialog::getExistingDirectory(this, title, line->text())
                                      : QFileDialog::getOpenFileName(this, title, line->text());
        if (!path.isEmpty())
            line->setText(path);
    });
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(line, 1);
    layout->addWidget(button);
    row->setFocusProxy(line);
    return row;
}

void LaunchDialog::connectFields()
{
    for (QLineEdit* line : {m_script, m_folder, m_input})
        connect(line, &QLineEdit::textChanged, this, &LaunchDialog::check);
    connect(m_arguments, &ArgumentsField::argumentsChanged, this, &LaunchDialog::check);
    QPushButton* run = m_buttons->addButton(tr("Run"), QDialogButtonBox::ActionRole);
    connect(run, &QPushButton::clicked, this, [this] {
        m_isRunRequested = true;
        accept();
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void LaunchDialog::showSpec()
{
    m_script->setText(m_spec.script);
    m_arguments->setArguments(m_spec.arguments);
    m_folder->setText(m_spec.workingDirectory);
    m_input->setText(m_spec.standardInput);
    m_timeLimit->setValue(m_spec.timeLimit ? static_cast<double>(m_spec.timeLimit->count()) / 1000.0
                                           : 0.0);
    m_mode->setCurrentIndex(std::max(m_mode->findData(static_cast<int>(m_spec.mode)), 0));
    m_interval->setValue(static_cast<double>(m_spec.samplingInterval.count()) / 1e6);
    m_clock->setCurrentIndex(std::max(m_clock->findData(static_cast<int>(m_spec.clock)), 0));
    m_lines->setChecked(m_spec.lines);
    m_memory->setChecked(m_spec.memory);
    m_durations->setChecked(m_spec.durations);
    updateMeasureFields();
    m_environment->setChanges(m_spec.environment);
}

LaunchSpec LaunchDialog::spec() const
{
    LaunchSpec spec = m_spec;
    spec.script = m_script->text().trimmed();
    spec.arguments = m_arguments->arguments();
    spec.workingDirectory = m_folder->text().trimmed();
    spec.standardInput = m_input->text().trimmed();
    spec.timeLimit.reset();
    if (m_timeLimit->value() > 0.0)
        spec.timeLimit = std::chrono::milliseconds(std::llround(m_timeLimit->value() * 1000.0));
    spec.mode = static_cast<ProfilingMode>(m_mode->currentData().toInt());
    spec.samplingInterval = std::chrono::nanoseconds(std::llround(m_interval->value() * 1e6));
    spec.clock = static_cast<ClockKind>(m_clock->currentData().toInt());
    spec.lines = m_lines->isChecked();
    spec.memory = m_memory->isChecked();
    spec.durations = m_durations->isChecked() && m_durations->isEnabled();
    spec.environment = m_environment->changes();
    return spec;
}

/// Says at once what would keep the launch from starting.
void LaunchDialog::check()
{
    QString problem;
    if (!m_arguments->isValid())
        problem = tr("The arguments have an unclosed quote.");
    else if (!m_script->text().trimmed().isEmpty()) {
        const Result<void> checked = checkLaunch(spec());
        if (!checked)
            problem = QString::fromStdString(checked.error().detail);
    }
    QPalette colored = QGuiApplication::palette();
    colored.setColor(QPalette::WindowText, themeColors(colored).error);
    m_problem->setPalette(colored);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_arguments->isValid());
}

int LaunchDialog::currentVariable() const
{
    return m_environmentView->currentIndex().isValid() ? m_environmentView->currentIndex().row()
                                                       : -1;
}

} // namespace perilune
