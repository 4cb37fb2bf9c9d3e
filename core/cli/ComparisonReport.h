// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"
#include "core/analysis/SetUpDifference.h"
#include "core/cli/ComparedRuns.h"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perilune::cli {

/// A comparison with all that a report says of it.
struct ComparisonReport
{
    ComparedSides sides;
    std::shared_ptr<const Comparison> comparison;
    std::vector<SetUpDifference> setUp;
    std::string metric;              ///< As --metric names it.
    std::optional<double> failShare; ///< Of --fail-if-slower.
    std::size_t limit = 0;           ///< Of the functions; 0 means all.
    bool showsUnchanged = false;

    /// A clear change for the worse, by more than failShare.
    bool isRegression() const;
    /// Indices of the comparison's rows to report, largest |Δ| first.
    std::vector<std::size_t> reportedRows() const;
};

enum class ReportStyle
{
    Table,
    Markdown
};

/// For people. Write errors stay in the stream.
void writeComparison(std::FILE* stream, const ComparisonReport& report, ReportStyle style);
/// For programs; described in the help page of the command line. Members are only ever added.
void writeComparisonJson(std::FILE* stream, const ComparisonReport& report);

/// "B is 12.4 % slower (…): clear change."
std::string verdictSentence(const Comparison& comparison);

} // namespace perilune::cli
