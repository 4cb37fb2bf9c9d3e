// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/FunctionOrder.h"

#include "gui/models/FunctionFilter.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace perilune {

namespace {

/// Indices in alphabetical order; equal texts in the order they came.
std::vector<std::uint32_t> sortedIndices(const std::vector<std::string>& texts)
{
    std::vector<std::uint32_t> order(texts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
    return order;
}

std::vector<std::uint32_t> ranksOf(const std::vector<std::string>& texts,
                                   const std::vector<std::uint32_t>& order)
{
    std::vector<std::uint32_t> ranks(texts.size());
    std::uint32_t rank = 0;
    for (std::size_t position = 0; position < order.size(); ++position) {
        if (position > 0 && texts[order[position]] != texts[order[position - 1]])
            ++rank;
        ranks[order[position]] = rank;
    }
    return ranks;
}

} // namespace

FunctionOrder FunctionOrder::compute(const Profile& profile, const FunctionTable& table)
{
    std::vector<std::string> names;
    names.reserve(table.rows().size());
    for (const FunctionCosts& costs : table.rows())
        names.push_back(caseFolded(profile.function(costs.function).name));
    std::vector<std::string> labels;
    labels.reserve(profile.sources.size());
    for (const Source& source : profile.sources)
        labels.push_back(caseFolded(source.label));

    FunctionOrder order;
    order.rowsByName = sortedIndices(names);
    order.nameRank = ranksOf(names, order.rowsByName);
    order.sourceRank = ranksOf(labels, sortedIndices(labels));
    return order;
}

} // namespace perilune
