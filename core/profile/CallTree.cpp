// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/CallTree.h"

#include <algorithm>
#include <numeric>

namespace perilune {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

using Column = std::vector<std::uint64_t>;

/// The parent of each node; whatever is no earlier node becomes the root.
std::vector<std::uint32_t> parentsOf(const std::vector<CallTree::Input>& nodes)
{
    std::vector<std::uint32_t> parents(nodes.size());
    for (std::uint32_t index = 0; index < nodes.size(); ++index)
        parents[index] = nodes[index].parent < index ? nodes[index].parent : 0;
    parents[0] = none;
    return parents;
}

/// Children of each input node in input order, without a list per node: the children of `parent`
/// are order[first[parent]] … order[first[parent + 1] - 1].
struct Children
{
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> order;
};

Children childrenOf(const std::vector<std::uint32_t>& parents)
{
    Children result;
    result.first.assign(parents.size() + 1, 0);
    for (std::size_t index = 1; index < parents.size(); ++index)
        ++result.first[parents[index] + 1];
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.order.resize(parents.size() - 1);
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    for (std::uint32_t index = 1; index < parents.size(); ++index)
        result.order[next[parents[index]]++] = index;
    return result;
}

Column selfOf(const std::vector<CallTree::Input>& nodes, std::size_t metric)
{
    Column self(nodes.size());
    for (std::size_t index = 0; index < nodes.size(); ++index)
        self[index] = nodes[index].self[metric];
    return self;
}

/// Adds each value to its parent's, from the last node to the first.
Column summedUp(Column column, const std::vector<std::uint32_t>& parents)
{
    for (std::size_t index = column.size(); index-- > 1;)
        column[parents[index]] += column[index];
    return column;
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
    if (nodes.empty())
        return build({Input()}, measured, newIndex);
    auto tree = std::make_shared<CallTree>();
    tree->m_measured = measured;
    const std::vector<std::uint32_t> oldIndex = tree->number(nodes);
    tree->fillColumns(nodes, oldIndex);
    if (newIndex) {
        newIndex->resize(nodes.size());
        for (std::uint32_t index = 0; index < oldIndex.size(); ++index)
            (*newIndex)[oldIndex[index]] = index;
    }
    return tree;
}

/// Numbers the nodes breadth first, so that the children of each are appended together; returns the
/// input index by number.
std::vector<std::uint32_t> CallTree::number(const std::vector<Input>& nodes)
{
    const std::vector<std::uint32_t> parents = parentsOf(nodes);
    const Column weight = summedUp(selfOf(nodes, firstMeasured(m_measured)), parents);
    Children children = childrenOf(parents);
    std::vector<std::uint32_t> oldIndex{0};
    oldIndex.reserve(nodes.size());
    m_parent.assign(nodes.size(), none);
    m_firstChild.resize(nodes.size());
    m_childCount.resize(nodes.size());
    for (std::uint32_t index = 0; index < oldIndex.size(); ++index) {
        const auto begin = children.order.begin() + children.first[oldIndex[index]];
        const auto end = children.order.begin() + children.first[oldIndex[index] + 1];
        std::stable_sort(begin, end,
                         [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
        m_firstChild[index] = static_cast<std::uint32_t>(oldIndex.size());
        m_childCount[index] = static_cast<std::uint32_t>(end - begin);
        for (auto child = begin; child != end; ++child) {
            m_parent[oldIndex.size()] = index;
            oldIndex.push_back(*child);
        }
    }
    return oldIndex;
}

void CallTree::fillColumns(const std::vector<Input>& nodes,
                           const std::vector<std::uint32_t>& oldIndex)
{
    m_function.resize(nodes.size());
    m_tail.resize(nodes.size());
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        m_function[index] = nodes[oldIndex[index]].function.value();
        m_tail[index] = nodes[oldIndex[index]].isTailCall ? 1 : 0;
    }
    for (std::size_t metric = 0; metric < metricCount; ++metric) {
        if (!has(static_cast<Metric>(metric)))
            continue;
        m_self[metric].resize(nodes.size());
        for (std::size_t index = 0; index < nodes.size(); ++index)
            m_self[metric][index] = nodes[oldIndex[index]].self[metric];
        m_total[metric] = summedUp(m_self[metric], m_parent);
    }
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
