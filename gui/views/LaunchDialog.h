// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/LaunchSpec.h"

#include <QDialog>

class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace perilune {

class ArgumentsField;
class EnvironmentModel;
class MeasurementPage;

/// Everything that decides how a script is run: the run bar unfolded.
class LaunchDialog : public QDialog
{
    Q_OBJECT
public:
    explicit LaunchDialog(const LaunchSpec& spec, QWidget* parent = nullptr);

    LaunchSpec spec() const;
    /// Whether the dialog was closed by "Run".
    bool isRunRequested() const { return m_isRunRequested; }
    EnvironmentModel& environment() { return *m_environment; }

private:
    void createFields();
    QWidget* createScriptPage();
    QWidget* createEnvironmentPage();
    void layOut();
    void connectFields();
    void showSpec();
    void check();
    /// A line edit with a button that fills it from a file dialog.
    QWidget* withBrowseButton(QLineEdit* line, bool isFolder, const QString& title);
    int currentVariable() const;

    LaunchSpec m_spec;
    bool m_isRunRequested = false;
    QLineEdit* m_script = nullptr;
    ArgumentsField* m_arguments = nullptr;
    QLineEdit* m_folder = nullptr;
    QLineEdit* m_input = nullptr;
    QDoubleSpinBox* m_timeLimit = nullptr;
    MeasurementPage* m_measurement = nullptr;
    EnvironmentModel* m_environment = nullptr;
    QTableView* m_environmentView = nullptr;
    QLabel* m_problem = nullptr;
    QDialogButtonBox* m_buttons = nullptr;
};

} // namespace perilune
