// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace perilune {

/// What a view shows when it has nothing to show: why, and one button for the next step.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);

    /// `button` may be empty: then there is none.
    void setContent(const QString& title, const QString& explanation, const QString& button = {});
    QString title() const;

Q_SIGNALS:
    void actionTriggered();

private:
    QLabel* m_title = nullptr;
    QLabel* m_explanation = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace perilune
