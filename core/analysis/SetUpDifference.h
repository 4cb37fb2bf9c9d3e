// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/MatchedRuns.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// What may differ between the set-ups of two groups of runs.
enum class SetUpItem : std::uint8_t
{
    Script,
    ScriptText, ///< Its hash.
    GitCommit,
    Arguments,
    WorkingDirectory,
    Environment,
    StandardInput,
    Interpreter,
    LuaVersion,
    Machine,
    Mode,
    SamplingInterval,
    Clock,
    Options,    ///< Lines, memory, durations, timeline: each slows the program in its own way.
    Correction, ///< How the recorder's cost was taken out.
    RepeatCount,
    Partial,     ///< Runs that did not come to their end.
    Drift,       ///< The runs of a side become slower or faster from first to last.
    Unsteady,    ///< The runs of a side spread more than runs on a quiet machine do.
    CommonShift, ///< All functions change alike, as on a slower machine.
};

/// How much a difference matters for comparing times.
enum class SetUpWeight : std::uint8_t
{
    Expected, ///< What one compares: the text of the script, its commit.
    Warning,  ///< Explains a difference in times by itself.
};

/// One difference, with the value of each side for people; several values of one side are listed.
/// For Drift and Unsteady the values are shares such as "+3.2 %", empty for a steady side, for
/// CommonShift B's alone is set; for Partial they are counts.
struct SetUpDifference
{
    SetUpItem item = SetUpItem::Script;
    SetUpWeight weight = SetUpWeight::Warning;
    std::string a;
    std::string b;
};

/// What differs between or within the two groups, in the order of SetUpItem; empty when the runs
/// are comparable in every respect that was recorded.
std::vector<SetUpDifference> findSetUpDifferences(const RunGroup& a, const RunGroup& b);
/// The same, and whether all functions changed alike.
std::vector<SetUpDifference> findSetUpDifferences(const MatchedRuns& runs);

/// The share by which the functions that matter all became slower (or faster) per call, where they
/// agree on it: then the machine is the more likely cause. Nothing with fewer than four such
/// functions, and nothing for a shift that is small or not common to them.
std::optional<double> findCommonShift(const MatchedRuns& runs);

/// "exact", "sampling", "combined".
std::string modeName(ProfilingMode mode);
/// What makes runs of one script comparable in a history: machine, Lua version and mode.
std::string comparableSetUp(const RunInfo& run);

} // namespace perilune
