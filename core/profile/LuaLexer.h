// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace perilune {

/// One token of Lua source text.
struct LuaToken
{
    enum class Kind
    {
        Name,
        Keyword,
        Symbol, ///< An operator or a bracket, the longest that fits: "..", "::", "{".
        String,
        Number,
        End ///< Of the text; every further token is one too.
    };
    Kind kind = Kind::End;
    std::string_view text; ///< In the source; a string's is what stands between its quotes.
    int line = 0;          ///< Of its last character, from 1, as the compiler counts.

    bool isKeyword(std::string_view word) const { return kind == Kind::Keyword && text == word; }
    bool isSymbol(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
};

/// Splits Lua source text (5.1 to 5.4) into tokens, without comments; a byte order mark and a first
/// line that begins with '#' are skipped. Text that is not Lua gives tokens too: a character that
/// nothing begins with is a symbol, an unfinished string ends with its line or with the text.
class LuaLexer
{
public:
    /// `text` must outlive the lexer and its tokens.
    explicit LuaLexer(std::string_view text);

    LuaToken next();

private:
    char at(std::size_t offset) const;
    void advance();
    void skipLine();
    void skipSpaceAndComments();
    std::size_t longBracket() const;
    LuaToken longString(std::size_t openingLength);
    LuaToken quotedString();
    void skipEscape();
    LuaToken name();
    LuaToken number();
    LuaToken symbol();
    LuaToken tokenFrom(LuaToken::Kind kind, std::size_t start) const;

    std::string_view m_text;
    std::size_t m_position = 0;
    int m_line = 1;
};

} // namespace perilune
