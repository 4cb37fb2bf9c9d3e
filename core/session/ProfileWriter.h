// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/session/SqliteDatabase.h"

#include <cstdint>

namespace perilune::rows {

/// Inserts everything of `profile` but the run itself, which has its row already: sources,
/// functions, edges, lines and durations as rows, the call tree and what belongs to its nodes as
/// packed columns.
Result<void> insertProfile(SqliteDatabase& database, std::int64_t runId, const Profile& profile);

/// Removes a run with all that belongs to it, and the functions and texts that no other run uses.
Result<void> removeRun(SqliteDatabase& database, std::int64_t runId);

} // namespace perilune::rows
