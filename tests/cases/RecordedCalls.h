// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/RecordingReader.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace perilune::test {

struct CallCount
{
    std::uint64_t calls = 0;
    std::uint64_t tailCalls = 0; ///< Of `calls`.

    friend bool operator==(const CallCount&, const CallCount&) = default;
};

/// Calls and raw times per function and per edge, summed straight from the nodes of a recording.
///
/// Deliberately apart from FunctionTable: what tests expect must not come from the code they test.
/// Functions are indices into the snapshot, which has to outlive this.
class RecordedCalls
{
public:
    using Edge = std::pair<std::uint32_t, std::uint32_t>; ///< Caller, callee.

    explicit RecordedCalls(const RecordingSnapshot& snapshot);

    const RecordingSnapshot& snapshot() const { return m_snapshot; }
    const CallCount& function(std::uint32_t index) const { return m_functions[index]; }
    const std::map<Edge, CallCount>& edges() const { return m_edges; }
    CallCount edge(std::uint32_t caller, std::uint32_t callee) const;
    /// Functions in the order in which each was first entered.
    const std::vector<std::uint32_t>& entryOrder() const { return m_entryOrder; }

    /// The largest number of activations at one time; one that was replaced by a tail call is over.
    std::uint64_t deepest(std::uint32_t function) const;
    double selfSeconds(std::uint32_t function) const;
    /// Time while the function is on the stack at least once.
    double totalSeconds(std::uint32_t function) const;
    /// Sum of all self times.
    double seconds() const;

private:
    std::uint32_t functionOf(std::uint32_t node) const;
    bool isTailCalled(std::uint32_t node) const;
    void countNodes();
    void countFoldedTailCalls();
    void addCalls(std::uint32_t caller, std::uint32_t callee, std::uint64_t calls, bool isTail);
    std::uint64_t selfTicks(std::uint32_t node) const;
    double secondsOf(std::uint64_t ticks) const;

    const RecordingSnapshot& m_snapshot;
    std::vector<CallCount> m_functions;
    std::map<Edge, CallCount> m_edges;
    std::vector<std::uint32_t> m_entryOrder;
};

} // namespace perilune::test
