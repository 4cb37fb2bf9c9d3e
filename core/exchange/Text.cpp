// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Text.h"

#include <array>
#include <cstdio>

namespace perilune {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

unsigned byteAt(std::string_view text, std::size_t index)
{
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0u;
}

/// Length of the valid sequence that begins at `index`, or 0; the ranges are those of Unicode's
/// table 3-7, which leave out overlong forms, surrogates and what is past U+10FFFF.
std::size_t sequenceLength(std::string_view text, std::size_t index)
{
    const unsigned first = byteAt(text, index);
    if (first < 0x80)
        return 1;
    const auto continues = [&](std::size_t offset, unsigned low = 0x80, unsigned high = 0xBF) {
        const unsigned byte = byteAt(text, index + offset);
        return byte >= low && byte <= high;
    };
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = first == 0xED ? 0x9F : 0xBF;
        return continues(1, low, high) && continues(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80;
        const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
        return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

/// Control characters of ASCII and of Latin-1 (C2 80 to C2 9F), and the separators U+2028, U+2029.
bool breaksLines(std::string_view sequence)
{
    const unsigned first = byteAt(sequence, 0);
    if (sequence.size() == 1)
        return first < 0x20 || first == 0x7F;
    if (sequence.size() == 2)
        return first == 0xC2 && byteAt(sequence, 1) < 0xA0;
    return sequence == "\u2028" || sequence == "\u2029";
}

template<typename Visit>
void forEachSequence(std::string_view text, Visit visit)
{
    for (std::size_t index = 0; index < text.size();) {
        const std::size_t length = sequenceLength(text, index);
        visit(length == 0 ? replacement : text.substr(index, length));
        index += length == 0 ? 1 : length;
    }
}

} // namespace

std::string validUtf8(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    forEachSequence(text, [&](std::string_view sequence) { result += sequence; });
    return result;
}

std::string singleLine(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    forEachSequence(text, [&](std::string_view sequence) {
        if (breaksLines(sequence))
            result += ' ';
        else
            result += sequence;
    });
    result.erase(result.find_last_not_of(' ') + 1);
    result.erase(0, result.find_first_not_of(' '));
    return result;
}

void writeJsonString(Output& out, std::string_view text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    out << '"';
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out << '\\' << c;
        else if (static_cast<unsigned char>(c) < 0x20)
            out << "\\u00" << digits[static_cast<unsigned char>(c) >> 4] << digits[c & 15];
        else
            out << c;
    }
    out << '"';
}

void writeMarkup(Output& out, std::string_view text)
{
    for (const char c : text) {
        switch (c) {
        case '&':
            out << "&amp;";
            break;
        case '<':
            out << "&lt;";
            break;
        case '>':
            out << "&gt;";
            break;
        case '"':
            out << "&quot;";
            break;
        case '\'':
            out << "&#39;";
            break;
        default:
            out << (static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
        }
    }
}

std::string durationText(std::uint64_t nanoseconds)
{
    struct Unit
    {
        double size;
        const char* name;
    };
    constexpr std::array units = {Unit{60e9, "min"}, Unit{1e9, "s"}, Unit{1e6, "ms"},
                                  Unit{1e3, "µs"}};
    for (const Unit& unit : units) {
        const double value = static_cast<double>(nanoseconds) / unit.size;
        if (value < 0.9995)
            continue;
        std::array<char, 48> text;
        const int digits = value < 9.9995 ? 3 : 1;
        std::snprintf(text.data(), text.size(), "%.*f %s", digits, value, unit.name);
        return text.data();
    }
    return std::to_string(nanoseconds) + " ns";
}

std::string shareText(std::uint64_t part, std::uint64_t whole)
{
    if (part == 0 || whole == 0)
        return "0 %";
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (percent < 0.1)
        return "<0.1 %";
    std::array<char, 48> text;
    std::snprintf(text.data(), text.size(), "%.1f %%", percent);
    return text.data();
}

std::string countText(std::uint64_t count)
{
    std::string text = std::to_string(count);
    for (std::size_t place = text.size(); place > 3; place -= 3)
        text.insert(place - 3, 1, ',');
    return text;
}

} // namespace perilune
