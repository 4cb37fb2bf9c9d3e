// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/JsonWriter.h"

#include <array>
#include <charconv>
#include <cmath>

namespace perilune::cli {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd"; // U+FFFD

/// The length of the UTF-8 sequence at the start of `text`, 0 when there is no well-formed one
/// (The Unicode Standard, table 3-7).
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t index) {
        return index < text.size() ? static_cast<unsigned char>(text[index]) : 0u;
    };
    const auto isBetween = [](unsigned value, unsigned low, unsigned high) {
        return value >= low && value <= high;
    };
    const auto continues = [&](std::size_t index) { return isBetween(byte(index), 0x80, 0xbf); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (isBetween(first, 0xc2, 0xdf))
        return continues(1) ? 2 : 0;
    if (isBetween(first, 0xe0, 0xef)) {
        const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
        const unsigned high = first == 0xed ? 0x9f : 0xbf;
        return isBetween(byte(1), low, high) && continues(2) ? 3 : 0;
    }
    if (isBetween(first, 0xf0, 0xf4)) {
        const unsigned low = first == 0xf0 ? 0x90 : 0x80;
        const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
        return isBetween(byte(1), low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

std::string escapedControl(unsigned char character)
{
    switch (character) {
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '\r':
        return "\\r";
    default:
        constexpr std::string_view digits = "0123456789abcdef";
        return {'\\', 'u', '0', '0', digits[character >> 4], digits[character & 15]};
    }
}

std::string quoted(std::string_view text)
{
    std::string result = "\"";
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const auto character = static_cast<unsigned char>(text.front());
        if (length == 0)
            result += replacement;
        else if (character == '"' || character == '\\')
            result += {'\\', text.front()};
        else if (character < 0x20 || character == 0x7f)
            result += escapedControl(character);
        else
            result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result + '"';
}

} // namespace

void JsonWriter::key(std::string_view name)
{
    separate();
    put(quoted(name));
    put(": ");
    m_afterKey = true;
}

void JsonWriter::value(std::string_view text)
{
    writeRaw(quoted(text));
}

void JsonWriter::value(double number)
{
    if (!std::isfinite(number)) {
        null();
        return;
    }
    std::array<char, 32> buffer = {};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    writeRaw({buffer.data(), end.ptr});
}

void JsonWriter::begin(char bracket, Layout layout)
{
    writeRaw({&bracket, 1});
    // What is inside something on one line is on that line too.
    const bool isInline = !m_open.empty() && m_open.back().layout == Layout::Inline;
    m_open.push_back({isInline ? Layout::Inline : layout, true});
}

void JsonWriter::end(char bracket)
{
    const Container closed = m_open.back();
    m_open.pop_back();
    if (closed.layout == Layout::Lines && !closed.isEmpty)
        newLine();
    put({&bracket, 1});
    if (m_open.empty())
        put("\n");
}

void JsonWriter::writeRaw(std::string_view text)
{
    if (!m_afterKey)
        separate();
    m_afterKey = false;
    put(text);
}

void JsonWriter::separate()
{
    if (m_open.empty())
        return;
    Container& container = m_open.back();
    if (!container.isEmpty)
        put(",");
    if (container.layout == Layout::Lines)
        newLine();
    else if (!container.isEmpty)
        put(" ");
    container.isEmpty = false;
}

void JsonWriter::newLine()
{
    put("\n");
    for (std::size_t depth = 0; depth < m_open.size(); ++depth)
        put("  ");
}

} // namespace perilune::cli
