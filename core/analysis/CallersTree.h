// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionNodes.h"
#include "core/profile/CallTree.h"

#include <cstdint>
#include <memory>

namespace perilune {

/// The callers of one function as a tree that can be laid out like any other.
struct CallersTree
{
    /// The root is the function, its children are its callers, and so on. Totals are what the
    /// function costs through these callers, self is what it costs where the stack begins. An empty
    /// tree for a function that did not run.
    std::shared_ptr<const CallTree> tree;
    bool isCut = false; ///< Further callers, the lightest ones, are missing.
};

/// Computes at most about `maximumNodes` nodes, the heaviest ones first. Takes time that grows with
/// the stacks of this function only.
CallersTree computeCallersTree(const std::shared_ptr<const FunctionNodes>& nodes,
                               FunctionId function, std::uint32_t maximumNodes = 200000);

} // namespace perilune
