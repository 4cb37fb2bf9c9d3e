// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionMatch.h"

#include <QString>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

using namespace perilune;

namespace {

struct File
{
    QString label;
    QString text;
};
using Files = QList<File>;

/// One version of a program: its files, and a candidate for each function in them.
struct Program
{
    std::vector<std::unique_ptr<Source>> sources;
    std::vector<MatchCandidate> candidates;
};

std::uint64_t hashOf(const std::string& text)
{
    return std::hash<std::string>()(text);
}

/// Functions begin at a line with `function` and end at the next `end` of the same indentation.
void addFunctions(Program& program, const Source& source)
{
    const QStringList lines = QString::fromStdString(source.text).split(u'\n');
    std::uint32_t ordinal = 0;
    for (int i = 0; i < lines.size(); ++i) {
        const qsizetype keyword = lines[i].indexOf(u"function");
        if (keyword < 0)
            continue;
        const qsizetype indent = lines[i].size() - lines[i].trimmed().size();
        int last = i + 1;
        while (
            last < lines.size()
            && !(lines[last].trimmed().startsWith(u"end") && lines[last].indexOf(u"end") == indent))
            ++last;
        const qsizetype paren = lines[i].indexOf(u'(', keyword);
        MatchCandidate candidate;
        candidate.id = FunctionId(static_cast<std::uint32_t>(program.candidates.size()));
        candidate.name = lines[i].mid(keyword + 8, paren - keyword - 8).trimmed().toStdString();
        candidate.source = &source;
        candidate.line = i + 1;
        candidate.lastLine = last + 1;
        candidate.ordinal = ++ordinal;
        const QString before =
            lines.mid(0, i).join(u'\n') + (i > 0 ? QStringLiteral("\n") : QString());
        const QString body = lines.mid(i, last - i + 1).join(u'\n');
        candidate.body = std::string_view(source.text)
                             .substr(static_cast<std::size_t>(before.toUtf8().size()),
                                     static_cast<std::size_t>(body.toUtf8().size()));
        candidate.key = source.label + ":" + candidate.name + ":" + std::to_string(candidate.line);
        program.candidates.push_back(std::move(candidate));
    }
}

Program programFrom(const Files& files)
{
    Program program;
    for (const File& file : files) {
        auto source = std::make_unique<Source>();
        source->label = file.label.toStdString();
        source->text = file.text.toStdString();
        source->hash = hashOf(source->text);
        source->kind = format::SourceKind::File;
        MatchCandidate main;
        main.id = FunctionId(static_cast<std::uint32_t>(program.candidates.size()));
        main.key = source->label + ":main";
        main.kind = FunctionKind::Main;
        main.source = source.get();
        main.line = 0;
        main.body = source->text;
        main.isEntry = program.sources.empty();
        program.candidates.push_back(main);
        addFunctions(program, *source);
        program.sources.push_back(std::move(source));
    }
    return program;
}

QString nameOf(const MatchCandidate& candidate)
{
    const QString label =
        candidate.source ? QString::fromStdString(candidate.source->label) : QString();
    const QString name = candidate.kind == FunctionKind::Main
        ? QStringLiteral("main")
        : QString::fromStdString(candidate.name);
    return label + u':' + QString::number(candidate.line) + u' ' + name;
}

const char* reasonText(MatchReason reason)
{
    constexpr const char* texts[] = {"manual",       "same",    "line moved", "file renamed",
                                     "file changed", "similar", "alone"};
    return texts[static_cast<std::size_t>(reason)];
}

/// "a.lua:3 f -> a.lua:7 f, line moved"; main chunks that match their own are left out.
QStringList textOf(const Program& a, const Program& b, const std::vector<FunctionPair>& pairs)
{
    QStringList lines;
    for (const FunctionPair& pair : pairs) {
        const QString left = pair.a ? nameOf(a.candidates[*pair.a]) : QStringLiteral("-");
        const QString right = pair.b ? nameOf(b.candidates[*pair.b]) : QStringLiteral("-");
        if (left == right && left.endsWith(u" main"))
            continue;
        lines << left + QStringLiteral(" -> ") + right + QStringLiteral(", ")
                + QLatin1String(reasonText(pair.reason));
    }
    return lines;
}

QStringList expected(std::initializer_list<const char*> lines)
{
    QStringList list;
    for (const char* line : lines)
        list << QString::fromLatin1(line);
    return list;
}

const QString parserText =
    QStringLiteral("local function parse(text)\n"
                   "  local out = {}\n"
                   "  for word in text:gmatch('%a+') do out[#out + 1] = word end\n"
                   "  return out\n"
                   "end\n"
                   "local function sum(list)\n"
                   "  local total = 0\n"
                   "  for _, v in ipairs(list) do total = total + v end\n"
                   "  return total\n"
                   "end\n"
                   "print(sum(parse('a b')))\n");

const QString callbacks = QStringLiteral("each(list, function(x)\n"
                                         "  return x * 2 + offset\n"
                                         "end)\n"
                                         "each(list, function(name, value)\n"
                                         "  print(name, value, os.time())\n"
                                         "end)\n");

} // namespace

class FunctionMatchTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void matches_data();
    void matches();
    void knowsStatus();
    void matchesFunctionsWithoutSource();
    void usesCallersWhereTextIsUnknown();
    void followsTheUser();
    void ignoresManualMatchesOfUnknownKeys();
    void usesEachFunctionOnce();
    void comparesText();
};

void FunctionMatchTest::matches_data()
{
    QTest::addColumn<Files>("before");
    QTest::addColumn<Files>("after");
    QTest::addColumn<QStringList>("pairs");
    const auto a = QStringLiteral("a.lua");
    const auto b = QStringLiteral("b.lua");

    QTest::newRow("unchanged") << Files{{a, parserText}} << Files{{a, parserText}}
                               << expected({"a.lua:1 parse -> a.lua:1 parse, same",
                                            "a.lua:6 sum -> a.lua:6 sum, same"});
    QTest::newRow("lines inserted above")
        << Files{{a, parserText}} << Files{{a, QStringLiteral("-- new\n\n") + parserText}}
        << expected({"a.lua:1 parse -> a.lua:3 parse, line moved",
                     "a.lua:6 sum -> a.lua:8 sum, line moved"});
    QTest::newRow("file renamed, same text")
        << Files{{a, parserText}} << Files{{b, parserText}}
        << expected({"a.lua:0 main -> b.lua:0 main, file renamed",
                     "a.lua:1 parse -> b.lua:1 parse, file renamed",
                     "a.lua:6 sum -> b.lua:6 sum, file renamed"});
    QTest::newRow("module renamed and changed")
        << Files{{QStringLiteral("main.lua"), QStringLiteral("require 'a'")}, {a, parserText}}
        << Files{{QStringLiteral("main.lua"), QStringLiteral("require 'b'")},
                 {b, QStringLiteral("-- moved\n") + parserText}}
        << expected({"a.lua:0 main -> b.lua:0 main, file renamed",
                     "a.lua:1 parse -> b.lua:2 parse, file renamed",
                     "a.lua:6 sum -> b.lua:7 sum, file renamed"});
    QTest::newRow("two helpers of one name, lines shifted onto each other")
        << Files{{a,
                  QStringLiteral("do local function helper(x)\n  return x + 1\nend end\n"
                                 "do local function helper(y)\n  print(y) return {y}\nend end\n")}}
        << Files{{a,
                  QStringLiteral("local one\nlocal two\nlocal three\n"
                                 "do local function helper(x)\n  return x + 1\nend end\n"
                                 "do local function helper(y)\n  print(y) return {y}\nend end\n")}}
        << expected({"a.lua:1 helper -> a.lua:4 helper, line moved",
                     "a.lua:4 helper -> a.lua:7 helper, line moved"});
    QTest::newRow("anonymous functions below an inserted one")
        << Files{{a, callbacks}}
        << Files{{a,
                  QStringLiteral("sort(list, function(p, q)\n  return p.key < q.key\nend)\n")
                      + callbacks}}
        << expected({"a.lua:1  -> a.lua:4 , line moved", "a.lua:4  -> a.lua:7 , line moved",
                     "- -> a.lua:1 , alone"});
    QTest::newRow("anonymous functions in another order")
        << Files{{a, callbacks}}
        << Files{{a,
                  callbacks.mid(callbacks.indexOf(u"each(list, function(name"))
                      + callbacks.left(callbacks.indexOf(u"each(list, function(name"))}}
        << expected({"a.lua:1  -> a.lua:4 , line moved", "a.lua:4  -> a.lua:1 , line moved"});
    QTest::newRow("an anonymous function replaced by another")
        << Files{{a, QStringLiteral("each(list, function(x)\n  return x * 2 + offset\nend)\n")}}
        << Files{{a,
                  QStringLiteral(
                      "each(list, function(...)\n  log:write(select('#', ...))\nend)\n")}}
        << expected({"a.lua:1  -> -, alone", "- -> a.lua:1 , alone"});
    QTest::newRow("function renamed")
        << Files{{a, parserText}}
        << Files{{a, QString(parserText).replace(QStringLiteral("parse"), QStringLiteral("split"))}}
        << expected(
               {"a.lua:1 parse -> a.lua:1 split, similar", "a.lua:6 sum -> a.lua:6 sum, same"});
    QTest::newRow("function split")
        << Files{{a, parserText}}
        << Files{{a,
                  QString(parserText)
                      .replace(
                          QStringLiteral("  for _, v in ipairs(list) do total = total + v end\n"
                                         "  return total\nend\n"),
                          QStringLiteral("  return addAll(total, list)\nend\n"
                                         "function addAll(total, list)\n"
                                         "  for _, v in ipairs(list) do total = total + v end\n"
                                         "  return total\nend\n"))}}
        << expected({"a.lua:1 parse -> a.lua:1 parse, same", "a.lua:6 sum -> a.lua:6 sum, same",
                     "- -> a.lua:10 addAll, alone"});
    QTest::newRow("function moved to another file")
        << Files{{a, parserText}, {b, QStringLiteral("return {}\n")}}
        << Files{{a, parserText.mid(parserText.indexOf(u"local function sum"))},
                 {b,
                  parserText.left(parserText.indexOf(u"local function sum"))
                      + QStringLiteral("return {}\n")}}
        << expected({"a.lua:1 parse -> b.lua:1 parse, file changed",
                     "a.lua:6 sum -> a.lua:1 sum, line moved"});
    QTest::newRow("new and gone")
        << Files{{a, QStringLiteral("function old(x)\n  return x\nend\n")}}
        << Files{{a, QStringLiteral("function fresh()\n  print('hello', os.clock(), 1, 2)\nend\n")}}
        << expected({"a.lua:1 old -> -, alone", "- -> a.lua:1 fresh, alone"});
    QTest::newRow("nothing on either side") << Files{} << Files{} << QStringList();
}

void FunctionMatchTest::matches()
{
    QFETCH(Files, before);
    QFETCH(Files, after);
    QFETCH(QStringList, pairs);
    const Program a = programFrom(before);
    const Program b = programFrom(after);
    QCOMPARE(textOf(a, b, matchFunctions(a.candidates, b.candidates)), pairs);
}

void FunctionMatchTest::knowsStatus()
{
    const auto status = [](std::optional<std::size_t> a, std::optional<std::size_t> b,
                           MatchReason reason) {
        return FunctionPair{a, b, reason, 1.0}.status();
    };
    QVERIFY(status(0, 0, MatchReason::SameKey) == MatchStatus::Exact);
    QVERIFY(status(0, 0, MatchReason::Manual) == MatchStatus::Exact);
    QVERIFY(status(0, 0, MatchReason::LineMoved) == MatchStatus::Moved);
    QVERIFY(status(0, 0, MatchReason::FileRenamed) == MatchStatus::Moved);
    QVERIFY(status(0, 0, MatchReason::FileChanged) == MatchStatus::Moved);
    QVERIFY(status(0, 0, MatchReason::SimilarBody) == MatchStatus::Renamed);
    QVERIFY(status({}, 0, MatchReason::None) == MatchStatus::New);
    QVERIFY(status(0, {}, MatchReason::None) == MatchStatus::Gone);
    QVERIFY(status(0, {}, MatchReason::Manual) == MatchStatus::Gone);
}

void FunctionMatchTest::matchesFunctionsWithoutSource()
{
    const auto function = [](const char* name, FunctionKind kind) {
        MatchCandidate candidate;
        candidate.name = name;
        candidate.kind = kind;
        return candidate;
    };
    const std::vector<MatchCandidate> a = {function("host", FunctionKind::Host),
                                           function("string.rep", FunctionKind::C),
                                           function("string.byte", FunctionKind::C)};
    const std::vector<MatchCandidate> b = {function("string.byte", FunctionKind::C),
                                           function("table.sort", FunctionKind::C),
                                           function("host", FunctionKind::Host)};
    const auto pairs = matchFunctions(a, b);
    QCOMPARE(pairs.size(), std::size_t(4));
    QCOMPARE(*pairs[0].b, std::size_t(2));
    QVERIFY(!pairs[1].b);
    QCOMPARE(*pairs[2].b, std::size_t(0));
    QVERIFY(!pairs[3].a && *pairs[3].b == 1);
}

void FunctionMatchTest::usesCallersWhereTextIsUnknown()
{
    Program a = programFrom({{QStringLiteral("a.lua"), callbacks}});
    Program b = programFrom({{QStringLiteral("a.lua"), QStringLiteral("--\n") + callbacks}});
    for (Program* program : {&a, &b}) {
        for (const auto& source : program->sources) {
            source->text.clear();
            source->hash = 0;
        }
        for (MatchCandidate& candidate : program->candidates)
            candidate.body = {};
        std::swap(program->candidates[1].line, program->candidates[1].lastLine);
        program->candidates[1].callers = {"twice"};
        program->candidates[2].callers = {"show"};
    }
    const auto pairs = matchFunctions(a.candidates, b.candidates);
    QCOMPARE(*pairs[1].b, std::size_t(1));
    QCOMPARE(*pairs[2].b, std::size_t(2));
    // Other callers: nothing speaks for a match of nameless functions.
    b.candidates[1].callers = {"other"};
    QVERIFY(!matchFunctions(a.candidates, b.candidates)[1].b);
}

void FunctionMatchTest::followsTheUser()
{
    const Program a = programFrom({{QStringLiteral("a.lua"), parserText}});
    const Program b = programFrom({{QStringLiteral("a.lua"), parserText}});
    const std::vector<ManualMatch> crossed = {
        {"a.lua:parse:1", "a.lua:sum:6"}, {"a.lua:sum:6", ""}, {"", "a.lua:parse:1"}};
    QCOMPARE(textOf(a, b, matchFunctions(a.candidates, b.candidates, crossed)),
             expected({"a.lua:1 parse -> a.lua:6 sum, manual", "a.lua:6 sum -> -, manual",
                       "- -> a.lua:1 parse, manual"}));
}

void FunctionMatchTest::ignoresManualMatchesOfUnknownKeys()
{
    const Program a = programFrom({{QStringLiteral("a.lua"), parserText}});
    const Program b = programFrom({{QStringLiteral("a.lua"), parserText}});
    const std::vector<ManualMatch> unknown = {
        {"nowhere", "a.lua:sum:6"}, {"", ""}, {"nowhere", ""}};
    QCOMPARE(
        textOf(a, b, matchFunctions(a.candidates, b.candidates, unknown)),
        expected({"a.lua:1 parse -> a.lua:1 parse, same", "a.lua:6 sum -> a.lua:6 sum, same"}));
}

void FunctionMatchTest::usesEachFunctionOnce()
{
    // Many alike functions, some added, some removed: every one appears in exactly one pair.
    QString before;
    QString after;
    for (int i = 0; i < 60; ++i) {
        const QString text = QStringLiteral("f(function(x)\n  return x + %1\nend)\n").arg(i % 7);
        before += i % 5 == 0 ? QString() : text;
        after += i % 3 == 0 ? QString() : text;
    }
    const Program a = programFrom({{QStringLiteral("a.lua"), before}});
    const Program b = programFrom({{QStringLiteral("a.lua"), after}});
    std::vector<int> usesA(a.candidates.size());
    std::vector<int> usesB(b.candidates.size());
    std::size_t matched = 0;
    for (const FunctionPair& pair : matchFunctions(a.candidates, b.candidates)) {
        if (pair.a)
            ++usesA[*pair.a];
        if (pair.b)
            ++usesB[*pair.b];
        matched += pair.a && pair.b ? 1 : 0;
    }
    QVERIFY(std::all_of(usesA.begin(), usesA.end(), [](int uses) { return uses == 1; }));
    QVERIFY(std::all_of(usesB.begin(), usesB.end(), [](int uses) { return uses == 1; }));
    QVERIFY(matched >= 33); // The 32 that stayed, and the main chunk.
}

void FunctionMatchTest::comparesText()
{
    QCOMPARE(textSimilarity("return x + 1", "return   x+1"), 1.0);
    QCOMPARE(textSimilarity("", ""), 1.0);
    QCOMPARE(textSimilarity("return x", ""), 0.0);
    QVERIFY(textSimilarity("local a = f(x) return a", "local a = g(x) return a") > 0.6);
    QVERIFY(textSimilarity("while true do end", "print('hello')") < 0.1);
}

QTEST_APPLESS_MAIN(FunctionMatchTest)
#include "tst_functionmatch.moc"
