// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/SearchText.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace perilune {

namespace {

constexpr std::string_view exclusion = "not:";

bool isSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void skipSpace(std::string_view& text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// Where the expression that begins with a slash ends: at a slash before white space or the end,
/// unless a backslash makes it part of the expression.
std::optional<std::size_t> endOfPattern(std::string_view text)
{
    for (std::size_t index = 1; index < text.size(); ++index) {
        if (text[index] == '\\')
            ++index;
        else if (text[index] == '/' && (index + 1 == text.size() || isSpace(text[index + 1])))
            return index;
    }
    return std::nullopt;
}

SearchTerm takeTerm(std::string_view& text)
{
    SearchTerm term;
    if (text.front() == '"') {
        text.remove_prefix(1);
        const std::size_t end = std::min(text.find('"'), text.size());
        term.text = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return term;
    }
    if (const auto end = text.front() == '/' ? endOfPattern(text) : std::nullopt; end && *end > 1) {
        term.isPattern = true;
        term.text = text.substr(1, *end - 1);
        text.remove_prefix(*end + 1);
        return term;
    }
    const auto end = std::find_if(text.begin(), text.end(), isSpace);
    term.text = std::string(text.begin(), end);
    text.remove_prefix(term.text.size());
    return term;
}

} // namespace

std::vector<SearchTerm> parseSearchText(std::string_view text)
{
    std::vector<SearchTerm> terms;
    for (skipSpace(text); !text.empty(); skipSpace(text)) {
        const bool isExcluded = takePrefix(text, exclusion);
        if (text.empty() || isSpace(text.front()))
            continue; // still being typed
        SearchTerm term = takeTerm(text);
        term.isExcluded = isExcluded;
        if (!term.text.empty())
            terms.push_back(std::move(term));
    }
    return terms;
}

} // namespace perilune
