// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/SourceFigures.h"

#include <algorithm>

namespace perilune {

std::map<int, LineFigures> functionLines(const Profile& profile, const FunctionTable& table,
                                         SourceId source)
{
    std::map<int, LineFigures> lines;
    for (const FunctionCosts& costs : table.rows()) {
        const Function& function = profile.function(costs.function);
        if (!source.isValid() || function.source != source)
            continue;
        LineFigures& figures = lines[std::max(function.line, 1)];
        figures.functions.push_back(costs.function);
        figures.calls += costs.calls;
        figures.self += costs.selfTime();
        figures.total = std::max(figures.total, costs.totalTime());
    }
    for (auto& [line, figures] : lines) {
        std::sort(figures.functions.begin(), figures.functions.end(),
                  [&](FunctionId a, FunctionId b) {
                      return table.find(a)->selfTime() > table.find(b)->selfTime();
                  });
    }
    return lines;
}

} // namespace perilune
