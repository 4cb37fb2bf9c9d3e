// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/RunSets.h"
#include "core/session/Session.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace perilune {

/// One thing that may stand on a side of a comparison: a run, the repeats of a run, or all runs of
/// one text of a script.
struct RunChoice
{
    RunSet::Kind kind = RunSet::Kind::SingleRun;
    QString file;                   ///< The session that holds the runs.
    std::vector<std::int64_t> runs; ///< Ids, in the order they ran; without warm-ups.
    QString title;                  ///< "fib.lua 30 · 12:04 · 5 runs"
    QString detail;                 ///< Mode, Lua, time, in one line.
    std::string script;
    std::int64_t startedAtUnixMs = 0; ///< Of the latest run.
    bool isBaseline = false;

    bool isEmpty() const { return runs.empty(); }
    friend bool operator==(const RunChoice& left, const RunChoice& right)
    {
        return left.file == right.file && left.runs == right.runs;
    }
};

/// All choices that the runs of a session give, latest first; failed and warm-up runs are left out
/// of groups, and runs that measured nothing everywhere.
std::vector<RunChoice> runChoices(const std::vector<RunSummary>& runs, const QString& file);

/// The choice that holds exactly these runs, made for the occasion where none does.
RunChoice choiceOfRuns(const std::vector<RunSummary>& runs, const std::vector<std::int64_t>& ids,
                       const QString& file);

/// A sensible pair to begin with, see newestRunSet() and baselineFor(); sides may be empty.
struct RunChoicePair
{
    RunChoice a;
    RunChoice b;
};
RunChoicePair defaultPair(const std::vector<RunSummary>& runs, const QString& file);

} // namespace perilune
