// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionNodes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

/// Stacks that end in one function and have the same functions for some calls up from it.
struct CallerGroup
{
    /// One node of the function at the end, and the node that is reached going up from it.
    struct Step
    {
        std::uint32_t origin;
        std::uint32_t node;
    };
    FunctionId function;                               ///< Of the nodes that are reached.
    std::vector<Step> steps;                           ///< In ascending order of both nodes.
    std::array<std::uint64_t, metricCount> self = {};  ///< By Metric, of the origins.
    std::array<std::uint64_t, metricCount> total = {}; ///< Of those origins that are outermost.
    bool hasCallers = false;                           ///< Other than the host.
};

/// Follows stacks upwards from a function, one call at a time. The host is in every stack and left
/// out. Not thread-safe.
class CallerGrouper
{
public:
    enum class Stacks
    {
        All,
        Outermost ///< Of recursive calls only the first.
    };

    explicit CallerGrouper(std::shared_ptr<const FunctionNodes> nodes);

    const FunctionNodes& nodes() const { return *m_nodes; }
    /// All functions that ran, in the order of their ids, without their steps.
    std::vector<CallerGroup> functions() const;
    /// Those that end in one function; nothing when it did not run or is the host.
    std::vector<CallerGroup::Step> stepsOf(FunctionId function, Stacks stacks) const;
    CallerGroup groupOf(FunctionId function, std::vector<CallerGroup::Step> steps) const;
    /// The stacks one call up, by function, in no particular order.
    std::vector<CallerGroup> callersOf(const std::vector<CallerGroup::Step>& steps);

private:
    const CallTree& tree() const { return m_nodes->tree(); }
    void add(CallerGroup& group, CallerGroup::Step step) const;

    std::shared_ptr<const FunctionNodes> m_nodes;
    std::vector<std::size_t> m_metrics;           ///< That the tree has.
    std::vector<std::uint32_t> m_groupOfFunction; ///< Scratch: index in a list, or UINT32_MAX.
};

} // namespace perilune
