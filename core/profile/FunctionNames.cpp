// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/FunctionNames.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace perilune {

namespace {

enum class TokenKind
{
    Name,
    Keyword,
    Symbol,
    String,
    Number,
    End
};

struct Token
{
    TokenKind kind = TokenKind::End;
    std::string_view text; ///< A string: its content as written, without the quotes.
    int line = 0;
};

constexpr std::array<std::string_view, 22> keywords = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

bool isKeyword(std::string_view text)
{
    for (const std::string_view keyword : keywords)
        if (keyword == text)
            return true;
    return false;
}

bool isNameStart(char character)
{
    return std::isalpha(static_cast<unsigned char>(character)) != 0 || character == '_'
        || static_cast<unsigned char>(character) >= 0x80;
}

bool isNamePart(char character)
{
    return isNameStart(character) || std::isdigit(static_cast<unsigned char>(character)) != 0;
}

/// Lua's tokens, as far as finding functions needs them.
class Lexer
{
public:
    explicit Lexer(std::string_view text)
        : m_text(text)
    {
        if (m_text.starts_with("\xef\xbb\xbf"))
            m_position = 3;
        if (at(0) == '#')
            skipLine();
    }

    Token next()
    {
        skipSpaceAndComments();
        if (m_position >= m_text.size())
            return {TokenKind::End, {}, m_line};
        const char character = at(0);
        if (isNameStart(character))
            return name();
        if (std::isdigit(static_cast<unsigned char>(character)) != 0
            || (character == '.' && std::isdigit(static_cast<unsigned char>(at(1))) != 0))
            return number();
        if (character == '"' || character == '\'')
            return quoted(character);
        if (const std::size_t level = longBracket(); level > 0)
            return longString(level);
        return {TokenKind::Symbol, m_text.substr(m_position++, 1), m_line};
    }

private:
    char at(std::size_t offset) const
    {
        return m_position + offset < m_text.size() ? m_text[m_position + offset] : '\0';
    }
    void advance()
    {
        // "\r\n" and "\n\r" are one line break, as for Lua.
        const char character = m_text[m_position++];
        if (character != '\n' && character != '\r')
            return;
        ++m_line;
        const char second = at(0);
        if ((second == '\n' || second == '\r') && second != character)
            ++m_position;
    }
    void skipLine()
    {
        while (m_position < m_text.size() && at(0) != '\n' && at(0) != '\r')
            ++m_position;
    }
    void skipSpaceAndComments()
    {
        while (m_position < m_text.size()) {
            if (std::isspace(static_cast<unsigned char>(at(0))) != 0) {
                advance();
            } else if (at(0) == '-' && at(1) == '-') {
                m_position += 2;
                if (const std::size_t level = longBracket(); level > 0)
                    longString(level);
                else
                    skipLine();
            } else {
                return;
            }
        }
    }
    /// The length of an opening long bracket here ("[[" is 2), or 0.
    std::size_t longBracket() const
    {
        if (at(0) != '[')
            return 0;
        std::size_t length = 1;
        while (at(length) == '=')
            ++length;
        return at(length) == '[' ? length + 1 : 0;
    }
    Token longString(std::size_t level)
    {
        const int line = m_line;
        m_position += level;
        std::string closing = "]";
        closing.append(level - 2, '=');
        closing += ']';
        const std::size_t end = std::min(m_text.find(closing, m_position), m_text.size());
        const std::string_view content = m_text.substr(m_position, end - m_position);
        while (m_position < end)
            advance();
        m_position = std::min(end + closing.size(), m_text.size());
        return {TokenKind::String, content, line};
    }
    Token quoted(char quote)
    {
        const int line = m_line;
        const std::size_t start = ++m_position;
        while (m_position < m_text.size() && at(0) != quote) {
            if (at(0) == '\\' && m_position + 1 < m_text.size()) {
                ++m_position;
                advance();
            } else if (at(0) == '\n' || at(0) == '\r') {
                break; // unfinished: not Lua, go on behind it
            } else {
                ++m_position;
            }
        }
        const std::string_view content = m_text.substr(start, m_position - start);
        if (at(0) == quote)
            ++m_position;
        return {TokenKind::String, content, line};
    }
    Token name()
    {
        const std::size_t start = m_position;
        while (isNamePart(at(0)))
            ++m_position;
        const std::string_view text = m_text.substr(start, m_position - start);
        return {isKeyword(text) ? TokenKind::Keyword : TokenKind::Name, text, m_line};
    }
    Token number()
    {
        const std::size_t start = m_position;
        while (
            isNamePart(at(0)) || at(0) == '.'
            || ((at(0) == '+' || at(0) == '-')
                && std::string_view("eEpP").find(m_text[m_position - 1]) != std::string_view::npos))
            ++m_position;
        return {TokenKind::Number, m_text.substr(start, m_position - start), m_line};
    }

    std::string_view m_text;
    std::size_t m_position = 0;
    int m_line = 1;
};

/// Follows blocks, brackets and assignments, and names each function by what it is assigned to.
class DefinitionFinder
{
public:
    explicit DefinitionFinder(std::string_view text)
        : m_lexer(text)
    {
        m_token = m_lexer.next();
        m_ahead = m_lexer.next();
    }

    std::vector<FunctionDefinition> find()
    {
        m_levels.push_back({});
        while (m_token.kind != TokenKind::End)
            step();
        return std::move(m_definitions);
    }

private:
    static constexpr std::size_t noFunction = SIZE_MAX;

    /// One open block or bracket.
    struct Level
    {
        std::string_view opener;             ///< "function", "do", "{", "(", …; empty: the chunk.
        std::size_t function = noFunction;   ///< Its definition, for "function".
        std::string tableName;               ///< For "{": what the table is assigned to.
        std::vector<std::string> targets;    ///< Left of the last "=" here, by position.
        std::vector<std::string> candidates; ///< Expressions of the statement so far.
        std::string expression;              ///< The dotted name being read; empty: no plain name.
        std::size_t position = 0;            ///< Of the value right of "=", from 0.
        bool isValueStart = false;           ///< A function or table here is a whole value.
        bool isAssigned = false;             ///< Right of an "=".
    };

    Level& level() { return m_levels.back(); }
    void take()
    {
        m_token = m_ahead;
        m_ahead = m_lexer.next();
    }
    bool isSymbol(std::string_view text) const
    {
        return m_token.kind == TokenKind::Symbol && m_token.text == text;
    }

    void step()
    {
        switch (m_token.kind) {
        case TokenKind::Keyword:
            keyword();
            break;
        case TokenKind::Name:
            name();
            break;
        case TokenKind::Symbol:
            symbol();
            break;
        default:
            level().isValueStart = false;
            level().expression.clear();
            take();
        }
    }

    /// Forgets what the statement in this block was about.
    void newStatement()
    {
        Level& here = level();
        here.targets.clear();
        here.candidates.clear();
        here.expression.clear();
        here.position = 0;
        here.isValueStart = false;
        here.isAssigned = false;
    }

    void keyword()
    {
        const std::string_view word = m_token.text;
        if (word == "function") {
            function();
            return;
        }
        const int line = m_token.line;
        take();
        if (word == "end" || word == "until") {
            close(line);
        } else if (word == "do" || word == "then" || word == "repeat") {
            // "while … do", "for … do" and "if … then" were opened by their first word.
            if (word == "then" || (word == "do" && m_awaitsDo)) {
                m_awaitsDo = false;
                newStatement();
                return;
            }
            open(word);
        } else if (word == "if") {
            newStatement();
            open(word);
        } else if (word == "while" || word == "for") {
            newStatement();
            open(word);
            m_awaitsDo = true;
        } else if (word == "local" || word == "return" || word == "else" || word == "elseif"
                   || word == "break" || word == "goto") {
            newStatement();
        } else {
            level().isValueStart = false; // and, or, not, nil, true, false, in
            level().expression.clear();
        }
    }

    void open(std::string_view opener)
    {
        Level next;
        next.opener = opener;
        m_levels.push_back(std::move(next));
    }
    void close(int line)
    {
        // Brackets that text which is not Lua left open end with their block.
        while (m_levels.size() > 1 && isBracket(level().opener))
            m_levels.pop_back();
        if (m_levels.size() == 1)
            return;
        if (level().function != noFunction)
            m_definitions[level().function].lastLine = line;
        m_levels.pop_back();
        level().isValueStart = false;
        level().expression.clear();
        if (!isBracket(level().opener) && !level().isAssigned)
            newStatement();
    }
    static bool isBracket(std::string_view opener)
    {
        return opener == "(" || opener == "{" || opener == "[";
    }

    void name()
    {
        Level& here = level();
        const bool continues = !here.expression.empty()
            && (here.expression.back() == '.' || here.expression.back() == ':');
        if (!continues && !isBracket(here.opener) && here.isAssigned && !here.isValueStart)
            newStatement(); // "x = y z": a new statement begins
        if (!continues)
            here.expression.clear();
        if (!here.expression.empty() || !m_isBroken)
            here.expression += m_token.text;
        m_isBroken = false;
        here.isValueStart = false;
        take();
    }

    void symbol()
    {
        const char character = m_token.text.front();
        Level& here = level();
        switch (character) {
        case '.':
        case ':':
            separator(character);
            return;
        case '=':
            assignment();
            return;
        case ',':
            comma();
            return;
        case ';':
            take();
            semicolon();
            return;
        case '{':
            openTable();
            return;
        case '(':
        case '[':
            openBracket();
            return;
        case '}':
        case ')':
        case ']':
            closeBracket();
            return;
        default:
            here.expression.clear();
            here.isValueStart = false;
            take();
        }
    }
    void separator(char character)
    {
        Level& here = level();
        const bool isLabel =
            character == ':' && m_ahead.kind == TokenKind::Symbol && m_ahead.text == ":";
        if (isLabel || here.expression.empty() || m_ahead.kind != TokenKind::Name) {
            here.expression.clear();
            here.isValueStart = false;
        } else {
            here.expression += character;
        }
        take();
    }
    void assignment()
    {
        Level& here = level();
        take();
        if (isSymbol("=")) { // "=="
            take();
            here.expression.clear();
            here.isValueStart = false;
            return;
        }
        here.candidates.push_back(here.expression);
        if (here.opener == "{") {
            here.targets = {here.tableName.empty() || here.expression.empty()
                                ? here.expression
                                : here.tableName + "." + here.expression};
        } else {
            here.targets = std::move(here.candidates);
        }
        here.candidates.clear();
        here.expression.clear();
        here.position = 0;
        here.isAssigned = true;
        here.isValueStart = true;
    }
    void comma()
    {
        Level& here = level();
        take();
        if (here.opener == "{") {
            newStatement();
        } else if (here.isAssigned) {
            ++here.position;
            here.isValueStart = true;
        } else {
            here.candidates.push_back(here.expression);
        }
        here.expression.clear();
    }
    void semicolon() { newStatement(); }
    std::string targetHere()
    {
        const Level& here = level();
        return here.isValueStart && here.position < here.targets.size()
            ? here.targets[here.position]
            : std::string();
    }
    void openTable()
    {
        const std::string tableName = targetHere();
        take();
        open("{");
        level().tableName = tableName;
    }
    void openBracket()
    {
        const std::string_view opener = m_token.text;
        Level& here = level();
        take();
        // In a table constructor or behind a name: ["key"] is as good as .key.
        if (opener == "[" && m_token.kind == TokenKind::String && m_ahead.kind == TokenKind::Symbol
            && m_ahead.text == "]" && isPlainName(m_token.text)) {
            here.expression += (here.expression.empty() ? "" : ".") + std::string(m_token.text);
            take();
            take();
            return;
        }
        if (opener == "(")
            here.isValueStart = false;
        open(opener);
    }
    void closeBracket()
    {
        const std::string_view closer = m_token.text;
        take();
        if (m_levels.size() > 1 && isBracket(level().opener))
            m_levels.pop_back();
        Level& here = level();
        here.isValueStart = false;
        here.expression.clear();
        m_isBroken = closer == "]"; // a[i].b is no plain name
    }
    static bool isPlainName(std::string_view text)
    {
        if (text.empty() || !isNameStart(text.front()))
            return false;
        for (const char character : text)
            if (!isNamePart(character))
                return false;
        return true;
    }

    void function()
    {
        FunctionDefinition definition;
        definition.line = m_token.line;
        definition.name = targetHere();
        const bool isStatement = !level().isAssigned && !isBracket(level().opener);
        take();
        if (m_token.kind == TokenKind::Name) {
            definition.name.clear();
            while (m_token.kind == TokenKind::Name || isSymbol(".") || isSymbol(":")) {
                definition.name += m_token.text;
                take();
            }
            newStatement();
        } else if (isStatement) {
            definition.name.clear();
        }
        level().isValueStart = false;
        m_definitions.push_back(std::move(definition));
        // The parameters are skipped, so that they are not taken for expressions.
        if (isSymbol("("))
            while (m_token.kind != TokenKind::End && !isSymbol(")"))
                take();
        if (isSymbol(")"))
            take();
        open("function");
        level().function = m_definitions.size() - 1;
    }

    Lexer m_lexer;
    Token m_token;
    Token m_ahead;
    std::vector<Level> m_levels;
    std::vector<FunctionDefinition> m_definitions;
    bool m_awaitsDo = false;
    bool m_isBroken = false;
};

} // namespace

std::vector<FunctionDefinition> findFunctionDefinitions(std::string_view text)
{
    return DefinitionFinder(text).find();
}

} // namespace perilune
