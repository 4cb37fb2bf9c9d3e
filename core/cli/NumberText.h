// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Duration.h"

#include <cstdint>
#include <string>

/// Numbers for people on a terminal: the rules of the window, in the form that is the same
/// everywhere.
namespace perilune::cli {

/// In ns, µs, ms, s or min with 3 to 4 significant digits: "1.284 s", "12.3 µs", "0 ns".
std::string durationText(Duration duration);
/// One decimal: "12.3 %"; "<0.1 %" for what is small, "0 %" only for nothing.
std::string percentText(double share);
/// In B, KiB, MiB, GiB or TiB: "12.3 KiB", "0 B".
std::string bytesText(std::uint64_t bytes);
/// With groups: "1,234,567".
std::string countText(std::uint64_t count);

} // namespace perilune::cli
