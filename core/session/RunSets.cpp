// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/RunSets.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace perilune {

namespace {

bool belongsInSet(const RunSummary& run)
{
    return hasMeasured(run) && !run.info.isWarmUp && !run.info.isPartial();
}

/// What makes runs repeats of each other though they were started one by one.
auto textKey(const RunInfo& info)
{
    return std::tuple(info.script, info.scriptHash, info.arguments, info.mode, info.luaVersion,
                      info.machine);
}

bool shareRuns(const RunSet& left, const RunSet& right)
{
    return std::any_of(left.runs.begin(), left.runs.end(), [&right](std::size_t run) {
        return std::find(right.runs.begin(), right.runs.end(), run) != right.runs.end();
    });
}

/// Of two sets, the one to prefer: with more runs, else the later one.
bool isBetter(const RunSet& left, const RunSet& right)
{
    return std::tuple(left.runs.size(), left.runs.back())
        > std::tuple(right.runs.size(), right.runs.back());
}

} // namespace

bool hasMeasured(const RunSummary& run)
{
    return run.info.status != RunStatus::CouldNotStart && run.info.status != RunStatus::SyntaxError
        && run.functionCount > 0;
}

std::vector<RunSet> findRunSets(const std::vector<RunSummary>& runs)
{
    std::vector<RunSet> sets;
    std::map<std::string, std::vector<std::size_t>> repeats;
    std::map<decltype(textKey(RunInfo{})), std::vector<std::size_t>> sameText;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunSummary& run = runs[i];
        if (hasMeasured(run) && !run.info.repeatGroup && !run.info.isWarmUp)
            sets.push_back({RunSet::Kind::SingleRun, {i}});
        if (!belongsInSet(run))
            continue;
        if (run.info.repeatGroup)
            repeats[*run.info.repeatGroup].push_back(i);
        else
            sameText[textKey(run.info)].push_back(i);
    }
    for (auto& [group, members] : repeats)
        sets.push_back({RunSet::Kind::Repeats, std::move(members)});
    for (auto& [key, members] : sameText)
        if (members.size() > 1)
            sets.push_back({RunSet::Kind::SameText, std::move(members)});
    std::stable_sort(sets.begin(), sets.end(), [](const RunSet& left, const RunSet& right) {
        return left.runs.back() < right.runs.back();
    });
    return sets;
}

RunSet newestRunSet(const std::vector<RunSummary>& runs)
{
    RunSet newest;
    for (const RunSet& set : findRunSets(runs)) {
        const bool isLater = newest.runs.empty() || set.runs.back() > newest.runs.back();
        const bool isSameRun = !isLater && set.runs.back() == newest.runs.back();
        if (isLater || (isSameRun && isBetter(set, newest)))
            newest = set;
    }
    return newest;
}

RunSet baselineFor(const std::vector<RunSummary>& runs, const RunSet& changed)
{
    RunSet best;
    bool isBestMarked = false;
    for (const RunSet& set : findRunSets(runs)) {
        if (changed.runs.empty() || shareRuns(set, changed)
            || runs[set.runs.back()].info.script != runs[changed.runs.back()].info.script)
            continue;
        const bool isMarked =
            std::any_of(set.runs.begin(), set.runs.end(),
                        [&runs](std::size_t run) { return runs[run].isBaseline; });
        if (isBestMarked && !isMarked)
            continue;
        const bool isFirst = best.runs.empty() || (isMarked && !isBestMarked);
        const bool isLater = !isFirst && set.runs.back() > best.runs.back();
        const bool isLarger =
            !isFirst && set.runs.back() == best.runs.back() && isBetter(set, best);
        if (isFirst || isLater || isLarger)
            best = set;
        isBestMarked = isBestMarked || isMarked;
    }
    return best;
}

} // namespace perilune
