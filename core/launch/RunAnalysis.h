// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <QString>

#include <memory>
#include <string>

namespace perilune {

/// Why a run was ended from outside.
enum class StopReason
{
    None,
    User,
    TimeLimit
};

/// How the runner's process ended.
struct ProcessEnd
{
    StopReason stopReason = StopReason::None;
    int exitCode = 0;
    int signal = 0;        ///< 0 when the process ended by itself.
    std::string errorTail; ///< The end of its standard error, when that was captured.
};

/// Builds the profile of a run whose process has ended. Closes the recording first, so that the
/// time since its last event is charged. Never null: when nothing was recorded, the status says
/// why. Blocks; not for the GUI thread.
std::shared_ptr<const Profile> analyseRun(const QString& recording, RunInfo run,
                                          const ProcessEnd& end);

/// How long a reference run took, by its recording; zero when it did not come to its end.
Duration referenceTime(const QString& recording);

/// Builds the profile of a run that goes on; null when nothing can be read yet.
std::shared_ptr<const Profile> analyseSnapshot(const QString& recording, RunInfo run);

/// A profile without functions of a run that did not start.
std::shared_ptr<const Profile> failedRun(RunInfo run, const std::string& message);

} // namespace perilune
