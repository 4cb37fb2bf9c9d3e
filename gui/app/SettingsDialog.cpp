// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/SettingsDialog.h"

#include "gui/app/ExternalEditor.h"
#include "gui/app/Settings.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace perilune {

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_settings(settings)
{
    setWindowTitle(tr("Settings"));
    createFields();
    layOut();
    showSettings();
    connectFields();
}

void SettingsDialog::createFields()
{
    m_colors = new QComboBox(this);
    m_colors->addItem(tr("As the system"), static_cast<int>(ColorScheme::System));
    m_colors->addItem(tr("Light"), static_cast<int>(ColorScheme::Light));
    m_colors->addItem(tr("Dark"), static_cast<int>(ColorScheme::Dark));
    m_colors->addItem(tr("High contrast"), static_cast<int>(ColorScheme::HighContrast));
    m_unit = new QComboBox(this);
    m_unit->addItem(tr("Best for each number"), static_cast<int>(TimeUnit::Automatic));
    m_unit->addItem(tr("Nanoseconds (ns)"), static_cast<int>(TimeUnit::Nanoseconds));
    m_unit->addItem(tr("Microseconds (µs)"), static_cast<int>(TimeUnit::Microseconds));
    m_unit->addItem(tr("Milliseconds (ms)"), static_cast<int>(TimeUnit::Milliseconds));
    m_unit->addItem(tr("Seconds (s)"), static_cast<int>(TimeUnit::Seconds));
    m_editorPreset = new QComboBox(this);
    for (const EditorPreset& preset : editorPresets())
        m_editorPreset->addItem(preset.name, preset.command);
    m_editorPreset->addItem(tr("Another command"));
    m_editor = new QLineEdit(this);
    m_editor->setAccessibleName(tr("Editor command"));
    m_editor->setPlaceholderText(tr("No command: the desktop decides"));
    m_editor->setToolTip(tr("%f becomes the file, %l the line, %c the column."));
    m_keptRuns = new QSpinBox(this);
    m_keptRuns->setRange(0, 10000);
    m_keptRuns->setSpecialValueText(tr("All"));
    m_keptRuns->setToolTip(
        tr("In a session that was not saved, the oldest runs of a script beyond this "
           "number are deleted. The baseline and pinned runs stay."));
}

void SettingsDialog::layOut()
{
    auto* form = new QFormLayout;
    form->addRow(tr("&Colours:"), m_colors);
    form->addRow(tr("&Unit of times:"), m_unit);
    form->addRow(tr("&Editor:"), m_editorPreset);
    form->addRow(tr("Editor c&ommand:"), m_editor);
    form->addRow(tr("&Keep unsaved runs of a script:"), m_keptRuns);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::Reset, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, this,
            &SettingsDialog::reset);
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    buttons->button(QDialogButtonBox::Reset)->setAutoDefault(false);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);
    resize(460, sizeHint().height());
}

void SettingsDialog::connectFields()
{
    connect(m_colors, &QComboBox::currentIndexChanged, this, [this] {
        m_settings.setColorScheme(static_cast<ColorScheme>(m_colors->currentData().toInt()));
    });
    connect(m_unit, &QComboBox::currentIndexChanged, this, [this] {
        m_settings.setTimeUnit(static_cast<TimeUnit>(m_unit->currentData().toInt()));
    });
    connect(m_editorPreset, &QComboBox::activated, this, [this](int index) {
        if (index < editorPresets().size())
            m_editor->setText(m_editorPreset->itemData(index).toString());
        else
            m_editor->setFocus();
    });
    connect(m_editor, &QLineEdit::textChanged, this, [this](const QString& command) {
        m_settings.setEditorCommand(command);
        const int preset = m_editorPreset->findData(command);
        m_editorPreset->setCurrentIndex(preset >= 0 ? preset : m_editorPreset->count() - 1);
    });
    connect(m_keptRuns, &QSpinBox::valueChanged, this, [this](int count) {
        m_settings.setKeptRuns(count);
        Q_EMIT keptRunsChanged(count);
    });
}

void SettingsDialog::showSettings()
{
    m_colors->setCurrentIndex(m_colors->findData(static_cast<int>(m_settings.colorScheme())));
    m_unit->setCurrentIndex(m_unit->findData(static_cast<int>(m_settings.timeUnit())));
    m_editor->setText(m_settings.editorCommand());
    const int preset = m_editorPreset->findData(m_settings.editorCommand());
    m_editorPreset->setCurrentIndex(preset >= 0 ? preset : m_editorPreset->count() - 1);
    m_keptRuns->setValue(m_settings.keptRuns());
}

void SettingsDialog::reset()
{
    m_colors->setCurrentIndex(0);
    m_unit->setCurrentIndex(0);
    m_editor->clear();
    m_keptRuns->setValue(0);
}

} // namespace perilune
