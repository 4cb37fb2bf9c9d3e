// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/Transforms.h"

#include "core/analysis/DepthFirst.h"
#include "core/analysis/TreeRewriter.h"

#include <utility>

namespace perilune {

namespace {

using EdgeFate = TreeRewriter::EdgeFate;
using ProfilePointer = std::shared_ptr<const Profile>;

constexpr std::uint32_t nowhere = TreeRewriter::nowhere;

ProfilePointer focusOn(const Profile& profile, FunctionId function)
{
    TreeRewriter rewriter(profile);
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint32_t newParent = rewriter.target(rewriter.parent(node));
        if (newParent != nowhere)
            rewriter.place(node, newParent);
        else if (rewriter.function(node) == function)
            rewriter.place(node, 0, function, false);
    }
    return rewriter.finish();
}

ProfilePointer keepPathsThrough(const Profile& profile, FunctionId function)
{
    TreeRewriter rewriter(profile);
    // From the leaves up: which nodes lead to the function.
    std::vector<std::uint8_t> leadsToIt(rewriter.nodeCount(), 0);
    for (std::uint32_t node = rewriter.nodeCount(); node-- > 1;)
        if (leadsToIt[node] != 0 || rewriter.function(node) == function)
            leadsToIt[node] = leadsToIt[rewriter.parent(node)] = 1;
    // From the root down: which nodes are in or beneath it.
    std::vector<std::uint8_t> isBeneath(rewriter.nodeCount(), 0);
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint32_t parent = rewriter.parent(node);
        const std::uint32_t newParent = parent == 0 ? 0 : rewriter.target(parent);
        isBeneath[node] = isBeneath[parent] != 0 || rewriter.function(node) == function;
        if (isBeneath[node] != 0)
            rewriter.place(node, newParent);
        else if (leadsToIt[node] != 0)
            rewriter.placeWithoutCosts(node, newParent);
    }
    return rewriter.finish();
}

ProfilePointer exclude(const Profile& profile, FunctionId function)
{
    TreeRewriter rewriter(profile);
    rewriter.keepRoot();
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint32_t newParent = rewriter.target(rewriter.parent(node));
        if (newParent != nowhere && rewriter.function(node) != function)
            rewriter.place(node, newParent);
    }
    return rewriter.finish();
}

template<typename Predicate>
ProfilePointer mergeIntoCallers(const Profile& profile, Predicate isMerged)
{
    TreeRewriter rewriter(profile);
    rewriter.keepRoot();
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint32_t newParent = rewriter.target(rewriter.parent(node));
        if (isMerged(rewriter.function(node)))
            rewriter.mergeInto(node, newParent);
        else
            rewriter.place(node, newParent);
    }
    return rewriter.finish();
}

/// Collapses the recursion of one function, or of all with an invalid one.
///
/// Walks depth first and knows of each function its last node on the path, and of the new tree the
/// path to where it is. If a function is on the new path at all, it is there with that last node:
/// had the path been left above it, the function would have got another node when it came again.
class RecursionCollapser
{
public:
    RecursionCollapser(const Profile& profile, FunctionId function)
        : m_profile(profile)
        , m_function(function)
        , m_rewriter(profile)
        , m_lastNode(profile.functions.size(), nowhere)
        , m_lastNodeBefore(profile.tree->nodeCount(), nowhere)
        , m_pathBefore(profile.tree->nodeCount(), nowhere)
    {
    }

    ProfilePointer collapse()
    {
        walkDepthFirst(
            *m_profile.tree, [this](std::uint32_t node) { enter(node); },
            [this](std::uint32_t node) { leave(node); });
        return m_rewriter.finish([this](const TailEdge& edge) { return fateOf(edge); });
    }

private:
    bool isMeant(FunctionId function) const
    {
        return !m_function.isValid() || function == m_function;
    }

    void enter(std::uint32_t node)
    {
        if (node == 0) {
            m_rewriter.keepRoot();
            m_path.assign(1, 0);
            return;
        }
        const std::uint32_t newParent = m_rewriter.target(m_rewriter.parent(node));
        const FunctionId function = m_rewriter.function(node);
        const std::uint32_t last = m_lastNode[function.value()];
        if (isMeant(function) && last != nowhere && isOnPath(last, newParent)) {
            m_rewriter.mergeInto(node, last);
        } else {
            m_rewriter.place(node, newParent);
            extendPath(node);
        }
        m_lastNodeBefore[node] = std::exchange(m_lastNode[function.value()], target(node));
    }
    bool isOnPath(std::uint32_t newNode, std::uint32_t end) const
    {
        const std::uint32_t depth = m_rewriter.newDepth(newNode);
        return depth <= m_rewriter.newDepth(end) && m_path[depth] == newNode;
    }
    void extendPath(std::uint32_t node)
    {
        const std::uint32_t depth = m_rewriter.newDepth(target(node));
        if (depth == m_path.size())
            m_path.push_back(nowhere);
        m_pathBefore[node] = std::exchange(m_path[depth], target(node));
    }
    void leave(std::uint32_t node)
    {
        if (node == 0)
            return;
        m_lastNode[m_rewriter.function(node).value()] = m_lastNodeBefore[node];
        if (m_rewriter.isPlaced(node))
            m_path[m_rewriter.newDepth(target(node))] = m_pathBefore[node];
    }
    std::uint32_t target(std::uint32_t node) const { return m_rewriter.target(node); }

    /// Tail calls that were folded came back to a function that was running: that is recursion.
    EdgeFate fateOf(const TailEdge& edge) const
    {
        const std::uint32_t to = edge.to.value();
        if (isMeant(m_rewriter.function(to))
            && m_rewriter.isAtOrAbove(target(to), target(edge.from.value())))
            return EdgeFate::Internal;
        return m_rewriter.isPlaced(to) ? EdgeFate::Keep : EdgeFate::Forget;
    }

    const Profile& m_profile;
    FunctionId m_function;
    TreeRewriter m_rewriter;
    std::vector<std::uint32_t> m_lastNode;       ///< By function: a new node.
    std::vector<std::uint32_t> m_lastNodeBefore; ///< By old node, while it is on the path.
    std::vector<std::uint32_t> m_path;           ///< By depth: the new node; beyond the end: old.
    std::vector<std::uint32_t> m_pathBefore;     ///< By old node, while it is on the path.
};

ProfilePointer collapseFile(const Profile& profile, SourceId source)
{
    TreeRewriter rewriter(profile);
    Function file;
    file.name = profile.sources[source.value()].label;
    file.source = source;
    file.kind = FunctionKind::Folded;
    const FunctionId collapsed = rewriter.addFunction(std::move(file));
    rewriter.keepRoot();
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint32_t newParent = rewriter.target(rewriter.parent(node));
        if (profile.function(rewriter.function(node)).source != source)
            rewriter.place(node, newParent);
        else if (rewriter.newFunction(newParent) == collapsed)
            rewriter.mergeInto(node, newParent);
        else
            rewriter.place(node, newParent, collapsed, rewriter.isTailCall(node));
    }
    return rewriter.finish([&](const TailEdge& edge) {
        const auto isInFile = [&](NodeId node) {
            return rewriter.newFunction(rewriter.target(node.value())) == collapsed;
        };
        return isInFile(edge.from) && isInFile(edge.to) ? EdgeFate::Internal : EdgeFate::Keep;
    });
}

/// The callee of a tail call hangs where its caller hangs. Who made the calls is kept as folded
/// tail calls.
ProfilePointer replaceTailCallers(const Profile& profile)
{
    TreeRewriter rewriter(profile);
    rewriter.keepRoot();
    // By node: where the activation that it replaces, or its own, hangs in the new tree.
    std::vector<std::uint32_t> base(rewriter.nodeCount(), 0);
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint32_t parent = rewriter.parent(node);
        const bool isReplacing = rewriter.isTailCall(node) && parent != 0;
        base[node] = isReplacing ? base[parent] : rewriter.target(parent);
        rewriter.place(node, base[node], rewriter.function(node), false);
    }
    std::vector<std::uint64_t> folded(rewriter.nodeCount(), 0);
    for (const TailEdge& edge : profile.tailEdges)
        folded[edge.to.value()] += edge.calls;
    for (std::uint32_t node = 1; node < rewriter.nodeCount(); ++node) {
        const std::uint64_t calls = profile.tree->callCount(NodeId(node));
        if (rewriter.isTailCall(node) && calls > folded[node])
            rewriter.addTailEdge(rewriter.parent(node), node, calls - folded[node]);
    }
    return rewriter.finish();
}

/// The host is in every stack, and only there where it begins.
bool isKnown(const Profile& profile, FunctionId function)
{
    return function.value() > 0 && function.value() < profile.functions.size();
}

bool changesAnything(const Profile& profile, const Transform& transform)
{
    switch (transform.kind) {
    case Transform::Kind::CollapseFile:
        return transform.source.isValid() && transform.source.value() < profile.sources.size();
    case Transform::Kind::HideCFunctions:
    case Transform::Kind::ReplaceTailCallers:
        return !profile.functions.empty();
    case Transform::Kind::CollapseRecursion:
        return !profile.functions.empty()
            && (!transform.function.isValid() || isKnown(profile, transform.function));
    default:
        return isKnown(profile, transform.function);
    }
}

} // namespace

ProfilePointer applyTransform(const ProfilePointer& profile, const Transform& transform)
{
    if (!changesAnything(*profile, transform))
        return profile;
    const FunctionId function = transform.function;
    switch (transform.kind) {
    case Transform::Kind::Focus:
        return focusOn(*profile, function);
    case Transform::Kind::PathsThrough:
        return keepPathsThrough(*profile, function);
    case Transform::Kind::Exclude:
        return exclude(*profile, function);
    case Transform::Kind::MergeIntoCaller:
        return mergeIntoCallers(*profile, [function](FunctionId id) { return id == function; });
    case Transform::Kind::CollapseRecursion:
        return RecursionCollapser(*profile, function).collapse();
    case Transform::Kind::CollapseFile:
        return collapseFile(*profile, transform.source);
    case Transform::Kind::HideCFunctions:
        return mergeIntoCallers(*profile, [&profile](FunctionId id) {
            return profile->function(id).kind == FunctionKind::C;
        });
    case Transform::Kind::ReplaceTailCallers:
        return replaceTailCallers(*profile);
    }
    return profile;
}

ProfilePointer applyTransforms(ProfilePointer profile, const std::vector<Transform>& transforms)
{
    for (const Transform& transform : transforms)
        profile = applyTransform(profile, transform);
    return profile;
}

} // namespace perilune
