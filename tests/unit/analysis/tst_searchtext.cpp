// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/SearchText.h"

#include <QStringList>
#include <QTest>

using namespace perilune;

class SearchTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void takesTextApart_data();
    void takesTextApart();
};

void SearchTextTest::takesTextApart_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("terms"); // "/" marks a pattern, "-" what is excluded
    QTest::newRow("nothing") << u""_qs << QStringList{};
    QTest::newRow("white space") << u" \t\n"_qs << QStringList{};
    QTest::newRow("a word") << u"parse"_qs << QStringList{u"parse"_qs};
    QTest::newRow("words") << u"  parse \t json.lua "_qs
                           << QStringList{u"parse"_qs, u"json.lua"_qs};
    QTest::newRow("words together")
        << u"\"main chunk\" a"_qs << QStringList{u"main chunk"_qs, u"a"_qs};
    QTest::newRow("quote left open")
        << u"a \"main chunk"_qs << QStringList{u"a"_qs, u"main chunk"_qs};
    QTest::newRow("empty quotes") << u"\"\" a"_qs << QStringList{u"a"_qs};
    QTest::newRow("a pattern") << u"/^parse|read$/"_qs << QStringList{u"/^parse|read$"_qs};
    QTest::newRow("a pattern with white space")
        << u"/main chunk/ x"_qs << QStringList{u"/main chunk"_qs, u"x"_qs};
    QTest::newRow("a pattern with slashes") << u"/a\\/ b/c/"_qs << QStringList{u"/a\\/ b/c"_qs};
    QTest::newRow("two patterns") << u"/a/ /b/"_qs << QStringList{u"/a"_qs, u"/b"_qs};
    QTest::newRow("a path") << u"/usr/share/lua x"_qs << QStringList{u"/usr/share/lua"_qs, u"x"_qs};
    QTest::newRow("a slash") << u"/ x"_qs << QStringList{u"/"_qs, u"x"_qs};
    QTest::newRow("two slashes") << u"//"_qs << QStringList{u"//"_qs};
    QTest::newRow("excluded") << u"parse not:[C] not:\"main chunk\" not:/^_/"_qs
                              << QStringList{u"parse"_qs, u"-[C]"_qs, u"-main chunk"_qs,
                                             u"-/^_"_qs};
    QTest::newRow("exclusion that is being typed")
        << u"a not: b not:"_qs << QStringList{u"a"_qs, u"b"_qs};
    QTest::newRow("not alone") << u"not nothing"_qs << QStringList{u"not"_qs, u"nothing"_qs};
    QTest::newRow("other letters") << u"größe"_qs << QStringList{u"größe"_qs};
}

void SearchTextTest::takesTextApart()
{
    QFETCH(QString, text);
    QFETCH(QStringList, terms);
    QStringList found;
    for (const SearchTerm& term : parseSearchText(text.toStdString()))
        found.append((term.isExcluded ? u"-"_qs : QString())
                     + (term.isPattern ? u"/"_qs : QString()) + QString::fromStdString(term.text));
    QCOMPARE(found, terms);
}

QTEST_APPLESS_MAIN(SearchTextTest)
#include "tst_searchtext.moc"
