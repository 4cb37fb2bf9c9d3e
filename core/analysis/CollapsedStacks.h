// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstddef>
#include <string>

namespace perilune {

/// A call tree as collapsed stacks: "main;parse;next 1234" for each node with self, frames from the
/// outside inwards. Semicolons and line breaks within names become other characters.
struct CollapsedText
{
    std::string text;
    bool isComplete =
        true; ///< False when `sizeLimit` was reached; the text ends with a whole line.
};

/// The sub-tree of `top`, which is the first frame of each line. Names are those of `profile`.
CollapsedText collapsedStacks(const Profile& profile, const CallTree& tree, NodeId top,
                              Metric metric, std::size_t sizeLimit);

/// The frames from the root's callee to `node`, joined by semicolons.
std::string collapsedStack(const Profile& profile, const CallTree& tree, NodeId node);

} // namespace perilune
