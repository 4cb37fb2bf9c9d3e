// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/MatchedRuns.h"
#include "core/recording/Result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune::cli {

/// One side of a comparison as it was asked for.
struct SideRequest
{
    QString file;                                  ///< A session or a recording.
    std::optional<std::vector<std::int64_t>> runs; ///< Nothing: the newest and its repeats.
};

/// One side, loaded.
struct ComparedSide
{
    QString file;
    std::vector<std::int64_t> runs; ///< Numbers in the session; 1 for a recording.
    RunGroup group;
};

struct ComparedSides
{
    ComparedSide a;
    ComparedSide b;
    std::vector<ManualMatch> manualMatches; ///< Kept in the sessions.
};

/// "3", "2,4,7" or "2-11" as run numbers; nothing for what is none.
std::optional<std::vector<std::int64_t>> parseRunNumbers(const QString& text);

/// Loads both sides. Where both are one session and A's runs are not given, A is the baseline run's
/// set, else the set of the same script before B's.
Result<ComparedSides> loadSides(const SideRequest& a, const SideRequest& b);

} // namespace perilune::cli
