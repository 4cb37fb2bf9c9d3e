// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/EmptyState.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace perilune {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
{
    m_title = new QLabel(this);
    QFont bold = m_title->font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    m_title->setFont(bold);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_explanation = new QLabel(this);
    m_explanation->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_explanation->setWordWrap(true);
    m_explanation->setForegroundRole(QPalette::PlaceholderText);
    m_explanation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_button = new QPushButton(this);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionTriggered);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 16, 24, 16);
    layout->setSpacing(8);
    layout->addStretch(2);
    layout->addWidget(m_title);
    layout->addWidget(m_explanation);
    layout->addSpacing(4);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
}

void EmptyState::setContent(const QString& title, const QString& explanation, const QString& button)
{
    m_title->setText(title);
    m_explanation->setText(explanation);
    m_explanation->setVisible(!explanation.isEmpty());
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    setAccessibleName(title);
    setAccessibleDescription(explanation);
}

QString EmptyState::title() const
{
    return m_title->text();
}

} // namespace perilune
