// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace perilune {

class DataView;
class EmptyState;
class FilterBar;
class FunctionTableModel;

/// The functions table with its filter row and the line that says what is shown.
class FunctionsPane : public QWidget
{
    Q_OBJECT
public:
    explicit FunctionsPane(Document& document, QWidget* parent = nullptr);

    void focusFilter();
    DataView& table() { return *m_table; }
    FilterBar& filterBar() { return *m_filterBar; }
    FunctionTableModel& model() { return *m_model; }

Q_SIGNALS:
    void rowsCopied(int count);
    /// Enter or a double click on a function: show its source.
    void functionActivated();

private:
    void createWidgets();
    void layOut();
    void connectWidgets();

    void showProfile();
    void showFilter();
    void showCurrentFunction();
    enum class Scrolling
    {
        None,
        IntoView
    };
    void selectCurrentFunction(Scrolling scrolling);
    void selectFromTable(const QModelIndex& index);
    void updateNotice();
    void updateFiles();

    Document& m_document;
    FunctionTableModel* m_model = nullptr;
    FilterBar* m_filterBar = nullptr;
    DataView* m_table = nullptr;
    EmptyState* m_noMatch = nullptr;
    EmptyState* m_noFunctions = nullptr;
    QStackedLayout* m_stack = nullptr;
    QLabel* m_notice = nullptr;
    QPushButton* m_clearFilter = nullptr;
    bool m_isFollowing = false; ///< The document's selection is being shown, not changed.
};

} // namespace perilune
