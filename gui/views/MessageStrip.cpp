// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/MessageStrip.h"

#include "gui/views/Icons.h"
#include "gui/views/Theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace perilune {

namespace {

struct KindLook
{
    QString icon;
    QString spokenName;
    QColor background;
    QColor foreground;
};

KindLook lookOf(MessageStrip::Kind kind, const QPalette& palette)
{
    const ThemeColors colors = themeColors(palette);
    switch (kind) {
    case MessageStrip::Kind::Error:
        return {QStringLiteral("error"), MessageStrip::tr("Error"), colors.errorBackground,
                colors.error};
    case MessageStrip::Kind::Warning:
        return {QStringLiteral("warning"), MessageStrip::tr("Warning"), colors.warningBackground,
                colors.warning};
    case MessageStrip::Kind::Information:
        break;
    }
    return {QStringLiteral("info"), MessageStrip::tr("Note"), colors.infoBackground,
            palette.color(QPalette::Link)};
}

} // namespace

MessageStrip::MessageStrip(QWidget* parent)
    : QFrame(parent)
{
    createWidgets();
    connectWidgets();
    hide();
}

void MessageStrip::createWidgets()
{
    setObjectName(QStringLiteral("messageStrip"));
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    m_icon = new QLabel(this);
    m_label = new QLabel(this);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_actionLayout = new QHBoxLayout;
    m_closeButton = new QToolButton(this);
    m_closeButton->setIcon(themedIcon(QStringLiteral("close")));
    m_closeButton->setAutoRaise(true);
    m_closeButton->setToolTip(tr("Hide this message"));
    m_closeButton->setAccessibleName(tr("Hide this message"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 5, 6, 5);
    layout->setSpacing(8);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_label, 1);
    layout->addLayout(m_actionLayout);
    layout->addWidget(m_closeButton);
}

void MessageStrip::connectWidgets()
{
    connect(m_closeButton, &QToolButton::clicked, this, &MessageStrip::clear);
    connect(m_label, &QLabel::linkActivated, this, &MessageStrip::linkActivated);
}

void MessageStrip::showMessage(Kind kind, const QString& text, const QList<Action>& actions)
{
    m_kind = kind;
    m_label->setText(text);
    setActions(actions);
    applyColors();
    show();
}

void MessageStrip::clear()
{
    m_label->clear();
    hide();
}

QString MessageStrip::text() const
{
    return m_label->text();
}

void MessageStrip::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        applyColors();
}

void MessageStrip::setActions(const QList<Action>& actions)
{
    while (QLayoutItem* item = m_actionLayout->takeAt(0)) {
        // A button may be what called us.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const Action& action : actions) {
        auto* button = new QPushButton(action.text, this);
        connect(button, &QPushButton::clicked, this, action.run);
        m_actionLayout->addWidget(button);
    }
}

void MessageStrip::applyColors()
{
    const KindLook look = lookOf(m_kind, palette());
    m_icon->setPixmap(tintedIcon(look.icon, look.foreground).pixmap(16, 16));
    m_icon->setAccessibleName(look.spokenName);
    setAccessibleName(look.spokenName + QStringLiteral(": ") + m_label->text());
    QPalette colored = QGuiApplication::palette();
    colored.setColor(QPalette::Window, look.background);
    setPalette(colored);
}

void MessageStrip::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    const KindLook look = lookOf(m_kind, palette());
    QPainter painter(this);
    painter.fillRect(0, 0, 3, height(), look.foreground);
    painter.fillRect(0, height() - 1, width(), 1, look.foreground);
}

} // namespace perilune
