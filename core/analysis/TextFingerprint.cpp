// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/TextFingerprint.h"

#include <algorithm>
#include <cstddef>

namespace perilune {

namespace {

// Lua's own classes, whatever the locale; bytes above 127 may be part of a name (LuaJIT allows it).
bool isSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool isNamePart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || static_cast<unsigned char>(c) >= 128;
}

std::uint32_t hashOf(std::string_view text)
{
    std::uint32_t hash = 2166136261u; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

/// The next name, number or single other character of `text`, which loses it; empty at the end.
std::string_view takeToken(std::string_view& text)
{
    std::size_t begin = 0;
    while (begin < text.size() && isSpace(text[begin]))
        ++begin;
    std::size_t end = begin;
    while (end < text.size() && isNamePart(text[end]))
        ++end;
    if (end == begin && end < text.size())
        ++end;
    const std::string_view token = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return token;
}

std::string_view trimmed(std::string_view line)
{
    while (!line.empty() && isSpace(line.front()))
        line.remove_prefix(1);
    while (!line.empty() && isSpace(line.back()))
        line.remove_suffix(1);
    return line;
}

} // namespace

TextFingerprint TextFingerprint::ofTokens(std::string_view text)
{
    TextFingerprint fingerprint;
    std::uint32_t previous = 0;
    for (std::string_view token = takeToken(text); !token.empty(); token = takeToken(text)) {
        const std::uint32_t current = hashOf(token);
        fingerprint.m_hashes.push_back(previous * 31u + current);
        previous = current;
    }
    std::sort(fingerprint.m_hashes.begin(), fingerprint.m_hashes.end());
    return fingerprint;
}

TextFingerprint TextFingerprint::ofLines(std::string_view text)
{
    TextFingerprint fingerprint;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty())
            fingerprint.m_hashes.push_back(hashOf(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::sort(fingerprint.m_hashes.begin(), fingerprint.m_hashes.end());
    return fingerprint;
}

double TextFingerprint::similarity(const TextFingerprint& other) const
{
    const std::size_t both = m_hashes.size() + other.m_hashes.size();
    if (both == 0)
        return 0.0;
    std::size_t common = 0;
    auto left = m_hashes.begin();
    auto right = other.m_hashes.begin();
    while (left != m_hashes.end() && right != other.m_hashes.end()) {
        if (*left == *right) {
            ++common;
            ++left;
            ++right;
        } else if (*left < *right) {
            ++left;
        } else {
            ++right;
        }
    }
    return 2.0 * static_cast<double>(common) / static_cast<double>(both);
}

} // namespace perilune
