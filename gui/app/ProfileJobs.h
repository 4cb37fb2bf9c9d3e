// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <QString>

#include <memory>

/// What is done with profiles away from the GUI thread.
namespace perilune {

/// A profile with what views need of it at once.
struct LoadedProfile
{
    std::shared_ptr<const Profile> profile = Profile::empty();
    std::shared_ptr<const FunctionTable> table = std::make_shared<FunctionTable>();
};

/// Computes the table of a profile. Any thread.
LoadedProfile analysed(std::shared_ptr<const Profile> profile);

/// Reads a recording and builds its profile. Any thread.
Result<LoadedProfile> loadRecording(const QString& path);

/// The profile with the text of its script, which a run that never began has not recorded, so that
/// a syntax error can be shown where it is. Returns `profile` itself where nothing is missing. Any
/// thread.
std::shared_ptr<const Profile> withScriptText(std::shared_ptr<const Profile> profile);

} // namespace perilune
