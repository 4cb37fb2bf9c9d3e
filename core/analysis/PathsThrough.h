// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <memory>
#include <vector>

namespace perilune {

/// A part of a call tree, and which of its nodes are which of the whole.
struct PartialTree
{
    std::shared_ptr<const CallTree> tree = CallTree::empty();
    std::vector<NodeId> original; ///< By node of `tree`.
};

/// The call tree as it would be if only the paths through `function` had been run: its callers,
/// with what they cost while it was on the stack, and all that is beneath it. Callers therefore
/// have no self, and the total of the root is the function's, recursion counted once.
PartialTree pathsThrough(const CallTree& tree, FunctionId function);

/// What is beneath `function` wherever it was called, merged by path: its first node stands for all
/// of its outermost calls. `original` names one of the merged nodes for each.
PartialTree calleesBeneath(const CallTree& tree, FunctionId function);

} // namespace perilune
