// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/CallTree.h"

#include <algorithm>
#include <numeric>

namespace perilune {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

using Column = std::vector<std::uint64_t>;

/// Children of each input node in input order, without a list per node: the children of `parent`
/// are order[first[parent]] … order[first[parent + 1] - 1].
struct Children
{
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> order;
};

Children childrenOf(const std::vector<CallTree::Input>& nodes)
{
    Children result;
    result.first.assign(nodes.size() + 1, 0);
    for (const CallTree::Input& node : nodes)
        if (node.parent != none)
            ++result.first[node.parent + 1];
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.order.resize(nodes.empty() ? 0 : nodes.size() - 1);
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    for (std::uint32_t index = 0; index < nodes.size(); ++index)
        if (nodes[index].parent != none)
            result.order[next[nodes[index].parent]++] = index;
    return result;
}

Column totalsInInputOrder(const std::vector<CallTree::Input>& nodes, std::size_t metric)
{
    Column total(nodes.size());
    for (std::size_t index = 0; index < nodes.size(); ++index)
        total[index] = nodes[index].self[metric];
    for (std::size_t index = nodes.size(); index-- > 1;)
        total[nodes[index].parent] += total[index];
    return total;
}

std::size_t firstMeasured(std::uint32_t measured)
{
    for (std::size_t metric = 0; metric < metricCount; ++metric)
        if (measured & (1u << metric))
            return metric;
    return 0;
}

} // namespace

std::shared_ptr<const CallTree> CallTree::empty()
{
    static const std::shared_ptr<const CallTree> tree = build({Input()}, 0);
    return tree;
}

std::shared_ptr<const CallTree> CallTree::build(const std::vector<Input>& nodes,
                                                std::uint32_t measured,
                                                std::vector<std::uint32_t>* newIndex)
{
    auto tree = std::make_shared<CallTree>();
    Children children = childrenOf(nodes);
    const Column weight = totalsInInputOrder(nodes, firstMeasured(measured));
    const std::size_t count = nodes.size();
    // Breadth first: each node's children are appended together, heaviest first.
    std::vector<std::uint32_t> oldIndex;
    oldIndex.reserve(count);
    oldIndex.push_back(0);
    tree->m_parent.assign(count, none);
    tree->m_firstChild.assign(count, 0);
    tree->m_childCount.assign(count, 0);
    for (std::uint32_t index = 0; index < oldIndex.size(); ++index) {
        const std::uint32_t old = oldIndex[index];
        const auto begin = children.order.begin() + children.first[old];
        const auto end = children.order.begin() + children.first[old + 1];
        std::stable_sort(begin, end,
                         [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
        tree->m_firstChild[index] = static_cast<std::uint32_t>(oldIndex.size());
        tree->m_childCount[index] = static_cast<std::uint32_t>(end - begin);
        for (auto child = begin; child != end; ++child) {
            tree->m_parent[oldIndex.size()] = index;
            oldIndex.push_back(*child);
        }
    }
    tree->m_measured = measured;
    tree->m_function.resize(count);
    tree->m_tail.resize(count);
    for (std::size_t index = 0; index < count; ++index) {
        tree->m_function[index] = nodes[oldIndex[index]].function.value();
        tree->m_tail[index] = nodes[oldIndex[index]].isTailCall ? 1 : 0;
    }
    for (std::size_t metric = 0; metric < metricCount; ++metric) {
        if ((measured & (1u << metric)) == 0)
            continue;
        Column& self = tree->m_self[metric];
        self.resize(count);
        for (std::size_t index = 0; index < count; ++index)
            self[index] = nodes[oldIndex[index]].self[metric];
        Column& total = tree->m_total[metric];
        total = self;
        for (std::size_t index = count; index-- > 1;)
            total[tree->m_parent[index]] += total[index];
    }
    if (newIndex) {
        newIndex->assign(count, none);
        for (std::uint32_t index = 0; index < count; ++index)
            (*newIndex)[oldIndex[index]] = index;
    }
    return tree;
}

std::uint32_t CallTree::rowInParent(NodeId node) const
{
    const NodeId above = parent(node);
    return above.isValid() ? node.value() - m_firstChild[above.value()] : 0;
}

std::uint32_t CallTree::depth(NodeId node) const
{
    std::uint32_t depth = 0;
    for (NodeId above = parent(node); above.isValid(); above = parent(above))
        ++depth;
    return depth;
}

std::uint64_t CallTree::self(Metric metric, NodeId node) const
{
    const Column& column = selfColumn(metric);
    return column.empty() ? 0 : column[node.value()];
}

std::uint64_t CallTree::total(Metric metric, NodeId node) const
{
    const Column& column = totalColumn(metric);
    return column.empty() ? 0 : column[node.value()];
}

Duration CallTree::selfTime(NodeId node) const
{
    return Duration::fromNanoseconds(static_cast<std::int64_t>(self(Metric::Time, node)));
}

Duration CallTree::totalTime(NodeId node) const
{
    return Duration::fromNanoseconds(static_cast<std::int64_t>(total(Metric::Time, node)));
}

const std::vector<std::uint64_t>& CallTree::selfColumn(Metric metric) const
{
    return m_self[static_cast<std::size_t>(metric)];
}

const std::vector<std::uint64_t>& CallTree::totalColumn(Metric metric) const
{
    return m_total[static_cast<std::size_t>(metric)];
}

} // namespace perilune
