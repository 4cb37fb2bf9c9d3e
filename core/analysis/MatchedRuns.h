// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionMatch.h"
#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// One run with its flat table; neither is null.
struct ComparedRun
{
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const FunctionTable> table;

    /// Computes the table.
    static ComparedRun of(std::shared_ptr<const Profile> profile);
};

/// The runs of one side: a single one, or the repeats of one group.
using RunGroup = std::vector<ComparedRun>;

/// One side's view of a function.
struct MatchedSide
{
    std::string key;      ///< Profile::key().
    std::string name;     ///< As the table of functions shows it.
    std::string location; ///< Profile::location().
    std::size_t run = 0;  ///< The first run of the group that entered it, and its id there.
    FunctionId function;
    /// Its costs in each run of the group; null where it was not entered.
    std::vector<const FunctionCosts*> costs;
};

/// A function over both sides; at least one is set.
struct MatchedFunction
{
    std::optional<MatchedSide> a;
    std::optional<MatchedSide> b;
    FunctionKind kind = FunctionKind::Lua;
    MatchReason reason = MatchReason::None;
    MatchStatus status = MatchStatus::Exact;
    double similarity = 0.0;

    /// What it is called now: B's side, or A's where it is gone.
    const MatchedSide& shown() const { return b ? *b : *a; }
};

/// Two groups of runs whose functions have been found in each other: the slow half of a comparison,
/// which is done once; Comparison then counts in any metric. Immutable.
///
/// Runs of one group are taken to be of one version of the program, so their functions are matched
/// by key alone; between the groups matchFunctions() decides.
class MatchedRuns
{
public:
    /// Matches A, the baseline, with B. Either may be empty.
    static std::shared_ptr<const MatchedRuns> match(RunGroup a, RunGroup b,
                                                    std::vector<ManualMatch> manual = {});

    const RunGroup& a() const { return m_a; }
    const RunGroup& b() const { return m_b; }
    const std::vector<ManualMatch>& manualMatches() const { return m_manual; }
    /// The host comes first, then in the order of A's tables, then what is new in B.
    const std::vector<MatchedFunction>& functions() const { return m_functions; }
    /// For each run of A (B), the index in functions() by FunctionId; SIZE_MAX where never entered.
    const std::vector<std::vector<std::size_t>>& indexOfFunctionA() const { return m_indexA; }
    const std::vector<std::vector<std::size_t>>& indexOfFunctionB() const { return m_indexB; }

private:
    MatchedRuns() = default;

    RunGroup m_a;
    RunGroup m_b;
    std::vector<ManualMatch> m_manual;
    std::vector<MatchedFunction> m_functions;
    std::vector<std::vector<std::size_t>> m_indexA;
    std::vector<std::vector<std::size_t>> m_indexB;
};

} // namespace perilune
