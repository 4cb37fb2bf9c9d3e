// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"
#include "core/analysis/ComparisonTree.h"
#include "gui/views/CompareColors.h"
#include "gui/views/FlameColors.h"

#include <QCoreApplication>

#include <memory>
#include <vector>

namespace perilune {

/// The frames of a differential flame graph: blue for faster, orange for slower, full colour at a
/// factor of two; pale where the function's change is not clear. New is dotted, gone is hatched.
class CompareFlameScheme : public FlameScheme
{
    Q_DECLARE_TR_FUNCTIONS(perilune::CompareFlameScheme)
public:
    enum class Cost
    {
        Self,
        Total
    };

    CompareFlameScheme(std::shared_ptr<const Comparison> comparison,
                       std::shared_ptr<const ComparisonTree> tree,
                       std::vector<std::uint32_t> unionNodes, Cost cost, const QPalette& palette);

    QRgb colorOf(const FlameLayout& layout, std::uint32_t bar) const override;
    FlamePattern patternOf(const FlameLayout& layout, std::uint32_t bar) const override;
    Legend legend() const override;

private:
    std::uint32_t unionNode(const FlameLayout& layout, std::uint32_t bar) const;
    ChangeStrength strengthOf(std::size_t function) const;

    std::shared_ptr<const ComparisonTree> m_tree;
    std::vector<std::uint32_t> m_unionNodes; ///< By NodeId of the layout's tree.
    std::vector<char> m_isClear;             ///< By index in MatchedRuns::functions().
    bool m_isJudged; ///< There are enough runs; else everything would be pale for no reason.
    Cost m_cost;
    CompareColors m_colors;
};

} // namespace perilune
