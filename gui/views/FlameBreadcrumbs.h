// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace perilune {

class FlameCanvas;

/// The way from the root to the frame a flame graph is zoomed to, each step a button that zooms
/// back to it, and a button for one step back. Long ways leave out their middle behind a menu.
class FlameBreadcrumbs : public QWidget
{
    Q_OBJECT
public:
    explicit FlameBreadcrumbs(FlameCanvas& canvas, QWidget* parent = nullptr);

    /// The names from the root to the zoomed frame as they are shown; "…" for what is left out.
    QStringList texts() const;

private:
    void showPath();
    std::vector<std::uint32_t> pathToZoomed() const;
    void addCrumb(std::uint32_t bar, bool isLast);
    void addOmitted(const std::vector<std::uint32_t>& bars);
    void clearCrumbs();
    QString nameOf(std::uint32_t bar) const;

    FlameCanvas& m_canvas;
    QToolButton* m_back = nullptr;
    QHBoxLayout* m_crumbs = nullptr;
};

} // namespace perilune
