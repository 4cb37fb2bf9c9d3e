// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/LaunchSpec.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace perilune {

/// What a launch measures and how far it may go: mode, clock, options and limits.
class MeasurementPage : public QWidget
{
    Q_OBJECT
public:
    explicit MeasurementPage(QWidget* parent = nullptr);

    void show(const LaunchSpec& spec);
    /// Writes what is chosen into `spec`; the rest of it stays.
    void apply(LaunchSpec& spec) const;

private:
    void createFields();
    void layOut();
    /// Options that the chosen mode does not have cannot be chosen.
    void updateEnabled();
    ProfilingMode mode() const;

    QComboBox* m_mode = nullptr;
    QDoubleSpinBox* m_interval = nullptr; ///< Milliseconds.
    QComboBox* m_clock = nullptr;
    QCheckBox* m_lines = nullptr;
    QCheckBox* m_memory = nullptr;
    QCheckBox* m_durations = nullptr;
    QCheckBox* m_reference = nullptr;
    QSpinBox* m_nodes = nullptr;   ///< Thousands; 0: the default.
    QSpinBox* m_depth = nullptr;   ///< 0: no limit.
    QSpinBox* m_strings = nullptr; ///< MiB; 0: the default.
};

} // namespace perilune
