// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perilune::test {

/// A profile written as stacks, one a line: "main;work;inner 30 calls=3" is 30 µs of self time in
/// `inner`, called 3 times (default 1) by `work`. Paths without a line of their own exist through
/// those below them, with 1 call and no time. The host "(interpreter)" is the root and is not
/// written.
///
/// Functions are told apart by what is written: "name" and "name@file.lua:12" are Lua functions,
/// "[C] name" is a C function, "[main] file.lua" a main chunk; a leading ">" says that the node is
/// reached by tail calls. Further figures are raw=, bytes=, blocks= and samples=. The line
/// "main;a;>b => main;a calls=4" is four tail calls that came back to `a`.
std::shared_ptr<const Profile> profileFrom(const std::vector<std::string>& stacks);
std::shared_ptr<const CallTree> treeFrom(const std::vector<std::string>& stacks);

/// A random profile of this size, the same for the same seed; at most `maximumDepth` deep.
std::shared_ptr<const Profile> largeProfile(std::uint32_t nodeCount, std::uint32_t functionCount,
                                            std::uint32_t seed = 1,
                                            std::uint32_t maximumDepth = 60);
/// One path of this length: each function calls the next one.
std::shared_ptr<const Profile> deepProfile(std::uint32_t depth, std::uint32_t functionCount = 100);

/// The tree as text, a node a line, indented by depth: "work self=30 total=40 calls=1" in µs.
std::vector<std::string> textOf(const Profile& profile);

} // namespace perilune::test
