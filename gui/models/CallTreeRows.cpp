// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CallTreeRows.h"

#include <algorithm>
#include <numeric>

namespace perilune {

namespace {

/// A caller whose self is at most this part of its total hides nothing when it shares a row.
constexpr std::uint64_t foldedSelfDivisor = 100;

} // namespace

TopDownRows::TopDownRows(std::shared_ptr<const CallTree> tree, Metric weight, Chains chains)
    : m_whole(std::move(tree))
    , m_tree(m_whole)
{
    sortSiblings(weight);
    if (chains == Chains::Folded)
        foldChains(weight);
}

TopDownRows::TopDownRows(std::shared_ptr<const CallTree> whole, PartialTree part, Metric weight,
                         Chains chains)
    : m_whole(std::move(whole))
    , m_part(std::move(part))
    , m_tree(m_part.tree)
    , m_rowOfNode(m_whole->nodeCount(), root)
{
    for (std::uint32_t row = 0; row < m_part.original.size(); ++row)
        m_rowOfNode[m_part.original[row].value()] = row;
    sortSiblings(weight);
    if (chains == Chains::Folded)
        foldChains(weight);
}

/// The nodes of a tree are in the order of one metric; for another they need a map.
void TopDownRows::sortSiblings(Metric weight)
{
    const std::vector<std::uint64_t>& total = m_tree->totalColumn(weight);
    if (total.empty())
        return;
    const auto isHeavier = [&](std::uint32_t a, std::uint32_t b) { return total[a] > total[b]; };
    std::vector<std::uint32_t> order(m_tree->nodeCount());
    std::iota(order.begin(), order.end(), 0u);
    bool hasMoved = false;
    for (std::uint32_t node = 0; node < m_tree->nodeCount(); ++node) {
        if (m_tree->childCount(NodeId(node)) == 0)
            continue;
        const auto first = order.begin() + m_tree->firstChild(NodeId(node)).value();
        const auto last = first + m_tree->childCount(NodeId(node));
        if (std::is_sorted(first, last, isHeavier))
            continue;
        std::stable_sort(first, last, isHeavier);
        hasMoved = true;
    }
    if (!hasMoved)
        return;
    m_placeOfNode.resize(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place)
        m_placeOfNode[order[place]] = place;
    m_nodeAtPlace = std::move(order);
}

bool TopDownRows::foldsIntoChild(NodeId node, Metric weight) const
{
    if (m_tree->childCount(node) != 1 || node == m_tree->root())
        return false;
    return m_tree->self(weight, node) <= m_tree->total(weight, node) / foldedSelfDivisor;
}

/// Children have higher numbers than their parents: two passes find both ends of every chain.
void TopDownRows::foldChains(Metric weight)
{
    const std::uint32_t count = m_tree->nodeCount();
    m_tail.resize(count);
    m_head.resize(count);
    std::iota(m_head.begin(), m_head.end(), 0u);
    for (std::uint32_t node = count; node-- > 0;) {
        const bool folds = foldsIntoChild(NodeId(node), weight);
        m_tail[node] = folds ? m_tail[m_tree->firstChild(NodeId(node)).value()] : node;
    }
    for (std::uint32_t node = 1; node < count; ++node) {
        const NodeId parent = m_tree->parent(NodeId(node));
        if (foldsIntoChild(parent, weight))
            m_head[node] = m_head[parent.value()];
    }
}

CallTreeRows::Row TopDownRows::child(Row row, std::uint32_t index) const
{
    const std::uint32_t place = m_tree->firstChild(NodeId(row)).value() + index;
    return tailOf(m_nodeAtPlace.empty() ? place : m_nodeAtPlace[place]);
}

CallTreeRows::Row TopDownRows::parent(Row row) const
{
    const NodeId parent = m_tree->parent(NodeId(headOf(row)));
    return parent.isValid() ? parent.value() : root;
}

std::uint32_t TopDownRows::indexInParent(Row row) const
{
    const Row head = headOf(row);
    const std::uint32_t place = m_placeOfNode.empty() ? head : m_placeOfNode[head];
    const NodeId parent = m_tree->parent(NodeId(head));
    return parent.isValid() ? place - m_tree->firstChild(parent).value() : 0;
}

std::vector<FunctionId> TopDownRows::functions(Row row) const
{
    std::vector<FunctionId> functions;
    const NodeId end = m_tree->parent(NodeId(headOf(row)));
    for (NodeId step(row); step != end; step = m_tree->parent(step))
        functions.push_back(m_tree->function(step));
    std::reverse(functions.begin(), functions.end());
    return functions;
}

NodeId TopDownRows::node(Row row) const
{
    return m_rowOfNode.empty() ? NodeId(row) : m_part.original[row];
}

CallTreeRows::Row TopDownRows::rowOf(NodeId node) const
{
    if (!node.isValid() || node.value() >= m_whole->nodeCount())
        return root;
    return tailOf(m_rowOfNode.empty() ? node.value() : m_rowOfNode[node.value()]);
}

std::uint64_t TopDownRows::self(Metric metric, Row row) const
{
    const NodeId head(headOf(row));
    const NodeId tail(row);
    return m_tree->total(metric, head) - m_tree->total(metric, tail) + m_tree->self(metric, tail);
}

std::uint64_t TopDownRows::total(Metric metric, Row row) const
{
    return m_tree->total(metric, NodeId(headOf(row)));
}

std::uint64_t TopDownRows::divided(Metric metric, Row row) const
{
    return m_tree->total(metric, NodeId(row));
}

BottomUpRows::BottomUpRows(std::shared_ptr<const CallTree> tree, Metric weight, FunctionId only)
    : m_tree(std::move(tree), weight, only)
    , m_isPublished(m_tree.rowCount())
{
    m_isPublished[root] = true;
}

std::uint32_t BottomUpRows::childCount(Row row) const
{
    return m_isPublished[row] ? m_tree.childCount(row) : 0;
}

bool BottomUpRows::canFetch(Row row) const
{
    return m_tree.hasChildren(row) && !m_isPublished[row];
}

std::uint32_t BottomUpRows::prepare(Row row)
{
    m_tree.expand(row);
    m_isPublished.resize(m_tree.rowCount());
    return m_tree.childCount(row);
}

std::uint64_t BottomUpRows::divided(Metric metric, Row row) const
{
    return row == root ? m_tree.tree().total(metric, m_tree.tree().root())
                       : m_tree.self(metric, row);
}

} // namespace perilune
