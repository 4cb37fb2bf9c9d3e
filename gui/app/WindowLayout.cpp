// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/WindowLayout.h"

#include "gui/app/Settings.h"
#include "gui/app/WindowDocks.h"
#include "gui/views/DataView.h"
#include "gui/views/ViewTabs.h"

#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QStringList>

namespace perilune {

namespace {

/// Raised when the set of panes changes, so that an old state does not spoil the new arrangement.
constexpr int stateVersion = 1;
constexpr QSize defaultSize(1360, 860);

} // namespace

WindowLayout::WindowLayout(QMainWindow& window, WindowDocks& docks, ViewTabs& views,
                           Settings& settings)
    : QObject(&window)
    , m_window(window)
    , m_docks(docks)
    , m_views(views)
    , m_settings(settings)
{
}

void WindowLayout::addTable(const QString& name, DataView& table)
{
    m_tables.insert(name, &table);
}

void WindowLayout::restore()
{
    m_window.resize(defaultSize.boundedTo(m_window.screen()->availableSize()));
    m_window.restoreGeometry(m_settings.state(nameOf(QStringLiteral("geometry"))));
    const QByteArray panes = m_settings.state(nameOf(QStringLiteral("panes")));
    if (!panes.isEmpty())
        m_window.restoreState(panes, stateVersion);
    for (auto table = m_tables.cbegin(); table != m_tables.cend(); ++table)
        table.value()->restoreColumnState(
            m_settings.state(QStringLiteral("columns-") + table.key()));
    m_views.showView(QString::fromUtf8(m_settings.state(QStringLiteral("view"))));
}

void WindowLayout::keep()
{
    if (m_arePanesShown)
        m_panes = m_window.saveState(stateVersion);
    m_settings.setState(nameOf(QStringLiteral("geometry")), m_window.saveGeometry());
    m_settings.setState(nameOf(QStringLiteral("panes")), m_panes);
    for (auto table = m_tables.cbegin(); table != m_tables.cend(); ++table)
        m_settings.setState(QStringLiteral("columns-") + table.key(), table.value()->columnState());
    m_settings.setState(QStringLiteral("view"), m_views.currentView().toUtf8());
}

void WindowLayout::reset()
{
    m_settings.removeStates();
    m_docks.resetLayout();
    for (DataView* table : m_tables)
        table->resetColumns();
    if (!m_arePanesShown) {
        m_panes = m_window.saveState(stateVersion);
        m_docks.setVisible(false);
    }
}

void WindowLayout::setPanesShown(bool isShown)
{
    if (isShown == m_arePanesShown)
        return;
    m_arePanesShown = isShown;
    if (isShown) {
        m_window.restoreState(m_panes, stateVersion);
    } else {
        m_panes = m_window.saveState(stateVersion);
        m_docks.setVisible(false);
    }
}

QString WindowLayout::nameOf(const QString& part) const
{
    QStringList screens;
    for (const QScreen* screen : QGuiApplication::screens()) {
        const QRect area = screen->geometry();
        screens.append(QStringLiteral("%1x%2+%3+%4")
                           .arg(area.width())
                           .arg(area.height())
                           .arg(area.x())
                           .arg(area.y()));
    }
    return part + QLatin1Char('-') + screens.join(QLatin1Char('_'));
}

} // namespace perilune
