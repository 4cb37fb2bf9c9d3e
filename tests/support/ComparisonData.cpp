// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ComparisonData.h"

#include "tests/support/TestProfiles.h"

namespace perilune::test {

ComparedRun runFrom(const std::vector<std::string>& stacks)
{
    return ComparedRun::of(profileFrom(stacks));
}

RunGroup repeatedRuns(const std::vector<std::pair<std::string, int>>& stacks, int count)
{
    RunGroup group;
    for (int run = 0; run < count; ++run) {
        std::vector<std::string> lines;
        for (const auto& [path, time] : stacks)
            lines.push_back(path + ' ' + std::to_string(time * (100 + run) / 100));
        group.push_back(runFrom(lines));
    }
    return changedRuns(group, [](RunInfo& run) { run.status = RunStatus::Done; });
}

} // namespace perilune::test
