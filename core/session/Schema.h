// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/SqliteDatabase.h"

#include <cstdint>

/// The tables of a session file and how older files become newer ones. Documented for users in
/// resources/help/session-format.md.
namespace perilune::schema {

/// `PRAGMA application_id`: "Plun".
inline constexpr std::uint32_t applicationId = 0x506c756e;
/// `PRAGMA user_version` of the files that this program writes.
inline constexpr std::int64_t currentVersion = 1;

/// Makes the tables in an empty database, which must be open for writing.
Result<void> create(SqliteDatabase& database);

/// Brings a file of an older version to the current one in one transaction.
/// Errors: UnsupportedVersion for a newer file, naming both; Damaged for a file without a version.
Result<void> migrate(SqliteDatabase& database);

} // namespace perilune::schema
