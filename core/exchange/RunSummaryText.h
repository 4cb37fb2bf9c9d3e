// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/Export.h"

#include <string>
#include <utility>
#include <vector>

namespace perilune {

/// The facts that belong above a table of a run, as pairs of a title and a text, both in one line
/// of valid UTF-8.
std::vector<std::pair<std::string, std::string>> runFacts(const Profile& profile,
                                                          const ExportOptions& options);

} // namespace perilune
