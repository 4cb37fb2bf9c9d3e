// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace perilune {

class Workspace;

/// The left end of the status bar: how the run stands, in words with an icon, and what it was
/// measured with.
class StatusLine : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(Workspace& workspace, QWidget* parent = nullptr);

    QString text() const;

private:
    void update();
    void show(const QString& icon, const QString& text);

    Workspace& m_workspace;
    QLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
    QLabel* m_measurement = nullptr;
    QString m_shownIcon;
};

} // namespace perilune
