// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <QHash>

#include <cstdint>
#include <memory>

namespace perilune {

class FlameCanvas;

/// Shows the frames of a flame graph that are on the screen to assistive programs: a tree whose
/// items have a name, a value and a place.
class FlameAccessible : public QAccessibleWidget
{
public:
    /// Makes Qt use this class for each FlameCanvas; any number of calls have the effect of one.
    static void install();
    /// Lets an event of `canvas` speak of one of its frames.
    static void addressBar(QAccessibleEvent& event, FlameCanvas& canvas, std::uint32_t bar);

    explicit FlameAccessible(FlameCanvas& canvas);
    ~FlameAccessible() override;

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QString text(QAccessible::Text text) const override;

    /// The interface of a frame; owned here, valid until the canvas shows another layout.
    QAccessibleInterface* interfaceOf(std::uint32_t bar) const;

private:
    FlameCanvas& canvas() const;
    std::vector<std::uint32_t> bars() const;
    void forgetOldLayout() const;

    mutable QHash<std::uint32_t, QAccessible::Id> m_frames;
    mutable std::weak_ptr<const void> m_layout; ///< That m_frames belongs to.
};

} // namespace perilune
