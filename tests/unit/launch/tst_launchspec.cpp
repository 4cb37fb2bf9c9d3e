// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/LaunchSpec.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;

class LaunchSpecTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void splits_data();
    void splits();
    void namesUnclosedQuotes_data();
    void namesUnclosedQuotes();
    void joins_data();
    void joins();
    void joinedLinesSplitBack();
    void checksWhatCanBeChecked_data();
    void checksWhatCanBeChecked();
    void acceptsWhatIsThere();
};

void LaunchSpecTest::splits_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("nothing") << u""_qs << QStringList{};
    QTest::newRow("only spaces") << u" \t \n"_qs << QStringList{};
    QTest::newRow("words") << u"  a bb\tccc "_qs << QStringList{u"a"_qs, u"bb"_qs, u"ccc"_qs};
    QTest::newRow("single quotes")
        << u"'a b' '\"' '\\'"_qs << QStringList{u"a b"_qs, u"\""_qs, u"\\"_qs};
    QTest::newRow("double quotes")
        << u"\"a b\" \"'\" \"\\\"\" \"\\\\\" \"\\n\""_qs
        << QStringList{u"a b"_qs, u"'"_qs, u"\""_qs, u"\\"_qs, u"\\n"_qs};
    QTest::newRow("empty words") << u"'' \"\""_qs << QStringList{QString(), QString()};
    QTest::newRow("joined parts") << u"a'b c'\"d e\"f"_qs << QStringList{u"ab cd ef"_qs};
    QTest::newRow("backslash") << u"a\\ b \\' \\\" \\\\ \\n"_qs
                               << QStringList{u"a b"_qs, u"'"_qs, u"\""_qs, u"\\"_qs, u"n"_qs};
    QTest::newRow("backslash at the end") << u"a\\"_qs << QStringList{u"a\\"_qs};
    QTest::newRow("continued line") << u"a\\\nb"_qs << QStringList{u"ab"_qs};
    QTest::newRow("nothing is expanded")
        << u"$HOME *.lua ~ `x` \"\\$x\""_qs
        << QStringList{u"$HOME"_qs, u"*.lua"_qs, u"~"_qs, u"`x`"_qs, u"$x"_qs};
    QTest::newRow("beyond ASCII") << u"'ä ö' 日本"_qs << QStringList{u"ä ö"_qs, u"日本"_qs};
}

void LaunchSpecTest::splits()
{
    QFETCH(QString, line);
    QFETCH(QStringList, words);
    const auto result = splitArguments(line);
    QVERIFY(result);
    QCOMPARE(*result, words);
}

void LaunchSpecTest::namesUnclosedQuotes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("single") << u"a 'b c"_qs << u"The single quote at 'b c is not closed."_qs;
    QTest::newRow("double") << u"\"b'"_qs << u"The double quote at \"b' is not closed."_qs;
    QTest::newRow("escaped") << u"\"b\\\""_qs << u"The double quote at \"b\\\" is not closed."_qs;
}

void LaunchSpecTest::namesUnclosedQuotes()
{
    QFETCH(QString, line);
    QFETCH(QString, message);
    const auto result = splitArguments(line);
    QVERIFY(!result);
    QVERIFY(result.error().code == Error::Code::InvalidArgument);
    QCOMPARE(QString::fromStdString(result.error().detail), message);
}

void LaunchSpecTest::joins_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("line");
    QTest::newRow("nothing") << QStringList{} << u""_qs;
    QTest::newRow("plain words stay bare")
        << QStringList{u"--a=1"_qs, u"$x"_qs, u"*.lua"_qs} << u"--a=1 $x *.lua"_qs;
    QTest::newRow("spaces") << QStringList{u"a b"_qs} << u"'a b'"_qs;
    QTest::newRow("an empty word") << QStringList{QString()} << u"''"_qs;
    QTest::newRow("a single quote") << QStringList{u"it's $5"_qs} << u"\"it's \\$5\""_qs;
}

void LaunchSpecTest::joins()
{
    QFETCH(QStringList, words);
    QFETCH(QString, line);
    QCOMPARE(joinArguments(words), line);
}

void LaunchSpecTest::joinedLinesSplitBack()
{
    // Every word of up to five characters over an alphabet of the troublesome ones.
    const QString alphabet = u"a '\"\\$\n"_qs;
    QStringList words{QString()};
    for (qsizetype first = 0; words.back().size() < 5; ++first) {
        for (const QChar character : alphabet)
            words += words[first] + character;
    }
    const auto split = splitArguments(joinArguments(words));
    QVERIFY(split);
    QCOMPARE(*split, words);
}

void LaunchSpecTest::checksWhatCanBeChecked_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("directory");
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("message");
    QTest::newRow("no script") << u""_qs << u""_qs << u""_qs << u"No script is given"_qs;
    QTest::newRow("no such script")
        << u"none.lua"_qs << u"%1"_qs << u""_qs << u"The script “%1/none.lua” does not exist"_qs;
    QTest::newRow("a directory as script")
        << u"%1"_qs << u""_qs << u""_qs << u"The script “%1” is a directory"_qs;
    QTest::newRow("no such directory") << u"a.lua"_qs << u"%1/none"_qs << u""_qs
                                       << u"The working directory “%1/none” does not exist"_qs;
    QTest::newRow("a file as directory")
        << u"a.lua"_qs << u"%1/a.lua"_qs << u""_qs << u"“%1/a.lua” is no directory"_qs;
    QTest::newRow("no such input") << u"a.lua"_qs << u"%1"_qs << u"%1/in"_qs
                                   << u"The standard input file “%1/in” does not exist"_qs;
}

static void writeFile(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
}

void LaunchSpecTest::checksWhatCanBeChecked()
{
    QFETCH(QString, script);
    QFETCH(QString, directory);
    QFETCH(QString, input);
    QFETCH(QString, message);
    const QTemporaryDir folder;
    writeFile(folder.filePath(u"a.lua"_qs));
    const auto inFolder = [&](const QString& text) {
        return QString(text).replace(u"%1"_qs, folder.path());
    };
    LaunchSpec spec;
    spec.script = inFolder(script);
    spec.workingDirectory = inFolder(directory);
    spec.standardInput = inFolder(input);
    const auto result = checkLaunch(spec);
    QVERIFY(!result);
    const QString detail = QString::fromStdString(result.error().detail);
    QVERIFY2(detail.startsWith(inFolder(message)), qPrintable(detail));
}

void LaunchSpecTest::acceptsWhatIsThere()
{
    const QTemporaryDir folder;
    writeFile(folder.filePath(u"a.lua"_qs));
    LaunchSpec spec;
    spec.script = u"a.lua"_qs;
    spec.workingDirectory = folder.path();
    spec.standardInput = folder.filePath(u"a.lua"_qs);
    QVERIFY(checkLaunch(spec));
    QCOMPARE(scriptPath(spec), folder.filePath(u"a.lua"_qs));
}

QTEST_GUILESS_MAIN(LaunchSpecTest)
#include "tst_launchspec.moc"
