// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"

#include "core/analysis/DepthFirst.h"

#include <algorithm>
#include <numeric>

namespace perilune {

namespace {

using Indices = std::vector<std::uint32_t>;

/// The numbers 0 … keys.size() - 1 in the order of `order`, sorted by their keys; equal keys keep
/// their order. All keys are smaller than `keyCount`.
Indices sortedByKey(const Indices& order, const Indices& keys, std::size_t keyCount)
{
    Indices next(keyCount + 1, 0);
    for (const std::uint32_t key : keys)
        ++next[key + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    Indices sorted(order.size());
    for (const std::uint32_t index : order)
        sorted[next[keys[index]]++] = index;
    return sorted;
}

Indices numbersUpTo(std::size_t count)
{
    Indices numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

/// Computes the rows and edges of a profile with a few walks over its columns.
///
/// Everything that needs no path is added up in the order of the nodes, which is the order of the
/// memory; only what recursion asks for, whether a function or an edge is already on the path, is
/// found by going through the tree depth first.
class TableBuilder
{
public:
    explicit TableBuilder(const Profile& profile)
        : m_profile(profile)
        , m_tree(*profile.tree)
        , m_nodeCount(m_tree.nodeCount())
        , m_functionCount(profile.functions.size())
    {
    }

    void run()
    {
        if (m_functionCount == 0)
            return;
        findCallersAndCallees();
        groupEdges();
        findOutermost();
        addRows();
        addEdgeCosts();
        countNeighbours();
    }

    std::vector<FunctionCosts> takeRows() { return std::move(m_rows); }
    Indices takeRowOfFunction() { return std::move(m_rowOfFunction); }
    std::vector<Edge> takeEdges() { return std::move(m_edges); }

private:
    enum Outermost : std::uint8_t
    {
        OfFunction = 1, ///< No node above has the same function.
        OfEdge = 2      ///< No node above has the same function and the same caller.
    };

    /// A call is a node below the root, or a folded tail call; both have a caller and a callee.
    void findCallersAndCallees()
    {
        m_callee.resize(m_nodeCount + m_profile.tailEdges.size());
        m_caller.resize(m_callee.size());
        for (std::uint32_t node = 0; node < m_nodeCount; ++node) {
            m_callee[node] = indexOf(m_tree.function(NodeId(node)));
            m_caller[node] = node == 0 ? 0 : m_callee[m_tree.parent(NodeId(node)).value()];
        }
        m_foldedInto.resize(m_profile.tailEdges.empty() ? 0 : m_nodeCount);
        for (std::size_t index = 0; index < m_profile.tailEdges.size(); ++index) {
            const TailEdge& edge = m_profile.tailEdges[index];
            m_caller[m_nodeCount + index] = m_callee[edge.from.value()];
            m_callee[m_nodeCount + index] = m_callee[edge.to.value()];
            m_foldedInto[edge.to.value()] += edge.calls;
        }
    }
    std::uint32_t indexOf(FunctionId function) const
    {
        return function.isValid() && function.value() < m_functionCount ? function.value() : 0;
    }

    /// Makes an edge of all calls with the same caller and callee, in the order of the two.
    void groupEdges()
    {
        Indices calls = sortedByKey(numbersUpTo(m_callee.size()), m_callee, m_functionCount);
        calls = sortedByKey(calls, m_caller, m_functionCount);
        m_edgeOfCall.resize(calls.size());
        Indices firstCalls; // of each edge
        std::uint32_t previous = 0;
        for (const std::uint32_t call : calls) {
            if (call == 0)
                continue; // the root is called by nobody
            if (firstCalls.empty() || m_caller[call] != m_caller[previous]
                || m_callee[call] != m_callee[previous])
                firstCalls.push_back(call);
            m_edgeOfCall[call] = static_cast<std::uint32_t>(firstCalls.size() - 1);
            previous = call;
        }
        m_edges.resize(firstCalls.size());
        for (std::size_t index = 0; index < m_edges.size(); ++index) {
            m_edges[index].caller = FunctionId(m_caller[firstCalls[index]]);
            m_edges[index].callee = FunctionId(m_callee[firstCalls[index]]);
            m_edges[index].hasTotal = false;
        }
    }

    void findOutermost()
    {
        m_outermost.resize(m_nodeCount);
        m_functionOnPath.resize(m_functionCount);
        m_edgeOnPath.resize(m_edges.size());
        walkDepthFirst(
            m_tree, [this](std::uint32_t node) { enter(node); },
            [this](std::uint32_t node) { leave(node); });
    }
    void enter(std::uint32_t node)
    {
        if (m_functionOnPath[m_callee[node]]++ == 0)
            m_outermost[node] |= OfFunction;
        if (node != 0 && m_edgeOnPath[m_edgeOfCall[node]]++ == 0)
            m_outermost[node] |= OfEdge;
    }
    void leave(std::uint32_t node)
    {
        --m_functionOnPath[m_callee[node]];
        if (node != 0)
            --m_edgeOnPath[m_edgeOfCall[node]];
    }

    std::uint64_t callsFromParent(std::uint32_t node) const
    {
        const std::uint64_t calls = m_tree.callCount(NodeId(node));
        return m_foldedInto.empty() ? calls : calls - std::min(calls, m_foldedInto[node]);
    }

    void addRows()
    {
        m_rowOfFunction.assign(m_functionCount, UINT32_MAX);
        for (std::uint32_t node = 0; node < m_nodeCount; ++node)
            m_rowOfFunction[m_callee[node]] = 0;
        for (std::uint32_t function = 0; function < m_functionCount; ++function) {
            if (m_rowOfFunction[function] == UINT32_MAX)
                continue;
            m_rowOfFunction[function] = static_cast<std::uint32_t>(m_rows.size());
            m_rows.emplace_back();
            m_rows.back().function = FunctionId(function);
        }
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            addMetric(static_cast<Metric>(metric));
        addTailCalls();
    }
    void addMetric(Metric metric)
    {
        if (!m_tree.has(metric))
            return;
        const auto& selfColumn = m_tree.selfColumn(metric);
        const auto& totalColumn = m_tree.totalColumn(metric);
        std::vector<std::uint64_t> self(m_functionCount, 0);
        std::vector<std::uint64_t> total(m_functionCount, 0);
        for (std::uint32_t node = 0; node < m_nodeCount; ++node) {
            self[m_callee[node]] += selfColumn[node];
            if ((m_outermost[node] & OfFunction) != 0)
                total[m_callee[node]] += totalColumn[node];
        }
        for (FunctionCosts& row : m_rows) {
            row.self[static_cast<std::size_t>(metric)] = self[row.function.value()];
            row.total[static_cast<std::size_t>(metric)] = total[row.function.value()];
            if (metric == Metric::Calls)
                row.calls = self[row.function.value()];
        }
    }
    void addTailCalls()
    {
        for (std::uint32_t node = 1; node < m_nodeCount; ++node)
            if (m_tree.isTailCall(NodeId(node)))
                m_rows[m_rowOfFunction[m_callee[node]]].tailCalls += callsFromParent(node);
        for (std::size_t index = 0; index < m_profile.tailEdges.size(); ++index)
            m_rows[m_rowOfFunction[m_callee[m_nodeCount + index]]].tailCalls +=
                m_profile.tailEdges[index].calls;
    }

    void addEdgeCosts()
    {
        for (std::uint32_t node = 1; node < m_nodeCount; ++node) {
            Edge& edge = m_edges[m_edgeOfCall[node]];
            const std::uint64_t calls = callsFromParent(node);
            edge.hasTotal = true;
            edge.calls += calls;
            if (m_tree.isTailCall(NodeId(node)))
                edge.tailCalls += calls;
            if ((m_outermost[node] & OfEdge) == 0)
                continue;
            for (std::size_t metric = 0; metric < metricCount; ++metric)
                if (m_tree.has(static_cast<Metric>(metric)))
                    edge.total[metric] += m_tree.total(static_cast<Metric>(metric), NodeId(node));
        }
        for (std::size_t index = 0; index < m_profile.tailEdges.size(); ++index) {
            Edge& edge = m_edges[m_edgeOfCall[m_nodeCount + index]];
            edge.calls += m_profile.tailEdges[index].calls;
            edge.tailCalls += m_profile.tailEdges[index].calls;
        }
    }
    void countNeighbours()
    {
        for (const Edge& edge : m_edges) {
            ++m_rows[m_rowOfFunction[edge.caller.value()]].calleeCount;
            ++m_rows[m_rowOfFunction[edge.callee.value()]].callerCount;
        }
    }

    const Profile& m_profile;
    const CallTree& m_tree;
    std::uint32_t m_nodeCount;
    std::size_t m_functionCount;
    Indices m_caller; ///< Function by call: first the nodes, then the folded tail calls.
    Indices m_callee; ///< Likewise.
    Indices m_edgeOfCall;
    std::vector<std::uint64_t> m_foldedInto; ///< Tail calls by the node they came back to.
    std::vector<std::uint8_t> m_outermost;   ///< Bits of Outermost by node.
    Indices m_functionOnPath;
    Indices m_edgeOnPath;
    std::vector<FunctionCosts> m_rows;
    Indices m_rowOfFunction;
    std::vector<Edge> m_edges;
};

std::vector<Edge> heaviestFirst(std::vector<Edge> edges)
{
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.total != b.total ? a.total > b.total : a.calls > b.calls;
    });
    return edges;
}

Indices calleesOfAll(const std::vector<Edge>& edges)
{
    Indices callees(edges.size());
    std::transform(edges.begin(), edges.end(), callees.begin(),
                   [](const Edge& edge) { return edge.callee.value(); });
    return callees;
}

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
    table.m_rows = builder.takeRows();
    table.m_rowOfFunction = builder.takeRowOfFunction();
    table.m_edges = builder.takeEdges();
    table.m_edgesByCallee = sortedByKey(numbersUpTo(table.m_edges.size()),
                                        calleesOfAll(table.m_edges), table.m_rowOfFunction.size());
    for (const FunctionCosts& costs : table.m_rows)
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            table.m_sum[metric] += costs.self[metric];
    return table;
}

const FunctionCosts* FunctionTable::find(FunctionId function) const
{
    if (!function.isValid() || function.value() >= m_rowOfFunction.size()
        || m_rowOfFunction[function.value()] == UINT32_MAX)
        return nullptr;
    return &m_rows[m_rowOfFunction[function.value()]];
}

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
