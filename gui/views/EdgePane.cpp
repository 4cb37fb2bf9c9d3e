// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/EdgePane.h"

#include "gui/views/DataView.h"
#include "gui/views/EmptyState.h"

#include <QStackedLayout>

namespace perilune {

EdgePane::EdgePane(Document& document, EdgeModel::Direction direction, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_model(new EdgeModel(direction, this))
{
    createWidgets();
    connectWidgets();
    showFunction();
}

void EdgePane::createWidgets()
{
    const bool isCallers = m_model->direction() == EdgeModel::Direction::Callers;
    m_table = new DataView(this);
    m_table->setAccessibleName(isCallers ? tr("Callers") : tr("Callees"));
    m_table->setUp(m_model, EdgeModel::ColumnCount, EdgeModel::TimeColumn, Qt::DescendingOrder);
    m_table->setColumnWidths({18, 10, 8, 10});
    m_empty = new EmptyState(this);
    m_stack = new QStackedLayout(this);
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
}

void EdgePane::connectWidgets()
{
    connect(&m_document, &Document::currentFunctionChanged, this, &EdgePane::showFunction);
    connect(&m_document, &Document::timeUnitChanged, m_model, &EdgeModel::setTimeUnit);
    connect(m_table, &DataView::rowActivated, this, &EdgePane::selectRow);
    connect(m_table, &DataView::rowsCopied, this, &EdgePane::rowsCopied);
}

void EdgePane::showFunction()
{
    m_model->setFunction(m_document.profile(), m_document.table(), m_document.currentFunction());
    if (m_model->rowCount() == 0)
        showEmptyState();
    else
        m_stack->setCurrentWidget(m_table);
}

void EdgePane::selectRow(const QModelIndex& index)
{
    const FunctionId function = m_model->functionAt(index.row());
    if (function.isValid())
        m_document.setCurrentFunction(function);
}

void EdgePane::showEmptyState()
{
    const bool isCallers = m_model->direction() == EdgeModel::Direction::Callers;
    if (!m_document.currentFunction().isValid()) {
        m_empty->setContent(isCallers ? tr("Who calls it?") : tr("What does it call?"),
                            tr("Select a function to see."));
    } else {
        m_empty->setContent(isCallers ? tr("Nobody calls it") : tr("It calls nothing"),
                            isCallers ? tr("It is where the run begins.") : QString());
    }
    m_stack->setCurrentWidget(m_empty);
}

} // namespace perilune
