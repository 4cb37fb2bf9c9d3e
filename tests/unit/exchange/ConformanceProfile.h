// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <map>
#include <memory>
#include <string>

namespace perilune::test {

/// A small profile with all that is hard to write: recursion, mutual recursion, one path by calls
/// and by tail calls, a coroutine, two anonymous functions on one line, names with semicolons,
/// quotes, brackets, blanks, line breaks, letters beyond ASCII and invalid UTF-8, C functions, a
/// function without time, and a time of 2^53 + 1 ns.
std::shared_ptr<const Profile> conformanceProfile();

/// The self times of its functions in nanoseconds, by id; what each format has to give back.
std::map<std::uint32_t, std::uint64_t> selfTimesOf(const Profile& profile);

/// Self time by function name, the sum of those that share one; the host's is left out where it is
/// 0.
std::map<std::string, std::uint64_t> selfTimesByName(const Profile& profile);

/// Calls by function name.
std::map<std::string, std::uint64_t> callsByName(const Profile& profile);

} // namespace perilune::test
