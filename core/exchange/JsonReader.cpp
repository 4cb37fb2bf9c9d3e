// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/JsonReader.h"

#include <algorithm>
#include <charconv>

namespace perilune {

namespace {

void appendUtf8(std::string& text, std::uint32_t point)
{
    const auto append = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
        append(point);
    } else if (point < 0x800) {
        append(0xC0 | point >> 6);
        append(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        append(0xE0 | point >> 12);
        append(0x80 | (point >> 6 & 0x3F));
        append(0x80 | (point & 0x3F));
    } else {
        append(0xF0 | point >> 18);
        append(0x80 | (point >> 12 & 0x3F));
        append(0x80 | (point >> 6 & 0x3F));
        append(0x80 | (point & 0x3F));
    }
}

bool isNumberCharacter(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

} // namespace

JsonReader::JsonReader(std::string_view text)
    : m_text(text)
{
    if (m_text.starts_with("\xEF\xBB\xBF"))
        m_text.remove_prefix(3);
}

bool JsonReader::fail()
{
    m_hasFailed = true;
    return false;
}

void JsonReader::skipBlanks()
{
    while (m_position < m_text.size()
           && std::string_view(" \t\r\n").find(m_text[m_position]) != std::string_view::npos)
        ++m_position;
}

char JsonReader::peek()
{
    skipBlanks();
    if (m_hasFailed || m_position >= m_text.size())
        return 0;
    const char c = m_text[m_position];
    if (c == '{' || c == '[' || c == '"')
        return c;
    return isNumberCharacter(c) && c != 'e' && c != 'E' ? 'n' : 'l';
}

bool JsonReader::isAtEnd()
{
    skipBlanks();
    return m_position >= m_text.size();
}

bool JsonReader::take(char expected)
{
    skipBlanks();
    if (m_hasFailed || m_position >= m_text.size() || m_text[m_position] != expected)
        return fail();
    ++m_position;
    return true;
}

bool JsonReader::enterObject()
{
    if (!take('{'))
        return false;
    m_isFirst.push_back(true);
    return true;
}

bool JsonReader::enterArray()
{
    if (!take('['))
        return false;
    m_isFirst.push_back(true);
    return true;
}

/// Takes the comma before a further member, or the bracket that closes; false for the latter.
bool JsonReader::takeSeparator(char closing)
{
    skipBlanks();
    if (m_hasFailed || m_isFirst.empty() || m_position >= m_text.size())
        return fail();
    if (m_text[m_position] == closing) {
        ++m_position;
        m_isFirst.pop_back();
        return false;
    }
    if (m_isFirst.back())
        m_isFirst.back() = false;
    else if (!take(','))
        return false;
    return true;
}

bool JsonReader::nextKey(std::string_view& key)
{
    if (!takeSeparator('}') || !readString(m_key) || !take(':'))
        return false;
    key = m_key;
    return true;
}

bool JsonReader::nextElement()
{
    return takeSeparator(']');
}

bool JsonReader::readString(std::string& value)
{
    value.clear();
    if (!take('"'))
        return false;
    while (m_position < m_text.size()) {
        const std::size_t end = m_text.find_first_of("\"\\", m_position);
        if (end == std::string_view::npos)
            return fail();
        value.append(m_text, m_position, end - m_position);
        m_position = end + 1;
        if (m_text[end] == '"')
            return true;
        if (!readEscape(value))
            return false;
    }
    return fail();
}

bool JsonReader::readEscape(std::string& value)
{
    if (m_position >= m_text.size())
        return fail();
    const char escape = m_text[m_position++];
    constexpr std::string_view names = "bfnrt\"\\/";
    constexpr std::string_view meanings = "\b\f\n\r\t\"\\/";
    if (const std::size_t index = names.find(escape); index != std::string_view::npos) {
        value.push_back(meanings[index]);
        return true;
    }
    std::uint32_t point = 0;
    if (escape != 'u' || !readCodeUnit(point))
        return fail();
    std::uint32_t low = 0;
    const bool isPair = point >= 0xD800 && point < 0xDC00 && m_text.substr(m_position, 2) == "\\u";
    if (isPair) {
        m_position += 2;
        if (!readCodeUnit(low))
            return false;
        point = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00)
                                              : 0xFFFD;
    } else if (point >= 0xD800 && point < 0xE000) {
        point = 0xFFFD;
    }
    appendUtf8(value, point);
    return true;
}

bool JsonReader::readCodeUnit(std::uint32_t& unit)
{
    if (m_text.size() - m_position < 4)
        return fail();
    const char* const begin = m_text.data() + m_position;
    const auto [stop, error] = std::from_chars(begin, begin + 4, unit, 16);
    if (error != std::errc() || stop != begin + 4)
        return fail();
    m_position += 4;
    return true;
}

bool JsonReader::readNumber(JsonNumber& number)
{
    skipBlanks();
    const std::size_t begin = m_position;
    while (m_position < m_text.size() && isNumberCharacter(m_text[m_position]))
        ++m_position;
    const char* const first = m_text.data() + begin;
    const char* const last = m_text.data() + m_position;
    const auto whole = std::from_chars(first, last, number.whole);
    number.isWhole = whole.ec == std::errc() && whole.ptr == last;
    const auto real = std::from_chars(first, last, number.value);
    if (m_hasFailed || real.ec != std::errc() || real.ptr != last)
        return fail();
    return true;
}

bool JsonReader::readIndex(std::uint32_t& value)
{
    JsonNumber number;
    if (!readNumber(number) || !number.isWhole || number.whole > UINT32_MAX)
        return fail();
    value = static_cast<std::uint32_t>(number.whole);
    return true;
}

bool JsonReader::skipString()
{
    for (++m_position; m_position < m_text.size(); ++m_position) {
        if (m_text[m_position] == '"') {
            ++m_position;
            return true;
        }
        if (m_text[m_position] == '\\')
            ++m_position;
    }
    return fail();
}

bool JsonReader::skipScalar()
{
    const std::size_t end = m_text.find_first_of(",]} \t\r\n", m_position);
    if (end == m_position)
        return fail();
    m_position = std::min(end, m_text.size());
    return true;
}

bool JsonReader::skipValue()
{
    // Brackets are counted and not matched: what is skipped is not used either.
    std::size_t depth = 0;
    do {
        skipBlanks();
        if (m_hasFailed || m_position >= m_text.size())
            return fail();
        const char c = m_text[m_position];
        if (c == '"') {
            if (!skipString())
                return false;
        } else if (c == '{' || c == '[') {
            ++depth;
            ++m_position;
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
            ++m_position;
        } else if ((c == ',' || c == ':') && depth > 0) {
            ++m_position;
        } else if (!skipScalar()) {
            return false;
        }
    } while (depth > 0);
    return true;
}

} // namespace perilune
