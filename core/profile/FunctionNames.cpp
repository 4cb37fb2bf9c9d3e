// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/FunctionNames.h"

#include "core/profile/LuaLexer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t noFunction = SIZE_MAX;
constexpr std::size_t longestKey = 60;

enum class Opener
{
    Chunk,
    Function,
    Block, ///< do, then, repeat, while, for
    Table,
    Parenthesis,
    Index
};

bool isBracket(Opener opener)
{
    return opener >= Opener::Table;
}

/// One open block or bracket, and what is known of the statement or table entry read in it.
struct Level
{
    Opener opener = Opener::Chunk;
    std::size_t function = noFunction; ///< Its definition, for Function.
    std::string tableName;             ///< What the table is assigned to, for Table.
    std::size_t itemCount = 0;         ///< Entries without a key so far, for Table.
    bool awaitsDo = false;             ///< Between `while` or `for` and their `do`.

    std::vector<std::string> targets; ///< Left of "=", by position.
    std::string path;                 ///< The dotted name just read; empty: none, or unknown.
    std::size_t position = 0;         ///< Of the value right of "=", from 0.
    bool isLocal = false;
    bool isAssigned = false;   ///< Right of "=".
    bool isWholeValue = false; ///< What comes next is the value, not an operand of it.
};

bool isPlainName(std::string_view text)
{
    LuaLexer lexer(text);
    const LuaToken token = lexer.next();
    return token.kind == LuaToken::Kind::Name && token.text.size() == text.size();
}

/// "t.key", "t[1]" or "t["a b"]", without the "t" where `path` is empty; empty for a key that would
/// not read well.
std::string indexedPath(const std::string& path, const LuaToken& key)
{
    if (key.text.size() > longestKey || key.text.find_first_of("\r\n") != std::string_view::npos)
        return {};
    const std::string text(key.text);
    if (key.kind == LuaToken::Kind::Number)
        return path + "[" + text + "]";
    if (isPlainName(key.text))
        return path.empty() ? text : path + "." + text;
    return path + "[\"" + text + "\"]";
}

/// What an entry of a table is called; a number alone is no name.
std::string memberPath(const std::string& table, const std::string& member)
{
    const bool isNumber = member.size() > 1 && member[0] == '[' && member[1] != '"';
    if (table.empty() || member.empty())
        return isNumber ? std::string() : member;
    return member.front() == '[' ? table + member : table + "." + member;
}

/// Follows blocks, brackets and assignments, and names each function by what it is assigned to.
///
/// This is no parser: it needs to know where blocks end and where statements begin, and whether the
/// last token ended an operand tells that.
class DefinitionFinder
{
public:
    explicit DefinitionFinder(std::string_view text)
        : m_lexer(text)
        , m_token(m_lexer.next())
        , m_ahead(m_lexer.next())
    {
        m_levels.emplace_back();
    }

    std::vector<FunctionDefinition> find()
    {
        while (m_token.kind != LuaToken::Kind::End)
            step();
        for (const Level& open : m_levels)
            if (open.function != noFunction)
                m_definitions[open.function].lastLine = m_token.line;
        return std::move(m_definitions);
    }

private:
    Level& level() { return m_levels.back(); }
    void take()
    {
        m_token = m_ahead;
        m_ahead = m_lexer.next();
    }

    void step()
    {
        switch (m_token.kind) {
        case LuaToken::Kind::Keyword:
            if (isGotoUsedAsName())
                name();
            else
                keyword();
            break;
        case LuaToken::Kind::Name:
            name();
            break;
        case LuaToken::Kind::Symbol:
            symbol();
            break;
        default:
            operand();
        }
    }

    /// In Lua 5.1 `goto` is a name.
    bool isGotoUsedAsName() const
    {
        return m_token.text == "goto"
            && (m_separator != '\0' || m_ahead.kind != LuaToken::Kind::Name);
    }

    void open(Opener opener)
    {
        m_levels.emplace_back();
        level().opener = opener;
        m_endsOperand = false;
        m_separator = '\0';
    }

    /// Forgets what the statement or table entry was about.
    void newStatement()
    {
        Level& here = level();
        here.targets.clear();
        here.path.clear();
        here.position = 0;
        here.isLocal = here.isAssigned = here.isWholeValue = false;
        m_endsOperand = false;
        m_separator = '\0';
    }

    /// Where a statement's keyword stands in brackets, the text is not Lua: they are taken for
    /// closed.
    void leaveBrackets()
    {
        while (isBracket(level().opener))
            m_levels.pop_back();
    }

    void closeBlock(int line)
    {
        leaveBrackets();
        if (m_levels.size() == 1)
            return;
        if (level().function != noFunction)
            m_definitions[level().function].lastLine = line;
        m_levels.pop_back();
        level().path.clear();
        m_endsOperand = true;
    }

    void keyword()
    {
        const LuaToken word = m_token;
        if (word.text == "function") {
            function();
            return;
        }
        take();
        if (word.text == "nil" || word.text == "true" || word.text == "false") {
            endOperand();
        } else if (word.text == "and" || word.text == "or") {
            // In `x = x or function` the function is what x is called.
            operatorSymbol();
            level().isWholeValue = level().isAssigned;
        } else if (word.text == "not") {
            operatorSymbol();
        } else if (word.text == "end" || word.text == "until") {
            closeBlock(word.line);
            if (word.text == "until")
                newStatement();
        } else {
            leaveBrackets();
            statement(word.text);
        }
    }

    void statement(std::string_view word)
    {
        const bool hasHead = level().awaitsDo && word == "do";
        newStatement();
        if (hasHead) {
            level().awaitsDo = false;
        } else if (word == "do" || word == "repeat" || word == "if") {
            open(Opener::Block);
        } else if (word == "while" || word == "for") {
            open(Opener::Block);
            level().awaitsDo = true;
        } else if (word == "local") {
            level().isLocal = true;
        } else if (word == "goto") {
            take();
        }
    }

    void name()
    {
        if (m_separator == '\0' && m_endsOperand && !isBracket(level().opener))
            newStatement();
        Level& here = level();
        if (m_separator != '\0' && !here.path.empty())
            here.path += m_separator;
        else
            here.path.clear();
        here.path += m_token.text;
        here.isWholeValue = false;
        m_endsOperand = true;
        m_separator = '\0';
        take();
    }

    /// A token that is an operand or its end, and no name.
    void operand()
    {
        take();
        endOperand();
    }
    void endOperand()
    {
        level().path.clear();
        level().isWholeValue = false;
        m_endsOperand = true;
        m_separator = '\0';
    }
    void operatorSymbol()
    {
        endOperand();
        m_endsOperand = false;
    }

    void symbol()
    {
        if (m_token.text.size() > 1)
            longSymbol();
        else
            shortSymbol(m_token.text.front());
    }
    void longSymbol()
    {
        const std::string_view text = m_token.text;
        take();
        if (text == "::" && m_ahead.isSymbol("::") && !isBracket(level().opener)) {
            take();
            take();
            newStatement();
        } else if (text == "...") {
            endOperand();
        } else {
            operatorSymbol();
        }
    }
    void shortSymbol(char symbol)
    {
        take();
        switch (symbol) {
        case '.':
        case ':':
            // Another name follows, and the path goes on.
            m_separator = symbol;
            break;
        case '=':
            assignment();
            break;
        case ',':
            comma();
            break;
        case ';':
            separatorOfStatements();
            break;
        case '{':
            openTable();
            break;
        case '(':
            level().isWholeValue = false;
            open(Opener::Parenthesis);
            break;
        case '[':
            openIndex();
            break;
        case '}':
        case ')':
        case ']':
            closeBracket();
            break;
        case '<':
            lessOrAttribute();
            break;
        default:
            operatorSymbol();
        }
    }

    void assignment()
    {
        Level& here = level();
        if (here.opener == Opener::Parenthesis || here.opener == Opener::Index) {
            operatorSymbol();
            return;
        }
        if (here.isAssigned)
            here.targets.clear();
        here.targets.push_back(here.opener == Opener::Table ? memberPath(here.tableName, here.path)
                                                            : here.path);
        operatorSymbol();
        here.position = 0;
        here.isAssigned = here.isWholeValue = true;
    }
    void comma()
    {
        Level& here = level();
        if (here.opener == Opener::Table) {
            separatorOfStatements();
            return;
        }
        if (here.isAssigned)
            ++here.position;
        else if (!isBracket(here.opener))
            here.targets.push_back(here.path);
        operatorSymbol();
        here.isWholeValue = here.isAssigned;
    }
    void separatorOfStatements()
    {
        if (!level().isAssigned)
            ++level().itemCount;
        newStatement();
    }
    /// `local x <close>`: what is assigned to goes on being x.
    void lessOrAttribute()
    {
        const bool isAttribute = level().isLocal && !level().isAssigned && m_ahead.isSymbol(">");
        if (!isAttribute) {
            operatorSymbol();
            return;
        }
        take();
        take();
    }

    void openTable()
    {
        std::string tableName = valueName();
        level().isWholeValue = false;
        open(Opener::Table);
        level().tableName = std::move(tableName);
    }
    void openIndex()
    {
        const bool isSimple =
            m_token.kind == LuaToken::Kind::String || m_token.kind == LuaToken::Kind::Number;
        level().isWholeValue = false;
        if (!isSimple || !m_ahead.isSymbol("]")) {
            open(Opener::Index);
            return;
        }
        level().path = indexedPath(level().path, m_token);
        m_endsOperand = true;
        take();
        take();
    }
    void closeBracket()
    {
        if (isBracket(level().opener))
            m_levels.pop_back();
        endOperand();
    }

    /// The name of the value that begins here; empty when it has none.
    std::string valueName()
    {
        const Level& here = level();
        if (here.isWholeValue)
            return here.position < here.targets.size() ? here.targets[here.position]
                                                       : std::string();
        const bool isItem = here.opener == Opener::Table && !here.isAssigned && here.path.empty()
            && !m_endsOperand && !here.tableName.empty();
        return isItem ? here.tableName + "[" + std::to_string(here.itemCount + 1) + "]"
                      : std::string();
    }

    void function()
    {
        FunctionDefinition definition;
        definition.name = valueName();
        definition.line = m_token.line;
        const bool isLocal = level().isLocal;
        take();
        const bool isStatement = m_token.kind == LuaToken::Kind::Name;
        if (isStatement)
            definition.name = dottedName();
        if (!isStatement || isLocal)
            definition.line = m_token.line;
        level().isWholeValue = false;
        m_definitions.push_back(std::move(definition));
        skipParameters();
        open(Opener::Function);
        level().function = m_definitions.size() - 1;
    }
    std::string dottedName()
    {
        newStatement();
        std::string name(m_token.text);
        take();
        while ((m_token.isSymbol(".") || m_token.isSymbol(":"))
               && m_ahead.kind == LuaToken::Kind::Name) {
            name += m_token.text;
            name += m_ahead.text;
            take();
            take();
        }
        return name;
    }
    void skipParameters()
    {
        if (!m_token.isSymbol("("))
            return;
        take();
        while (m_token.kind == LuaToken::Kind::Name || m_token.isSymbol(",")
               || m_token.isSymbol("..."))
            take();
        if (m_token.isSymbol(")"))
            take();
    }

    LuaLexer m_lexer;
    LuaToken m_token;
    LuaToken m_ahead;
    std::vector<Level> m_levels;
    std::vector<FunctionDefinition> m_definitions;
    bool m_endsOperand = false; ///< The last token ended an operand: a name begins a statement.
    char m_separator = '\0';    ///< '.' or ':' when the last token was one.
};

} // namespace

std::vector<FunctionDefinition> findFunctionDefinitions(std::string_view text)
{
    return DefinitionFinder(text).find();
}

const FunctionDefinition* findDefinition(const std::vector<FunctionDefinition>& definitions,
                                         std::size_t ordinal, int line, int lastLine)
{
    const auto hasLines = [line, lastLine](const FunctionDefinition& definition) {
        return definition.line == line && definition.lastLine == lastLine;
    };
    if (ordinal > 0 && ordinal <= definitions.size() && hasLines(definitions[ordinal - 1]))
        return &definitions[ordinal - 1];
    // They are in the order of their keywords, so those of one line are together.
    const auto begin = std::lower_bound(
        definitions.begin(), definitions.end(), line,
        [](const FunctionDefinition& definition, int wanted) { return definition.line < wanted; });
    const FunctionDefinition* found = nullptr;
    for (auto definition = begin; definition != definitions.end() && definition->line == line;
         ++definition) {
        if (!hasLines(*definition))
            continue;
        if (found)
            return nullptr;
        found = &*definition;
    }
    return found;
}

} // namespace perilune
