// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace perilune {

class Settings;

/// Every setting applies at once; there is nothing to confirm.
class SettingsDialog : public QDialog
{
    Q_OBJECT
public:
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);

Q_SIGNALS:
    void keptRunsChanged(int count);

private:
    void createFields();
    void layOut();
    void connectFields();
    void showSettings();
    void reset();

    Settings& m_settings;
    QComboBox* m_colors = nullptr;
    QComboBox* m_unit = nullptr;
    QComboBox* m_editorPreset = nullptr;
    QLineEdit* m_editor = nullptr;
    QSpinBox* m_keptRuns = nullptr;
};

} // namespace perilune
