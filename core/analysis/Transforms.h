// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

/// One change of what is looked at; a value, so that a list of them can be shown, undone and saved.
///
/// A call tree is a set of stacks, one for each node, and a transform changes the stacks; stacks
/// that become equal are one node. Nothing is counted twice and, but for Focus, PathsThrough and
/// Exclude, nothing is lost: the self times add up to the same sum.
struct Transform
{
    enum class Kind : std::uint8_t
    {
        /// Stacks begin at the outermost call of `function`; those without it are left out.
        Focus,
        /// Stacks without `function` are left out; what its callers did themselves, too.
        PathsThrough,
        /// Stacks with `function` are left out.
        Exclude,
        /// `function` is taken out of the stacks: its self costs are its callers', and so are its
        /// callees.
        MergeIntoCaller,
        /// Everything between the outermost and the innermost call of `function` in a stack is
        /// taken out; only calls from outside are counted. With an invalid `function` no function
        /// is more than once in a stack.
        CollapseRecursion,
        /// Neighbouring functions of `source` become one frame, called after the file; only calls
        /// from outside are counted.
        CollapseFile,
        /// MergeIntoCaller for all C functions.
        HideCFunctions,
        /// A tail call takes its caller's place, as on Lua's own stack, instead of hanging under
        /// it.
        ReplaceTailCallers,
    };
    Kind kind = Kind::Focus;
    FunctionId function; ///< Of Focus, PathsThrough, Exclude, MergeIntoCaller, CollapseRecursion.
    SourceId source;     ///< Of CollapseFile.

    friend bool operator==(const Transform&, const Transform&) = default;
};

/// The profile as it looks after one transform: its functions with the same ids (and one more at
/// the end for a collapsed file), a new tree, and of everything else what still has a node. Costs
/// of lines stay as they were measured. A transform of a function or source that the profile does
/// not have changes nothing and gives `profile` itself.
///
/// Takes O(nodes) time whatever the depth.
std::shared_ptr<const Profile> applyTransform(const std::shared_ptr<const Profile>& profile,
                                              const Transform& transform);

/// Applies transforms one after the other.
std::shared_ptr<const Profile> applyTransforms(std::shared_ptr<const Profile> profile,
                                               const std::vector<Transform>& transforms);

} // namespace perilune
