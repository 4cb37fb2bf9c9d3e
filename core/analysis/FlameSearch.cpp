// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FlameSearch.h"

#include <algorithm>

namespace perilune {

namespace {

/// Bars are numbered by level, so the lower number of two that start together is the caller.
void sortLeftToRight(const FlameLayout& layout, std::vector<std::uint32_t>& bars)
{
    std::vector<std::pair<std::uint64_t, std::uint32_t>> byStart;
    byStart.reserve(bars.size());
    for (const std::uint32_t bar : bars)
        byStart.emplace_back(layout.startOf(bar), bar);
    std::sort(byStart.begin(), byStart.end());
    for (std::size_t i = 0; i < bars.size(); ++i)
        bars[i] = byStart[i].second;
}

} // namespace

FlameMatches findFlameMatches(const FlameLayout& layout, const std::vector<std::uint8_t>& isMatch)
{
    FlameMatches matches;
    const CallTree& tree = layout.tree();
    // Whether a bar or one above it matches; callers have lower numbers, so one pass is enough.
    std::vector<std::uint8_t> isCovered(layout.barCount());
    for (std::uint32_t bar = 0; bar < layout.barCount(); ++bar) {
        const auto parent = layout.parentOf(bar);
        const bool isInMatch = parent && isCovered[*parent] != 0;
        const FunctionId function = tree.function(layout.node(bar));
        const bool matchesItself = function.isValid() && isMatch[function.value()] != 0;
        isCovered[bar] = isInMatch || matchesItself;
        if (!matchesItself)
            continue;
        matches.bars.push_back(bar);
        if (!isInMatch)
            matches.weight += layout.widthOf(bar);
    }
    sortLeftToRight(layout, matches.bars);
    return matches;
}

TreeMatches countTreeMatches(const CallTree& tree, Metric metric,
                             const std::vector<std::uint8_t>& isMatch)
{
    TreeMatches matches;
    std::vector<bool> isCovered(tree.nodeCount());
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index) {
        const NodeId node(index);
        const bool isInMatch = index > 0 && isCovered[tree.parent(node).value()];
        const FunctionId function = tree.function(node);
        const bool matchesItself = function.isValid() && isMatch[function.value()] != 0;
        isCovered[index] = isInMatch || matchesItself;
        matches.count += matchesItself ? 1 : 0;
        if (matchesItself && !isInMatch)
            matches.weight += tree.total(metric, node);
    }
    return matches;
}

} // namespace perilune
