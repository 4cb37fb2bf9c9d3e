// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/FunctionNames.h"
#include "core/profile/LuaLexer.h"

#include <lua.hpp>

#include <QDirIterator>
#include <QFile>
#include <QStringList>
#include <QTest>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace perilune;

namespace {

struct Lines
{
    int line = 0;
    int lastLine = 0;
};

/// Reads where each function of a compiled chunk (Lua 5.4) begins and ends, in the compiler's
/// order. For the compiler's own output only: it does not look for damage.
class BytecodeReader
{
public:
    explicit BytecodeReader(std::string code)
        : m_code(std::move(code))
    {
    }

    std::vector<Lines> read()
    {
        m_position = 4 + 1 + 1 + 6 + 1 + 1 + 1 + sizeof(lua_Integer) + sizeof(lua_Number) + 1;
        readFunction();
        m_functions.erase(m_functions.begin()); // the main chunk
        return std::move(m_functions);
    }

private:
    unsigned char readByte() { return static_cast<unsigned char>(m_code.at(m_position++)); }
    std::size_t readNumber()
    {
        std::size_t value = 0;
        while (true) {
            const unsigned char byte = readByte();
            value = (value << 7) | (byte & 0x7f);
            if ((byte & 0x80) != 0)
                return value;
        }
    }
    void skip(std::size_t bytes) { m_position += bytes; }
    void skipString()
    {
        if (const std::size_t size = readNumber(); size > 0)
            skip(size - 1);
    }
    void skipConstant()
    {
        switch (readByte()) {
        case LUA_TNUMBER: // an integer
        case LUA_TNUMBER | 16:
            skip(8);
            break;
        case LUA_TSTRING:
        case LUA_TSTRING | 16:
            skipString();
            break;
        default:
            break;
        }
    }
    void readFunction()
    {
        skipString();
        Lines lines;
        lines.line = static_cast<int>(readNumber());
        lines.lastLine = static_cast<int>(readNumber());
        m_functions.push_back(lines);
        skip(3);
        skip(readNumber() * 4);
        for (std::size_t left = readNumber(); left > 0; --left)
            skipConstant();
        skip(readNumber() * 3);
        for (std::size_t left = readNumber(); left > 0; --left)
            readFunction();
        skip(readNumber());
        for (std::size_t left = readNumber() * 2; left > 0; --left)
            readNumber();
        for (std::size_t left = readNumber(); left > 0; --left) {
            skipString();
            readNumber();
            readNumber();
        }
        for (std::size_t left = readNumber(); left > 0; --left)
            skipString();
    }

    std::string m_code;
    std::size_t m_position = 0;
    std::vector<Lines> m_functions;
};

int appendPiece(lua_State*, const void* piece, std::size_t bytes, void* target)
{
    static_cast<std::string*>(target)->append(static_cast<const char*>(piece), bytes);
    return 0;
}

/// The functions of a chunk as the compiler has them; empty with `error` set when it is no Lua.
std::vector<Lines> compiledFunctions(const std::string& text, std::string& error)
{
    lua_State* state = luaL_newstate();
    std::string code;
    if (luaL_loadbuffer(state, text.data(), text.size(), "=test") == LUA_OK)
        lua_dump(state, appendPiece, &code, 0);
    else
        error = lua_tostring(state, -1);
    lua_close(state);
    return code.empty() ? std::vector<Lines>() : BytecodeReader(code).read();
}

/// What luaL_loadfile leaves out before the compiler sees the text.
std::string withoutFirstLineComment(std::string text)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.erase(0, 3);
    if (text.starts_with('#'))
        text.erase(0, text.find('\n'));
    return text;
}

QString textOf(const std::vector<Lines>& functions)
{
    QStringList lines;
    for (const Lines& function : functions)
        lines.append(QStringLiteral("%1-%2").arg(function.line).arg(function.lastLine));
    return lines.join(u' ');
}

QString linesOf(const std::vector<FunctionDefinition>& definitions)
{
    std::vector<Lines> functions;
    for (const FunctionDefinition& definition : definitions)
        functions.push_back({definition.line, definition.lastLine});
    return textOf(functions);
}

QString namesOf(const std::vector<FunctionDefinition>& definitions)
{
    QStringList names;
    for (const FunctionDefinition& definition : definitions)
        names.append(definition.name.empty() ? QStringLiteral("-")
                                             : QString::fromStdString(definition.name));
    return names.join(u' ');
}

} // namespace

class FunctionNamesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesFunctions_data();
    void namesFunctions();
    void agreesWithTheCompiler_data();
    void agreesWithTheCompiler();
    void agreesWithTheCompilerOnFiles_data();
    void agreesWithTheCompilerOnFiles();
    void olderDialects_data();
    void olderDialects();
    void survivesWhatIsNotLua();
    void survivesDepth();
    void findsDefinitionsByPlace_data();
    void findsDefinitionsByPlace();
    void splitsIntoTokens();
};

void FunctionNamesTest::namesFunctions_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("names"); // "-" for one without
    const auto row = [](const char* title, const char* text, const char* names) {
        QTest::newRow(title) << QByteArray(text) << QString::fromUtf8(names);
    };
    row("nothing", "return 1", "");
    row("local", "local function f() end", "f");
    row("global", "function f() end", "f");
    row("member and method", "function a.b.c() end function a.b:d() end", "a.b.c a.b:d");
    row("assigned", "x = function() end", "x");
    row("assigned member", "a.b = function() end", "a.b");
    row("assigned local", "local x = function() end", "x");
    row("by position", "local a, b = function() end, function() end", "a b");
    row("by position behind a call", "local a, b = f(1, 2), function() end", "b");
    row("by position behind an expression", "local a, b, c = -x, #y + 1, function() end", "c");
    row("more values than names", "local a = 1, function() end", "-");
    row("members by position", "t.a, u.b = function() end, function() end", "t.a u.b");
    row("attributes", "local x <const>, y <close> = function() end, function() end", "x y");
    row("comparison is no attribute", "local a = b < c d = function() end", "d");
    row("entry", "t = { k = function() end }", "t.k");
    row("entry of a local table", "local t = { k = function() end, l = function() end }",
        "t.k t.l");
    row("quoted entry", "t = { ['k'] = function() end; [\"l m\"] = function() end }",
        "t.k t[\"l m\"]");
    row("numbered entries", "t = { function() end, 1, function() end, [7] = function() end }",
        "t[1] t[3] t[7]");
    row("numbered entries without a name", "f { function() end, [7] = function() end }", "- -");
    row("nested tables", "t = { a = { b = function() end }, c = function() end }", "t.a.b t.c");
    row("table without a name", "f { k = function() end } return { l = function() end }", "k l");
    row("table inside a call", "local t = setmetatable({ k = function() end }, m)", "k");
    row("index", "t['k'] = function() end t[1] = function() end t[i] = function() end",
        "t.k t[1] -");
    row("member of an index", "t[i].k = function() end", "k");
    row("member of a call", "f(x).k = function() end f'x'.l = function() end", "k l");
    row("method chain", "a:b():c().d = function() end", "d");
    row("argument", "foo(function() end)", "-");
    row("argument of an assigned call", "x = foo(function() end)", "-");
    row("called at once", "x = (function() end)()", "-");
    row("returned", "return function() end", "-");
    row("returned second", "local a = 1 return a, function() end", "-");
    row("or", "f = f or function() end", "f");
    row("and, or", "local f = a.b and c or function() end", "f");
    row("or inside parentheses", "x = y + (z or function() end)", "-");
    row("new statement without a mark", "a = b c = function() end", "c");
    row("new statement behind a string", "a = 'b' c = function() end", "c");
    row("new statement behind a constant", "a = nil b = function() end", "b");
    row("new statement behind a call", "a = f() b = function() end", "b");
    row("new statement behind a function", "a = function() end b = function() end", "a b");
    row("nested", "function a() local function b() return function() end end end", "a b -");
    row("in blocks",
        "if x then y = function() end elseif z then w = function() end else v = function() end end "
        "u = function() end",
        "y w v u");
    row("in loops",
        "while (function() for i = 1, 2 do end end)() do a = function() end end "
        "for k, v in pairs { b = function() end } do c = function() end end "
        "repeat d = function() end until (function() end)() e = function() end",
        "- a b c d - e");
    row("goto and labels", "goto done x = function() end ::done:: y = function() end", "x y");
    row("keyword in strings",
        "a = 'function' b = \"function f() end\" c = [[function]] d = [==[ ]] function ]==] "
        "e = function() end",
        "e");
    row("keyword in comments",
        "-- function f() end\n--[[ function\n]] x = --[==[ ]] function ]==] function() end", "x");
    row("escapes",
        "a = 'it\\'s function' b = '\\\\' c = \"\\z\n  function\" d = 'x\\\nfunction' "
        "e = function() end",
        "e");
    row("numbers", "a = 0xe--function\nb = 1e-3 c = 3 ..'' d = 0x.1p-3 e = function() end", "e");
    row("concatenation", "a = b .. c .. function() end", "-");
    row("varargs", "local f = function(...) return ... end g = function(a, ...) end", "f g");
    row("byte order mark",
        "\xef\xbb\xbf"
        "f = function() end",
        "f");
    row("first line", "#!/usr/bin/lua function\nf = function() end", "f");
    row("both",
        "\xef\xbb\xbf"
        "#!/usr/bin/lua function\nf = function() end",
        "f");
    row("other letters", "größe = function() end", "größe");
}

void FunctionNamesTest::namesFunctions()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, names);
    QCOMPARE(namesOf(findFunctionDefinitions(text.toStdString())), names);
}

void FunctionNamesTest::agreesWithTheCompiler_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* title, const char* text) {
        QTest::newRow(title) << QByteArray(text);
    };
    row("one line", "local a = function() end, function() return function() end end");
    row("several lines", "function f()\n  return function()\n  end\nend\n\nf()\n");
    row("carriage returns",
        "function f()\r\n  x = 1\r\nend\r\n\r\ny = function()\rend\n\rz = "
        "function() end");
    row("long string with lines", "x = [[\n\nfunction\r\n]] y = function()\nend");
    row("long comment with lines", "--[==[\n\n]]\n]==] y = function()\nend");
    row("parameters on a later line", "x = function\n\n(a,\nb)\nend");
    row("name on a later line", "local function\nf\n\n()\nend\nfunction\nt.a\n.b()\nend");
    row("string over several lines", "x = 'a\\\nb\\z\n\n  c' y = function()\nend");
    row("loops",
        "while (function() for i = 1, 2 do end end)() do\n break end\n"
        "for i = 1, (function() return 3 end)() do\n local f = function()\n end end\n"
        "for k in next, {} do local function g()\n if k then return end end end");
    row("until", "repeat local x = function()\nend\nuntil (function()\nend)()");
    row("goto", "do goto continue\nlocal x = function() end ::continue:: end f = function()\nend");
    row("attributes", "local x <const> = function()\nend local y <close> = nil");
    row("integer operators", "x = 1 // 2 << 3 >> 4 ~ 5 y = function()\nend z = x ~= 3");
    row("calls without parentheses", "print 'function' print [[function]] print {function()\nend}");
    row("method on a string", "x = ('f'):rep(3) y = function()\nend");
    row("semicolons", ";;; x = 1; y = function()\nend;");
    row("dead code", "if false then x = function()\nend end");
}

void FunctionNamesTest::agreesWithTheCompiler()
{
    QFETCH(QByteArray, text);
    std::string error;
    const auto compiled = compiledFunctions(text.toStdString(), error);
    QCOMPARE(error, std::string());
    QCOMPARE(linesOf(findFunctionDefinitions(text.toStdString())), textOf(compiled));
}

void FunctionNamesTest::agreesWithTheCompilerOnFiles_data()
{
    QTest::addColumn<QString>("path");
    for (const char* folder : {TESTS_DIR, EXAMPLES_DIR}) {
        QDirIterator files(QString::fromUtf8(folder), {QStringLiteral("*.lua")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            QTest::newRow(qPrintable(files.fileName())) << path;
        }
    }
}

void FunctionNamesTest::agreesWithTheCompilerOnFiles()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    std::string error;
    const auto compiled = compiledFunctions(withoutFirstLineComment(text), error);
    if (!error.empty())
        return; // some are wrong on purpose
    QCOMPARE(linesOf(findFunctionDefinitions(text)), textOf(compiled));
}

void FunctionNamesTest::olderDialects_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("5.1: goto is a name")
        << QByteArray("goto = function() end t.goto = function() end goto(1) f = function() end")
        << u"goto t.goto f"_qs;
    QTest::newRow("5.1: nested long comment")
        << QByteArray("--[[ a [[ b ]] f = function() end") << u"f"_qs;
    QTest::newRow("5.1: module and setfenv")
        << QByteArray("module('m', package.seeall) function f(...) return arg.n end") << u"f"_qs;
    QTest::newRow("LuaJIT: numbers")
        << QByteArray("a = 42LL b = 0x2aULL c = 12.5i f = function() end") << u"f"_qs;
}

void FunctionNamesTest::olderDialects()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, names);
    QCOMPARE(namesOf(findFunctionDefinitions(text.toStdString())), names);
}

void FunctionNamesTest::survivesWhatIsNotLua()
{
    const std::vector<std::string> pieces = {
        "function", " ",     "end",  "(",    ")",      "{",     "}",      "[",  "]",    "[[",
        "]]",       "'",     "\"",   "\\",   "\n",     "\r",    "=",      ",",  ".",    ":",
        "::",       "local", "x",    "<",    ">",      "do",    "then",   "if", "then", "for",
        "in",       "--",    "--[[", "goto", "until",  "1e",    "0x",     ";",  "\0",   "or",
        "else",     "#",     "..",   "\xff", "return", "while", "repeat", "y"};
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t left = random() % 40; left > 0; --left)
            text += pieces[random() % pieces.size()] + (random() % 3 == 0 ? " " : "");
        for (const FunctionDefinition& definition : findFunctionDefinitions(text)) {
            QVERIFY(definition.line > 0);
            QVERIFY2(definition.lastLine >= definition.line, text.c_str());
        }
    }
    // A block's end closes brackets that were left open.
    QCOMPARE(namesOf(findFunctionDefinitions(
                 "function f() a = function() if (x { end end end b = function() end")),
             u"f a b"_qs);
}

void FunctionNamesTest::survivesDepth()
{
    std::string text;
    for (int level = 0; level < 200000; ++level)
        text += level % 2 == 0 ? "{(" : "function()";
    QCOMPARE(findFunctionDefinitions(text).size(), std::size_t(100000));
}

void FunctionNamesTest::findsDefinitionsByPlace_data()
{
    QTest::addColumn<quint32>("ordinal");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("lastLine");
    QTest::addColumn<QString>("name"); // empty: none
    QTest::newRow("by ordinal") << 2u << 1 << 1 << u"b"_qs;
    QTest::newRow("another text: ordinal and lines do not agree") << 2u << 9 << 9 << QString();
    QTest::newRow("shifted ordinal, lines of one") << 1u << 2 << 4 << u"c"_qs;
    QTest::newRow("no ordinal, lines of one") << quint32(UINT32_MAX) << 3 << 3 << u"d"_qs;
    QTest::newRow("no ordinal, lines of two") << quint32(UINT32_MAX) << 1 << 1 << QString();
    QTest::newRow("no ordinal, other end") << quint32(UINT32_MAX) << 2 << 3 << QString();
    QTest::newRow("a main chunk") << 0u << 0 << 0 << QString();
}

void FunctionNamesTest::findsDefinitionsByPlace()
{
    QFETCH(quint32, ordinal);
    QFETCH(int, line);
    QFETCH(int, lastLine);
    QFETCH(QString, name);
    const auto definitions =
        findFunctionDefinitions("local function a() end local function b() end\n"
                                "function c()\n  local function d() end\nend\n");
    const FunctionDefinition* found = findDefinition(definitions, ordinal, line, lastLine);
    QCOMPARE(found != nullptr, !name.isEmpty());
    if (found)
        QCOMPARE(QString::fromStdString(found->name), name);
}

void FunctionNamesTest::splitsIntoTokens()
{
    LuaLexer lexer("a.b = 0x1p-4..[=[\nx]=] -- c\n'it\\'s' ::~=...");
    QStringList tokens;
    for (LuaToken token = lexer.next(); token.kind != LuaToken::Kind::End; token = lexer.next())
        tokens.append(QStringLiteral("%1 %2 %3")
                          .arg(token.line)
                          .arg(static_cast<int>(token.kind))
                          .arg(QString::fromUtf8(token.text.data(),
                                                 static_cast<qsizetype>(token.text.size()))));
    QCOMPARE(tokens.join(u'|'),
             u"1 0 a|1 2 .|1 0 b|1 2 =|1 4 0x1p-4..|2 3 \nx|3 3 it\\'s|3 2 ::|"
             "3 2 ~=|3 2 ..."_qs);
}

QTEST_APPLESS_MAIN(FunctionNamesTest)
#include "tst_functionnames.moc"
