// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/WelcomePage.h"

#include "gui/views/Icons.h"

#include <QCommandLinkButton>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace perilune {

namespace {

QString withoutHome(const QString& path)
{
    const QString home = QDir::homePath() + QLatin1Char('/');
    return path.startsWith(home) ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

QLabel* createLabel(const QString& text, double scale, bool isBold)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(isBold);
    label->setFont(font);
    return label;
}

} // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Welcome"));
    layOut();
}

void WelcomePage::layOut()
{
    auto* column = new QWidget(this);
    column->setMaximumWidth(720);
    column->setMinimumWidth(360);
    auto* columnLayout = new QVBoxLayout(column);
    columnLayout->setSpacing(18);
    columnLayout->addWidget(createHeading());
    columnLayout->addWidget(createButtons());
    columnLayout->addWidget(createRecentList(), 1);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(24, 32, 24, 24);
    layout->addStretch(1);
    layout->addWidget(column, 6);
    layout->addStretch(1);
}

QWidget* WelcomePage::createHeading()
{
    auto* heading = new QWidget(this);
    auto* icon = new QLabel(heading);
    icon->setPixmap(applicationIcon().pixmap(64, 64));
    icon->setAccessibleName(tr("Perilune"));
    auto* explanation = new QLabel(
        tr("Run a Lua script and see which function costs what, and who calls it."), heading);
    explanation->setWordWrap(true);
    explanation->setForegroundRole(QPalette::PlaceholderText);

    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    text->addWidget(createLabel(tr("Perilune"), 1.8, true));
    text->addWidget(explanation);
    auto* layout = new QHBoxLayout(heading);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(icon);
    layout->addLayout(text, 1);
    return heading;
}

QWidget* WelcomePage::createButtons()
{
    auto* buttons = new QWidget(this);
    auto* layout = new QHBoxLayout(buttons);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    const auto add = [&](const QString& icon, const QString& title, const QString& text) {
        auto* button = new QCommandLinkButton(title, text, buttons);
        button->setIcon(themedIcon(icon));
        button->setFlat(false);
        layout->addWidget(button, 1);
        return button;
    };
    connect(add(QStringLiteral("script"), tr("Open script…"), tr("A .lua file to run and profile")),
            &QCommandLinkButton::clicked, this, &WelcomePage::openScriptRequested);
    connect(add(QStringLiteral("session"), tr("Open session…"), tr("Runs that were saved before")),
            &QCommandLinkButton::clicked, this, &WelcomePage::openSessionRequested);
    connect(add(QStringLiteral("example"), tr("Try the example"),
                tr("A short script with a slow spot")),
            &QCommandLinkButton::clicked, this, &WelcomePage::exampleRequested);
    return buttons;
}

QWidget* WelcomePage::createRecentList()
{
    auto* recent = new QWidget(this);
    m_recentTitle = createLabel(tr("Recent"), 1.0, true);
    m_recentList = new QListWidget(recent);
    m_recentList->setAccessibleName(tr("Recent files"));
    m_recentList->setTextElideMode(Qt::ElideMiddle);
    m_recentList->setUniformItemSizes(true);
    m_noRecent = new QLabel(tr("Scripts and sessions that you open will be listed here. "
                               "You can also drop one on this window."),
                            recent);
    m_noRecent->setWordWrap(true);
    m_noRecent->setForegroundRole(QPalette::PlaceholderText);
    connect(m_recentList, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        Q_EMIT recentFileChosen(item->data(Qt::UserRole).toString());
    });

    auto* layout = new QVBoxLayout(recent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_noRecent);
    layout->addWidget(m_recentList, 1);
    layout->addStretch(0);
    setRecentFiles({});
    return recent;
}

void WelcomePage::setRecentFiles(const QStringList& paths)
{
    m_recentList->clear();
    for (const QString& path : paths) {
        const bool isSession = path.endsWith(QStringLiteral(".perilune"));
        auto* item = new QListWidgetItem(
            themedIcon(isSession ? QStringLiteral("session") : QStringLiteral("script")),
            QFileInfo(path).fileName() + QStringLiteral("   ")
                + withoutHome(QFileInfo(path).absolutePath()),
            m_recentList);
        item->setToolTip(path);
        item->setData(Qt::UserRole, path);
    }
    m_recentList->setVisible(!paths.isEmpty());
    m_noRecent->setVisible(paths.isEmpty());
}

} // namespace perilune
