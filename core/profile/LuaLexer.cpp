// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/LuaLexer.h"

#include <algorithm>
#include <array>
#include <string>

namespace perilune {

namespace {

constexpr std::array<std::string_view, 22> keywords = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

constexpr std::array<std::string_view, 10> longSymbols = {
    "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};

// Lua's own classes, whatever the locale; bytes above 127 may be part of a name (LuaJIT allows it).
bool isSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool isLineBreak(char c)
{
    return c == '\n' || c == '\r';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || static_cast<unsigned char>(c) >= 128;
}

bool isNamePart(char c)
{
    return isNameStart(c) || isDigit(c);
}

} // namespace

LuaLexer::LuaLexer(std::string_view text)
    : m_text(text)
{
    if (m_text.starts_with("\xef\xbb\xbf"))
        m_position = 3;
    if (at(0) == '#')
        skipLine();
}

LuaToken LuaLexer::next()
{
    skipSpaceAndComments();
    if (m_position >= m_text.size())
        return {LuaToken::Kind::End, {}, m_line};
    const char character = at(0);
    if (isNameStart(character))
        return name();
    if (isDigit(character) || (character == '.' && isDigit(at(1))))
        return number();
    if (character == '"' || character == '\'')
        return quotedString();
    if (const std::size_t opening = longBracket(); opening > 0)
        return longString(opening);
    return symbol();
}

/// The character `offset` bytes ahead, or NUL behind the end.
char LuaLexer::at(std::size_t offset) const
{
    return m_position + offset < m_text.size() ? m_text[m_position + offset] : '\0';
}

/// Goes on by one character or line break; "\r\n" and "\n\r" are one, as for Lua.
void LuaLexer::advance()
{
    const char character = m_text[m_position++];
    if (!isLineBreak(character))
        return;
    ++m_line;
    if (isLineBreak(at(0)) && at(0) != character)
        ++m_position;
}

void LuaLexer::skipLine()
{
    while (m_position < m_text.size() && !isLineBreak(at(0)))
        ++m_position;
}

void LuaLexer::skipSpaceAndComments()
{
    while (m_position < m_text.size()) {
        if (isSpace(at(0))) {
            advance();
        } else if (at(0) == '-' && at(1) == '-') {
            m_position += 2;
            if (const std::size_t opening = longBracket(); opening > 0)
                longString(opening);
            else
                skipLine();
        } else {
            return;
        }
    }
}

/// The length of an opening long bracket here ("[[" is 2, "[=[" is 3), or 0.
std::size_t LuaLexer::longBracket() const
{
    if (at(0) != '[')
        return 0;
    std::size_t length = 1;
    while (at(length) == '=')
        ++length;
    return at(length) == '[' ? length + 1 : 0;
}

LuaToken LuaLexer::longString(std::size_t openingLength)
{
    const std::size_t start = m_position + openingLength;
    std::string closing(m_text.substr(m_position, openingLength));
    closing.front() = closing.back() = ']';
    const std::size_t end = std::min(m_text.find(closing, start), m_text.size());
    m_position = start;
    while (m_position < end)
        advance();
    m_position = std::min(end + closing.size(), m_text.size());
    return {LuaToken::Kind::String, m_text.substr(start, end - start), m_line};
}

LuaToken LuaLexer::quotedString()
{
    const char quote = at(0);
    const std::size_t start = ++m_position;
    while (m_position < m_text.size() && at(0) != quote && !isLineBreak(at(0))) {
        if (at(0) == '\\')
            skipEscape();
        else
            ++m_position;
    }
    const LuaToken token = tokenFrom(LuaToken::Kind::String, start);
    if (at(0) == quote)
        ++m_position;
    return token;
}

/// Skips a backslash and the character or line break behind it; behind "\z" all white space.
void LuaLexer::skipEscape()
{
    ++m_position;
    if (m_position >= m_text.size())
        return;
    const bool skipsSpace = at(0) == 'z';
    advance();
    while (skipsSpace && m_position < m_text.size() && isSpace(at(0)))
        advance();
}

LuaToken LuaLexer::name()
{
    const std::size_t start = m_position;
    while (isNamePart(at(0)))
        ++m_position;
    LuaToken token = tokenFrom(LuaToken::Kind::Name, start);
    if (std::find(keywords.begin(), keywords.end(), token.text) != keywords.end())
        token.kind = LuaToken::Kind::Keyword;
    return token;
}

LuaToken LuaLexer::number()
{
    const std::size_t start = m_position;
    const bool isHexadecimal = at(0) == '0' && (at(1) == 'x' || at(1) == 'X');
    const std::string_view exponents = isHexadecimal ? "pP" : "eE";
    while (isNamePart(at(0)) || at(0) == '.') {
        const bool isExponent = exponents.find(at(0)) != std::string_view::npos;
        ++m_position;
        if (isExponent && (at(0) == '+' || at(0) == '-'))
            ++m_position;
    }
    return tokenFrom(LuaToken::Kind::Number, start);
}

LuaToken LuaLexer::symbol()
{
    const std::string_view rest = m_text.substr(m_position, 3);
    const auto found = std::find_if(longSymbols.begin(), longSymbols.end(),
                                    [rest](auto symbol) { return rest.starts_with(symbol); });
    const std::size_t start = m_position;
    m_position += found != longSymbols.end() ? found->size() : 1;
    return tokenFrom(LuaToken::Kind::Symbol, start);
}

LuaToken LuaLexer::tokenFrom(LuaToken::Kind kind, std::size_t start) const
{
    return {kind, m_text.substr(start, m_position - start), m_line};
}

} // namespace perilune
