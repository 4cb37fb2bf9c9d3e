// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Duration.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perilune {

enum class ProfilingMode
{
    Exact,
    Sampling,
    Combined
};
enum class ClockKind
{
    Wall,
    Cpu
};

/// How a run ended, in the order of the status words of the window.
enum class RunStatus
{
    Running,     ///< A snapshot of a run that goes on.
    Done,        ///< The script came to its end or called os.exit.
    ScriptError, ///< An uncaught error; the profile up to it is kept.
    SyntaxError, ///< Nothing ran.
    Stopped,     ///< By the user.
    TimeLimit,
    Killed, ///< By a signal, see RunInfo::signal.
    CouldNotStart,
};

/// Where the correction for the recorder's own cost came from.
enum class CorrectionMethod
{
    None,
    Calibrated,
    ReferenceRun
};

/// What was taken out of the raw times, and how far it can be trusted.
struct OverheadCorrection
{
    CorrectionMethod method = CorrectionMethod::None;
    Duration removed; ///< Sum taken out of self times.
    Duration clamped; ///< What could not be taken out because a self time would be negative.
    double estimatedSlowdown = 1.0; ///< Raw time over corrected time.
    double residualShare = 0.0; ///< How large the remaining error can be, as a share of the total.
};

/// Everything that is known of a run apart from its functions and call tree.
struct RunInfo
{
    std::string script; ///< As given.
    std::vector<std::string> arguments;
    std::string workingDirectory; ///< Absolute.
    /// Only what the launch changed; no value means that the variable was unset.
    std::vector<std::pair<std::string, std::optional<std::string>>> environment;
    std::string standardInput; ///< Path, or empty.
    std::string scriptHash;    ///< FNV-1a 64 of the script's text as 16 hexadecimal digits.
    std::string interpreter;   ///< "Lua 5.4", "LuaJIT 2.1", …
    std::string luaVersion;    ///< As the VM says, "Lua 5.4".
    std::string machine;       ///< Processor model and count of cores.
    std::string gitCommit;     ///< Of the script's folder, or empty.
    bool gitDirty = false;

    ProfilingMode mode = ProfilingMode::Exact;
    ClockKind clock = ClockKind::Wall;
    std::string clockName;     ///< "time-stamp counter", "CLOCK_MONOTONIC", …
    Duration samplingInterval; ///< Zero in exact mode.
    bool hasLines = false;
    bool hasMemory = false;
    bool hasDurations = false;
    bool hasTimeline = false;

    RunStatus status = RunStatus::Running;
    int exitCode = 0;
    int signal = 0;           ///< 0, or the signal that ended the process.
    std::string errorMessage; ///< Of the script, as Lua gave it, or why it could not start.
    std::string traceback;
    std::int64_t startedAtUnixMs = 0; ///< UTC.
    Duration wallTime;                ///< From before loading the script to its end.
    Duration excludedTime;            ///< The recorder's slow paths, charged to no function.
    Duration calibrationTime;
    OverheadCorrection correction;
    /// How long the same run took without any hook, when the launcher made one for reference; zero
    /// otherwise. Used to fit the correction; not stored.
    Duration referenceTime;
    std::uint64_t eventCount = 0;
    std::uint64_t switchCount = 0;
    std::uint64_t sampleCount = 0;
    std::uint32_t limits = 0; ///< format::Limit bits.

    // Memory, with hasMemory.
    std::uint64_t heapPeakBytes = 0;
    std::uint64_t heapFinalBytes = 0;
    std::uint64_t collectionCount = 0;

    std::vector<std::string> warnings; ///< For people: what was damaged, cut, or cannot be trusted.
    std::optional<std::string> repeatGroup; ///< Runs made by one repeat share it.
    bool isWarmUp = false;

    /// A run that did not come to its end: what it measured is kept and marked partial.
    bool isPartial() const { return status != RunStatus::Done; }
};

} // namespace perilune
