// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/ProfileBlocks.h"

#include <algorithm>
#include <array>

namespace perilune::blocks {

namespace {

using Column = std::vector<std::uint64_t>;

/// One number of every element.
template<typename Element, typename Get>
Column columnOf(const std::vector<Element>& elements, Get get)
{
    Column column;
    column.reserve(elements.size());
    for (const Element& element : elements)
        column.push_back(static_cast<std::uint64_t>(get(element)));
    return column;
}

/// Invalid ids become 0, valid ones their value plus one.
template<typename IdType>
std::uint64_t idNumber(IdType id)
{
    return id.isValid() ? std::uint64_t(id.value()) + 1 : 0;
}

Duration durationFrom(std::uint64_t number)
{
    return Duration::fromNanoseconds(static_cast<std::int64_t>(number));
}

Error damaged(const char* what)
{
    return {Error::Code::Damaged, what};
}

/// All columns of a block that has `count` of them.
template<std::size_t count>
Result<std::array<Column, count>> readColumns(std::span<const std::uint8_t> packed)
{
    auto reader = ColumnReader::open(packed);
    if (!reader)
        return reader.error();
    std::array<Column, count> columns;
    for (Column& column : columns) {
        auto read = reader->next();
        if (!read)
            return read.error();
        column = std::move(*read);
    }
    return columns;
}

/// The node that another block calls `number`; invalid when there is none.
NodeId nodeAt(std::uint64_t number, const std::vector<std::uint32_t>& newIndex)
{
    return number < newIndex.size() ? NodeId(newIndex[number]) : NodeId();
}

/// Parent and function of each node. A parent comes before its children, and only node 0 has none.
Result<void> readStructure(ColumnReader& reader, std::size_t functionCount,
                           std::vector<CallTree::Input>& nodes)
{
    const auto parents = reader.next();
    if (!parents)
        return parents.error();
    const auto functions = reader.next();
    if (!functions)
        return functions.error();
    const auto tails = reader.next();
    if (!tails)
        return tails.error();
    if (parents->empty())
        return damaged("the tree has no root");
    nodes.resize(parents->size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const std::uint64_t parent = (*parents)[node];
        const std::uint64_t function = (*functions)[node];
        if ((parent == 0) != (node == 0) || parent > node)
            return damaged("a node has no parent");
        if (function > functionCount)
            return damaged("a node has no function");
        if (parent != 0)
            nodes[node].parent = static_cast<std::uint32_t>(parent - 1);
        if (function != 0)
            nodes[node].function = FunctionId(static_cast<std::uint32_t>(function - 1));
        nodes[node].isTailCall = (*tails)[node] != 0;
    }
    return {};
}

} // namespace

Bytes packTree(const CallTree& tree)
{
    const std::uint32_t count = tree.nodeCount();
    Column parents;
    Column functions;
    Column tails;
    for (std::uint32_t index = 0; index < count; ++index) {
        const NodeId node(index);
        parents.push_back(idNumber(tree.parent(node)));
        functions.push_back(idNumber(tree.function(node)));
        tails.push_back(tree.isTailCall(node));
    }
    ColumnWriter writer(count, tree.measured());
    writer.addDeltaColumn(parents);
    writer.addColumn(functions);
    writer.addColumn(tails);
    for (std::size_t metric = 0; metric < metricCount; ++metric) {
        if (tree.has(static_cast<Metric>(metric)))
            writer.addColumn(tree.selfColumn(static_cast<Metric>(metric)));
    }
    return writer.pack();
}

Result<UnpackedTree> unpackTree(std::span<const std::uint8_t> packed, std::size_t functionCount)
{
    auto reader = ColumnReader::open(packed);
    if (!reader)
        return reader.error();
    if (reader->rowCount() >= UINT32_MAX)
        return damaged("the tree has too many nodes");
    std::vector<CallTree::Input> nodes;
    if (const auto structure = readStructure(*reader, functionCount, nodes); !structure)
        return structure.error();
    const auto measured = static_cast<std::uint32_t>(reader->tag()) & ((1u << metricCount) - 1);
    for (std::size_t metric = 0; metric < metricCount; ++metric) {
        if ((measured & (1u << metric)) == 0)
            continue;
        const auto values = reader->next();
        if (!values)
            return values.error();
        for (std::size_t node = 0; node < nodes.size(); ++node)
            nodes[node].self[metric] = (*values)[node];
    }
    UnpackedTree result;
    result.tree = CallTree::build(nodes, measured, &result.newIndex);
    return result;
}

Bytes packTailEdges(const std::vector<TailEdge>& edges)
{
    ColumnWriter writer(edges.size());
    writer.addDeltaColumn(columnOf(edges, [](const TailEdge& edge) { return edge.from.value(); }));
    writer.addDeltaColumn(columnOf(edges, [](const TailEdge& edge) { return edge.to.value(); }));
    writer.addColumn(columnOf(edges, [](const TailEdge& edge) { return edge.calls; }));
    return writer.pack();
}

Result<std::vector<TailEdge>> unpackTailEdges(std::span<const std::uint8_t> packed,
                                              const std::vector<std::uint32_t>& newIndex)
{
    const auto columns = readColumns<3>(packed);
    if (!columns)
        return columns.error();
    const auto& [from, to, calls] = *columns;
    std::vector<TailEdge> edges;
    for (std::size_t row = 0; row < calls.size(); ++row) {
        const TailEdge edge = {nodeAt(from[row], newIndex), nodeAt(to[row], newIndex), calls[row]};
        if (!edge.from.isValid() || !edge.to.isValid())
            return damaged("a tail call has no node");
        edges.push_back(edge);
    }
    return edges;
}

Bytes packNodeLines(const std::vector<NodeLine>& lines)
{
    ColumnWriter writer(lines.size());
    writer.addDeltaColumn(columnOf(lines, [](const NodeLine& line) { return line.node.value(); }));
    writer.addDeltaColumn(columnOf(lines, [](const NodeLine& line) { return line.line; }));
    writer.addColumn(columnOf(lines, [](const NodeLine& line) { return line.hits; }));
    writer.addColumn(
        columnOf(lines, [](const NodeLine& line) { return line.selfTime.nanoseconds(); }));
    writer.addColumn(
        columnOf(lines, [](const NodeLine& line) { return line.calleeTime.nanoseconds(); }));
    writer.addColumn(columnOf(lines, [](const NodeLine& line) { return line.calleeSamples; }));
    return writer.pack();
}

Result<std::vector<NodeLine>> unpackNodeLines(std::span<const std::uint8_t> packed,
                                              const std::vector<std::uint32_t>& newIndex)
{
    const auto columns = readColumns<6>(packed);
    if (!columns)
        return columns.error();
    const auto& [nodes, numbers, hits, selfTimes, calleeTimes, calleeSamples] = *columns;
    std::vector<NodeLine> lines;
    for (std::size_t row = 0; row < nodes.size(); ++row) {
        const NodeLine line = {
            nodeAt(nodes[row], newIndex), static_cast<int>(numbers[row]), hits[row],
            durationFrom(selfTimes[row]), durationFrom(calleeTimes[row]), calleeSamples[row]};
        if (!line.node.isValid())
            return damaged("a line has no node");
        lines.push_back(line);
    }
    return lines;
}

Bytes packSlowCalls(const std::vector<SlowCall>& calls)
{
    ColumnWriter writer(calls.size());
    writer.addColumn(columnOf(calls, [](const SlowCall& call) { return call.node.value(); }));
    writer.addDeltaColumn(
        columnOf(calls, [](const SlowCall& call) { return call.start.nanoseconds(); }));
    writer.addDeltaColumn(
        columnOf(calls, [](const SlowCall& call) { return call.duration.nanoseconds(); }));
    return writer.pack();
}

Result<std::vector<SlowCall>> unpackSlowCalls(std::span<const std::uint8_t> packed,
                                              const std::vector<std::uint32_t>& newIndex)
{
    const auto columns = readColumns<3>(packed);
    if (!columns)
        return columns.error();
    const auto& [nodes, starts, durations] = *columns;
    std::vector<SlowCall> calls;
    for (std::size_t row = 0; row < nodes.size(); ++row) {
        const SlowCall call = {nodeAt(nodes[row], newIndex), durationFrom(starts[row]),
                               durationFrom(durations[row])};
        if (!call.node.isValid())
            return damaged("a call has no node");
        calls.push_back(call);
    }
    return calls;
}

Bytes packHeapCurve(const std::vector<HeapPoint>& points)
{
    ColumnWriter writer(points.size());
    writer.addDeltaColumn(
        columnOf(points, [](const HeapPoint& point) { return point.time.nanoseconds(); }));
    writer.addDeltaColumn(columnOf(points, [](const HeapPoint& point) { return point.bytes; }));
    return writer.pack();
}

Result<std::vector<HeapPoint>> unpackHeapCurve(std::span<const std::uint8_t> packed)
{
    const auto columns = readColumns<2>(packed);
    if (!columns)
        return columns.error();
    const auto& [times, bytes] = *columns;
    std::vector<HeapPoint> points;
    for (std::size_t row = 0; row < times.size(); ++row)
        points.push_back({durationFrom(times[row]), bytes[row]});
    return points;
}

Bytes packBuckets(const std::vector<DurationStatistics>& durations)
{
    std::array<Column, 4> columns;
    for (std::size_t function = 0; function < durations.size(); ++function) {
        for (const DurationStatistics::Bucket& bucket : durations[function].buckets) {
            columns[0].push_back(function);
            columns[1].push_back(static_cast<std::uint64_t>(bucket.lower.nanoseconds()));
            columns[2].push_back(static_cast<std::uint64_t>(bucket.upper.nanoseconds()));
            columns[3].push_back(bucket.count);
        }
    }
    ColumnWriter writer(columns[0].size());
    for (const Column& column : columns)
        writer.addDeltaColumn(column);
    return writer.pack();
}

Result<void> unpackBuckets(std::span<const std::uint8_t> packed,
                           std::vector<DurationStatistics>& durations)
{
    const auto columns = readColumns<4>(packed);
    if (!columns)
        return columns.error();
    const auto& [functions, lowers, uppers, counts] = *columns;
    for (std::size_t row = 0; row < functions.size(); ++row) {
        if (functions[row] >= durations.size())
            return damaged("a duration has no function");
        durations[functions[row]].buckets.push_back(
            {durationFrom(lowers[row]), durationFrom(uppers[row]), counts[row]});
    }
    return {};
}

} // namespace perilune::blocks
