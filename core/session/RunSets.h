// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// Runs that may stand on one side of a comparison, or be one point of a history.
struct RunSet
{
    enum class Kind
    {
        SingleRun,
        Repeats, ///< Made by one repeat, without its warm-ups.
        SameText ///< Started one by one, but of one text of a script and with the same arguments.
    };

    Kind kind = Kind::SingleRun;
    std::vector<std::size_t>
        runs; ///< Indices in the list it was made from, in its order; never empty.
};

/// Whether a run measured anything.
bool hasMeasured(const RunSummary& run);

/// Every set that `runs` (oldest first) gives: single runs that belong to no repeat, repeats, and
/// two or more runs of the same text. Warm-ups are in none; runs that did not come to their end are
/// single at most; runs that measured nothing are left out. In the order of their last run.
std::vector<RunSet> findRunSets(const std::vector<RunSummary>& runs);

/// The largest set with the newest finished run: the repeats it belongs to, else all runs of its
/// text. Nothing where no run has measured anything: then `runs` is empty.
RunSet newestRunSet(const std::vector<RunSummary>& runs);

/// What to compare `changed` with: the set of the baseline run, else the newest set of the same
/// script before it. Its `runs` is empty where there is none.
RunSet baselineFor(const std::vector<RunSummary>& runs, const RunSet& changed);

} // namespace perilune
