// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/ArgumentsField.h"

#include "core/launch/LaunchSpec.h"
#include "gui/views/Theme.h"

#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace perilune {

namespace {

/// A word between marks that show where it begins and ends, with its spaces visible.
QString markedWord(const QString& word)
{
    return QStringLiteral("[%1]").arg(word);
}

} // namespace

ArgumentsField::ArgumentsField(QWidget* parent)
    : QWidget(parent)
{
    m_line = new QLineEdit(this);
    m_line->setPlaceholderText(tr("Arguments"));
    m_line->setAccessibleName(tr("Arguments of the script"));
    m_line->setToolTip(
        tr("Arguments of the script, written as in a shell: spaces separate, quotes join."));
    m_line->setClearButtonEnabled(true);
    m_split = new QLabel(this);
    m_split->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_split->setTextFormat(Qt::PlainText);
    m_split->setAccessibleName(tr("The arguments as the script gets them"));
    m_split->hide();
    m_split->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::textChanged, this, &ArgumentsField::split);
    connect(m_line, &QLineEdit::returnPressed, this, &ArgumentsField::returnPressed);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_line);
    layout->addWidget(m_split);
}

void ArgumentsField::setArguments(const QStringList& arguments)
{
    if (arguments != m_arguments || !m_isValid)
        m_line->setText(joinArguments(arguments));
}

QString ArgumentsField::splitText() const
{
    return m_split->text();
}

void ArgumentsField::split()
{
    const Result<QStringList> words = splitArguments(m_line->text());
    m_isValid = static_cast<bool>(words);
    m_arguments = words ? *words : QStringList();
    if (words)
        showWords();
    else
        showError(QString::fromStdString(words.error().detail));
    Q_EMIT argumentsChanged();
}

void ArgumentsField::showWords()
{
    QStringList marked;
    for (const QString& word : m_arguments)
        marked.append(markedWord(word));
    m_split->setPalette(QGuiApplication::palette());
    m_split->setForegroundRole(QPalette::PlaceholderText);
    m_split->setText(marked.join(QLatin1Char(' ')));
    m_split->setToolTip(tr("What the script gets as arg[1], arg[2], …"));
    m_split->setVisible(!m_arguments.isEmpty());
}

void ArgumentsField::showError(const QString& error)
{
    QPalette colored = QGuiApplication::palette();
    colored.setColor(QPalette::WindowText, themeColors(colored).error);
    m_split->setPalette(colored);
    m_split->setForegroundRole(QPalette::WindowText);
    m_split->setText(error);
    m_split->show();
}

void ArgumentsField::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange && m_split != nullptr)
        split();
}

} // namespace perilune
