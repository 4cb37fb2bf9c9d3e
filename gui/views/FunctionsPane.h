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
class FindField;
class FunctionTableModel;

/// The functions table with its filter row and the line that says what is shown.
class FunctionsPane : public QWidget
{
    Q_OBJECT
public:
    explicit FunctionsPane(Document& document, QWidget* parent = nullptr);

    void focusFilter();
    /// Makes the first row the current function, where there is one.
    void selectFirst();
    /// The script that a run would start, for the page that is shown before there are functions;
    /// empty for none.
    void setReadyScript(const QString& script);
    /// The line below the table: how many functions it shows.
    QString notice() const;
    /// What the page says that stands in for an empty table.
    QString emptyTitle() const;
    DataView& table() { return *m_table; }
    FilterBar& filterBar() { return *m_filterBar; }
    FunctionTableModel& model() { return *m_model; }

public Q_SLOTS:
    void focusSearch();
    void showNextMatch() { showMatch(true); }
    void showPreviousMatch() { showMatch(false); }

Q_SIGNALS:
    void rowsCopied(int count);
    /// Enter or a double click on a function: show its source.
    void functionActivated();
    void runRequested();

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
    void updateMatches();
    void showMatch(bool isForward);
    void updateFiles();

    Document& m_document;
    FunctionTableModel* m_model = nullptr;
    FilterBar* m_filterBar = nullptr;
    FindField* m_find = nullptr;
    DataView* m_table = nullptr;
    EmptyState* m_noMatch = nullptr;
    EmptyState* m_noFunctions = nullptr;
    QStackedLayout* m_stack = nullptr;
    QLabel* m_notice = nullptr;
    QPushButton* m_clearFilter = nullptr;
    bool m_isFollowing = false; ///< The document's selection is being shown, not changed.
};

} // namespace perilune
