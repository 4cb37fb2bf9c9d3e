// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <string_view>

/// The words that session files and reports use for enumerators. They are part of both formats:
/// never change one, only add.
namespace perilune {

std::string_view nameOf(ProfilingMode mode);      ///< "exact", "sampling", "combined"
std::string_view nameOf(ClockKind clock);         ///< "wall", "cpu"
std::string_view nameOf(RunStatus status);        ///< "done", "script_error", …
std::string_view nameOf(CorrectionMethod method); ///< "none", "calibrated", "reference_run"
std::string_view nameOf(FunctionKind kind);       ///< "host", "main", "lua", "c", "folded"
std::string_view nameOf(format::SourceKind kind); ///< "file", "string", "none"

/// Sets `value` to what `name` stands for; an unknown name leaves it as it is and gives false.
bool findByName(std::string_view name, ProfilingMode& value);
bool findByName(std::string_view name, ClockKind& value);
bool findByName(std::string_view name, RunStatus& value);
bool findByName(std::string_view name, CorrectionMethod& value);
bool findByName(std::string_view name, FunctionKind& value);
bool findByName(std::string_view name, format::SourceKind& value);

} // namespace perilune
