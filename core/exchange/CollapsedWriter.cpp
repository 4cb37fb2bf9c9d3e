// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/FunctionLabels.h"
#include "core/exchange/StackTree.h"
#include "core/exchange/Writers.h"

#include <algorithm>

namespace perilune {

namespace {

/// The texts of all frames, by function; a semicolon would end the frame.
std::vector<std::string> frameTexts(const Profile& profile)
{
    const FunctionLabels labels(profile, FileNaming::Label, true);
    std::vector<std::string> texts;
    texts.reserve(labels.size() + 1);
    for (std::uint32_t index = 0; index < labels.size(); ++index) {
        std::string text = frameText(profile.functions[index], labels[FunctionId(index)]);
        std::ranges::replace(text, ';', ',');
        texts.push_back(std::move(text));
    }
    texts.emplace_back(cutFrameName);
    return texts;
}

} // namespace

void writeCollapsed(const Profile& profile, const ExportOptions& options, Output& out)
{
    const CallTree& tree = *profile.tree;
    if (profile.functions.empty())
        return;
    const std::vector<std::string> texts = frameTexts(profile);
    const StackTree stacks(tree, static_cast<std::uint32_t>(profile.functions.size()),
                           options.maximumDepth);
    const auto weights = stacks.sums(tree.selfColumn(timeMetric(profile, options)));
    std::vector<std::uint32_t> stack;
    for (std::uint32_t node = 0; node < weights.size(); ++node) {
        if (weights[node] == 0)
            continue;
        stacks.findStack(node, stack);
        for (std::size_t level = stack.size(); level-- > 1;)
            out << texts[stack[level]] << ';';
        out << texts[stack.front()] << ' ' << weights[node] << '\n';
    }
}

} // namespace perilune
