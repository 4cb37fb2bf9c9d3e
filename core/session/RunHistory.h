// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/History.h"
#include "core/session/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perilune {

/// What is followed from run to run.
enum class HistoryQuantity
{
    Self,
    Total,
    Calls,
    Mean, ///< Total over calls.
    SelfBytes,
    TotalBytes,
};

/// Whose cost it is: a function, found again by its name and file when lines move.
struct HistorySubject
{
    std::string key; ///< Profile::key() in one run; of several functions of the name, this one.
    std::string name;
    std::string source; ///< Label; empty for C functions.
    int line = -1;

    /// The whole run: what the host program called, which is everything.
    static HistorySubject whole();
};

/// One point of a history: a run or its repeats.
struct RunPoint
{
    std::vector<std::size_t> runs; ///< Indices in the list of runs; a failed run is there alone.
    HistoryEntry entry;
};

/// The points of one script, in the order of its runs, with the values of `subject`. `runs` are
/// those of the session, oldest first; those of other scripts are passed over. No tree is loaded.
Result<std::vector<RunPoint>> loadHistory(const Session& session,
                                          const std::vector<RunSummary>& runs,
                                          const std::string& script, const HistorySubject& subject,
                                          HistoryQuantity quantity);

/// The scripts that `runs` are of, each once, the one that ran last first.
std::vector<std::string> scriptsOf(const std::vector<RunSummary>& runs);

} // namespace perilune
