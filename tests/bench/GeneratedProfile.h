// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <cstdint>
#include <memory>

namespace perilune::bench {

/// What a made-up profile looks like; the same values always give the same profile.
struct GeneratedShape
{
    std::uint32_t nodeCount = 1'000'000;
    std::uint32_t functionCount = 100'000;
    std::uint32_t fileCount = 200;
    std::uint32_t typicalDepth = 60;
    std::uint32_t seed = 1;
};

/// A profile as a large program gives it: few functions make most of the nodes, times spread over
/// six powers of ten, names with modules and methods, one function in ten in C.
std::shared_ptr<const Profile> generateProfile(const GeneratedShape& shape);

/// A profile of one path of calls, for the limits of depth.
std::shared_ptr<const Profile> generateDeepProfile(std::uint32_t depth);

} // namespace perilune::bench
