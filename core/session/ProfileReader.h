// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/session/Session.h"
#include "core/session/SqliteDatabase.h"

#include <memory>
#include <string>
#include <vector>

namespace perilune::rows {

/// Reads what insertProfile() wrote for the run of `summary`.
///
/// Damaged parts are left out and named in `problems`: a function that cannot be read keeps its
/// costs under a made-up name, and without its call tree a profile still has the self costs of its
/// functions.
std::shared_ptr<Profile> readProfile(const SqliteDatabase& database, const RunSummary& summary,
                                     std::vector<std::string>& problems);

} // namespace perilune::rows
