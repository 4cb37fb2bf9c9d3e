// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace perilune {

namespace {

/// Steps smaller than this share of the largest are too small to see.
constexpr double smallestStep = 0.002;

double metricOf(const std::array<std::uint64_t, metricCount>& values, Metric metric)
{
    return static_cast<double>(values[static_cast<std::size_t>(metric)]);
}

double plainCost(const FunctionCosts& costs, CostKind cost, Metric metric)
{
    switch (cost) {
    case CostKind::Self:
        return metricOf(costs.self, metric);
    case CostKind::Calls:
        return static_cast<double>(costs.calls);
    case CostKind::Total:
    case CostKind::Mean:
        break;
    }
    return metricOf(costs.total, metric);
}

double wholeOf(const FunctionTable& table, CostKind cost, Metric metric)
{
    return static_cast<double>(table.sum(cost == CostKind::Calls ? Metric::Calls : metric));
}

/// The cost of one function in one run as the options want it; nothing where it has none, such as a
/// mean without calls.
std::optional<double> costOf(const FunctionCosts* costs, const FunctionTable& table,
                             const ComparisonOptions& options)
{
    const bool isPerCall = options.cost == CostKind::Mean
        || (options.normalisation == Normalisation::PerCall && options.cost != CostKind::Calls);
    double value = costs ? plainCost(*costs, options.cost, options.metric) : 0.0;
    if (isPerCall) {
        if (!costs || costs->calls == 0)
            return std::nullopt;
        value /= static_cast<double>(costs->calls);
    }
    if (options.normalisation == Normalisation::ShareOfRun) {
        const double whole = wholeOf(table, options.cost, options.metric);
        return whole == 0.0 ? std::nullopt : std::optional(value / whole);
    }
    return value;
}

std::vector<double> costsOf(const std::optional<MatchedSide>& side, const RunGroup& group,
                            const ComparisonOptions& options)
{
    std::vector<double> values;
    values.reserve(group.size());
    for (std::size_t run = 0; run < group.size(); ++run) {
        const FunctionCosts* costs = side ? side->costs[run] : nullptr;
        if (const auto value = costOf(costs, *group[run].table, options))
            values.push_back(*value);
    }
    return values;
}

std::vector<double> wholesOf(const RunGroup& group, const ComparisonOptions& options)
{
    std::vector<double> values;
    for (const ComparedRun& run : group)
        values.push_back(wholeOf(*run.table, options.cost, options.metric));
    return values;
}

/// What a row's difference weighs against: A's whole in the unit of the rows. Infinite where rows
/// do not add up, so that nothing weighs much.
double wholeInUnits(const ChangeEstimate& whole, const ComparisonOptions& options)
{
    if (options.normalisation == Normalisation::ShareOfRun)
        return 1.0;
    if (options.normalisation == Normalisation::PerCall || options.cost == CostKind::Mean)
        return std::numeric_limits<double>::infinity();
    return whole.medianA;
}

double medianCost(const std::optional<MatchedSide>& side, const RunGroup& group,
                  const ComparisonOptions& options)
{
    return median(costsOf(side, group, options));
}

/// The host program is a row only where it has costs of its own; nobody called it.
bool isIdleHost(const MatchedFunction& function, const SamplePair& pair, CostKind cost)
{
    const auto isZero = [](double value) { return value == 0.0; };
    if (function.kind != FunctionKind::Host)
        return false;
    return cost != CostKind::Self
        || (std::all_of(pair.a.begin(), pair.a.end(), isZero)
            && std::all_of(pair.b.begin(), pair.b.end(), isZero));
}

} // namespace

std::optional<double> ComparisonRow::deltaShare() const
{
    if (change.medianA == 0.0)
        return std::nullopt;
    return delta() / change.medianA;
}

std::shared_ptr<const Comparison> Comparison::compute(std::shared_ptr<const MatchedRuns> runs,
                                                      const ComparisonOptions& options)
{
    auto comparison = std::shared_ptr<Comparison>(new Comparison);
    comparison->m_options = options;
    comparison->m_whole =
        assessChange(wholesOf(runs->a(), options), wholesOf(runs->b(), options), options.rules);

    comparison->m_wholeInUnits = wholeInUnits(comparison->m_whole, options);

    ComparisonOptions calls;
    calls.cost = CostKind::Calls;
    std::vector<SamplePair> pairs;
    for (std::size_t i = 0; i < runs->functions().size(); ++i) {
        const MatchedFunction& function = runs->functions()[i];
        SamplePair pair{costsOf(function.a, runs->a(), options),
                        costsOf(function.b, runs->b(), options)};
        if (isIdleHost(function, pair, options.cost))
            continue;
        pairs.push_back(std::move(pair));
        ComparisonRow row;
        row.function = i;
        row.callsA = medianCost(function.a, runs->a(), calls);
        row.callsB = medianCost(function.b, runs->b(), calls);
        comparison->m_rows.push_back(std::move(row));
    }
    std::vector<ChangeEstimate> changes = assessFamily(pairs, options.rules);
    for (std::size_t i = 0; i < changes.size(); ++i)
        comparison->m_rows[i].change = std::move(changes[i]);
    comparison->m_runs = std::move(runs);
    return comparison;
}

const MatchedFunction& Comparison::functionOf(const ComparisonRow& row) const
{
    return m_runs->functions()[row.function];
}

std::vector<std::size_t> Comparison::byDelta() const
{
    std::vector<std::size_t> order(m_rows.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [this](std::size_t left, std::size_t right) {
        return std::abs(m_rows[left].delta()) > std::abs(m_rows[right].delta());
    });
    return order;
}

std::vector<WaterfallStep> Comparison::waterfall(std::size_t count) const
{
    ComparisonOptions self;
    self.metric = m_options.metric;
    std::vector<WaterfallStep> steps;
    for (std::size_t i = 0; i < m_runs->functions().size(); ++i) {
        const MatchedFunction& function = m_runs->functions()[i];
        const double before = medianCost(function.a, m_runs->a(), self);
        const double after = medianCost(function.b, m_runs->b(), self);
        if (before != after)
            steps.push_back({i, before, after});
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const WaterfallStep& l, const WaterfallStep& r) {
                         return std::abs(l.delta()) > std::abs(r.delta());
                     });
    steps.resize(std::min(count, steps.size()));
    const double smallest = steps.empty() ? 0.0 : smallestStep * std::abs(steps.front().delta());
    std::erase_if(
        steps, [smallest](const WaterfallStep& step) { return std::abs(step.delta()) < smallest; });

    double level = median(wholesOf(m_runs->a(), self));
    const double last = median(wholesOf(m_runs->b(), self));
    for (WaterfallStep& step : steps) {
        const double delta = step.delta();
        step.start = level;
        level += delta;
        step.end = level;
    }
    // The functions not named, and what medians of parts differ from the median of the whole.
    if (level != last)
        steps.push_back({std::nullopt, level, last});
    return steps;
}

bool Comparison::isUnchanged(const ComparisonRow& row) const
{
    const MatchStatus status = functionOf(row).status;
    if (status == MatchStatus::New || status == MatchStatus::Gone || isClear(row.change.verdict))
        return false;
    const double size = std::abs(row.delta());
    const double threshold = m_options.rules.threshold;
    if (size <= threshold * std::abs(row.change.medianA))
        return true;
    const bool mayBeEqual = row.change.interval && row.change.interval->contains(1.0);
    return mayBeEqual && size <= threshold * m_wholeInUnits;
}

} // namespace perilune
