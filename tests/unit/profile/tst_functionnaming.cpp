// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/ProfileBuilder.h"
#include "core/profile/RecordedFunctions.h"
#include "core/profile/RecordedSources.h"
#include "tests/support/TestProfiles.h"
#include "tests/support/TestSnapshot.h"

#include <QStringList>
#include <QTest>

#include <set>
#include <string>

using namespace perilune;
using test::TestSnapshot;

namespace {

std::string onlyName(TestSnapshot& test)
{
    const auto sources = recordedSources(test.snapshot, {});
    return recordedFunctions(test.snapshot, sources).back().name;
}

} // namespace

class FunctionNamingTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void labelsSources_data();
    void labelsSources();
    void labelsAreUnique();
    void definitionComesFirst();
    void callSiteComesSecond_data();
    void callSiteComesSecond();
    void placeComesLast();
    void staleTextDoesNotMislead();
    void namesOtherKinds();
    void locations();
    void keysTellFunctionsApart();
};

void FunctionNamingTest::labelsSources_data()
{
    QTest::addColumn<QByteArray>("chunkName");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("label");
    const auto row = [](const char* title, const char* chunkName, const char* text,
                        const char* label) {
        QTest::newRow(title) << QByteArray(chunkName) << QByteArray(text)
                             << QString::fromUtf8(label);
    };
    row("file", "@lib/a.lua", "", "lib/a.lua");
    row("file with a dot", "@./lib/a.lua", "", "lib/a.lua");
    row("file beneath the working directory", "@/home/me/lib/a.lua", "", "lib/a.lua");
    row("file elsewhere", "@/home/melissa/a.lua", "", "/home/melissa/a.lua");
    row("named chunk", "=stdin", "", "stdin");
    row("stripped", "=?", "", "stripped bytecode");
    row("no name", "=", "", "unnamed chunk");
    row("string", "return x", "return x", "[string \"return x\"]");
    row("string of several lines", "local x", "local x\nreturn x", "[string \"local x…\"]");
    row("string that begins with a new line", "", "\nreturn x", "[string \"…\"]");
    row("tabs in a string", "\treturn x", "\treturn x", "[string \" return x\"]");
    row("long string", "return 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaöüöü'", "",
        "[string \"return 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…\"]");
}

void FunctionNamingTest::labelsSources()
{
    QFETCH(QByteArray, chunkName);
    QFETCH(QByteArray, text);
    QFETCH(QString, label);
    TestSnapshot test;
    test.addSource(chunkName.toStdString(), text.toStdString());
    const auto sources = recordedSources(test.snapshot, "/home/me");
    QCOMPARE(QString::fromStdString(sources[0].label), label);
    QCOMPARE(sources[0].chunkName, chunkName.toStdString());
    QCOMPARE(sources[0].text, text.toStdString());
}

void FunctionNamingTest::labelsAreUnique()
{
    TestSnapshot test;
    for (const char* name : {"@a.lua", "@./a.lua", "@b.lua", "return 1", "return 1", "=x", "=x"})
        test.addSource(name);
    QStringList labels;
    for (const Source& source : recordedSources(test.snapshot, {}))
        labels.append(QString::fromStdString(source.label));
    QCOMPARE(labels,
             (QStringList{u"a.lua"_qs, u"./a.lua"_qs, u"b.lua"_qs, u"[string \"return 1\"]"_qs,
                          u"[string \"return 1\"] #2"_qs, u"x"_qs, u"x #2"_qs}));
}

void FunctionNamingTest::definitionComesFirst()
{
    TestSnapshot test;
    const std::uint32_t source =
        test.addSource("@a.lua", "local f, g = function() end, function() end\nfunction t:m() end");
    test.addLua(source, 1, 1, 2);
    test.snapshot.functions.back().callName = test.addString("callback");
    test.snapshot.functions.back().callNameWhat = test.addString("local");
    QCOMPARE(onlyName(test), std::string("g"));
    test.addLua(source, 2, 2, 3);
    QCOMPARE(onlyName(test), std::string("t:m"));
}

void FunctionNamingTest::callSiteComesSecond_data()
{
    QTest::addColumn<QString>("callName");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("name");
    QTest::newRow("local") << u"visit"_qs << u"local"_qs << u"visit"_qs;
    QTest::newRow("method") << u"next"_qs << u"method"_qs << u"next"_qs;
    QTest::newRow("metamethod") << u"index"_qs << u"metamethod"_qs << u"__index"_qs;
    QTest::newRow("metamethod of old") << u"__gc"_qs << u"metamethod"_qs << u"__gc"_qs;
    QTest::newRow("iterator") << u"for iterator"_qs << u"for iterator"_qs
                              << u"for iterator <a.lua:1>"_qs;
    QTest::newRow("nothing") << u"?"_qs << u""_qs << u"function <a.lua:1>"_qs;
    QTest::newRow("empty") << u""_qs << u"global"_qs << u"function <a.lua:1>"_qs;
}

void FunctionNamingTest::callSiteComesSecond()
{
    QFETCH(QString, callName);
    QFETCH(QString, what);
    QFETCH(QString, name);
    TestSnapshot test;
    test.addLua(test.addSource("@a.lua", "each(function(x) end)"), 1, 1, 1);
    test.snapshot.functions.back().callName = test.addString(callName.toStdString());
    test.snapshot.functions.back().callNameWhat = test.addString(what.toStdString());
    QCOMPARE(QString::fromStdString(onlyName(test)), name);
}

void FunctionNamingTest::placeComesLast()
{
    TestSnapshot test;
    test.addLua(test.addSource("@lib/a.lua", "each(function(x) end)"), 1, 1, 1);
    QCOMPARE(onlyName(test), std::string("function <lib/a.lua:1>"));
    test.addLua(format::none, 12, 13, 1);
    QCOMPARE(onlyName(test), std::string("function <unknown source:12>"));
    test.addLua(test.addSource("=?"), 3, 4, 1);
    QCOMPARE(onlyName(test), std::string("function <stripped bytecode:3>"));
}

void FunctionNamingTest::staleTextDoesNotMislead()
{
    TestSnapshot test;
    // The file was changed while the script ran: the text has other functions at other lines.
    const std::uint32_t source =
        test.addSource("@a.lua", "function new() end\n\nfunction f()\n\nend\n");
    test.addLua(source, 1, 3, 1); // was f, in lines 1 to 3
    QCOMPARE(onlyName(test), std::string("function <a.lua:1>"));
    test.addLua(source, 3, 5, 1); // its ordinal is another one's, its lines are its own
    QCOMPARE(onlyName(test), std::string("f"));
}

void FunctionNamingTest::namesOtherKinds()
{
    TestSnapshot test;
    test.addMain(test.addSource("@a.lua"));
    QCOMPARE(onlyName(test), std::string("main chunk a.lua"));
    test.addMain(test.addSource("return 1"));
    QCOMPARE(onlyName(test), std::string("main chunk [string \"return 1\"]"));
    test.addC("string.format");
    QCOMPARE(onlyName(test), std::string("string.format"));
    test.addC("");
    QCOMPARE(onlyName(test), std::string("C function"));
    test.snapshot.functions.back().callName = test.addString("parse");
    QCOMPARE(onlyName(test), std::string("parse"));
    test.addC("(calls beyond the node limit)");
    test.snapshot.functions.back().kind = FunctionKind::Folded;
    QCOMPARE(onlyName(test), std::string("(calls beyond the node limit)"));
    test.snapshot.functions.back().name = format::none;
    QCOMPARE(onlyName(test), std::string("(calls beyond a limit)"));
    test.snapshot.functions.back().kind = FunctionKind::Host;
    QCOMPARE(onlyName(test), std::string("(interpreter)"));
}

void FunctionNamingTest::locations()
{
    const auto profile = test::profileFrom({"[main] lib/a.lua;f@lib/a.lua:12;[C] string.rep 1"});
    QStringList locations;
    for (const Function& function : profile->functions)
        locations.append(QString::fromStdString(profile->location(function)));
    QCOMPARE(locations, (QStringList{QString(), u"lib/a.lua"_qs, u"lib/a.lua:12"_qs, u"[C]"_qs}));
    QCOMPARE(profile->sourceOf(profile->functions[2])->label, std::string("lib/a.lua"));
    QVERIFY(!profile->sourceOf(profile->functions[3]));
    Function unknown;
    unknown.source = SourceId(99);
    QVERIFY(!profile->sourceOf(unknown));
    QVERIFY(Profile::empty()->functions.empty());
    QCOMPARE(Profile::empty()->tree->nodeCount(), 1u);
}

void FunctionNamingTest::keysTellFunctionsApart()
{
    TestSnapshot test;
    const std::uint32_t a = test.addSource("@a.lua", "f(function() end, function() end)");
    const std::uint32_t b = test.addSource("@b.lua", "f(function() end)");
    test.addMain(a);
    test.addLua(a, 1, 1, 1);
    test.addLua(a, 1, 1, 2);
    test.addMain(b);
    test.addLua(b, 1, 1, 1);
    test.addC("f");
    test.addC("string.f");
    const auto profile = buildProfile(test.snapshot);
    std::set<std::string> keys;
    for (std::uint32_t index = 0; index < profile->functions.size(); ++index)
        keys.insert(profile->key(FunctionId(index)));
    QCOMPARE(keys.size(), profile->functions.size());
    // The same program gives the same keys.
    QCOMPARE(profile->key(FunctionId(2)), buildProfile(test.snapshot)->key(FunctionId(2)));
}

QTEST_APPLESS_MAIN(FunctionNamingTest)
#include "tst_functionnaming.moc"
