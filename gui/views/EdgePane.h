// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"
#include "gui/models/EdgeModel.h"

#include <QWidget>

class QStackedLayout;

namespace perilune {

class DataView;
class EmptyState;

/// The direct callers or callees of the selected function; a double click or Enter moves the
/// selection.
class EdgePane : public QWidget
{
    Q_OBJECT
public:
    EdgePane(Document& document, EdgeModel::Direction direction, QWidget* parent = nullptr);

    DataView& table() { return *m_table; }
    EdgeModel& model() { return *m_model; }

Q_SIGNALS:
    void rowsCopied(int count);

private:
    void createWidgets();
    void connectWidgets();
    void showFunction();
    void selectRow(const QModelIndex& index);
    void showEmptyState();

    Document& m_document;
    EdgeModel* m_model = nullptr;
    DataView* m_table = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
};

} // namespace perilune
