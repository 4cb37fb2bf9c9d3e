// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CompareFlameScheme.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune {

namespace {

/// -1 for half the cost or less, 0 for the same, 1 for twice as much or more.
double amountOf(double before, double after)
{
    if (before == after)
        return 0.0;
    if (before <= 0.0)
        return 1.0;
    if (after <= 0.0)
        return -1.0;
    return std::clamp(std::log2(after / before), -1.0, 1.0);
}

} // namespace

CompareFlameScheme::CompareFlameScheme(std::shared_ptr<const Comparison> comparison,
                                       std::shared_ptr<const ComparisonTree> tree,
                                       std::vector<std::uint32_t> unionNodes, Cost cost,
                                       const QPalette& palette)
    : m_tree(std::move(tree))
    , m_unionNodes(std::move(unionNodes))
    , m_isClear(comparison->runs().functions().size(), 0)
    , m_isJudged(comparison->whole().verdict != Verdict::TooFewRuns)
    , m_cost(cost)
    , m_colors(palette)
{
    for (const ComparisonRow& row : comparison->rows())
        m_isClear[row.function] = isClear(row.change.verdict) ? 1 : 0;
}

std::uint32_t CompareFlameScheme::unionNode(const FlameLayout& layout, std::uint32_t bar) const
{
    return m_unionNodes[layout.node(bar).value()];
}

ChangeStrength CompareFlameScheme::strengthOf(std::size_t function) const
{
    const bool isStrong = !m_isJudged || (function < m_isClear.size() && m_isClear[function]);
    return isStrong ? ChangeStrength::Strong : ChangeStrength::Weak;
}

QRgb CompareFlameScheme::colorOf(const FlameLayout& layout, std::uint32_t bar) const
{
    const std::uint32_t node = unionNode(layout, bar);
    const double amount = m_cost == Cost::Self
        ? amountOf(m_tree->selfA(node), m_tree->selfB(node))
        : amountOf(m_tree->totalA(node), m_tree->totalB(node));
    return m_colors.fill(amount, strengthOf(m_tree->function(node))).rgb();
}

FlamePattern CompareFlameScheme::patternOf(const FlameLayout& layout, std::uint32_t bar) const
{
    const std::uint32_t node = unionNode(layout, bar);
    if (node == 0 || m_tree->isInA(node) == m_tree->isInB(node))
        return FlamePattern::None;
    return m_tree->isInB(node) ? FlamePattern::Dotted : FlamePattern::Hatched;
}

FlameScheme::Legend CompareFlameScheme::legend() const
{
    Legend legend;
    legend.title = m_cost == Cost::Self ? tr("Change of self") : tr("Change of total");
    legend.gradient = {{tr("half or less"), m_colors.fill(-1.0, ChangeStrength::Strong)},
                       {tr("same"), m_colors.same()},
                       {tr("double or more"), m_colors.fill(1.0, ChangeStrength::Strong)}};
    legend.entries = {
        {tr("new"), m_colors.fill(1.0, ChangeStrength::Strong), FlamePattern::Dotted},
        {tr("gone"), m_colors.fill(-1.0, ChangeStrength::Strong), FlamePattern::Hatched}};
    if (m_isJudged)
        legend.entries.push_back({tr("pale: not clear"), m_colors.fill(1.0, ChangeStrength::Weak)});
    return legend;
}

} // namespace perilune
