// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// One condition of a search for functions.
struct SearchTerm
{
    std::string text;
    bool isPattern = false;  ///< A regular expression, else words to be found as they are.
    bool isExcluded = false; ///< Must not be found.

    friend bool operator==(const SearchTerm&, const SearchTerm&) = default;
};

/// Takes what a user typed apart: words, "words that belong together", /regular expressions/, each
/// of them with "not:" in front to exclude what it finds. A quote that is not closed reaches to the
/// end; a slash that is not closed begins a word, as in a path. `text` is UTF-8.
std::vector<SearchTerm> parseSearchText(std::string_view text);

} // namespace perilune
