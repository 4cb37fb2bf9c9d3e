// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <string>

namespace perilune::test {

/// A profile that uses every field; another `seed` gives other numbers and another script.
Profile sampleProfile(unsigned seed = 1);

/// A profile of many functions in a wide tree, for sizes and times.
Profile largeProfile(std::uint32_t functionCount, std::uint32_t nodeCount, unsigned seed = 1);

/// Everything in a profile as text, a line each, so that a difference shows itself in a test.
std::string textOf(const Profile& profile);

} // namespace perilune::test
