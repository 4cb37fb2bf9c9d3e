// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/RunDescription.h"

#include "core/profile/TickScale.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune {

namespace {

using format::Header;
using format::State;

void describeMeasurement(const RecordingSnapshot& snapshot, RunInfo& run)
{
    const Header& header = snapshot.header;
    const auto has = [&header](format::Option option) { return (header.options & option) != 0; };
    if (header.mode == static_cast<std::uint32_t>(format::Mode::Sampling))
        run.mode = ProfilingMode::Sampling;
    else if (run.mode == ProfilingMode::Sampling)
        run.mode = ProfilingMode::Exact;
    run.samplingInterval =
        Duration::fromNanoseconds(static_cast<std::int64_t>(header.samplingIntervalNs));
    run.hasLines = has(format::OptionLines) || !snapshot.nodeLines.empty();
    run.hasMemory = has(format::OptionMemory) || !snapshot.nodeMemory.empty();
    run.hasDurations = has(format::OptionDurations) || !snapshot.durations.empty();
    run.hasTimeline = has(format::OptionTimeline) || !snapshot.events.empty();
}

void describeClock(const Header& header, RunInfo& run)
{
    switch (static_cast<format::Clock>(header.clock)) {
    case format::Clock::TimeStampCounter:
        run.clock = ClockKind::Wall;
        run.clockName = "time-stamp counter";
        return;
    case format::Clock::ThreadCpu:
        run.clock = ClockKind::Cpu;
        run.clockName = "CLOCK_THREAD_CPUTIME_ID";
        return;
    case format::Clock::Monotonic:
        break;
    }
    run.clock = ClockKind::Wall;
    run.clockName = "CLOCK_MONOTONIC";
}

void describeTimesAndCounts(const Header& header, RunInfo& run)
{
    const TickScale scale(header);
    run.wallTime = scale.sinceStart(std::max(header.endTicks, header.lastTicks));
    run.excludedTime = scale.duration(header.excludedTicks);
    run.calibrationTime = scale.duration(header.calibrationTicks);
    run.eventCount = header.eventCount;
    run.switchCount = header.switchCount;
    run.sampleCount = header.sampleCount;
    run.limits = header.limits;
    run.heapPeakBytes = header.heapPeakBytes;
    run.heapFinalBytes = header.heapFinalBytes;
    run.collectionCount = header.collections;
}

void describeSetUp(const RecordingSnapshot& snapshot, RunInfo& run)
{
    const Header& header = snapshot.header;
    run.luaVersion = snapshot.string(header.luaVersion);
    if (run.interpreter.empty())
        run.interpreter = run.luaVersion;
    if (run.workingDirectory.empty())
        run.workingDirectory = snapshot.string(header.workingDirectory);
    if (run.startedAtUnixMs == 0)
        run.startedAtUnixMs = header.startedAtUnixNs / 1000000;
}

RunStatus statusOf(State state)
{
    switch (state) {
    case State::Finished:
    case State::Exited:
        return RunStatus::Done;
    case State::ScriptError:
        return RunStatus::ScriptError;
    case State::SyntaxError:
        return RunStatus::SyntaxError;
    case State::Stopped:
        return RunStatus::Stopped;
    case State::Starting:
    case State::Running:
        break;
    }
    return RunStatus::Running;
}

void describeOutcome(const RecordingSnapshot& snapshot, RunInfo& run)
{
    if (run.errorMessage.empty())
        run.errorMessage = snapshot.string(snapshot.header.errorMessage);
    if (run.traceback.empty())
        run.traceback = snapshot.string(snapshot.header.traceback);
    if (run.status != RunStatus::Running)
        return;
    run.status = statusOf(static_cast<State>(snapshot.header.state));
    if (run.status != RunStatus::Running)
        run.exitCode = snapshot.header.exitCode;
}

constexpr std::pair<format::Limit, const char*> limitTexts[] = {
    {format::NodeLimit,
     "The call tree reached its limit of nodes: calls by further paths are counted together, as "
     "\"(calls beyond the node limit)\". Record a shorter run, or raise the limit of nodes."},
    {format::DepthLimit,
     "The calls were nested deeper than the limit: what lies deeper is counted together, as "
     "\"(calls beyond the depth limit)\". Raise the limit of depth to see it."},
    {format::StringLimit,
     "The room for names and source texts was used up: some functions have no name and some files "
     "no text. Raise the limit of strings to see them."},
    {format::DiskFull,
     "The disk is full: recording ended early while the script went on. Free some space and run "
     "it again."},
    {format::StackCut,
     "Some stacks were deeper than a sample reaches: their outermost callers are missing. Use "
     "exact mode to see them."},
    {format::EventsLost,
     "The timeline was full and dropped its oldest events; tables and trees are complete. Give "
     "the timeline more memory, or record a shorter run."},
};

/// Whether the recording's clock and CLOCK_MONOTONIC agree on how long the run took.
bool hasClockKeptPace(const Header& header)
{
    const bool isWall = header.clock != static_cast<std::uint32_t>(format::Clock::ThreadCpu);
    if (!isWall || header.startMonotonicNs == 0 || header.endMonotonicNs == 0)
        return true;
    const auto expected = static_cast<double>(header.endMonotonicNs - header.startMonotonicNs);
    const auto measured =
        static_cast<double>(TickScale(header).sinceStart(header.endTicks).nanoseconds());
    constexpr double tolerance = 0.01;
    constexpr double slack = 2e6; // two milliseconds, for the moments of reading
    return std::abs(measured - expected) <= tolerance * expected + slack;
}

void addWarnings(const RecordingSnapshot& snapshot, RunInfo& run)
{
    if (!hasClockKeptPace(snapshot.header))
        run.warnings.emplace_back(
            "The clock of this run did not keep pace with the system's: the machine slept or was "
            "moved. Times are uncertain; run again, or choose the monotonic clock.");
    for (const auto& [limit, text] : limitTexts)
        if ((snapshot.header.limits & limit) != 0)
            run.warnings.emplace_back(text);
    run.warnings.insert(run.warnings.end(), snapshot.problems.begin(), snapshot.problems.end());
    if (!snapshot.problems.empty())
        run.warnings.emplace_back("The recording is damaged: what is left of it is shown. Run the "
                                  "script again for a complete profile.");
}

} // namespace

void describeRun(const RecordingSnapshot& snapshot, RunInfo& run)
{
    describeMeasurement(snapshot, run);
    describeClock(snapshot.header, run);
    describeTimesAndCounts(snapshot.header, run);
    describeSetUp(snapshot, run);
    describeOutcome(snapshot, run);
    addWarnings(snapshot, run);
}

} // namespace perilune
