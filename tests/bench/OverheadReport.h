// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/MeasuredRun.h"

#include <map>
#include <string>
#include <vector>

namespace perilune::bench {

/// One program under all watchers: run r of each was made close in time to run r of the others.
struct ProgramRuns
{
    Program program;
    std::map<Watcher, std::vector<MeasuredRun>> runs;

    /// Median over the runs of processor time over that without a hook.
    double slowdown(Watcher watcher) const;
    /// Median over the runs of the sum of self times, without the time that other processes had the
    /// processor, over the unprofiled time, minus 1.
    double residual(Watcher watcher, double MeasuredRun::*selfTime) const;
    /// Median share of wall time during which other processes had the processor.
    double lostShare(Watcher watcher) const;
    /// Median of one value over the runs.
    double median(Watcher watcher, double MeasuredRun::*value) const;
};

/// Whether a program splits its time in a known way; it has its own table.
bool isSplit(const Program& program);

void printSlowdowns(const std::vector<ProgramRuns>& programs, const std::vector<Watcher>& watchers);
void printResiduals(const std::vector<ProgramRuns>& programs, Watcher watcher);
void printSplits(const std::vector<ProgramRuns>& programs, Watcher watcher);

} // namespace perilune::bench
