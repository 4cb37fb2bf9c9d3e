// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/FunctionFilter.h"

#include <QStringList>
#include <QWidget>

#include <functional>

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTimer;

namespace perilune {

/// Edits a FunctionFilter: text, file, kind and minimum share, with a removable chip for each part
/// in force.
class FilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit FilterBar(QWidget* parent = nullptr);

    FunctionFilter filter() const;
    void setFilter(const FunctionFilter& filter);
    /// The labels to choose a file from; a chosen file that is not among them stays chosen.
    void setFiles(const QStringList& labels);
    void focusText();
    /// Places another widget at the right end of the row.
    void addWidget(QWidget* widget);
    void clear();

Q_SIGNALS:
    void filterChanged(const perilune::FunctionFilter& filter);

protected:
    void changeEvent(QEvent* event) override;

private:
    void createFields();
    void layOut();
    void connectFields();
    void announce();
    void updateChips();
    void addChip(const QString& text, const std::function<void()>& remove);

    QLineEdit* m_text = nullptr;
    QComboBox* m_file = nullptr;
    QComboBox* m_kind = nullptr;
    QDoubleSpinBox* m_minimumShare = nullptr;
    QWidget* m_chipRow = nullptr;
    QHBoxLayout* m_fields = nullptr;
    QHBoxLayout* m_chips = nullptr;
    QLabel* m_problem = nullptr;
    QTimer* m_delay = nullptr; ///< So that fast typing filters once.
    FunctionFilter m_announced;
};

} // namespace perilune
