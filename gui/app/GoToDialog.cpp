// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/GoToDialog.h"

#include "gui/models/FunctionTableModel.h"
#include "gui/views/DataView.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

namespace perilune {

GoToDialog::GoToDialog(Document& document, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_model(new FunctionTableModel(this))
{
    setWindowTitle(tr("Go to function"));
    m_model->setTimeUnit(document.timeUnit());
    m_model->setProfile(document.profile(), document.table(), document.functionOrder());
    m_text = new QLineEdit(this);
    m_text->setPlaceholderText(tr("Part of a name or file"));
    m_text->setAccessibleName(tr("Part of a name or file"));
    m_text->installEventFilter(this);
    m_list = new DataView(this);
    m_list->setAccessibleName(tr("Matching functions"));
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setUp(m_model, defaultFunctionColumnCount, static_cast<int>(FunctionColumn::SelfTime),
                  Qt::DescendingOrder);
    m_list->setColumnWidths({40, 11, 10, 11, 10, 11, 11, 30});
    for (const FunctionColumn column :
         {FunctionColumn::SelfShare, FunctionColumn::TotalTime, FunctionColumn::TotalShare,
          FunctionColumn::Calls, FunctionColumn::MeanTime})
        m_list->setColumnHidden(static_cast<int>(column), true);
    m_list->setFocusPolicy(Qt::NoFocus);
    connect(m_text, &QLineEdit::textChanged, this, &GoToDialog::filter);
    connect(m_text, &QLineEdit::returnPressed, this, &GoToDialog::choose);
    connect(m_list, &DataView::rowActivated, this, &GoToDialog::choose);
    connect(m_list, &QTreeView::clicked, m_text, qOverload<>(&QWidget::setFocus));

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(m_list, 1);
    resize(680, 380);
    filter({});
}

void GoToDialog::filter(const QString& text)
{
    FunctionFilter filter;
    filter.text = text;
    m_model->setFilter(filter);
    if (m_model->rowCount() > 0)
        m_list->setCurrentIndex(m_model->index(0, 0));
}

void GoToDialog::choose()
{
    const FunctionId function = m_model->functionAt(m_list->currentIndex().row());
    if (!function.isValid())
        return;
    m_document.setCurrentFunction(function);
    accept();
}

/// The arrow keys move in the list while one types.
bool GoToDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp
            || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace perilune
