// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/NodeTree.h"

#include <algorithm>

namespace perilune {

using format::NodeRecord;
using format::Section;

namespace {

const char* foldedName(format::Limit limit)
{
    switch (limit) {
    case format::NodeLimit:
        return "(calls beyond the node limit)";
    case format::DepthLimit:
        return "(calls beyond the depth limit)";
    default:
        return "(outer part of a stack too deep to walk)";
    }
}

} // namespace

NodeTree::NodeTree(RecordingWriter& writer, const RecordingLimits& limits)
    : m_writer(writer)
    , m_limits(limits)
    , m_table(1024)
{
    // Each node may get one folded child beyond the limit.
    const std::uint64_t nodes = std::min<std::uint64_t>(limits.nodes, 1u << 30) * 2 + 64;
    writer.setLimit(Section::Nodes, nodes * sizeof(NodeRecord));
    writer.setLimit(Section::NodeMemory, nodes * sizeof(format::NodeMemoryRecord));
    writer.setLimit(Section::NodeSamples, nodes * sizeof(format::NodeSampleRecord));
}

bool NodeTree::begin(bool memory, bool samples)
{
    m_hasMemory = memory;
    m_hasSamples = samples;
    if (!m_writer.reserve(Section::Nodes, 1)
        || (memory && m_writer.append(Section::NodeMemory, format::NodeMemoryRecord{}) != 0)
        || (samples && m_writer.append(Section::NodeSamples, format::NodeSampleRecord{}) != 0))
        return false;
    m_nodes = m_writer.data<NodeRecord>(Section::Nodes);
    m_nodes[0] = {};
    m_nodes[0].parent = format::none;
    m_nodes[0].calls = 1;
    m_writer.publish(Section::Nodes, 1);
    return true;
}

NodeRecord* NodeTree::find(const NodeRecord* parent, std::uint32_t functionField) const
{
    const std::uint32_t parentIndex = indexOf(parent);
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t slot = mixBits(pairKey(parentIndex, functionField)) & mask; m_table[slot] != 0;
         slot = (slot + 1) & mask) {
        NodeRecord* node = m_nodes + m_table[slot];
        if (node->parent == parentIndex && node->function == functionField)
            return node;
    }
    return nullptr;
}

NodeRecord* NodeTree::add(NodeRecord* parent, std::uint32_t functionField)
{
    if (m_hasFailed)
        return &m_discarded;
    if (count() >= m_limits.nodes)
        return foldedChild(parent, format::NodeLimit);
    if (parent->depthAndFlags / 2 >= m_limits.depth)
        return foldedChild(parent, format::DepthLimit);
    return append(parent, functionField);
}

NodeRecord* NodeTree::findOrAdd(NodeRecord* parent, std::uint32_t functionField)
{
    if (isFolded(parent) || parent == &m_discarded)
        return parent;
    NodeRecord* node = find(parent, functionField);
    return node ? node : add(parent, functionField);
}

std::uint32_t NodeTree::foldedFunction(format::Limit limit)
{
    std::uint32_t& function = m_foldedFunctions.insert(limit);
    if (function == 0) { // the host, which is never folded
        format::FunctionRecord record = emptyFunctionRecord();
        record.kind = format::FunctionKind::Folded;
        record.name = m_writer.addString(foldedName(limit));
        function = m_writer.append(Section::Functions, record);
    }
    return function;
}

NodeRecord* NodeTree::foldedChild(NodeRecord* parent, format::Limit limit)
{
    m_writer.header().limits |= limit;
    const std::uint32_t function = foldedFunction(limit);
    if (function == format::none)
        return fail();
    NodeRecord* node = find(parent, function);
    if (!node)
        node = append(parent, function);
    if (limit != format::StackCut) // what hangs under a cut stack is told apart
        node->depthAndFlags |= foldedFlag;
    return node;
}

NodeRecord* NodeTree::append(NodeRecord* parent, std::uint32_t functionField)
{
    const std::uint64_t index = count();
    if (!m_writer.reserve(Section::Nodes, index + 1)
        || (m_hasMemory
            && m_writer.append(Section::NodeMemory, format::NodeMemoryRecord{}) == format::none)
        || (m_hasSamples
            && m_writer.append(Section::NodeSamples, format::NodeSampleRecord{}) == format::none))
        return fail();
    NodeRecord* node = m_nodes + index;
    *node = {};
    node->parent = indexOf(parent);
    node->function = functionField;
    node->depthAndFlags = (parent->depthAndFlags & ~foldedFlag) + 2;
    m_writer.publish(Section::Nodes, index + 1);
    insert(static_cast<std::uint32_t>(index));
    return node;
}

NodeRecord* NodeTree::fail()
{
    m_hasFailed = true;
    return &m_discarded;
}

void NodeTree::insertWithRoom(std::uint32_t index)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = mixBits(pairKey(m_nodes[index].parent, m_nodes[index].function)) & mask;
    while (m_table[slot] != 0)
        slot = (slot + 1) & mask;
    m_table[slot] = index;
}

void NodeTree::insert(std::uint32_t index)
{
    if (index * std::size_t(2) < m_table.size()) {
        insertWithRoom(index);
        return;
    }
    m_table.assign(m_table.size() * 2, 0);
    for (std::uint32_t node = 1; node <= index; ++node)
        insertWithRoom(node);
}

} // namespace perilune
