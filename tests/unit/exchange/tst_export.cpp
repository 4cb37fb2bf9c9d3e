// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Export.h"
#include "tests/support/TestProfiles.h"
#include "tests/unit/exchange/ConformanceProfile.h"
#include "tests/unit/exchange/TemporaryFiles.h"

#include <QtTest>

using namespace perilune;

class ExportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsFormats();
    void writesCollapsed();
    void keepsFunctionsApartInCollapsed();
    void writesSpeedscope();
    void writesCallgrind();
    void writesCsv();
    void writesEdgesCsv();
    void writesLines();
    void guardsFormulas();
    void writesMarkdown();
    void writesHtml();
    void listsTheHeaviestOnly();
    void writesRawTimes();
    void writesEmptyProfile_data();
    void writesEmptyProfile();
    void boundsDepth_data();
    void boundsDepth();
    void reportsErrors_data();
    void reportsErrors();
    void leavesNoPartBehind();

private:
    QStringList linesOf(const Profile& profile, ExportFormat format,
                        const ExportOptions& options = {}) const
    {
        const QString text =
            QString::fromUtf8(m_files.read(m_files.exported(profile, format, options)));
        return text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }

    test::TemporaryFiles m_files;
};

namespace {

/// main calls work twice; table.sort is written in C.
std::shared_ptr<const Profile> smallProfile()
{
    return test::profileFrom({"[main] test.lua 10", "[main] test.lua;work@lib/a.lua:3 30 calls=2",
                              "[main] test.lua;work@lib/a.lua:3;[C] table.sort 5 calls=7"});
}

} // namespace

void ExportTest::findsFormats()
{
    for (const ExportFormatInfo& info : exportFormats()) {
        QCOMPARE(findExportFormat(info.name), std::optional(info.format));
        QCOMPARE(exportFormatOfFileName("a" + std::string(info.suffix)),
                 std::optional(info.format));
    }
    QVERIFY(!findExportFormat("nonsense"));
    QVERIFY(!exportFormatOfFileName("a.lua"));
}

void ExportTest::writesCollapsed()
{
    const QStringList expected{
        QStringLiteral("main chunk test.lua (test.lua) 10000"),
        QStringLiteral("main chunk test.lua (test.lua);work (lib/a.lua:3) 30000"),
        QStringLiteral("main chunk test.lua (test.lua);work (lib/a.lua:3);table.sort [C] 5000"),
    };
    QCOMPARE(linesOf(*smallProfile(), ExportFormat::Collapsed), expected);
}

void ExportTest::keepsFunctionsApartInCollapsed()
{
    const QStringList lines = linesOf(*test::conformanceProfile(), ExportFormat::Collapsed);
    const QString main = QStringLiteral("main chunk dir/hard.lua (dir/hard.lua)");
    const QString anonymous = main + QStringLiteral(";function <dir/hard.lua:50>");
    const QString hard = main + QStringLiteral(";%1 (lib/with,comma \"quoted\".lua:%2) %3");
    QVERIFY(lines.contains(anonymous + QStringLiteral(" (dir/hard.lua:50) 11")));
    QVERIFY(lines.contains(anonymous + QStringLiteral(" #2 (dir/hard.lua:50) 22")));
    // One path reached by calls and by tail calls is one line.
    QVERIFY(lines.contains(main + QStringLiteral(";tail (dir/hard.lua:30) 330")));
    QVERIFY(lines.contains(
        hard.arg(QStringLiteral("a,b \"c\" (d) [e] <f> {g} |h|")).arg(60).arg(1001)));
    QVERIFY(lines.contains(hard.arg(QStringLiteral("two lines")).arg(90).arg(1004)));
    QVERIFY(lines.contains(hard.arg(QStringLiteral("bad\uFFFD\uFFFD(bytes")).arg(110).arg(1006)));
    QVERIFY(lines.contains(hard.arg(QStringLiteral("huge")).arg(130).arg(9007199254740993LL)));
    // What weighs nothing has no line.
    QVERIFY(lines.filter(QStringLiteral("without time")).isEmpty());
}

void ExportTest::writesSpeedscope()
{
    const QByteArray text =
        m_files.read(m_files.exported(*test::conformanceProfile(), ExportFormat::Speedscope));
    QJsonParseError error;
    const QJsonObject top = QJsonDocument::fromJson(text, &error).object();
    QCOMPARE(error.errorString(), QStringLiteral("no error occurred"));
    QCOMPARE(top[u"$schema"].toString(),
             QStringLiteral("https://www.speedscope.app/file-format-schema.json"));
    const QJsonArray frames = top[u"shared"].toObject()[u"frames"].toArray();
    QCOMPARE(frames[1].toObject()[u"file"].toString(), QStringLiteral("dir/hard.lua"));
    QCOMPARE(frames[2].toObject()[u"line"].toInt(), 10);
    QCOMPARE(top[u"profiles"].toArray().size(), 2); // time and bytes
    for (const QJsonValue& value : top[u"profiles"].toArray()) {
        const QJsonObject profile = value.toObject();
        const QJsonArray samples = profile[u"samples"].toArray();
        const QJsonArray weights = profile[u"weights"].toArray();
        QCOMPARE(samples.size(), weights.size());
        double sum = 0;
        for (const QJsonValue& weight : weights)
            sum += weight.toDouble();
        QCOMPARE(sum, profile[u"endValue"].toDouble());
    }
}

void ExportTest::writesCallgrind()
{
    const QStringList lines = linesOf(*smallProfile(), ExportFormat::Callgrind);
    QCOMPARE(lines.first(), QStringLiteral("# callgrind format"));
    QVERIFY(lines.contains(QStringLiteral("events: Wall_ns")));
    QVERIFY(lines.contains(QStringLiteral("summary: 45000")));
    const QStringList expected{
        QStringLiteral("fl=(3) lib/a.lua"),
        QStringLiteral("fn=(3)"),
        QStringLiteral("3 30000"),
        QStringLiteral("cfi=(1)"),
        QStringLiteral("cfn=(4) table.sort"),
        QStringLiteral("calls=7 0"),
        QStringLiteral("3 5000"),
    };
    const qsizetype begin = lines.indexOf(QRegularExpression(QStringLiteral("^fn=\\(3\\)$"))) - 1;
    QVERIFY2(begin > 0, qPrintable(lines.join(QLatin1Char('\n'))));
    QCOMPARE(lines.mid(begin + 1, expected.size() - 1), expected.mid(1));
}

void ExportTest::writesCsv()
{
    const QStringList lines = linesOf(*smallProfile(), ExportFormat::CsvFunctions);
    QVERIFY(lines.first().startsWith(
        QStringLiteral("function,file,line,kind,calls,tail_calls,samples,self_ns,total_ns")));
    QCOMPARE(lines[1], QStringLiteral("work,lib/a.lua,3,lua,2,0,,30000,35000,30000,35000,,,,1,1"));
    QCOMPARE(lines[3], QStringLiteral("table.sort,,,c,7,0,,5000,5000,5000,5000,,,,1,0"));
}

void ExportTest::writesEdgesCsv()
{
    const QStringList lines = linesOf(*smallProfile(), ExportFormat::CsvEdges);
    QVERIFY(lines.contains(QStringLiteral("work,lib/a.lua,3,table.sort,,,7,0,5000,5000")));
}

/// Lines of two nodes of one function are added; callgrind gives the rest to the function's line.
void ExportTest::writesLines()
{
    Profile profile =
        *test::profileFrom({"main 10", "main;work@a.lua:3 30", "main;f;work@a.lua:3 5"});
    for (std::uint32_t node = 0; node < profile.tree->nodeCount(); ++node) {
        if (profile.function(profile.tree->function(NodeId(node))).name != "work")
            continue;
        NodeLine line;
        line.node = NodeId(node);
        line.line = 4;
        line.hits = 2;
        line.selfTime = Duration::fromNanoseconds(4000);
        profile.lines.push_back(line);
    }
    QCOMPARE(linesOf(profile, ExportFormat::CsvLines).last(),
             QStringLiteral("work,a.lua,3,4,4,8000,0,0"));
    const QStringList graph = linesOf(profile, ExportFormat::Callgrind);
    const qsizetype place = graph.indexOf(QStringLiteral("4 8000"));
    QVERIFY(place > 0);
    QCOMPARE(graph[place + 1], QStringLiteral("3 27000"));
}

void ExportTest::guardsFormulas()
{
    const auto profile = test::conformanceProfile();
    const QString guarded = QStringLiteral("\"'=1+1, \"\"x\"\"\",");
    const QString plain = QStringLiteral("\"=1+1, \"\"x\"\"\",");
    ExportOptions options;
    QCOMPARE(linesOf(*profile, ExportFormat::CsvFunctions).filter(guarded).size(), 1);
    options.guardFormulas = false;
    options.byteOrderMark = true;
    QCOMPARE(linesOf(*profile, ExportFormat::CsvFunctions, options).filter(plain).size(), 1);
    const QString file = m_files.exported(*profile, ExportFormat::CsvFunctions, options);
    QVERIFY(m_files.read(file).startsWith("\xEF\xBB\xBF"));
}

void ExportTest::writesMarkdown()
{
    const QStringList lines = linesOf(*smallProfile(), ExportFormat::Markdown);
    QVERIFY(lines.contains(
        QStringLiteral("| work | 30.0 µs | 66.7 % | 35.0 µs | 77.8 % | 2 | lib/a.lua:3 |")));
    const QStringList hard = linesOf(*test::conformanceProfile(), ExportFormat::Markdown);
    QCOMPARE(hard.filter(QStringLiteral("a;b \"c\" (d) \\[e\\] &lt;f> \\{g\\} \\|h\\|")).size(), 1);
    QCOMPARE(hard.filter(QStringLiteral("two lines")).size(), 1);
}

void ExportTest::writesHtml()
{
    const QString text =
        linesOf(*test::conformanceProfile(), ExportFormat::Html).join(QLatin1Char('\n'));
    QVERIFY(text.startsWith(QStringLiteral("<!DOCTYPE html>")));
    QVERIFY(text.contains(QStringLiteral("a;b &quot;c&quot; (d) [e] &lt;f&gt; {g} |h|")));
    QVERIFY(!text.contains(QStringLiteral("<f>")));
    QVERIFY(!text.contains(QStringLiteral("<b>")));
    QVERIFY(text.contains(QStringLiteral("<svg ")));
    // Nothing is loaded from elsewhere.
    QVERIFY(!text.contains(QStringLiteral("src=")));
    QVERIFY(!text.contains(QStringLiteral("href=")));
    // The picture is well-formed XML, whatever the names.
    const qsizetype begin = text.indexOf(QStringLiteral("<svg "));
    const qsizetype end = text.indexOf(QStringLiteral("</svg>")) + 6;
    QXmlStreamReader xml(text.mid(begin, end - begin));
    while (!xml.atEnd())
        xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
}

void ExportTest::listsTheHeaviestOnly()
{
    ExportOptions options;
    options.rowLimit = 2;
    const auto profile = smallProfile();
    const QStringList lines = linesOf(*profile, ExportFormat::Markdown, options);
    QCOMPARE(lines.last(), QStringLiteral("Showing 2 of 4 functions, 88.9 % of self time."));
    QCOMPARE(lines.filter(QRegularExpression(QStringLiteral("^\\| (work|main)"))).size(), 2);
}

void ExportTest::writesRawTimes()
{
    ExportOptions options;
    options.rawTime = true;
    const auto profile = test::profileFrom({"main 10 raw=12", "main;f 1 raw=2"});
    QCOMPARE(linesOf(*profile, ExportFormat::Collapsed, options),
             (QStringList{QStringLiteral("main (test.lua:1) 12000"),
                          QStringLiteral("main (test.lua:1);f (test.lua:2) 2000")}));
}

void ExportTest::writesEmptyProfile_data()
{
    QTest::addColumn<int>("format");
    for (const ExportFormatInfo& info : exportFormats())
        QTest::newRow(std::string(info.name).c_str()) << int(info.format);
}

void ExportTest::writesEmptyProfile()
{
    QFETCH(int, format);
    QVERIFY(!m_files.exported(*Profile::empty(), ExportFormat(format)).isEmpty());
}

void ExportTest::boundsDepth_data()
{
    QTest::addColumn<int>("format");
    for (const ExportFormat format :
         {ExportFormat::Collapsed, ExportFormat::Speedscope, ExportFormat::Pprof,
          ExportFormat::Callgrind, ExportFormat::Html})
        QTest::newRow(std::string(infoOf(format).name).c_str()) << int(format);
}

/// A recursion of 100,000 levels must not become a file of its square.
void ExportTest::boundsDepth()
{
    QFETCH(int, format);
    const auto profile = test::deepProfile(100000);
    const QString file = m_files.exported(*profile, ExportFormat(format));
    QVERIFY(!file.isEmpty());
    QVERIFY(QFileInfo(file).size() < 10000000);
}

void ExportTest::reportsErrors_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("code");
    QTest::newRow("no such folder")
        << QStringLiteral("/nonexistent/folder/a.txt") << int(Error::Code::CannotWrite);
    QTest::newRow("full disk") << QStringLiteral("/dev/full") << int(Error::Code::NoSpace);
}

void ExportTest::reportsErrors()
{
    QFETCH(QString, path);
    QFETCH(int, code);
    const auto result =
        exportProfile(*smallProfile(), ExportFormat::CsvFunctions, path.toStdString());
    QVERIFY(!result);
    QCOMPARE(int(result.error().code), code);
    QVERIFY(QString::fromStdString(result.error().detail).contains(path));
}

void ExportTest::leavesNoPartBehind()
{
    const test::TemporaryFiles files;
    QVERIFY(!files.exported(*smallProfile(), ExportFormat::Html).isEmpty());
    QCOMPARE(QDir(files.path(QString())).entryList(QDir::Files),
             QStringList{QStringLiteral("profile.html")});
}

QTEST_GUILESS_MAIN(ExportTest)
#include "tst_export.moc"
