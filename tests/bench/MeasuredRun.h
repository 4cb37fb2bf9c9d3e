// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Result.h"

#include <string>

namespace perilune::bench {

/// What watches a program while it runs.
enum class Watcher
{
    Nothing,    ///< No hook at all.
    EmptyHook,  ///< A call and return hook that does nothing.
    ClockHook,  ///< One that reads the clock once and keeps the reading.
    Exact,      ///< Our recorder.
    ExactByApi, ///< Our recorder without Lua's structures, through the public API only.
    Sampling,   ///< Our recorder in sampling mode, 1 kHz.
};

struct Program
{
    std::string name; ///< For people.
    std::string path;
    std::string argument; ///< `arg[1]`, or empty.
};

/// One execution of a program. Times are in seconds.
struct MeasuredRun
{
    double processorTime = 0; ///< Of this thread, from loading the program to its end.
    double wallTime = 0;

    double lostTime() const { return wallTime > processorTime ? wallTime - processorTime : 0; }

    // Of a recorded run only.
    double rawSelfTime = 0;       ///< Sum of self times as the clock showed them.
    double correctedSelfTime = 0; ///< The same, corrected for the recorder's cost.
    double excludedTime = 0;      ///< The recorder's slow paths, in no self time.
    double calibrationTime = 0;

    // Of the program that splits its time between two functions only: the share of `manyCalls`.
    double trueShare = 0; ///< As the program measured it; the truth when nothing watches.
    double rawShare = 0;  ///< As the recording has it.
    double correctedShare = 0;
};

/// Runs a program in a Lua state of its own. Errors: ScriptFailed, CannotWrite, NoSpace.
Result<MeasuredRun> run(const Program& program, Watcher watcher, const std::string& recordingPath);

} // namespace perilune::bench
