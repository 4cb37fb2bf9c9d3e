// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"

#include <algorithm>
#include <unordered_map>

namespace perilune {

namespace {

std::uint64_t pairKey(FunctionId caller, FunctionId callee)
{
    return (static_cast<std::uint64_t>(caller.value()) << 32) | callee.value();
}

/// Walks the tree once, depth first, with a count of how often each function and each edge is on
/// the path.
class TableBuilder
{
public:
    explicit TableBuilder(const Profile& profile)
        : m_profile(profile)
        , m_tree(*profile.tree)
        , m_costs(profile.functions.size())
        , m_isEntered(profile.functions.size(), false)
        , m_onPath(profile.functions.size(), 0)
    {
    }

    void run()
    {
        countFoldedCalls();
        if (m_profile.functions.empty())
            return;
        // A node is pushed when it is entered and seen a second time, with its mark, when it is
        // left.
        std::vector<std::uint32_t> path{0};
        std::vector<std::uint32_t> nextRow{0};
        enter(NodeId(0));
        while (!path.empty()) {
            const NodeId node(path.back());
            if (nextRow.back() < m_tree.childCount(node)) {
                const NodeId child = m_tree.child(node, nextRow.back()++);
                enter(child);
                path.push_back(child.value());
                nextRow.push_back(0);
            } else {
                leave(node);
                path.pop_back();
                nextRow.pop_back();
            }
        }
    }

    std::vector<FunctionCosts> rows()
    {
        std::vector<FunctionCosts> rows;
        for (std::uint32_t index = 0; index < m_costs.size(); ++index) {
            if (!m_isEntered[index])
                continue;
            m_costs[index].function = FunctionId(index);
            rows.push_back(m_costs[index]);
        }
        return rows;
    }
    std::vector<Edge> edges() { return std::move(m_edges); }

private:
    void countFoldedCalls()
    {
        m_foldedInto.assign(m_profile.tailEdges.empty() ? 0 : m_tree.nodeCount(), 0);
        for (const TailEdge& edge : m_profile.tailEdges) {
            m_foldedInto[edge.to.value()] += edge.calls;
            const FunctionId caller = m_tree.function(edge.from);
            const FunctionId callee = m_tree.function(edge.to);
            Edge& total = edgeOf(caller, callee);
            total.calls += edge.calls;
            total.tailCalls += edge.calls;
            m_costs[callee.value()].tailCalls += edge.calls;
        }
    }
    std::uint64_t callsFromParent(NodeId node) const
    {
        const std::uint64_t calls = m_tree.callCount(node);
        const std::uint64_t folded = m_foldedInto.empty() ? 0 : m_foldedInto[node.value()];
        return calls - std::min(calls, folded);
    }

    Edge& edgeOf(FunctionId caller, FunctionId callee)
    {
        return m_edges[edgeIndex(caller, callee)];
    }
    std::uint32_t edgeIndex(FunctionId caller, FunctionId callee)
    {
        const auto [entry, isNew] = m_edgeIndex.try_emplace(
            pairKey(caller, callee), static_cast<std::uint32_t>(m_edges.size()));
        if (isNew) {
            Edge edge;
            edge.caller = caller;
            edge.callee = callee;
            edge.hasTotal = false;
            m_edges.push_back(edge);
            m_edgeOnPath.push_back(0);
        }
        return entry->second;
    }

    void enter(NodeId node)
    {
        const FunctionId function = m_tree.function(node);
        const std::uint32_t index = function.isValid() ? function.value() : 0;
        FunctionCosts& costs = m_costs[index];
        m_isEntered[index] = true;
        const bool isOutermost = m_onPath[index]++ == 0;
        for (std::size_t metric = 0; metric < metricCount; ++metric) {
            costs.self[metric] += m_tree.self(static_cast<Metric>(metric), node);
            if (isOutermost)
                costs.total[metric] += m_tree.total(static_cast<Metric>(metric), node);
        }
        costs.calls += m_tree.callCount(node);
        const NodeId parent = m_tree.parent(node);
        if (!parent.isValid())
            return;
        const std::uint64_t calls = callsFromParent(node);
        const std::uint32_t edgeNumber = edgeIndex(m_tree.function(parent), function);
        Edge& edge = m_edges[edgeNumber];
        edge.hasTotal = true;
        edge.calls += calls;
        if (m_tree.isTailCall(node)) {
            edge.tailCalls += calls;
            costs.tailCalls += calls;
        }
        if (m_edgeOnPath[edgeNumber]++ == 0)
            for (std::size_t metric = 0; metric < metricCount; ++metric)
                edge.total[metric] += m_tree.total(static_cast<Metric>(metric), node);
    }

    void leave(NodeId node)
    {
        const FunctionId function = m_tree.function(node);
        --m_onPath[function.isValid() ? function.value() : 0];
        const NodeId parent = m_tree.parent(node);
        if (parent.isValid())
            --m_edgeOnPath[edgeIndex(m_tree.function(parent), function)];
    }

    const Profile& m_profile;
    const CallTree& m_tree;
    std::vector<FunctionCosts> m_costs;
    std::vector<bool> m_isEntered;
    std::vector<std::uint32_t> m_onPath; ///< By function: activations on the current path.
    std::vector<std::uint64_t> m_foldedInto;
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_edgeOnPath;
    std::unordered_map<std::uint64_t, std::uint32_t> m_edgeIndex;
};

} // namespace

std::optional<Duration> FunctionCosts::meanTime() const
{
    if (calls == 0)
        return std::nullopt;
    return Duration::fromNanoseconds(static_cast<std::int64_t>(total[0] / calls));
}

FunctionTable FunctionTable::compute(const Profile& profile)
{
    TableBuilder builder(profile);
    builder.run();
    FunctionTable table;
    table.m_rows = builder.rows();
    table.m_edges = builder.edges();
    std::sort(table.m_edges.begin(), table.m_edges.end(), [](const Edge& a, const Edge& b) {
        return pairKey(a.caller, a.callee) < pairKey(b.caller, b.callee);
    });
    table.m_rowOfFunction.assign(profile.functions.size(), UINT32_MAX);
    for (std::uint32_t row = 0; row < table.m_rows.size(); ++row) {
        const FunctionCosts& costs = table.m_rows[row];
        table.m_rowOfFunction[costs.function.value()] = row;
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            table.m_sum[metric] += costs.self[metric];
    }
    table.m_edgesByCallee.resize(table.m_edges.size());
    for (std::uint32_t index = 0; index < table.m_edges.size(); ++index) {
        const Edge& edge = table.m_edges[index];
        table.m_edgesByCallee[index] = index;
        if (const auto row = table.m_rowOfFunction[edge.caller.value()]; row != UINT32_MAX)
            ++table.m_rows[row].calleeCount;
        if (const auto row = table.m_rowOfFunction[edge.callee.value()]; row != UINT32_MAX)
            ++table.m_rows[row].callerCount;
    }
    std::stable_sort(table.m_edgesByCallee.begin(), table.m_edgesByCallee.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         return table.m_edges[a].callee < table.m_edges[b].callee;
                     });
    return table;
}

const FunctionCosts* FunctionTable::find(FunctionId function) const
{
    if (!function.isValid() || function.value() >= m_rowOfFunction.size()
        || m_rowOfFunction[function.value()] == UINT32_MAX)
        return nullptr;
    return &m_rows[m_rowOfFunction[function.value()]];
}

namespace {

std::vector<Edge> heaviestFirst(std::vector<Edge> edges)
{
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.total != b.total ? a.total > b.total : a.calls > b.calls;
    });
    return edges;
}

} // namespace

std::vector<Edge> FunctionTable::callersOf(FunctionId function) const
{
    const auto before = [this](std::uint32_t index, FunctionId id) {
        return m_edges[index].callee < id;
    };
    std::vector<Edge> result;
    for (auto index =
             std::lower_bound(m_edgesByCallee.begin(), m_edgesByCallee.end(), function, before);
         index != m_edgesByCallee.end() && m_edges[*index].callee == function; ++index)
        result.push_back(m_edges[*index]);
    return heaviestFirst(std::move(result));
}

std::vector<Edge> FunctionTable::calleesOf(FunctionId function) const
{
    const auto before = [](const Edge& edge, FunctionId id) { return edge.caller < id; };
    std::vector<Edge> result;
    for (auto edge = std::lower_bound(m_edges.begin(), m_edges.end(), function, before);
         edge != m_edges.end() && edge->caller == function; ++edge)
        result.push_back(*edge);
    return heaviestFirst(std::move(result));
}

} // namespace perilune
