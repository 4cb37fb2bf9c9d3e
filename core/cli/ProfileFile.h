// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <QString>

#include <memory>
#include <optional>

namespace perilune::cli {

/// Loads the profile of a run from a session, or from a raw recording (*.plrec), which has only
/// one. Without a number the newest run of the session. Errors name the file and what to do.
Result<std::shared_ptr<const Profile>> loadProfile(const QString& path,
                                                   std::optional<qint64> runNumber);

} // namespace perilune::cli
