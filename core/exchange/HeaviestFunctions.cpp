// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/HeaviestFunctions.h"

#include "core/exchange/Text.h"

#include <algorithm>

namespace perilune {

HeaviestFunctions::HeaviestFunctions(const Profile& profile, Metric metric, std::uint32_t rowLimit)
    : m_metric(static_cast<std::size_t>(metric))
{
    const FunctionTable table = FunctionTable::compute(profile);
    m_sum = table.sum(metric);
    m_rows = table.rows();
    m_functionCount = m_rows.size();
    std::ranges::stable_sort(m_rows, std::ranges::greater(),
                             [this](const FunctionCosts& costs) { return self(costs); });
    if (rowLimit > 0 && m_rows.size() > rowLimit)
        m_rows.resize(rowLimit);
}

std::string HeaviestFunctions::countsText() const
{
    std::uint64_t shown = 0;
    for (const FunctionCosts& costs : m_rows)
        shown += self(costs);
    return "Showing " + countText(m_rows.size()) + " of " + countText(m_functionCount)
        + " functions, " + shareText(shown, m_sum) + " of self time.";
}

} // namespace perilune
