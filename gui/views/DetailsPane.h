// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QScrollArea>

class QFormLayout;
class QLabel;
class QStackedWidget;

namespace perilune {

class EmptyState;

/// Everything that is known of the selected function, as words and exact numbers.
class DetailsPane : public QScrollArea
{
    Q_OBJECT
public:
    explicit DetailsPane(Document& document, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The location was clicked: show the definition.
    void locationActivated();

private:
    void createWidgets();
    void connectWidgets();
    void showFunction();
    void fillFacts(const FunctionCosts& costs);
    void addFact(const QString& title, const QString& text, const QString& toolTip = {});
    void clearFacts();

    Document& m_document;
    QStackedWidget* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    QWidget* m_content = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_location = nullptr;
    QFormLayout* m_facts = nullptr;
};

} // namespace perilune
