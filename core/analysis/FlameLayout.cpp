// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FlameLayout.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace perilune {

namespace {

constexpr std::uint32_t noBar = UINT32_MAX;

/// Appends the children of one node in the order in which they are drawn.
class ChildAppender
{
public:
    ChildAppender(const CallTree& tree, const std::vector<std::uint64_t>& weight, FlameOrder order,
                  const std::vector<std::uint32_t>& rankOfFunction)
        : m_tree(tree)
        , m_weight(weight)
        , m_order(order)
        , m_rank(rankOfFunction)
    {
    }

    void append(std::uint32_t parent, std::vector<std::uint32_t>& nodes) const
    {
        const std::size_t before = nodes.size();
        const std::uint32_t count = m_tree.childCount(NodeId(parent));
        for (std::uint32_t row = 0; row < count; ++row) {
            const std::uint32_t child = m_tree.child(NodeId(parent), row).value();
            if (m_weight[child] > 0)
                nodes.push_back(child);
        }
        const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(before);
        if (m_order == FlameOrder::Name)
            sortUnlessSorted(first, nodes.end(),
                             [this](auto a, auto b) { return isNamedBefore(a, b); });
        else
            sortUnlessSorted(first, nodes.end(),
                             [this](auto a, auto b) { return isHeavier(a, b); });
    }

private:
    /// A tree's children are usually in order of weight already, which costs only a look.
    template<typename Iterator, typename Less>
    static void sortUnlessSorted(Iterator first, Iterator last, Less less)
    {
        if (!std::is_sorted(first, last, less))
            std::stable_sort(first, last, less);
    }

    bool isHeavier(std::uint32_t a, std::uint32_t b) const { return m_weight[a] > m_weight[b]; }
    bool isNamedBefore(std::uint32_t a, std::uint32_t b) const { return rankOf(a) < rankOf(b); }
    std::uint32_t rankOf(std::uint32_t node) const
    {
        return m_rank[m_tree.function(NodeId(node)).value()];
    }

    const CallTree& m_tree;
    const std::vector<std::uint64_t>& m_weight;
    FlameOrder m_order;
    const std::vector<std::uint32_t>& m_rank;
};

} // namespace

std::shared_ptr<const FlameLayout>
FlameLayout::build(std::shared_ptr<const CallTree> tree, Metric metric, FlameOrder order,
                   const std::vector<std::uint32_t>& rankOfFunction)
{
    assert(tree);
    const std::shared_ptr<FlameLayout> layout(new FlameLayout());
    layout->m_tree = std::move(tree);
    layout->m_weight = &layout->m_tree->totalColumn(metric);
    layout->m_metric = metric;
    layout->m_order = order;
    layout->m_levelBegin.push_back(0);
    if (!layout->m_weight->empty() && layout->weightOf(0) > 0)
        layout->placeAll(rankOfFunction);
    return layout;
}

/// The array of bars is its own work queue: each bar appends its children behind all bars of its
/// level, so the levels come out in order and nothing recurses.
void FlameLayout::placeAll(const std::vector<std::uint32_t>& rankOfFunction)
{
    const std::uint32_t nodeCount = m_tree->nodeCount();
    const ChildAppender children(*m_tree, *m_weight, m_order, rankOfFunction);
    m_wholeWidth = weightOf(0);
    m_node.reserve(nodeCount);
    m_start.reserve(nodeCount);
    m_barOfNode.assign(nodeCount, noBar);
    m_node.push_back(0);
    m_start.push_back(0);
    for (std::uint32_t next = 0; next < barCount();) {
        const std::uint32_t levelEnd = barCount();
        for (; next < levelEnd; ++next) {
            m_barOfNode[m_node[next]] = next;
            std::uint64_t start = m_start[next];
            children.append(m_node[next], m_node);
            while (m_start.size() < m_node.size()) {
                const std::uint64_t width = weightOf(m_node[m_start.size()]);
                m_start.push_back(start);
                start += width;
            }
        }
        m_levelBegin.push_back(levelEnd);
    }
}

std::uint32_t FlameLayout::levelOf(std::uint32_t bar) const
{
    const auto next = std::upper_bound(m_levelBegin.begin(), m_levelBegin.end(), bar);
    return static_cast<std::uint32_t>(next - m_levelBegin.begin()) - 1;
}

FlameBar FlameLayout::bar(std::uint32_t index) const
{
    return {NodeId(m_node[index]), levelOf(index), m_start[index], weightOf(m_node[index])};
}

std::optional<std::uint32_t> FlameLayout::barOf(NodeId node) const
{
    if (!node.isValid() || node.value() >= m_barOfNode.size() || m_barOfNode[node.value()] == noBar)
        return {};
    return m_barOfNode[node.value()];
}

std::optional<std::uint32_t> FlameLayout::barAt(std::uint32_t level, double position) const
{
    if (level >= levelCount())
        return {};
    const std::uint32_t bar = firstEndingAfter(level, position);
    if (bar == m_levelBegin[level + 1] || static_cast<double>(m_start[bar]) > position)
        return {};
    return bar;
}

std::optional<std::uint32_t> FlameLayout::parentOf(std::uint32_t bar) const
{
    return barOf(m_tree->parent(node(bar)));
}

std::optional<std::uint32_t> FlameLayout::heaviestChildOf(std::uint32_t bar) const
{
    std::optional<std::uint32_t> heaviest;
    const NodeId parent = node(bar);
    for (std::uint32_t row = 0; row < m_tree->childCount(parent); ++row) {
        const auto child = barOf(m_tree->child(parent, row));
        if (child && (!heaviest || weightOf(m_node[*child]) > weightOf(m_node[*heaviest])))
            heaviest = child;
    }
    return heaviest;
}

std::optional<std::uint32_t> FlameLayout::leftOf(std::uint32_t bar) const
{
    if (bar == 0 || m_tree->parent(node(bar - 1)) != m_tree->parent(node(bar)))
        return {};
    return bar - 1;
}

std::optional<std::uint32_t> FlameLayout::rightOf(std::uint32_t bar) const
{
    if (bar + 1 >= barCount() || m_tree->parent(node(bar + 1)) != m_tree->parent(node(bar)))
        return {};
    return bar + 1;
}

std::uint32_t FlameLayout::deepestWithin(std::uint32_t bar) const
{
    const std::uint32_t level = levelOf(bar) + heightOf(bar) - 1;
    return level == levelOf(bar) ? bar : firstEndingAfter(level, static_cast<double>(m_start[bar]));
}

std::uint32_t FlameLayout::heightOf(std::uint32_t bar) const
{
    std::uint32_t level = levelOf(bar) + 1;
    const std::uint32_t first = level;
    while (level < levelCount() && hasBarsWithin(level, m_start[bar], endOf(bar)))
        ++level;
    return 1 + level - first;
}

bool FlameLayout::hasBarsWithin(std::uint32_t level, std::uint64_t start, std::uint64_t end) const
{
    const std::uint32_t bar = firstEndingAfter(level, static_cast<double>(start));
    return bar != m_levelBegin[level + 1] && m_start[bar] < end;
}

/// The first bar of a level that ends behind `position`, or the end of the level.
std::uint32_t FlameLayout::firstEndingAfter(std::uint32_t level, double position) const
{
    std::uint32_t low = m_levelBegin[level];
    std::uint32_t high = m_levelBegin[level + 1];
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (static_cast<double>(endOf(middle)) > position)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// The first bar behind `bar` that starts at or behind `position`; gallops, since it is mostly
/// near.
std::uint32_t FlameLayout::firstStartingFrom(std::uint32_t bar, std::uint32_t end,
                                             double position) const
{
    std::uint32_t step = 1;
    while (step < end - bar && static_cast<double>(m_start[bar + step]) < position)
        step *= 2;
    const auto first = m_start.begin() + bar + step / 2;
    const auto last = m_start.begin() + bar + std::min(step, end - bar);
    const auto isBefore = [](std::uint64_t start, double value) {
        return static_cast<double>(start) < value;
    };
    return static_cast<std::uint32_t>(std::lower_bound(first, last, position, isBefore)
                                      - m_start.begin());
}

/// The frame at `bar`, or the frames from `bar` on that are too narrow, each pixel in one step: of
/// the bars that start within one pixel all but the last are sure to be narrow.
FlameSpan FlameLayout::spanFrom(std::uint32_t bar, std::uint32_t end, double minimumWidth) const
{
    const auto isNarrow = [&](std::uint32_t index) {
        return static_cast<double>(weightOf(m_node[index])) < minimumWidth;
    };
    FlameSpan span{bar, 1, m_start[bar], endOf(bar), isNarrow(bar)};
    if (!span.isMerged)
        return span;
    std::uint32_t next = bar;
    do {
        const double pixelEnd = static_cast<double>(m_start[next]) + minimumWidth;
        next = firstStartingFrom(next, end, pixelEnd);
        if (!isNarrow(next - 1))
            --next;
        span.end = endOf(next - 1);
    } while (next < end && isNarrow(next)
             && static_cast<double>(m_start[next] - span.end) < minimumWidth);
    span.barCount = next - bar;
    return span;
}

void FlameLayout::findSpans(std::uint32_t level, double from, double to, double minimumWidth,
                            std::vector<FlameSpan>& spans) const
{
    if (level >= levelCount())
        return;
    std::uint32_t bar = firstEndingAfter(level, from);
    const std::uint32_t end = firstStartingFrom(bar, m_levelBegin[level + 1], to);
    while (bar < end) {
        spans.push_back(spanFrom(bar, end, minimumWidth));
        bar += spans.back().barCount;
    }
}

} // namespace perilune
