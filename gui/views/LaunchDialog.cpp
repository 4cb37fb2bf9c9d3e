// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/LaunchDialog.h"

#include "gui/models/EnvironmentModel.h"
#include "gui/models/RunText.h"
#include "gui/views/ArgumentsField.h"
#include "gui/views/MeasurementPage.h"
#include "gui/views/Theme.h"

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
    m_measurement = new MeasurementPage(this);
    m_environment =
        new EnvironmentModel(QProcessEnvironment::systemEnvironment().toStringList(), this);
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
}

void LaunchDialog::layOut()
{
    auto* pages = new QTabWidget(this);
    pages->addTab(createScriptPage(), tr("Script"));
    pages->addTab(createEnvironmentPage(), tr("Environment"));
    pages->addTab(m_measurement, tr("Measurement"));
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
    m_measurement->show(m_spec);
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
    m_measurement->apply(spec);
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
