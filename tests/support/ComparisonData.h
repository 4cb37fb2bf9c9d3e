// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"

#include <string>
#include <utility>
#include <vector>

namespace perilune::test {

/// A run written as stacks, see profileFrom().
ComparedRun runFrom(const std::vector<std::string>& stacks);

/// `count` finished runs whose times (µs) are those of `stacks`, i % longer in run i from 0.
RunGroup repeatedRuns(const std::vector<std::pair<std::string, int>>& stacks, int count);

/// The same runs with other facts.
template<typename Change>
RunGroup changedRuns(const RunGroup& group, Change change)
{
    RunGroup result;
    for (const ComparedRun& run : group) {
        auto profile = std::make_shared<Profile>(*run.profile);
        change(profile->run);
        result.push_back({std::move(profile), run.table});
    }
    return result;
}

} // namespace perilune::test
