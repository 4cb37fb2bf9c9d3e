// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QDialog>

class QLineEdit;

namespace perilune {

class DataView;
class FunctionTableModel;

/// Type a part of a name, press Enter, and the function is selected.
class GoToDialog : public QDialog
{
    Q_OBJECT
public:
    explicit GoToDialog(Document& document, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void choose();

    Document& m_document;
    FunctionTableModel* m_model = nullptr;
    QLineEdit* m_text = nullptr;
    DataView* m_list = nullptr;
};

} // namespace perilune
