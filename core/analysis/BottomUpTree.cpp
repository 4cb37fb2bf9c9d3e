// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/BottomUpTree.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace perilune {

BottomUpTree::BottomUpTree(std::shared_ptr<const CallTree> tree, Metric order, FunctionId only)
    : m_tree(std::move(tree))
    , m_order(order)
{
    findOutermost();
    RowData rootRow;
    rootRow.hasCallers = m_tree->nodeCount() > 1;
    rootRow.isExpanded = true;
    m_rows.push_back(rootRow);
    addChildren(root, occurrencesOf(only));
}

/// Walks the tree depth first with a count of how often each function is on the path.
void BottomUpTree::findOutermost()
{
    const CallTree& tree = *m_tree;
    std::vector<std::uint32_t> onPath;
    const auto countOf = [&](NodeId node) -> std::uint32_t& {
        const std::uint32_t function = tree.function(node).value();
        if (function >= onPath.size())
            onPath.resize(function + 1, 0);
        return onPath[function];
    };
    m_isOutermost.assign(tree.nodeCount(), false);
    std::vector<std::pair<NodeId, std::uint32_t>> path; // and the next child's row
    const auto enter = [&](NodeId node) {
        m_isOutermost[node.value()] = countOf(node)++ == 0;
        path.emplace_back(node, 0);
    };
    for (std::uint32_t row = 0; row < tree.childCount(tree.root()); ++row) {
        enter(tree.child(tree.root(), row));
        while (!path.empty()) {
            auto& [node, next] = path.back();
            if (next < tree.childCount(node)) {
                enter(tree.child(node, next++));
            } else {
                --countOf(node);
                path.pop_back();
            }
        }
    }
}

std::vector<BottomUpTree::Occurrence> BottomUpTree::occurrencesOf(FunctionId only) const
{
    std::vector<Occurrence> occurrences;
    for (std::uint32_t node = 1; node < m_tree->nodeCount(); ++node) {
        if (!only.isValid() || m_tree->function(NodeId(node)) == only)
            occurrences.push_back({node, node});
    }
    return occurrences;
}

/// What the host called has no caller to show.
std::vector<BottomUpTree::Occurrence> BottomUpTree::callersOf(Row row) const
{
    std::vector<Occurrence> callers;
    const RowData& data = m_rows[row];
    for (std::uint32_t i = 0; i < data.occurrenceCount; ++i) {
        const Occurrence& occurrence = m_occurrences[data.firstOccurrence + i];
        const NodeId caller = m_tree->parent(NodeId(occurrence.ancestor));
        if (caller != m_tree->root())
            callers.push_back({occurrence.node, caller.value()});
    }
    return callers;
}

void BottomUpTree::expand(Row row)
{
    if (std::exchange(m_rows[row].isExpanded, true))
        return;
    addChildren(row, callersOf(row));
}

/// Groups the occurrences by the function they have come to: each group is a row.
void BottomUpTree::addChildren(Row parent, std::vector<Occurrence> occurrences)
{
    const auto functionOf = [this](const Occurrence& occurrence) {
        return m_tree->function(NodeId(occurrence.ancestor)).value();
    };
    std::vector<std::uint64_t> keys(occurrences.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = (std::uint64_t(functionOf(occurrences[i])) << 32) | i;
    std::sort(keys.begin(), keys.end());

    std::vector<RowData> rows;
    auto first = static_cast<std::uint32_t>(m_occurrences.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        m_occurrences.push_back(occurrences[keys[i] & UINT32_MAX]);
        const bool isLastOfGroup = i + 1 == keys.size() || keys[i] >> 32 != keys[i + 1] >> 32;
        if (!isLastOfGroup)
            continue;
        const auto end = static_cast<std::uint32_t>(m_occurrences.size());
        rows.push_back(rowOf(parent, first, end));
        first = end;
    }
    std::sort(rows.begin(), rows.end(),
              [this](const RowData& a, const RowData& b) { return isBefore(a, b); });
    m_rows[parent].firstChild = rowCount();
    m_rows[parent].childCount = static_cast<std::uint32_t>(rows.size());
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
}

BottomUpTree::RowData BottomUpTree::rowOf(Row parent, std::uint32_t firstOccurrence,
                                          std::uint32_t end) const
{
    RowData row;
    row.function = m_tree->function(NodeId(m_occurrences[firstOccurrence].ancestor));
    row.parent = parent;
    row.firstOccurrence = firstOccurrence;
    row.occurrenceCount = end - firstOccurrence;
    for (std::uint32_t i = firstOccurrence; i < end; ++i) {
        const NodeId node(m_occurrences[i].node);
        const NodeId ancestor(m_occurrences[i].ancestor);
        row.hasCallers = row.hasCallers || m_tree->parent(ancestor) != m_tree->root();
        for (std::size_t metric = 0; metric < metricCount; ++metric) {
            row.self[metric] += m_tree->self(static_cast<Metric>(metric), node);
            if (m_isOutermost[node.value()])
                row.total[metric] += m_tree->total(static_cast<Metric>(metric), node);
        }
    }
    return row;
}

bool BottomUpTree::isBefore(const RowData& a, const RowData& b) const
{
    const auto metric = static_cast<std::size_t>(m_order);
    return std::tuple(b.self[metric], b.total[metric], a.function)
        < std::tuple(a.self[metric], a.total[metric], b.function);
}

std::uint64_t BottomUpTree::self(Metric metric, Row row) const
{
    return m_rows[row].self[static_cast<std::size_t>(metric)];
}

std::uint64_t BottomUpTree::total(Metric metric, Row row) const
{
    return m_rows[row].total[static_cast<std::size_t>(metric)];
}

} // namespace perilune
