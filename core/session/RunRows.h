// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "core/session/SqliteDatabase.h"

#include <cstdint>
#include <string>
#include <vector>

/// The table `run` and the lists that belong to a run: arguments, environment, tags, warnings.
namespace perilune::rows {

/// Inserts a run with its lists; an id of 0 asks for a new one. Returns the id.
Result<std::int64_t> insertRun(SqliteDatabase& database, const RunSummary& summary);
/// Stores what the user gave to a run: name, notes, tags, pin, baseline.
Result<void> updateRun(SqliteDatabase& database, const RunSummary& summary);
/// All runs that can be read, by start and id; what cannot is added to `problems`.
std::vector<RunSummary> readRuns(const SqliteDatabase& database,
                                 std::vector<std::string>& problems);
/// One run. Errors: InvalidArgument when there is none with this id, Damaged.
Result<RunSummary> readRun(const SqliteDatabase& database, std::int64_t id,
                           std::vector<std::string>& problems);
Result<bool> hasRun(const SqliteDatabase& database, std::int64_t id);

} // namespace perilune::rows
