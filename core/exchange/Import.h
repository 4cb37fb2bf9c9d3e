// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <memory>
#include <string>

namespace perilune {

/// Reads a profile that another tool, or exportProfile(), wrote: collapsed stacks (also those of
/// LuaJIT's jit.p), speedscope JSON, callgrind, pprof (compressed or not). The format is told by
/// the content.
///
/// Self time and calls of every function are those of the file. What the format cannot say is said
/// in RunInfo::warnings: units that had to be assumed, call paths that a call graph does not have.
/// The run's start is the one in the file, else the time when the file was last changed. Nothing in
/// the file is trusted. Errors: FileNotFound, CannotRead, Damaged (also: no such format).
Result<std::shared_ptr<const Profile>> importProfile(const std::string& path);

} // namespace perilune
