// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/PathMap.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perilune {

class ProfileAssembler;

/// Functions with their self cost, and who called whom how often and at what cost: what a callgrind
/// file holds. Names are not copied; they have to outlive the graph.
class CallGraph
{
public:
    std::uint32_t function(std::string_view name, std::string_view file);
    std::uint32_t functionCount() const { return static_cast<std::uint32_t>(m_functions.size()); }
    void setLine(std::uint32_t function, std::uint64_t line);
    void setLineIfUnknown(std::uint32_t function, std::uint64_t line);
    void addSelf(std::uint32_t function, std::uint64_t cost);
    void addCalls(std::uint32_t caller, std::uint32_t callee, std::uint64_t calls,
                  std::uint64_t inclusiveCost);

    /// Makes a call tree of the graph, `unit` being the nanoseconds of one cost.
    ///
    /// A graph does not say which caller's calls went on to what, so each caller gets the share of
    /// its callee's calls and costs that it has of the callee's inclusive cost. The heaviest paths
    /// are followed first, up to a number of nodes; a call back into a function of its own path is
    /// a leaf that has calls and no cost. Self costs and calls of the functions come out exact.
    void expandInto(ProfileAssembler& assembler, std::uint64_t unit) const;

private:
    class Expansion;

    struct GraphFunction
    {
        std::string_view name;
        std::string_view file;
        std::uint64_t line = 0;
        std::uint64_t selfCost = 0;
        std::vector<std::uint32_t> callees; ///< Indices of edges.
    };
    struct GraphEdge
    {
        std::uint32_t caller = 0;
        std::uint32_t callee = 0;
        std::uint64_t calls = 0;
        std::uint64_t cost = 0; ///< Inclusive.
    };

    std::vector<GraphFunction> m_functions;
    std::vector<GraphEdge> m_edges;
    PathMap m_edgeIds;
    /// By name and file; views of the same text may lie at different places.
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_functionsByName;
};

} // namespace perilune
