// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/SetUpDifference.h"

#include "core/analysis/Verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

namespace perilune {

namespace {

std::string joined(const std::vector<std::string>& words, const char* separator)
{
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty())
            text += separator;
        text += word;
    }
    return text;
}

std::string arguments(const RunInfo& run)
{
    return joined(run.arguments, " ");
}

std::string environment(const RunInfo& run)
{
    std::vector<std::string> words;
    for (const auto& [name, value] : run.environment)
        words.push_back(value ? name + '=' + *value : name + " unset");
    std::sort(words.begin(), words.end());
    return joined(words, " ");
}

std::string gitCommit(const RunInfo& run)
{
    return run.gitCommit.empty() || !run.gitDirty ? run.gitCommit : run.gitCommit + "+";
}

std::string options(const RunInfo& run)
{
    std::vector<std::string> words;
    if (run.hasLines)
        words.emplace_back("lines");
    if (run.hasMemory)
        words.emplace_back("memory");
    if (run.hasDurations)
        words.emplace_back("durations");
    if (run.hasTimeline)
        words.emplace_back("timeline");
    return joined(words, ", ");
}

std::string correction(const RunInfo& run)
{
    switch (run.correction.method) {
    case CorrectionMethod::Calibrated:
        return "calibrated";
    case CorrectionMethod::ReferenceRun:
        return "reference run";
    case CorrectionMethod::None:
        break;
    }
    return "none";
}

std::string samplingInterval(const RunInfo& run)
{
    if (run.mode == ProfilingMode::Exact)
        return {};
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g ms",
                  static_cast<double>(run.samplingInterval.nanoseconds()) / 1e6);
    return text.data();
}

struct ItemSpec
{
    SetUpItem item;
    SetUpWeight weight;
    std::string (*value)(const RunInfo&);
};

constexpr std::array itemSpecs = {
    ItemSpec{SetUpItem::Script, SetUpWeight::Expected,
             [](const RunInfo& run) { return run.script; }},
    ItemSpec{SetUpItem::ScriptText, SetUpWeight::Expected,
             [](const RunInfo& run) { return run.scriptHash.substr(0, 8); }},
    ItemSpec{SetUpItem::GitCommit, SetUpWeight::Expected, gitCommit},
    ItemSpec{SetUpItem::Arguments, SetUpWeight::Warning, arguments},
    ItemSpec{SetUpItem::WorkingDirectory, SetUpWeight::Expected,
             [](const RunInfo& run) { return run.workingDirectory; }},
    ItemSpec{SetUpItem::Environment, SetUpWeight::Warning, environment},
    ItemSpec{SetUpItem::StandardInput, SetUpWeight::Warning,
             [](const RunInfo& run) { return run.standardInput; }},
    ItemSpec{SetUpItem::Interpreter, SetUpWeight::Warning,
             [](const RunInfo& run) { return run.interpreter; }},
    ItemSpec{SetUpItem::LuaVersion, SetUpWeight::Warning,
             [](const RunInfo& run) { return run.luaVersion; }},
    ItemSpec{SetUpItem::Machine, SetUpWeight::Warning,
             [](const RunInfo& run) { return run.machine; }},
    ItemSpec{SetUpItem::Mode, SetUpWeight::Warning,
             [](const RunInfo& run) { return modeName(run.mode); }},
    ItemSpec{SetUpItem::SamplingInterval, SetUpWeight::Warning, samplingInterval},
    ItemSpec{SetUpItem::Clock, SetUpWeight::Warning,
             [](const RunInfo& run) { return run.clockName; }},
    ItemSpec{SetUpItem::Options, SetUpWeight::Warning, options},
    ItemSpec{SetUpItem::Correction, SetUpWeight::Warning, correction},
};

std::vector<std::string> valuesOf(const RunGroup& group, std::string (*value)(const RunInfo&))
{
    std::vector<std::string> values;
    std::set<std::string> seen;
    for (const ComparedRun& run : group) {
        std::string text = value(run.profile->run);
        if (seen.insert(text).second)
            values.push_back(std::move(text));
    }
    return values;
}

void addItem(const ItemSpec& spec, const RunGroup& a, const RunGroup& b,
             std::vector<SetUpDifference>& differences)
{
    const std::vector<std::string> valuesA = valuesOf(a, spec.value);
    const std::vector<std::string> valuesB = valuesOf(b, spec.value);
    const bool isSame = valuesA.size() <= 1 && valuesA == valuesB;
    if (!isSame)
        differences.push_back(
            {spec.item, spec.weight, joined(valuesA, "; "), joined(valuesB, "; ")});
}

std::string signedPercent(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.1f %%", 100.0 * share);
    return text.data();
}

std::vector<double> timesOf(const RunGroup& group)
{
    std::vector<double> times;
    for (const ComparedRun& run : group)
        times.push_back(static_cast<double>(run.table->sum(Metric::Time)));
    return times;
}

std::string partialCount(const RunGroup& group)
{
    const auto count = std::count_if(group.begin(), group.end(), [](const ComparedRun& run) {
        return run.profile->run.isPartial();
    });
    return std::to_string(count);
}

/// "+3.2 %" when the second half of the runs differs clearly from the first; else empty.
std::string drift(const RunGroup& group)
{
    const std::vector<double> times = timesOf(group);
    const std::span<const double> all(times);
    const std::size_t half = times.size() / 2;
    VerdictRules rules;
    rules.level = 0.02; // Asked of both sides, so that a steady pair is seldom blamed.
    rules.driftFactor = 0.0;
    const ChangeEstimate change = assessChange(all.first(half), all.last(half), rules);
    return isClear(change.verdict) && change.ratio ? signedPercent(*change.ratio - 1.0)
                                                   : std::string();
}

/// "±12.0 %" when the runs spread more than those of a quiet machine; else empty.
std::string unsteadiness(const RunGroup& group)
{
    const VerdictRules rules;
    const std::vector<double> times = timesOf(group);
    const double centre = median(times);
    if (times.size() < rules.minimumRuns || centre == 0.0)
        return {};
    const double spread = medianAbsoluteDeviation(times) / centre;
    return spread > 2.0 * rules.steadySpread ? "±" + signedPercent(spread).substr(1)
                                             : std::string();
}

/// Median self time per call over the runs of a side, and its share of the median run.
struct Pace
{
    double perCall = 0.0;
    double share = 0.0;
};

Pace paceOf(const std::optional<MatchedSide>& side, double whole)
{
    std::vector<double> perCall;
    std::vector<double> self;
    for (const FunctionCosts* costs : side ? side->costs : std::vector<const FunctionCosts*>()) {
        if (!costs || costs->calls == 0)
            continue;
        const auto time = static_cast<double>(costs->selfTime().nanoseconds());
        self.push_back(time);
        perCall.push_back(time / static_cast<double>(costs->calls));
    }
    return {median(perCall), whole == 0.0 ? 0.0 : median(self) / whole};
}

/// Adds a difference with a value for each side, unless both are empty.
void addPair(SetUpItem item, std::string a, std::string b,
             std::vector<SetUpDifference>& differences)
{
    if (!a.empty() || !b.empty())
        differences.push_back({item, SetUpWeight::Warning, std::move(a), std::move(b)});
}

} // namespace

std::string modeName(ProfilingMode mode)
{
    switch (mode) {
    case ProfilingMode::Sampling:
        return "sampling";
    case ProfilingMode::Combined:
        return "combined";
    case ProfilingMode::Exact:
        break;
    }
    return "exact";
}

std::string comparableSetUp(const RunInfo& run)
{
    return joined({run.machine, run.luaVersion, modeName(run.mode)}, ", ");
}

std::vector<SetUpDifference> findSetUpDifferences(const RunGroup& a, const RunGroup& b)
{
    std::vector<SetUpDifference> differences;
    if (a.empty() || b.empty())
        return differences;
    for (const ItemSpec& spec : itemSpecs)
        addItem(spec, a, b, differences);
    if (a.size() != b.size()) {
        differences.push_back({SetUpItem::RepeatCount, SetUpWeight::Warning,
                               std::to_string(a.size()), std::to_string(b.size())});
    }
    const std::string partialA = partialCount(a);
    const std::string partialB = partialCount(b);
    if (partialA != "0" || partialB != "0")
        differences.push_back({SetUpItem::Partial, SetUpWeight::Warning, partialA, partialB});
    addPair(SetUpItem::Drift, drift(a), drift(b), differences);
    addPair(SetUpItem::Unsteady, unsteadiness(a), unsteadiness(b), differences);
    return differences;
}

std::vector<SetUpDifference> findSetUpDifferences(const MatchedRuns& runs)
{
    std::vector<SetUpDifference> differences = findSetUpDifferences(runs.a(), runs.b());
    if (const auto shift = findCommonShift(runs))
        addPair(SetUpItem::CommonShift, {}, signedPercent(*shift), differences);
    return differences;
}

std::optional<double> findCommonShift(const MatchedRuns& runs)
{
    constexpr std::size_t fewestFunctions = 4;
    constexpr double smallestShare = 0.01;
    constexpr double smallestShift = 0.03;
    const double wholeA = median(timesOf(runs.a()));
    const double wholeB = median(timesOf(runs.b()));
    std::vector<double> shifts;
    for (const MatchedFunction& function : runs.functions()) {
        const Pace a = paceOf(function.a, wholeA);
        const Pace b = paceOf(function.b, wholeB);
        if (a.share >= smallestShare && b.share >= smallestShare && a.perCall > 0.0
            && b.perCall > 0.0)
            shifts.push_back(std::log(b.perCall / a.perCall));
    }
    const double shift = median(shifts);
    const bool isCommon = medianAbsoluteDeviation(shifts) < std::abs(shift) / 3.0;
    if (shifts.size() < fewestFunctions || std::abs(shift) < smallestShift || !isCommon)
        return std::nullopt;
    return std::exp(shift) - 1.0;
}

} // namespace perilune
