// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/LineCosts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <unordered_map>

namespace perilune {

namespace {

/// For each node, whether its function is on the path above it already.
std::vector<bool> recursiveNodes(const CallTree& tree, std::size_t functionCount)
{
    std::vector<bool> isRecursive(tree.nodeCount(), false);
    std::vector<std::uint32_t> onPath(functionCount, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> path; // node, next row
    const auto enter = [&](NodeId node) {
        std::uint32_t& active = onPath[tree.function(node).value()];
        isRecursive[node.value()] = active > 0;
        ++active;
        path.emplace_back(node.value(), 0);
    };
    enter(tree.root());
    while (!path.empty()) {
        const NodeId node(path.back().first);
        if (path.back().second < tree.childCount(node)) {
            enter(tree.child(node, path.back().second++));
        } else {
            --onPath[tree.function(node).value()];
            path.pop_back();
        }
    }
    return isRecursive;
}

struct Sum
{
    LineCosts costs;
    Duration calleeTime;     ///< Of outermost activations.
    Duration functionsTotal; ///< Outermost totals of the nodes that ran the line.
    Duration largestSelf;
};

std::string_view lineText(std::string_view text, int line)
{
    for (int number = 1; number < line; ++number) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos)
            return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// The part of a function's name that stands where it is called: "next" of "Parser:next".
std::string_view shortName(std::string_view name)
{
    const std::size_t separator = name.find_last_of(".:");
    return separator == std::string_view::npos ? name : name.substr(separator + 1);
}

bool hasWord(std::string_view text, std::string_view word)
{
    const auto isPart = [](char character) {
        return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos && !word.empty();
         at = text.find(word, at + 1)) {
        const bool startsWord = at == 0 || !isPart(text[at - 1]);
        const std::size_t end = at + word.size();
        if (startsWord && (end == text.size() || !isPart(text[end])))
            return true;
    }
    return false;
}

} // namespace

std::vector<LineCosts> computeLineCosts(const Profile& profile)
{
    std::vector<LineCosts> result;
    if (profile.lines.empty())
        return result;
    const CallTree& tree = *profile.tree;
    const std::vector<bool> isRecursive = recursiveNodes(tree, profile.functions.size());
    std::map<std::pair<std::uint32_t, int>, Sum> sums;
    for (const NodeLine& line : profile.lines) {
        const FunctionId id = tree.function(line.node);
        const Function& function = profile.function(id);
        if (!function.source.isValid())
            continue;
        Sum& sum = sums[{function.source.value(), line.line}];
        sum.costs.source = function.source;
        sum.costs.line = line.line;
        sum.costs.hits += line.hits;
        sum.costs.samples += line.hits + line.calleeSamples;
        sum.costs.selfTime += line.selfTime;
        if (!sum.costs.function.isValid() || line.selfTime > sum.largestSelf) {
            sum.costs.function = id;
            sum.largestSelf = line.selfTime;
        }
        if (!isRecursive[line.node.value()]) {
            sum.calleeTime += line.calleeTime;
            sum.functionsTotal += tree.totalTime(line.node);
        }
    }
    const bool isSampling = profile.run.mode == ProfilingMode::Sampling;
    for (auto& [key, sum] : sums) {
        const Duration whole = sum.costs.selfTime + sum.calleeTime;
        sum.costs.totalTime = std::max(sum.costs.selfTime, std::min(whole, sum.functionsTotal));
        if (!isSampling)
            sum.costs.samples = 0;
        result.push_back(sum.costs);
    }
    return result;
}

std::vector<LineCallee> calleesOfLine(const Profile& profile, SourceId source, int line)
{
    const CallTree& tree = *profile.tree;
    const Source& text = profile.sources[source.value()];
    const std::string_view written = lineText(text.text, line);
    std::unordered_map<std::uint32_t, LineCallee> callees;
    for (const NodeLine& entry : profile.lines) {
        const Function& function = profile.function(tree.function(entry.node));
        if (entry.line != line || function.source != source
            || (entry.calleeTime <= Duration() && entry.calleeSamples == 0))
            continue;
        for (std::uint32_t row = 0; row < tree.childCount(entry.node); ++row) {
            const NodeId child = tree.child(entry.node, row);
            const FunctionId id = tree.function(child);
            if (!hasWord(written, shortName(profile.function(id).name)))
                continue;
            LineCallee& callee = callees[id.value()];
            callee.callee = id;
            callee.calls += tree.callCount(child);
            callee.totalTime += tree.totalTime(child);
        }
    }
    std::vector<LineCallee> result;
    for (const auto& [id, callee] : callees)
        result.push_back(callee);
    std::sort(result.begin(), result.end(), [](const LineCallee& a, const LineCallee& b) {
        return a.totalTime != b.totalTime ? a.totalTime > b.totalTime : a.callee < b.callee;
    });
    return result;
}

} // namespace perilune
