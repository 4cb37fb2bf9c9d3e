// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionNodes.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

/// What of a function is divided among its callers.
enum class CallerWeight : std::uint8_t
{
    Self, ///< All functions together weigh as much as the run.
    Total ///< Of outermost calls, so that recursion counts once; calls are those from outside.
};

/// Stacks that end in one function and have the same functions for some steps up from it.
struct CallerGroup
{
    /// One node of the function, and the one that is reached from it.
    struct Step
    {
        std::uint32_t origin;
        std::uint32_t node;
    };
    FunctionId function; ///< Of the nodes that are reached.
    std::vector<Step> steps;
    /// By Metric, of the origins.
    std::array<std::uint64_t, metricCount> weight = {};
    bool hasCallers = false; ///< Other than the host.
};

/// Follows stacks upwards from a function, one call at a time. The host is in every stack and left
/// out. Not thread-safe.
class CallerGrouper
{
public:
    CallerGrouper(std::shared_ptr<const FunctionNodes> nodes, CallerWeight weight, Metric order);

    const FunctionNodes& nodes() const { return *m_nodes; }
    /// All stacks that end in the function; none when it did not run or is the host.
    CallerGroup stacksOf(FunctionId function) const;
    /// The same without the steps, for when only the weight is asked for.
    CallerGroup weightOf(FunctionId function) const;
    /// The stacks one call up, by function, heaviest first.
    std::vector<CallerGroup> callersOf(const std::vector<CallerGroup::Step>& steps);
    bool isHeavier(const CallerGroup& a, const CallerGroup& b) const;

private:
    bool isCalledByFunction(std::uint32_t node) const;
    void addOrigin(CallerGroup& group, std::uint32_t origin, std::uint32_t node) const;

    std::shared_ptr<const FunctionNodes> m_nodes;
    CallerWeight m_weight;
    std::size_t m_order;
    /// Metrics that the tree has, and the columns in which their weights are.
    std::vector<std::pair<std::size_t, const std::vector<std::uint64_t>*>> m_columns;
    std::vector<std::uint32_t> m_groupOfFunction; ///< Scratch: index in a list, or UINT32_MAX.
};

} // namespace perilune
