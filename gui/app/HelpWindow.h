// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace perilune {

/// The help pages, which are Markdown files in one folder, with the list of them at the left.
class HelpWindow : public QDialog
{
    Q_OBJECT
public:
    explicit HelpWindow(const QString& folder, QWidget* parent = nullptr);

private:
    void fillList(const QString& folder);
    void showPage();

    QListWidget* m_list = nullptr;
    QTextBrowser* m_page = nullptr;
};

} // namespace perilune
