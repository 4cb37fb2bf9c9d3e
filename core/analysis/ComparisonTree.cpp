// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/ComparisonTree.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace perilune {

/// Adds one run's tree after the other.
class ComparisonTreeBuilder
{
public:
    explicit ComparisonTreeBuilder(Metric metric)
        : m_tree(new ComparisonTree)
    {
        m_tree->m_metric = metric;
        addNode(UINT32_MAX, SIZE_MAX);
    }

    void add(const RunGroup& group, const std::vector<std::vector<std::size_t>>& indexOfFunction,
             std::uint8_t side)
    {
        const double share = group.empty() ? 0.0 : 1.0 / static_cast<double>(group.size());
        for (std::size_t run = 0; run < group.size(); ++run)
            addRun(*group[run].profile->tree, indexOfFunction[run], side, share);
    }

    std::shared_ptr<const ComparisonTree> take()
    {
        m_tree->m_totalA = totals(m_tree->m_selfA);
        m_tree->m_totalB = totals(m_tree->m_selfB);
        return std::move(m_tree);
    }

private:
    struct Step
    {
        std::uint32_t parent;
        std::size_t function;
        friend bool operator==(const Step&, const Step&) = default;
    };
    struct StepHash
    {
        std::size_t operator()(const Step& step) const noexcept
        {
            return (step.function * 0x9e3779b97f4a7c15u) ^ (step.parent * 0xff51afd7ed558ccdu);
        }
    };

    std::uint32_t addNode(std::uint32_t parent, std::size_t function)
    {
        m_tree->m_parent.push_back(parent);
        m_tree->m_function.push_back(function);
        for (std::vector<double>* column :
             {&m_tree->m_selfA, &m_tree->m_selfB, &m_tree->m_callsA, &m_tree->m_callsB})
            column->push_back(0.0);
        m_tree->m_sides.push_back(0);
        return m_tree->nodeCount() - 1;
    }

    std::uint32_t child(std::uint32_t parent, std::size_t function)
    {
        const auto [entry, isNew] = m_children.try_emplace(Step{parent, function}, 0u);
        if (isNew)
            entry->second = addNode(parent, function);
        return entry->second;
    }

    /// Parents come first in a call tree, so one pass finds every path.
    void addRun(const CallTree& tree, const std::vector<std::size_t>& indexOfFunction,
                std::uint8_t side, double share)
    {
        std::vector<std::uint32_t> unionNode(tree.nodeCount(), 0);
        for (std::uint32_t i = 0; i < tree.nodeCount(); ++i) {
            const NodeId node(i);
            const FunctionId function = tree.function(node);
            const std::size_t index =
                function.isValid() && function.value() < indexOfFunction.size()
                ? indexOfFunction[function.value()]
                : SIZE_MAX;
            if (i == 0)
                m_tree->m_function[0] = index;
            else
                unionNode[i] = child(unionNode[tree.parent(node).value()], index);
            addValues(tree, node, unionNode[i], side, share);
        }
    }

    void addValues(const CallTree& tree, NodeId node, std::uint32_t target, std::uint8_t side,
                   double share)
    {
        const bool isA = side == 1;
        m_tree->m_sides[target] |= side;
        (isA ? m_tree->m_selfA : m_tree->m_selfB)[target] +=
            share * static_cast<double>(tree.self(m_tree->m_metric, node));
        (isA ? m_tree->m_callsA : m_tree->m_callsB)[target] +=
            share * static_cast<double>(tree.callCount(node));
    }

    std::vector<double> totals(const std::vector<double>& self) const
    {
        std::vector<double> total = self;
        for (std::size_t node = total.size(); node-- > 1;)
            total[m_tree->m_parent[node]] += total[node];
        return total;
    }

    std::shared_ptr<ComparisonTree> m_tree;
    std::unordered_map<Step, std::uint32_t, StepHash> m_children;
};

namespace {

double widthOf(const ComparisonTree& tree, std::uint32_t node, UnionWidth width)
{
    const double a = tree.selfA(node);
    const double b = tree.selfB(node);
    switch (width) {
    case UnionWidth::Baseline:
        return a;
    case UnionWidth::Larger:
        return std::max(a, b);
    case UnionWidth::Difference:
        return std::abs(b - a);
    case UnionWidth::Changed:
        break;
    }
    return b;
}

} // namespace

std::shared_ptr<const ComparisonTree> ComparisonTree::build(const MatchedRuns& runs, Metric metric)
{
    ComparisonTreeBuilder builder(metric);
    builder.add(runs.a(), runs.indexOfFunctionA(), 1);
    builder.add(runs.b(), runs.indexOfFunctionB(), 2);
    return builder.take();
}

WidthTree widthTree(const ComparisonTree& unionTree, UnionWidth width)
{
    std::vector<CallTree::Input> nodes(unionTree.nodeCount());
    for (std::uint32_t node = 0; node < unionTree.nodeCount(); ++node) {
        CallTree::Input& input = nodes[node];
        input.parent = unionTree.parent(node);
        if (unionTree.function(node) != SIZE_MAX)
            input.function = FunctionId(static_cast<std::uint32_t>(unionTree.function(node)));
        input.self[static_cast<std::size_t>(Metric::Time)] =
            static_cast<std::uint64_t>(std::llround(widthOf(unionTree, node, width)));
    }
    std::vector<std::uint32_t> newIndex;
    WidthTree result;
    result.tree = CallTree::build(nodes, 1u << static_cast<unsigned>(Metric::Time), &newIndex);
    result.unionNode.resize(newIndex.size());
    for (std::uint32_t node = 0; node < newIndex.size(); ++node)
        result.unionNode[newIndex[node]] = node;
    return result;
}

} // namespace perilune
