// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"
#include "gui/models/ComparisonModel.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QTimer;

namespace perilune {

/// What is compared, how it is divided, from which size on a change counts, and which rows are
/// shown.
class CompareOptionsBar : public QWidget
{
    Q_OBJECT
public:
    explicit CompareOptionsBar(QWidget* parent = nullptr);

    ComparisonOptions options() const;
    void setOptions(const ComparisonOptions& options);
    CompareFilter filter() const;
    void setFilter(const CompareFilter& filter);
    /// The metrics that both sides have measured.
    void setMetrics(const std::vector<Metric>& metrics);
    void focusFilter();
    void clearFilter();

Q_SIGNALS:
    void optionsChanged();
    void filterChanged();

private:
    void createOptions();
    void createFilter();
    void layOut();
    void connectFields();

    VerdictRules m_rules; ///< What has no field here.
    QComboBox* m_cost = nullptr;
    QComboBox* m_metric = nullptr;
    QComboBox* m_normalisation = nullptr;
    QDoubleSpinBox* m_threshold = nullptr;
    QCheckBox* m_hideUnchanged = nullptr;
    QLineEdit* m_text = nullptr;
    QTimer* m_delay = nullptr;
};

} // namespace perilune
