// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"
#include "core/profile/Id.h"
#include "core/profile/RunInfo.h"
#include "core/recording/Format.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perilune {

using format::FunctionKind;

/// A file or string that was compiled, with its text as it was during the run.
struct Source
{
    /// As Lua has it, with its leading '@' or '='; of a string its first line.
    std::string chunkName;
    std::string path; ///< Absolute path at the time of the run; empty when it is no file.
    /// For people, different for each source of a run: "lib/a.lua", "[string \"return x\"]".
    std::string label;
    std::string text;       ///< Empty when it is not known.
    std::uint64_t hash = 0; ///< FNV-1a 64 of the text.
    format::SourceKind kind = format::SourceKind::None;
    bool isComplete = true;
};

/// A function: one prototype, or one C function; never a closure or a name.
struct Function
{
    /// Never empty: "Parser:next", "string.format", "function <a.lua:12>", "main chunk a.lua".
    std::string name;
    SourceId source; ///< Invalid for C functions.
    int line = -1;   ///< Of its `function` keyword; 0 for a main chunk, -1 for C.
    int lastLine = -1;
    /// Tells functions of one line apart; see FunctionRecord.
    std::uint32_t ordinal = format::none;
    FunctionKind kind = FunctionKind::Lua;
    bool isStripped = false;
};

/// Tail calls folded onto a node of their own chain: `to` was tail-called `calls` times by `from`.
struct TailEdge
{
    NodeId from;
    NodeId to;
    std::uint64_t calls = 0;
};

/// Costs of one line within one node.
struct NodeLine
{
    NodeId node;
    int line = 0;
    std::uint64_t hits = 0; ///< Line events (exact) or samples on top (sampling).
    Duration selfTime;
    Duration calleeTime; ///< In functions called from this line.
    std::uint64_t calleeSamples = 0;
};

/// Distribution of the total times of one function's calls.
struct DurationStatistics
{
    std::uint64_t count = 0;
    Duration minimum;
    Duration median;
    Duration percentile95;
    Duration maximum;
    struct Bucket
    {
        Duration lower; ///< Inclusive.
        Duration upper; ///< Exclusive.
        std::uint64_t count = 0;
    };
    std::vector<Bucket> buckets; ///< Only those with calls, ascending.
};

struct SlowCall
{
    NodeId node;
    Duration start; ///< Since the start of the run.
    Duration duration;
};

struct HeapPoint
{
    Duration time; ///< Since the start of the run.
    std::uint64_t bytes = 0;
};

/// What one run measured. Immutable; views and threads share it by `shared_ptr<const Profile>`.
struct Profile
{
    RunInfo run;
    std::vector<Source> sources;
    std::vector<Function> functions; ///< Element 0 is the host program.
    std::shared_ptr<const CallTree> tree = CallTree::empty();
    std::vector<TailEdge> tailEdges;
    std::vector<NodeLine> lines; ///< With lines or sampling.
    /// As long as functions, or empty where they were not measured.
    std::vector<DurationStatistics> durations;
    std::vector<SlowCall> slowCalls;
    std::vector<HeapPoint> heapCurve;

    /// A profile without functions, for views that have nothing to show.
    static std::shared_ptr<const Profile> empty();

    const Function& function(FunctionId id) const { return functions[id.value()]; }
    /// The source of a function, or null for C functions and the host.
    const Source* sourceOf(const Function& function) const;
    /// Where a function is defined, for people: "lib/a.lua:12", "lib/a.lua" for a main chunk,
    /// "[C]".
    std::string location(const Function& function) const;
    /// Identity of a function across runs: source label, name, line and ordinal within it.
    std::string key(FunctionId id) const;
};

} // namespace perilune
