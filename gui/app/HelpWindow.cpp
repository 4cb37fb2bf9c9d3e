// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/HelpWindow.h"

#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace perilune {

namespace {

/// The first heading of a page, or its file name.
QString titleOf(const QString& path)
{
    QFile file(path);
    if (file.open(QIODevice::ReadOnly)) {
        const QString first = QString::fromUtf8(file.readLine()).trimmed();
        if (first.startsWith(QStringLiteral("# ")))
            return first.mid(2);
    }
    return QFileInfo(path).completeBaseName();
}

} // namespace

HelpWindow::HelpWindow(const QString& folder, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Help"));
    m_list = new QListWidget(this);
    m_list->setAccessibleName(tr("Help pages"));
    m_page = new QTextBrowser(this);
    m_page->setOpenExternalLinks(true);
    m_page->setAccessibleName(tr("Help page"));
    connect(m_list, &QListWidget::currentRowChanged, this, &HelpWindow::showPage);

    auto* splitter = new QSplitter(this);
    splitter->addWidget(m_list);
    splitter->addWidget(m_page);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({200, 600});
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter);
    resize(820, 600);
    fillList(folder);
}

void HelpWindow::fillList(const QString& folder)
{
    if (folder.isEmpty()) {
        m_page->setPlainText(tr("The help pages are not installed."));
        return;
    }
    const QDir pages(folder);
    for (const QFileInfo& page :
         pages.entryInfoList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        auto* item = new QListWidgetItem(titleOf(page.absoluteFilePath()), m_list);
        item->setData(Qt::UserRole, page.absoluteFilePath());
    }
    m_list->setCurrentRow(0);
}

void HelpWindow::showPage()
{
    if (const QListWidgetItem* item = m_list->currentItem())
        m_page->setSource(QUrl::fromLocalFile(item->data(Qt::UserRole).toString()));
}

} // namespace perilune
