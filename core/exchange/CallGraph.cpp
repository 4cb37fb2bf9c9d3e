// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/CallGraph.h"

#include "core/exchange/ProfileAssembler.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <string>

namespace perilune {

namespace {

constexpr std::uint32_t expandedNodeLimit = 300000;

/// Shares out `amount` by `weights`; the parts add up to it exactly.
std::vector<std::uint64_t> sharesOf(std::uint64_t amount, const std::vector<double>& weights)
{
    double whole = 0;
    for (const double weight : weights)
        whole += weight;
    std::vector<std::uint64_t> parts(weights.size());
    std::uint64_t rest = amount;
    for (std::size_t index = 0; index < weights.size() && whole > 0; ++index) {
        const double share = static_cast<double>(amount) * (weights[index] / whole);
        parts[index] = std::min(rest, static_cast<std::uint64_t>(share));
        rest -= parts[index];
    }
    if (!parts.empty())
        *std::ranges::max_element(parts) += rest;
    return parts;
}

} // namespace

std::uint32_t CallGraph::function(std::string_view name, std::string_view file)
{
    std::vector<std::uint32_t>& sameName = m_functionsByName[name];
    for (const std::uint32_t id : sameName) {
        if (m_functions[id].file == file)
            return id;
    }
    const std::uint32_t id = functionCount();
    m_functions.push_back({name, file, 0, 0, {}});
    sameName.push_back(id);
    return id;
}

void CallGraph::setLine(std::uint32_t function, std::uint64_t line)
{
    m_functions[function].line = line;
}

void CallGraph::setLineIfUnknown(std::uint32_t function, std::uint64_t line)
{
    if (m_functions[function].line == 0)
        m_functions[function].line = line;
}

void CallGraph::addSelf(std::uint32_t function, std::uint64_t cost)
{
    m_functions[function].selfCost += cost;
}

void CallGraph::addCalls(std::uint32_t caller, std::uint32_t callee, std::uint64_t calls,
                         std::uint64_t inclusiveCost)
{
    const auto next = static_cast<std::uint32_t>(m_edges.size());
    const std::uint32_t edge = m_edgeIds.findOrInsert(caller, callee, next);
    if (edge == next) {
        m_edges.push_back({caller, callee, 0, 0});
        m_functions[caller].callees.push_back(edge);
    }
    m_edges[edge].calls += calls;
    m_edges[edge].cost += inclusiveCost;
}

/// Follows the graph from its roots and makes a node of each call.
class CallGraph::Expansion
{
public:
    Expansion(const CallGraph& graph, ProfileAssembler& assembler, std::uint64_t unit)
        : m_graph(graph)
        , m_assembler(assembler)
        , m_unit(unit)
        , m_inclusive(graph.functionCount())
        , m_incomingCalls(graph.functionCount())
        , m_nodesOfFunction(graph.functionCount())
        , m_nodesOfEdge(graph.m_edges.size())
    {
        addFunctions();
        findInclusiveCosts();
    }

    void run()
    {
        m_nodes.push_back({}); // the root of the assembler
        for (std::uint32_t function = 0; function < m_graph.functionCount(); ++function) {
            if (m_incomingCalls[function] == 0 && !m_hasCaller[function])
                expandFrom(function);
        }
        // What is left is called in circles only; enter each circle where it costs most.
        for (const std::uint32_t function : heaviestFirst()) {
            if (!m_isReached[function])
                expandFrom(function);
        }
        placeCosts();
        placeCalls();
    }

private:
    struct Node
    {
        std::uint32_t function = 0;
        std::uint32_t parent = 0;
        double share = 0; ///< Of all that the function cost and called.
    };
    struct Pending
    {
        double cost = 0;
        std::uint32_t node = 0;
        friend bool operator<(const Pending& a, const Pending& b) { return a.cost < b.cost; }
    };

    void addFunctions()
    {
        for (const GraphFunction& function : m_graph.m_functions) {
            FunctionLabel label{
                std::string(function.name), std::string(function.file),
                static_cast<int>(std::min<std::uint64_t>(function.line, INT32_MAX))};
            const bool isUnknown = label.file.empty() || label.file == "???";
            if (isUnknown)
                label.file.clear();
            m_ids.push_back(
                m_assembler.function(label, isUnknown ? FunctionKind::C : guessKind(label)));
        }
    }

    void findInclusiveCosts()
    {
        m_hasCaller.resize(m_graph.functionCount());
        m_isReached.resize(m_graph.functionCount());
        std::vector<double> incoming(m_graph.functionCount());
        for (std::uint32_t function = 0; function < m_graph.functionCount(); ++function)
            m_inclusive[function] = static_cast<double>(m_graph.m_functions[function].selfCost);
        for (const GraphEdge& edge : m_graph.m_edges) {
            if (edge.caller == edge.callee)
                continue;
            m_inclusive[edge.caller] += static_cast<double>(edge.cost);
            incoming[edge.callee] += static_cast<double>(edge.cost);
            m_incomingCalls[edge.callee] += static_cast<double>(edge.calls);
            m_hasCaller[edge.callee] = true;
        }
        for (std::uint32_t function = 0; function < m_graph.functionCount(); ++function)
            m_inclusive[function] = std::max(m_inclusive[function], incoming[function]);
    }

    std::vector<std::uint32_t> heaviestFirst() const
    {
        std::vector<std::uint32_t> order(m_graph.functionCount());
        for (std::uint32_t function = 0; function < order.size(); ++function)
            order[function] = function;
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [this](std::uint32_t function) { return m_inclusive[function]; });
        return order;
    }

    void expandFrom(std::uint32_t function)
    {
        markReached(function);
        m_pending.push({m_inclusive[function], addNode(0, function, 1.0)});
        while (!m_pending.empty() && m_nodes.size() < expandedNodeLimit) {
            const std::uint32_t node = m_pending.top().node;
            m_pending.pop();
            for (const std::uint32_t edge : m_graph.m_functions[m_nodes[node].function].callees)
                followEdge(node, edge);
        }
    }

    /// Marks all that can be reached, whether a node will be made of it or not.
    void markReached(std::uint32_t function)
    {
        std::vector<std::uint32_t> queue = {function};
        m_isReached[function] = true;
        while (!queue.empty()) {
            const std::uint32_t caller = queue.back();
            queue.pop_back();
            for (const std::uint32_t edge : m_graph.m_functions[caller].callees) {
                const std::uint32_t callee = m_graph.m_edges[edge].callee;
                if (!m_isReached[callee])
                    queue.push_back(callee);
                m_isReached[callee] = true;
            }
        }
    }

    std::uint32_t addNode(std::uint32_t parent, std::uint32_t function, double share)
    {
        if (parent == 0 && m_ids[function] == FunctionId(0)) {
            m_nodes[0] = {function, 0, share};
            m_nodesOfFunction[function].push_back(0);
            return 0;
        }
        const std::uint32_t node = m_assembler.addNode(parent, m_ids[function]);
        m_nodes.push_back({function, parent, share});
        m_nodesOfFunction[function].push_back(node);
        return node;
    }

    void followEdge(std::uint32_t node, std::uint32_t edgeIndex)
    {
        const GraphEdge& edge = m_graph.m_edges[edgeIndex];
        const double share = m_nodes[node].share;
        const double cost = static_cast<double>(edge.cost) * share;
        const double calls = static_cast<double>(edge.calls) * share;
        if (isOnPath(node, edge.callee)) {
            const std::uint32_t leaf = m_assembler.addNode(node, m_ids[edge.callee]);
            m_nodes.push_back({edge.callee, node, share});
            m_nodesOfEdge[edgeIndex].push_back(leaf);
            return;
        }
        double calleeShare = 0;
        if (m_inclusive[edge.callee] > 0)
            calleeShare = cost / m_inclusive[edge.callee];
        else if (m_incomingCalls[edge.callee] > 0)
            calleeShare = calls / m_incomingCalls[edge.callee];
        const std::uint32_t child = addNode(node, edge.callee, calleeShare);
        m_nodesOfEdge[edgeIndex].push_back(child);
        m_pending.push({cost, child});
    }

    bool isOnPath(std::uint32_t node, std::uint32_t function) const
    {
        for (; node != 0; node = m_nodes[node].parent) {
            if (m_nodes[node].function == function)
                return true;
        }
        return false;
    }

    /// For costs and calls whose paths were not followed any more.
    std::uint32_t otherPathsNode(std::uint32_t function)
    {
        const FunctionId other =
            m_assembler.function({"(other paths)", {}, 0}, FunctionKind::Folded);
        return m_assembler.child(m_assembler.child(ProfileAssembler::root, other), m_ids[function]);
    }

    void placeCosts()
    {
        for (std::uint32_t function = 0; function < m_graph.functionCount(); ++function) {
            const std::uint64_t cost =
                saturatingProduct(m_graph.m_functions[function].selfCost, m_unit);
            const std::vector<std::uint32_t>& nodes = m_nodesOfFunction[function];
            if (nodes.empty()) {
                if (cost > 0)
                    m_assembler.add(otherPathsNode(function), Metric::Time, cost);
                continue;
            }
            std::vector<double> shares;
            for (const std::uint32_t node : nodes)
                shares.push_back(m_nodes[node].share);
            const std::vector<std::uint64_t> parts = sharesOf(cost, shares);
            for (std::size_t index = 0; index < nodes.size(); ++index)
                m_assembler.add(nodes[index], Metric::Time, parts[index]);
        }
    }

    void placeCalls()
    {
        for (std::size_t index = 0; index < m_graph.m_edges.size(); ++index) {
            const GraphEdge& edge = m_graph.m_edges[index];
            if (edge.calls == 0)
                continue;
            const std::vector<std::uint32_t>& nodes = m_nodesOfEdge[index];
            if (nodes.empty()) {
                m_assembler.add(otherPathsNode(edge.callee), Metric::Calls, edge.calls);
                continue;
            }
            std::vector<double> shares;
            for (const std::uint32_t node : nodes)
                shares.push_back(m_nodes[m_nodes[node].parent].share);
            const std::vector<std::uint64_t> parts = sharesOf(edge.calls, shares);
            for (std::size_t place = 0; place < nodes.size(); ++place)
                m_assembler.add(nodes[place], Metric::Calls, parts[place]);
        }
    }

    const CallGraph& m_graph;
    ProfileAssembler& m_assembler;
    std::uint64_t m_unit;
    std::vector<FunctionId> m_ids;       ///< By function of the graph.
    std::vector<double> m_inclusive;     ///< By function, calls of itself left out.
    std::vector<double> m_incomingCalls; ///< Likewise.
    std::vector<bool> m_hasCaller;
    std::vector<bool> m_isReached;
    std::vector<Node> m_nodes; ///< By node of the assembler, which only this object adds to.
    std::vector<std::vector<std::uint32_t>> m_nodesOfFunction;
    std::vector<std::vector<std::uint32_t>> m_nodesOfEdge;
    std::priority_queue<Pending> m_pending;
};

void CallGraph::expandInto(ProfileAssembler& assembler, std::uint64_t unit) const
{
    Expansion(*this, assembler, unit).run();
}

} // namespace perilune
