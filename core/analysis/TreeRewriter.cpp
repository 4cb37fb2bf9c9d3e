// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/TreeRewriter.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace perilune {

namespace {

constexpr auto callsMetric = static_cast<std::size_t>(Metric::Calls);

std::uint64_t hashOf(std::uint32_t parent, FunctionId function, bool isTailCall)
{
    const std::uint64_t key =
        (static_cast<std::uint64_t>(parent) << 32) ^ (function.value() * 2u + (isTailCall ? 1 : 0));
    return (key ^ (key >> 29)) * 0x9e3779b97f4a7c15u;
}

/// Makes one of those between the same nodes.
void addUpTailEdges(std::vector<TailEdge>& edges)
{
    const auto placeOf = [](const TailEdge& edge) { return std::pair(edge.from, edge.to); };
    std::sort(edges.begin(), edges.end(),
              [placeOf](const TailEdge& a, const TailEdge& b) { return placeOf(a) < placeOf(b); });
    std::size_t last = 0;
    for (std::size_t index = 1; index < edges.size(); ++index) {
        if (placeOf(edges[index]) == placeOf(edges[last]))
            edges[last].calls += edges[index].calls;
        else
            edges[++last] = edges[index];
    }
    edges.resize(edges.empty() ? 0 : last + 1);
}

/// Makes one of those of the same line in the same node.
void addUpLines(std::vector<NodeLine>& lines)
{
    const auto placeOf = [](const NodeLine& line) { return std::pair(line.node, line.line); };
    std::sort(lines.begin(), lines.end(),
              [placeOf](const NodeLine& a, const NodeLine& b) { return placeOf(a) < placeOf(b); });
    std::size_t last = 0;
    for (std::size_t index = 1; index < lines.size(); ++index) {
        if (placeOf(lines[index]) != placeOf(lines[last])) {
            lines[++last] = lines[index];
            continue;
        }
        lines[last].hits += lines[index].hits;
        lines[last].selfTime += lines[index].selfTime;
        lines[last].calleeTime += lines[index].calleeTime;
        lines[last].calleeSamples += lines[index].calleeSamples;
    }
    lines.resize(lines.empty() ? 0 : last + 1);
}

} // namespace

TreeRewriter::TreeRewriter(const Profile& profile)
    : m_profile(profile)
    , m_slots(std::bit_ceil(std::size_t(2) * profile.tree->nodeCount() + 2), nowhere)
    , m_target(profile.tree->nodeCount(), nowhere)
    , m_isPlaced(profile.tree->nodeCount(), 0)
    , m_hasOwnLines(profile.tree->nodeCount(), 0)
{
    m_nodes.reserve(profile.tree->nodeCount());
    m_nodes.emplace_back();
    m_nodes[0].function = function(0);
    m_nodes[0].self[callsMetric] = tree().callCount(NodeId(0));
    m_depth.push_back(0);
}

FunctionId TreeRewriter::addFunction(Function function)
{
    m_addedFunctions.push_back(std::move(function));
    return FunctionId(
        static_cast<std::uint32_t>(m_profile.functions.size() + m_addedFunctions.size() - 1));
}

void TreeRewriter::keepRoot()
{
    mergeInto(0, 0);
    m_isPlaced[0] = m_hasOwnLines[0] = 1;
}

void TreeRewriter::place(std::uint32_t node, std::uint32_t newParent, FunctionId function,
                         bool isTailCall)
{
    const std::uint32_t newNode = findOrAddChild(newParent, function, isTailCall);
    mergeInto(node, newNode);
    m_nodes[newNode].self[callsMetric] += tree().callCount(NodeId(node));
    m_isPlaced[node] = 1;
    m_hasOwnLines[node] = function == this->function(node);
}

void TreeRewriter::place(std::uint32_t node, std::uint32_t newParent)
{
    place(node, newParent, function(node), isTailCall(node));
}

void TreeRewriter::placeWithoutCosts(std::uint32_t node, std::uint32_t newParent)
{
    const std::uint32_t newNode = findOrAddChild(newParent, function(node), isTailCall(node));
    m_nodes[newNode].self[callsMetric] += tree().callCount(NodeId(node));
    m_target[node] = newNode;
    m_isPlaced[node] = 1;
}

void TreeRewriter::mergeInto(std::uint32_t node, std::uint32_t newNode)
{
    m_target[node] = newNode;
    addCosts(node, newNode);
}

void TreeRewriter::addCosts(std::uint32_t node, std::uint32_t newNode)
{
    for (std::size_t metric = 0; metric < metricCount; ++metric)
        if (metric != callsMetric)
            m_nodes[newNode].self[metric] += tree().self(static_cast<Metric>(metric), NodeId(node));
}

std::uint32_t TreeRewriter::findOrAddChild(std::uint32_t newParent, FunctionId function,
                                           bool isTailCall)
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = (hashOf(newParent, function, isTailCall) >> 20) & mask;
    for (; m_slots[slot] != nowhere; slot = (slot + 1) & mask) {
        const CallTree::Input& node = m_nodes[m_slots[slot]];
        if (node.parent == newParent && node.function == function && node.isTailCall == isTailCall)
            return m_slots[slot];
    }
    const auto newNode = static_cast<std::uint32_t>(m_nodes.size());
    m_slots[slot] = newNode;
    m_nodes.emplace_back();
    m_nodes.back().parent = newParent;
    m_nodes.back().function = function;
    m_nodes.back().isTailCall = isTailCall;
    m_depth.push_back(m_depth[newParent] + 1);
    return newNode;
}

bool TreeRewriter::isAtOrAbove(std::uint32_t outer, std::uint32_t inner) const
{
    while (m_depth[inner] > m_depth[outer])
        inner = m_nodes[inner].parent;
    return inner == outer;
}

void TreeRewriter::addTailEdge(std::uint32_t from, std::uint32_t to, std::uint64_t calls)
{
    m_tailEdges.push_back({NodeId(m_target[from]), NodeId(m_target[to]), calls});
}

TreeRewriter::EdgeFate TreeRewriter::defaultFate(const TailEdge& edge) const
{
    return isPlaced(edge.to.value()) ? EdgeFate::Keep : EdgeFate::Forget;
}

void TreeRewriter::moveTailEdges(const std::function<EdgeFate(const TailEdge&)>& fateOf)
{
    for (const TailEdge& edge : m_profile.tailEdges) {
        const std::uint32_t from = m_target[edge.from.value()];
        const std::uint32_t to = m_target[edge.to.value()];
        if (from == nowhere || to == nowhere)
            continue;
        std::uint64_t& calls = m_nodes[to].self[callsMetric];
        const bool areCounted = isPlaced(edge.to.value());
        switch (fateOf ? fateOf(edge) : defaultFate(edge)) {
        case EdgeFate::Keep:
            calls += areCounted ? 0 : edge.calls;
            m_tailEdges.push_back({NodeId(from), NodeId(to), edge.calls});
            break;
        case EdgeFate::Internal:
            calls -= areCounted ? std::min(calls, edge.calls) : 0;
            break;
        case EdgeFate::Forget:
            break;
        }
    }
}

std::shared_ptr<const Profile>
TreeRewriter::finish(const std::function<EdgeFate(const TailEdge&)>& fateOf)
{
    moveTailEdges(fateOf);
    auto result = std::make_shared<Profile>();
    std::vector<std::uint32_t> newIndex;
    result->tree = CallTree::build(m_nodes, tree().measured(), &newIndex);
    copyTheRest(*result, newIndex);
    return result;
}

void TreeRewriter::copyTheRest(Profile& result, const std::vector<std::uint32_t>& newIndex) const
{
    result.run = m_profile.run;
    result.sources = m_profile.sources;
    result.functions = m_profile.functions;
    result.functions.insert(result.functions.end(), m_addedFunctions.begin(),
                            m_addedFunctions.end());
    result.durations = m_profile.durations;
    if (!result.durations.empty())
        result.durations.resize(result.functions.size());
    result.heapCurve = m_profile.heapCurve;
    for (const TailEdge& edge : m_tailEdges)
        result.tailEdges.push_back(
            {NodeId(newIndex[edge.from.value()]), NodeId(newIndex[edge.to.value()]), edge.calls});
    for (NodeLine line : m_profile.lines) {
        if (m_hasOwnLines[line.node.value()] == 0)
            continue;
        line.node = NodeId(newIndex[m_target[line.node.value()]]);
        result.lines.push_back(line);
    }
    addUpTailEdges(result.tailEdges);
    addUpLines(result.lines);
    for (SlowCall call : m_profile.slowCalls) {
        if (!isPlaced(call.node.value()))
            continue;
        call.node = NodeId(newIndex[m_target[call.node.value()]]);
        result.slowCalls.push_back(call);
    }
}

} // namespace perilune
