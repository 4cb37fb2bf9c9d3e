// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/Output.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace perilune {

/// `text` with each byte that is no part of valid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);

/// validUtf8() with control characters and line separators as blanks, without blanks at either end.
std::string singleLine(std::string_view text);

/// Writes a JSON string with its quotes; `text` has to be valid UTF-8.
void writeJsonString(Output& out, std::string_view text);

/// Writes text of an XML or HTML document or attribute; `text` has to be valid UTF-8.
void writeMarkup(Output& out, std::string_view text);

/// "1.284 s", "37.0 µs": three or four significant digits.
std::string durationText(std::uint64_t nanoseconds);

/// "12.3 %", "<0.1 %" for a small share that is not zero, "0 %" for zero only.
std::string shareText(std::uint64_t part, std::uint64_t whole);

/// "1,234,567".
std::string countText(std::uint64_t count);

} // namespace perilune
