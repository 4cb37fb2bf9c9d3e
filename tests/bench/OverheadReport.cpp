// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/OverheadReport.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace perilune::bench {

namespace {

/// Below this share of extra time under the clock-reading hook a ratio of extra times is noise.
constexpr double smallestExtraTime = 0.05;

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double largestMagnitude(const std::vector<double>& values)
{
    double result = 0;
    for (const double value : values)
        if (std::abs(value) > std::abs(result))
            result = value;
    return result;
}

double geometricMean(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

const char* nameOf(Watcher watcher)
{
    switch (watcher) {
    case Watcher::Nothing:
        return "no hook";
    case Watcher::EmptyHook:
        return "empty";
    case Watcher::ClockHook:
        return "clock";
    case Watcher::Exact:
        return "exact";
    case Watcher::ExactByApi:
        return "exact API";
    case Watcher::Sampling:
        return "sampling";
    }
    return "";
}

/// Extra time over that of the clock-reading hook; not a number where that has hardly any.
double extraTimeRatio(const ProgramRuns& program, Watcher watcher)
{
    const double clock = program.slowdown(Watcher::ClockHook) - 1;
    return clock < smallestExtraTime ? NAN : (program.slowdown(watcher) - 1) / clock;
}

bool isOurs(Watcher watcher)
{
    return watcher == Watcher::Exact || watcher == Watcher::ExactByApi;
}

void printHeader(const std::vector<Watcher>& watchers)
{
    std::printf("%-14s %10s", "program", "no hook ms");
    for (const Watcher watcher : watchers) {
        std::printf(" %9s", nameOf(watcher));
        if (isOurs(watcher))
            std::printf(" %9s", "x clock");
    }
    std::printf("\n");
}

void printRow(const ProgramRuns& program, const std::vector<Watcher>& watchers)
{
    std::printf("%-14s %10.1f", program.program.name.c_str(),
                program.median(Watcher::Nothing, &MeasuredRun::processorTime) * 1e3);
    for (const Watcher watcher : watchers) {
        std::printf(" %9.2f", program.slowdown(watcher));
        if (!isOurs(watcher))
            continue;
        const double ratio = extraTimeRatio(program, watcher);
        if (std::isnan(ratio))
            std::printf(" %9s", "-");
        else
            std::printf(" %9.2f", ratio);
    }
    std::printf("\n");
}

void printSummary(const std::vector<ProgramRuns>& programs, const std::vector<Watcher>& watchers)
{
    std::printf("%-14s %10s", "geometric mean", "");
    for (const Watcher watcher : watchers) {
        std::vector<double> slowdowns;
        for (const ProgramRuns& program : programs)
            slowdowns.push_back(program.slowdown(watcher));
        std::printf(isOurs(watcher) ? " %9.2f          " : " %9.2f", geometricMean(slowdowns));
    }
    std::printf("\n");
    for (const Watcher watcher : watchers) {
        if (!isOurs(watcher))
            continue;
        std::vector<double> ratios;
        for (const ProgramRuns& program : programs)
            if (const double ratio = extraTimeRatio(program, watcher); !std::isnan(ratio))
                ratios.push_back(ratio);
        std::printf(
            "extra time of %s over that of the clock-reading hook: median %.2f, worst %.2f\n",
            nameOf(watcher), medianOf(ratios), largestMagnitude(ratios));
    }
}

} // namespace

double ProgramRuns::slowdown(Watcher watcher) const
{
    const auto& plain = runs.at(Watcher::Nothing);
    const auto& watched = runs.at(watcher);
    std::vector<double> ratios;
    for (std::size_t run = 0; run < watched.size(); ++run)
        ratios.push_back(watched[run].processorTime / plain[run].processorTime);
    return medianOf(ratios);
}

double ProgramRuns::residual(Watcher watcher, double MeasuredRun::*selfTime) const
{
    const auto& plain = runs.at(Watcher::Nothing);
    const auto& watched = runs.at(watcher);
    std::vector<double> residuals;
    for (std::size_t run = 0; run < watched.size(); ++run)
        residuals.push_back(
            (watched[run].*selfTime - watched[run].lostTime()) / plain[run].processorTime - 1);
    return medianOf(residuals);
}

double ProgramRuns::median(Watcher watcher, double MeasuredRun::*value) const
{
    std::vector<double> values;
    for (const MeasuredRun& run : runs.at(watcher))
        values.push_back(run.*value);
    return medianOf(values);
}

double ProgramRuns::lostShare(Watcher watcher) const
{
    std::vector<double> shares;
    for (const MeasuredRun& run : runs.at(watcher))
        shares.push_back(run.lostTime() / run.wallTime);
    return medianOf(shares);
}

bool isSplit(const Program& program)
{
    return program.name.rfind("split", 0) == 0;
}

void printSlowdowns(const std::vector<ProgramRuns>& programs, const std::vector<Watcher>& watchers)
{
    std::printf("Processor time over that without a hook\n");
    printHeader(watchers);
    for (const ProgramRuns& program : programs)
        printRow(program, watchers);
    printSummary(programs, watchers);
}

void printResiduals(const std::vector<ProgramRuns>& programs, Watcher watcher)
{
    std::printf("\nSum of self times over the unprofiled time, in per cent too much (%s)\n",
                nameOf(watcher));
    std::printf("%-14s %10s %10s %12s %14s\n", "program", "raw", "corrected", "excluded ms",
                "calibration ms");
    std::vector<double> raw, corrected;
    for (const ProgramRuns& program : programs) {
        raw.push_back(program.residual(watcher, &MeasuredRun::rawSelfTime) * 100);
        corrected.push_back(program.residual(watcher, &MeasuredRun::correctedSelfTime) * 100);
        std::printf("%-14s %+10.1f %+10.1f %12.2f %14.1f\n", program.program.name.c_str(),
                    raw.back(), corrected.back(),
                    program.median(watcher, &MeasuredRun::excludedTime) * 1e3,
                    program.median(watcher, &MeasuredRun::calibrationTime) * 1e3);
    }
    std::vector<double> sizes;
    for (const double value : corrected)
        sizes.push_back(std::abs(value));
    double lost = 0;
    for (const ProgramRuns& program : programs)
        lost = std::max(lost, program.lostShare(watcher));
    std::printf("corrected: median of sizes %.1f, worst %+.1f\n", medianOf(sizes),
                largestMagnitude(corrected));
    std::printf("time lost to other processes, at most: %.0f %% (taken out of the above)\n",
                lost * 100);
}

void printSplits(const std::vector<ProgramRuns>& programs, Watcher watcher)
{
    std::printf("\nShare of the function that makes a million calls, in per cent (%s)\n",
                nameOf(watcher));
    std::printf("%-14s %10s %10s %10s\n", "program", "true", "raw", "corrected");
    for (const ProgramRuns& program : programs)
        std::printf("%-14s %10.1f %10.1f %10.1f\n", program.program.name.c_str(),
                    program.median(Watcher::Nothing, &MeasuredRun::trueShare) * 100,
                    program.median(watcher, &MeasuredRun::rawShare) * 100,
                    program.median(watcher, &MeasuredRun::correctedShare) * 100);
}

} // namespace perilune::bench
