// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameAccessible.h"

#include "gui/views/FlameCanvas.h"

#include <algorithm>

namespace perilune {

namespace {

/// What a screen reader can make sense of; the call tree has all of them.
constexpr std::size_t frameLimit = 300;

class FrameAccessible : public QAccessibleInterface
{
public:
    FrameAccessible(FlameCanvas& canvas, std::uint32_t bar)
        : m_canvas(&canvas)
        , m_bar(bar)
    {
    }

    std::uint32_t bar() const { return m_bar; }

    bool isValid() const override { return m_canvas && m_bar < m_canvas->layout()->barCount(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_canvas->window()->windowHandle(); }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_canvas);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override { }

    QString text(QAccessible::Text text) const override
    {
        if (!isValid())
            return {};
        switch (text) {
        case QAccessible::Name:
            return name();
        case QAccessible::Value:
        case QAccessible::Description:
            return m_canvas->describe(span());
        default:
            return {};
        }
    }

    QRect rect() const override
    {
        const QRect inView = m_canvas->rectOfBar(m_bar).intersected(m_canvas->viewport()->rect());
        return {m_canvas->viewport()->mapToGlobal(inView.topLeft()), inView.size()};
    }

    QAccessible::Role role() const override { return QAccessible::TreeItem; }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.selectable = true;
        state.focusable = true;
        state.selected = isValid() && m_canvas->currentBar() == m_bar;
        state.focused = state.selected && m_canvas->hasFocus();
        state.invalid = !isValid();
        return state;
    }

private:
    QString name() const
    {
        const FlameLayout& layout = *m_canvas->layout();
        const FunctionId function = layout.tree().function(layout.node(m_bar));
        const Profile& profile = *m_canvas->profile();
        return function.value() < profile.functions.size() ? displayName(profile.function(function))
                                                           : QString();
    }

    FlameSpan span() const
    {
        const FlameBar bar = m_canvas->layout()->bar(m_bar);
        return {m_bar, 1, bar.start, bar.end(), false};
    }

    QPointer<FlameCanvas> m_canvas;
    std::uint32_t m_bar;
};

QAccessibleInterface* makeInterface(const QString& key, QObject* object)
{
    if (key != QLatin1String(FlameCanvas::staticMetaObject.className()))
        return nullptr;
    auto* canvas = qobject_cast<FlameCanvas*>(object);
    return canvas ? new FlameAccessible(*canvas) : nullptr;
}

} // namespace

void FlameAccessible::install()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(isInstalled)
}

void FlameAccessible::addressBar(QAccessibleEvent& event, FlameCanvas& canvas, std::uint32_t bar)
{
    const auto* tree =
        static_cast<FlameAccessible*>(QAccessible::queryAccessibleInterface(&canvas));
    if (!tree)
        return;
    const int index = tree->indexOfChild(tree->interfaceOf(bar));
    if (index >= 0)
        event.setChild(index);
}

FlameAccessible::FlameAccessible(FlameCanvas& canvas)
    : QAccessibleWidget(&canvas, QAccessible::Tree)
{
}

FlameAccessible::~FlameAccessible()
{
    for (const QAccessible::Id id : std::as_const(m_frames))
        QAccessible::deleteAccessibleInterface(id);
}

FlameCanvas& FlameAccessible::canvas() const
{
    return *static_cast<FlameCanvas*>(widget());
}

std::vector<std::uint32_t> FlameAccessible::bars() const
{
    return canvas().visibleBars(frameLimit);
}

int FlameAccessible::childCount() const
{
    return static_cast<int>(bars().size());
}

QAccessibleInterface* FlameAccessible::child(int index) const
{
    const std::vector<std::uint32_t> visible = bars();
    if (index < 0 || static_cast<std::size_t>(index) >= visible.size())
        return nullptr;
    return interfaceOf(visible[static_cast<std::size_t>(index)]);
}

QAccessibleInterface* FlameAccessible::childAt(int x, int y) const
{
    const auto hit = canvas().hitAt(canvas().viewport()->mapFromGlobal(QPoint(x, y)));
    return hit && !hit->isMerged ? interfaceOf(hit->firstBar) : nullptr;
}

QAccessibleInterface* FlameAccessible::focusChild() const
{
    const auto current = canvas().currentBar();
    return current ? interfaceOf(*current) : nullptr;
}

int FlameAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* frame = dynamic_cast<const FrameAccessible*>(child);
    if (!frame)
        return -1;
    const std::vector<std::uint32_t> visible = bars();
    const auto found = std::find(visible.begin(), visible.end(), frame->bar());
    return found == visible.end() ? -1 : static_cast<int>(found - visible.begin());
}

QString FlameAccessible::text(QAccessible::Text text) const
{
    const QString own = QAccessibleWidget::text(text);
    if (!own.isEmpty() || text != QAccessible::Description)
        return own;
    return QCoreApplication::translate(
        "perilune::FlameAccessible", "Flame graph; arrow keys go to callers, callees and siblings");
}

QAccessibleInterface* FlameAccessible::interfaceOf(std::uint32_t bar) const
{
    forgetOldLayout();
    const auto known = m_frames.constFind(bar);
    if (known != m_frames.cend())
        return QAccessible::accessibleInterface(*known);
    auto* frame = new FrameAccessible(canvas(), bar);
    m_frames.insert(bar, QAccessible::registerAccessibleInterface(frame));
    return frame;
}

void FlameAccessible::forgetOldLayout() const
{
    const std::shared_ptr<const void> shown = canvas().layout();
    if (m_layout.lock() == shown)
        return;
    for (const QAccessible::Id id : std::as_const(m_frames))
        QAccessible::deleteAccessibleInterface(id);
    m_frames.clear();
    m_layout = shown;
}

} // namespace perilune
