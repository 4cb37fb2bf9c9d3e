// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/CallTree.h"

#include <cstdint>

namespace perilune {

/// Goes through a tree depth first: `enter` is called for a node before and `leave` after all that
/// is beneath it, both with its NodeId value. Takes no memory, whatever the depth: children are
/// contiguous, so the next sibling is the next node.
template<typename Enter, typename Leave>
void walkDepthFirst(const CallTree& tree, Enter enter, Leave leave)
{
    const auto isLastChild = [&tree](std::uint32_t node) {
        const NodeId parent = tree.parent(NodeId(node));
        return node + 1 == tree.firstChild(parent).value() + tree.childCount(parent);
    };
    std::uint32_t node = 0;
    enter(node);
    while (true) {
        if (tree.childCount(NodeId(node)) > 0) {
            node = tree.firstChild(NodeId(node)).value();
            enter(node);
            continue;
        }
        while (node != 0 && isLastChild(node)) {
            leave(node);
            node = tree.parent(NodeId(node)).value();
        }
        leave(node);
        if (node == 0)
            return;
        enter(++node);
    }
}

} // namespace perilune
