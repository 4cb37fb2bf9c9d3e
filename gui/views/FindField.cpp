// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FindField.h"

#include "gui/views/Icons.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace perilune {

FindField::FindField(Document& document, QWidget* parent)
    : QWidget(parent)
{
    m_text = new QLineEdit(document.searchText(), this);
    m_text->setPlaceholderText(tr("Find"));
    m_text->setToolTip(tr("Highlights matches in all views; nothing is hidden (Ctrl+F, then F3)"));
    m_text->setAccessibleName(tr("Find"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_text->installEventFilter(this);
    m_result = new QLabel(this);
    m_result->setForegroundRole(QPalette::PlaceholderText);
    m_result->hide();
    connect(m_text, &QLineEdit::textChanged, &document, &Document::setSearchText);
    connect(&document, &Document::searchTextChanged, m_text, &QLineEdit::setText);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_result);
    layout->addWidget(m_text, 1);
    setFocusProxy(m_text);
}

void FindField::setResult(const QString& text)
{
    m_result->setText(text);
    m_result->setVisible(!text.isEmpty());
}

void FindField::focusText()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

/// Enter goes on, Shift+Enter back, Escape ends the search.
bool FindField::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
        m_text->clear();
        return true;
    }
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
        return QWidget::eventFilter(watched, event);
    if (key->modifiers().testFlag(Qt::ShiftModifier))
        Q_EMIT previousRequested();
    else
        Q_EMIT nextRequested();
    return true;
}

} // namespace perilune
