// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/FunctionLabels.h"
#include "core/exchange/PathMap.h"
#include "core/profile/CallTree.h"
#include "core/profile/Profile.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perilune {

/// Puts a profile together from stacks in any order.
class ProfileAssembler
{
public:
    static constexpr std::uint32_t root = 0;
    /// Nodes that a file may make; beyond it isFull() is true and no node is added.
    static constexpr std::uint32_t nodeLimit = 1u << 24;

    ProfileAssembler();

    /// The function of this label; two labels that are alike are one function.
    FunctionId function(const FunctionLabel& label, FunctionKind kind);
    /// The node for `function` called from `parent`, added where it is not there yet.
    std::uint32_t child(std::uint32_t parent, FunctionId function);
    /// Like child(), and always a new node.
    std::uint32_t addNode(std::uint32_t parent, FunctionId function);
    /// Adds to a node's self; the metric counts as measured from then on.
    void add(std::uint32_t node, Metric metric, std::uint64_t amount);
    void setMeasured(Metric metric) { m_measured |= 1u << static_cast<unsigned>(metric); }

    std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(m_nodes.size()); }
    bool isFull() const { return m_isFull; }
    void warn(std::string text) { m_run.warnings.push_back(std::move(text)); }
    RunInfo& run() { return m_run; }

    /// The profile of what was added; leaves the assembler empty.
    std::shared_ptr<const Profile> finish();

private:
    SourceId source(const std::string& file);

    std::vector<CallTree::Input> m_nodes;
    PathMap m_paths;
    std::vector<Function> m_functions;
    std::vector<Source> m_sources;
    std::unordered_map<std::string, std::uint32_t> m_functionIds;
    std::unordered_map<std::string, std::uint32_t> m_sourceIds;
    RunInfo m_run;
    std::uint32_t m_measured = 0;
    bool m_isFull = false;
};

/// Nanoseconds in one unit of time by its usual names ("nanoseconds", "ns", "ms", …); 0 for others.
std::uint64_t nanosecondsIn(std::string_view unit);

/// `value` × `factor`, no more than fits.
std::uint64_t saturatingProduct(std::uint64_t value, std::uint64_t factor);

} // namespace perilune
