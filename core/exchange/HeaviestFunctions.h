// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perilune {

/// The functions of a report: those with the largest self time, and what share they are of the
/// whole.
class HeaviestFunctions
{
public:
    /// `rowLimit` 0: all.
    HeaviestFunctions(const Profile& profile, Metric metric, std::uint32_t rowLimit);

    const std::vector<FunctionCosts>& rows() const { return m_rows; }
    std::uint64_t sum() const { return m_sum; } ///< Of all functions, listed or not.
    std::uint64_t self(const FunctionCosts& costs) const { return costs.self[m_metric]; }
    std::uint64_t total(const FunctionCosts& costs) const { return costs.total[m_metric]; }
    /// "Showing 42 of 318 functions, 97.1 % of self time".
    std::string countsText() const;

private:
    std::vector<FunctionCosts> m_rows;
    std::size_t m_metric;
    std::size_t m_functionCount = 0;
    std::uint64_t m_sum = 0;
};

} // namespace perilune
