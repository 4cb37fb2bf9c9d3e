// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <memory>
#include <string_view>

/// One reader per format, over the whole content of a file. Errors: Damaged, without the file's
/// name.
namespace perilune {

using ImportResult = Result<std::shared_ptr<const Profile>>;

/// `fileName` may tell the unit of the weights: ".ns.", ".us.", ".ms." within it.
ImportResult readCollapsed(std::string_view content, std::string_view fileName);
ImportResult readSpeedscope(std::string_view content);
ImportResult readCallgrind(std::string_view content);
ImportResult readPprof(std::string_view content);

bool looksLikeCollapsed(std::string_view content);
bool looksLikeCallgrind(std::string_view content);
bool looksLikePprof(std::string_view content);

inline Error damaged(std::string detail)
{
    return {Error::Code::Damaged, std::move(detail)};
}

} // namespace perilune
