// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>

class QMainWindow;

namespace perilune {

class DataView;
class Settings;
class ViewTabs;
class WindowDocks;

/// Remembers how the window is arranged, for each arrangement of screens on its own.
class WindowLayout : public QObject
{
    Q_OBJECT
public:
    WindowLayout(QMainWindow& window, WindowDocks& docks, ViewTabs& views, Settings& settings);

    /// A table whose columns are remembered under `name`.
    void addTable(const QString& name, DataView& table);
    void restore();
    void keep();
    void reset();
    /// The welcome page stands without the panes; they come back as they were.
    void setPanesShown(bool isShown);
    bool arePanesShown() const { return m_arePanesShown; }

private:
    QString nameOf(const QString& part) const;

    QMainWindow& m_window;
    WindowDocks& m_docks;
    ViewTabs& m_views;
    Settings& m_settings;
    QHash<QString, DataView*> m_tables;
    QByteArray m_panes; ///< How the panes stood when they were hidden.
    bool m_arePanesShown = true;
};

} // namespace perilune
