// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/RunHistory.h"

#include "core/analysis/SetUpDifference.h"
#include "core/session/RunSets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <unordered_map>

namespace perilune {

namespace {

std::optional<double> bytes(const std::optional<std::uint64_t>& value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<double> valueOf(const FunctionResult& result, HistoryQuantity quantity)
{
    const auto total = static_cast<double>(result.totalTime.nanoseconds());
    switch (quantity) {
    case HistoryQuantity::Self:
        return static_cast<double>(result.selfTime.nanoseconds());
    case HistoryQuantity::Total:
        return total;
    case HistoryQuantity::Calls:
        return bytes(result.calls);
    case HistoryQuantity::Mean:
        if (!result.calls || *result.calls == 0)
            return std::nullopt;
        return total / static_cast<double>(*result.calls);
    case HistoryQuantity::SelfBytes:
        return bytes(result.selfBytes);
    case HistoryQuantity::TotalBytes:
        return bytes(result.totalBytes);
    }
    return std::nullopt;
}

/// Of functions of one name in one file of one run: the very one, else the nearest.
bool isCloser(const FunctionResult& candidate, const FunctionResult& present,
              const HistorySubject& subject)
{
    const bool isSame = candidate.key == subject.key;
    if (isSame != (present.key == subject.key))
        return isSame;
    return std::abs(candidate.line - subject.line) < std::abs(present.line - subject.line);
}

/// By run id.
using Values = std::unordered_map<std::int64_t, std::optional<double>>;

Result<Values> valuesOf(const Session& session, const HistorySubject& subject,
                        HistoryQuantity quantity)
{
    const auto results = session.functionHistory(subject.name, subject.source);
    if (!results)
        return results.error();
    std::unordered_map<std::int64_t, const FunctionResult*> chosen;
    for (const FunctionResult& result : *results) {
        const FunctionResult*& present = chosen[result.runId];
        if (!present || isCloser(result, *present, subject))
            present = &result;
    }
    Values values;
    for (const auto& [run, result] : chosen)
        values[run] = valueOf(*result, quantity);
    return values;
}

bool isFailed(const RunSummary& run)
{
    return !hasMeasured(run) || run.info.isPartial();
}

void addRun(std::vector<RunPoint>& points,
            std::unordered_map<std::string, std::size_t>& pointOfGroup,
            const std::vector<RunSummary>& runs, std::size_t index,
            const std::optional<double>& value)
{
    const RunSummary& run = runs[index];
    const bool isRepeat = run.info.repeatGroup && !isFailed(run);
    const auto known = isRepeat ? pointOfGroup.find(*run.info.repeatGroup) : pointOfGroup.end();
    if (known == pointOfGroup.end()) {
        RunPoint point;
        point.entry.startedAtUnixMs = run.info.startedAtUnixMs;
        point.entry.setUp = comparableSetUp(run.info);
        point.entry.isFailed = isFailed(run);
        points.push_back(std::move(point));
        if (isRepeat)
            pointOfGroup[*run.info.repeatGroup] = points.size() - 1;
    }
    RunPoint& point = known == pointOfGroup.end() ? points.back() : points[known->second];
    point.runs.push_back(index);
    point.entry.isLeftOut = point.entry.isLeftOut || run.isLeftOut;
    if (value && !point.entry.isFailed)
        point.entry.repeats.push_back(*value);
}

} // namespace

HistorySubject HistorySubject::whole()
{
    return {std::string(), "(interpreter)", std::string(), -1};
}

Result<std::vector<RunPoint>> loadHistory(const Session& session,
                                          const std::vector<RunSummary>& runs,
                                          const std::string& script, const HistorySubject& subject,
                                          HistoryQuantity quantity)
{
    const Result<Values> values = valuesOf(session, subject, quantity);
    if (!values)
        return values.error();
    std::vector<RunPoint> points;
    std::unordered_map<std::string, std::size_t> pointOfGroup;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].info.script != script || runs[i].info.isWarmUp)
            continue;
        const auto value = values->find(runs[i].id);
        addRun(points, pointOfGroup, runs, i,
               value == values->end() ? std::nullopt : value->second);
    }
    return points;
}

std::vector<std::string> scriptsOf(const std::vector<RunSummary>& runs)
{
    std::vector<std::string> scripts;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        if (std::find(scripts.begin(), scripts.end(), run->info.script) == scripts.end())
            scripts.push_back(run->info.script);
    return scripts;
}

} // namespace perilune
