// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstddef>
#include <span>
#include <vector>

namespace perilune {

/// Two sources that are versions of the same file.
struct SourcePair
{
    std::size_t a = 0;
    std::size_t b = 0;
    bool hasSameLabel = true; ///< False: renamed, or in another folder.
    bool hasSameText = false;
};

/// A source with its part in the run.
struct SourceCandidate
{
    const Source* source = nullptr;
    bool isScript = false; ///< The run's own script; the scripts of two runs belong together.
};

/// Pairs the sources of two runs: same label first, then same text, then the scripts of the runs,
/// then by the share of common lines and the file name. Each is used once.
std::vector<SourcePair> matchSources(std::span<const SourceCandidate> a,
                                     std::span<const SourceCandidate> b);

} // namespace perilune
