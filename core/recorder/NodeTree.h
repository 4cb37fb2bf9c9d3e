// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/FunctionRegistry.h"
#include "core/recorder/PointerMap.h"
#include "core/recording/RecordingWriter.h"

#include <array>
#include <cstdint>
#include <vector>

namespace perilune {

/// Bounds of what one recording may take; beyond them calls are folded, and the run says so.
struct RecordingLimits
{
    std::uint32_t nodes = 4000000;
    std::uint32_t depth = UINT32_MAX;
    std::uint64_t stringBytes = 256u << 20; ///< Names and source texts.
};

/// A key that no pair of indices shares and that is never 0, which tables take for a free slot.
constexpr std::uint64_t pairKey(std::uint32_t first, std::uint32_t second)
{
    return ((static_cast<std::uint64_t>(first) << 32) | second) + 1;
}

/// The nodes of a recording and how they are found: by parent and function.
///
/// Past a limit the callees of a node are folded into one child that says so; everything called
/// from there stays in it. When the file cannot grow, hasFailed() is true and what was asked for is
/// discarded(), a node outside the recording.
class NodeTree
{
public:
    NodeTree(RecordingWriter& writer, const RecordingLimits& limits);
    NodeTree(const NodeTree&) = delete;
    NodeTree& operator=(const NodeTree&) = delete;

    /// Writes the root, which stands for the host. `memory` and `samples` say whether each node
    /// gets a record of those too. False when there is no room.
    bool begin(bool memory, bool samples);

    format::NodeRecord* root() const { return m_nodes; }
    format::NodeRecord* at(std::uint32_t index) const { return m_nodes + index; }
    std::uint32_t indexOf(const format::NodeRecord* node) const
    {
        return static_cast<std::uint32_t>(node - m_nodes);
    }
    std::uint64_t count() const { return m_writer.count(format::Section::Nodes); }
    static bool isFolded(const format::NodeRecord* node)
    {
        return (node->depthAndFlags & foldedFlag) != 0;
    }

    /// The child for a function (with format::tailCallBit for tail calls), or null.
    format::NodeRecord* find(const format::NodeRecord* parent, std::uint32_t functionField) const;
    /// Adds the child that find() did not find.
    format::NodeRecord* add(format::NodeRecord* parent, std::uint32_t functionField);
    /// find(), else add(); a folded node is its own child.
    format::NodeRecord* findOrAdd(format::NodeRecord* parent, std::uint32_t functionField);
    /// The child of `parent` that stands for what `limit` cut off.
    format::NodeRecord* foldedChild(format::NodeRecord* parent, format::Limit limit);

    bool hasFailed() const { return m_hasFailed; }
    format::NodeRecord* discarded() { return &m_discarded; }

private:
    static constexpr std::uint32_t foldedFlag = 1;

    format::NodeRecord* append(format::NodeRecord* parent, std::uint32_t functionField);
    format::NodeRecord* fail();
    void insert(std::uint32_t index);
    void insertWithRoom(std::uint32_t index);
    std::uint32_t foldedFunction(format::Limit limit);

    format::NodeRecord* m_nodes = nullptr;
    RecordingWriter& m_writer;
    RecordingLimits m_limits;
    std::vector<std::uint32_t> m_table; ///< Node index by (parent, function); 0 is a free slot.
    PointerMap<std::uint32_t> m_foldedFunctions; ///< By limit.
    bool m_hasMemory = false;
    bool m_hasSamples = false;
    bool m_hasFailed = false;
    format::NodeRecord m_discarded = {};
};

} // namespace perilune
