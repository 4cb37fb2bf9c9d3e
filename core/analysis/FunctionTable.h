// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace perilune {

/// Costs of one function over the whole tree. Total counts recursion once: time while the function
/// is on the stack at least once.
struct FunctionCosts
{
    FunctionId function;
    std::uint64_t calls = 0;
    std::uint64_t tailCalls = 0; ///< Of `calls`.
    std::array<std::uint64_t, metricCount> self = {};
    std::array<std::uint64_t, metricCount> total = {};
    std::uint32_t callerCount = 0;
    std::uint32_t calleeCount = 0;

    Duration selfTime() const
    {
        return Duration::fromNanoseconds(static_cast<std::int64_t>(self[0]));
    }
    Duration totalTime() const
    {
        return Duration::fromNanoseconds(static_cast<std::int64_t>(total[0]));
    }
    /// Total time over calls; nothing for a function without calls.
    std::optional<Duration> meanTime() const;
};

/// Calls from one function to another.
struct Edge
{
    FunctionId caller;
    FunctionId callee;
    std::uint64_t calls = 0;
    std::uint64_t tailCalls = 0; ///< Of `calls`.
    /// Total of the callee through this edge by Metric, recursion over the same edge counted once;
    /// 0 with hasTotal false where the edge only consists of folded tail calls, whose time cannot
    /// be told apart.
    std::array<std::uint64_t, metricCount> total = {};
    bool hasTotal = true;

    Duration totalTime() const
    {
        return Duration::fromNanoseconds(static_cast<std::int64_t>(total[0]));
    }
};

/// The flat table and the call graph of a profile. Immutable once computed.
class FunctionTable
{
public:
    /// Takes O(nodes + functions + edges) time, and 17 bytes a node beside its result; the depth of
    /// the tree does not matter.
    static FunctionTable compute(const Profile& profile);

    /// Functions that were entered at least once, in the order of their ids; the host is one of
    /// them.
    const std::vector<FunctionCosts>& rows() const { return m_rows; }
    /// The row of a function, or null when it was never entered.
    const FunctionCosts* find(FunctionId function) const;

    /// Sorted by caller, then callee.
    const std::vector<Edge>& edges() const { return m_edges; }
    std::vector<Edge> callersOf(FunctionId function) const; ///< Heaviest first.
    std::vector<Edge> calleesOf(FunctionId function) const; ///< Heaviest first.

    /// Sum of self over all rows, which is the total of the root.
    std::uint64_t sum(Metric metric) const { return m_sum[static_cast<std::size_t>(metric)]; }

private:
    std::vector<FunctionCosts> m_rows;
    std::vector<std::uint32_t> m_rowOfFunction;
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_edgesByCallee;
    std::array<std::uint64_t, metricCount> m_sum = {};
};

} // namespace perilune
