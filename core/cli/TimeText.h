// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace perilune::cli {

/// "2026-01-31T09:30:00.123Z": a point in time given in milliseconds since 1970, UTC.
std::string isoTime(std::int64_t unixMilliseconds);

} // namespace perilune::cli
