// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/session/ColumnBlock.h"

#include <cstdint>
#include <span>
#include <vector>

/// The parts of a profile that are kept as packed columns in the table `block`, one kind each.
namespace perilune::blocks {

using Bytes = std::vector<std::uint8_t>;

Bytes packTree(const CallTree& tree);
Bytes packTailEdges(const std::vector<TailEdge>& edges);
Bytes packNodeLines(const std::vector<NodeLine>& lines);
Bytes packSlowCalls(const std::vector<SlowCall>& calls);
Bytes packHeapCurve(const std::vector<HeapPoint>& points);
Bytes packBuckets(const std::vector<DurationStatistics>& durations);

/// A tree whose nodes may have other numbers than when it was packed.
struct UnpackedTree
{
    std::shared_ptr<const CallTree> tree;
    std::vector<std::uint32_t> newIndex; ///< By the number that other blocks use.
};

/// All errors are Damaged or UnsupportedVersion. Numbers of nodes and functions are checked.
Result<UnpackedTree> unpackTree(std::span<const std::uint8_t> packed, std::size_t functionCount);
Result<std::vector<TailEdge>> unpackTailEdges(std::span<const std::uint8_t> packed,
                                              const std::vector<std::uint32_t>& newIndex);
Result<std::vector<NodeLine>> unpackNodeLines(std::span<const std::uint8_t> packed,
                                              const std::vector<std::uint32_t>& newIndex);
Result<std::vector<SlowCall>> unpackSlowCalls(std::span<const std::uint8_t> packed,
                                              const std::vector<std::uint32_t>& newIndex);
Result<std::vector<HeapPoint>> unpackHeapCurve(std::span<const std::uint8_t> packed);
/// Adds the buckets to the functions that they belong to.
Result<void> unpackBuckets(std::span<const std::uint8_t> packed,
                           std::vector<DurationStatistics>& durations);

} // namespace perilune::blocks
