// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/launch/RecordingStore.h"
#include "core/profile/Profile.h"
#include "core/recording/Result.h"
#include "gui/models/FunctionOrder.h"

#include <QString>

#include <memory>

/// What is done with profiles away from the GUI thread.
namespace perilune {

/// A profile with what views need of it at once.
struct LoadedProfile
{
    std::shared_ptr<const Profile> profile = Profile::empty();
    std::shared_ptr<const FunctionTable> table = std::make_shared<FunctionTable>();
    std::shared_ptr<const FunctionOrder> order = std::make_shared<FunctionOrder>();
};

/// Computes the table of a profile. Any thread.
LoadedProfile analysed(std::shared_ptr<const Profile> profile);

/// Reads a recording and builds its profile. Any thread.
Result<LoadedProfile> loadRecording(const QString& path);

/// The same for a recording that this program left behind when it died.
LoadedProfile recover(const OrphanedRecording& orphan);

/// Whether a run measured anything: one that did not compile or start has no functions worth
/// showing.
bool hasRun(const RunInfo& run);

/// What there is to show of a run in which nothing ran: no functions, but the text of the script,
/// so that the error can be shown where it is. Other profiles are returned as they are. Any thread.
std::shared_ptr<const Profile> withoutIdleParts(std::shared_ptr<const Profile> profile);

} // namespace perilune
