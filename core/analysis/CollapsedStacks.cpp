// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/CollapsedStacks.h"

#include <algorithm>
#include <vector>

namespace perilune {

namespace {

std::string frameName(const Profile& profile, FunctionId function)
{
    if (function.value() >= profile.functions.size())
        return "(unknown)";
    std::string name = profile.function(function).name;
    std::replace(name.begin(), name.end(), ';', ':');
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    name.erase(name.find_last_not_of(' ') + 1);
    return name;
}

/// The text of the path to the node that is being visited, and where it ended before each frame.
class PathText
{
public:
    void enter(const std::string& frame)
    {
        m_ends.push_back(m_text.size());
        if (!m_text.empty())
            m_text += ';';
        m_text += frame;
    }
    void leave()
    {
        m_text.resize(m_ends.back());
        m_ends.pop_back();
    }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
    std::vector<std::size_t> m_ends;
};

} // namespace

CollapsedText collapsedStacks(const Profile& profile, const CallTree& tree, NodeId top,
                              Metric metric, std::size_t sizeLimit)
{
    struct Visit
    {
        NodeId node;
        std::uint32_t nextRow = 0;
    };
    CollapsedText result;
    PathText path;
    std::vector<Visit> stack;
    const auto enter = [&](NodeId node) {
        path.enter(frameName(profile, tree.function(node)));
        stack.push_back({node});
        if (const std::uint64_t self = tree.self(metric, node); self > 0)
            result.text += path.text() + ' ' + std::to_string(self) + '\n';
    };
    enter(top);
    while (!stack.empty()) {
        if (result.text.size() + path.text().size() > sizeLimit) {
            result.isComplete = false;
            break;
        }
        Visit& visit = stack.back();
        if (visit.nextRow < tree.childCount(visit.node)) {
            enter(tree.child(visit.node, visit.nextRow++));
        } else {
            stack.pop_back();
            path.leave();
        }
    }
    return result;
}

std::string collapsedStack(const Profile& profile, const CallTree& tree, NodeId node)
{
    std::vector<NodeId> nodes;
    for (NodeId step = node; step.isValid() && step != tree.root(); step = tree.parent(step))
        nodes.push_back(step);
    if (nodes.empty())
        return frameName(profile, tree.function(node));
    PathText path;
    for (auto step = nodes.rbegin(); step != nodes.rend(); ++step)
        path.enter(frameName(profile, tree.function(*step)));
    return path.text();
}

} // namespace perilune
