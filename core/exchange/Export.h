// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/ExportFormat.h"
#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace perilune {

struct ExportOptions
{
    /// Times as the clock showed them, instead of those corrected for the recorder's cost.
    bool rawTime = false;
    /// CSV: names that a spreadsheet would run as a formula get an apostrophe in front.
    bool guardFormulas = true;
    /// CSV: begin with a byte-order mark, for spreadsheets that take UTF-8 for something else.
    bool byteOrderMark = false;
    /// Markdown, HTML: how many functions are listed, those with the largest self time; what is
    /// left out is said. 0: all; nothing: 25 in Markdown and 1000 in HTML.
    std::optional<std::uint32_t> rowLimit;
    /// Collapsed, speedscope, pprof: frames of one stack. Deeper ones are written as the outermost
    /// frames, one frame that says so, and the leaf, so that no function loses time; without a
    /// bound a deep recursion would make a file as large as the square of its depth.
    std::uint32_t maximumDepth = 500;
};

/// Writes `profile` in `format` to `path`, "-" being the standard output.
///
/// Streams: needs memory for a small multiple of the tree's size, whatever the size of the file. A
/// file appears under its name only once it is complete. Names are made valid UTF-8 and lose
/// control characters; functions that would look alike in the format are numbered, never mixed up.
/// Errors: CannotWrite, NoSpace.
Result<void> exportProfile(const Profile& profile, ExportFormat format, const std::string& path,
                           const ExportOptions& options = {});

} // namespace perilune
