// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace perilune {

/// The search of the document as a field: what is typed is highlighted in all views, and nothing is
/// hidden.
class FindField : public QWidget
{
    Q_OBJECT
public:
    explicit FindField(Document& document, QWidget* parent = nullptr);

    /// "3 matches", or what else the view that owns the field found.
    void setResult(const QString& text);
    void focusText();

Q_SIGNALS:
    void nextRequested();
    void previousRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* m_text = nullptr;
    QLabel* m_result = nullptr;
};

} // namespace perilune
