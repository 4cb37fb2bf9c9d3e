// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"
#include "core/exchange/Export.h"
#include "core/exchange/Import.h"
#include "tests/support/TestProfiles.h"
#include "tests/unit/exchange/ConformanceProfile.h"
#include "tests/unit/exchange/TemporaryFiles.h"

#include <QtTest>

#include <random>
#include <zlib.h>

using namespace perilune;

using ProfilePointer = std::shared_ptr<const Profile>;

class ImportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesBackTrees_data();
    void givesBackTrees();
    void givesBackHardNames_data();
    void givesBackHardNames();
    void givesBackGraphs();
    void keepsLocations_data();
    void keepsLocations();
    void keepsMemory();
    void readsForeignFiles_data();
    void readsForeignFiles();
    void readsUnits_data();
    void readsUnits();
    void readsRecursiveGraph();
    void separatesThreads();
    void refusesBadFiles_data();
    void refusesBadFiles();
    void survivesCutFiles_data();
    void survivesCutFiles();
    void survivesChangedBytes_data();
    void survivesChangedBytes();

private:
    /// The imported profile, or null with a message in the test's output.
    ProfilePointer importFrom(const QString& path) const
    {
        const auto result = importProfile(path.toStdString());
        if (!result) {
            qWarning("%s", result.error().detail.c_str());
            return nullptr;
        }
        return *result;
    }

    test::TemporaryFiles m_files;
};

namespace {

QStringList textOf(const Profile& profile)
{
    QStringList lines;
    for (const std::string& line : test::textOf(profile))
        lines.append(QString::fromStdString(line));
    return lines;
}

/// Rows for the formats that carry call trees.
void addTreeFormats()
{
    QTest::addColumn<int>("format");
    for (const ExportFormat format :
         {ExportFormat::Collapsed, ExportFormat::Speedscope, ExportFormat::Pprof})
        QTest::newRow(std::string(infoOf(format).name).c_str()) << int(format);
}

void addAllFormats()
{
    addTreeFormats();
    QTest::newRow("callgrind") << int(ExportFormat::Callgrind);
}

ProfilePointer smallProfile()
{
    return test::profileFrom({"[main] test.lua 10", "[main] test.lua;work@lib/a.lua:3 30 calls=2",
                              "[main] test.lua;work@lib/a.lua:3;[C] table.sort 5 calls=7"});
}

/// Self times by name as the format can give them back: on one line, valid, numbered where alike.
std::map<std::string, std::uint64_t> expectedTimes(ExportFormat format)
{
    auto times = test::selfTimesByName(*test::conformanceProfile());
    const auto rename = [&times](const std::string& from, const std::string& to) {
        auto node = times.extract(from);
        node.key() = to;
        times.insert(std::move(node));
    };
    rename("two\nlines\r\n", "two lines");
    rename("bad\xFF\xC3(bytes", "bad\uFFFD\uFFFD(bytes");
    if (format == ExportFormat::Collapsed)
        rename("a;b \"c\" (d) [e] <f> {g} |h|", "a,b \"c\" (d) [e] <f> {g} |h|");
    times["function <dir/hard.lua:50>"] = 11;
    times["function <dir/hard.lua:50> #2"] = 22;
    if (format == ExportFormat::Collapsed)
        times.erase("without time"); // no line has it
    return times;
}

/// The content of a gzip file of less than a megabyte.
QByteArray inflated(const QByteArray& gzip)
{
    z_stream stream = {};
    QByteArray content(1 << 20, 0);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
    stream.avail_in = uInt(gzip.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = uInt(content.size());
    inflateInit2(&stream, 15 + 16);
    inflate(&stream, Z_FINISH);
    content.resize(qsizetype(stream.total_out));
    inflateEnd(&stream);
    return content;
}

} // namespace

void ImportTest::givesBackTrees_data()
{
    addTreeFormats();
}

void ImportTest::givesBackTrees()
{
    QFETCH(int, format);
    const auto profile = smallProfile();
    const auto imported = importFrom(m_files.exported(*profile, ExportFormat(format)));
    QVERIFY(imported);
    QStringList expected = textOf(*profile);
    if (!imported->tree->has(Metric::Calls))
        expected.replaceInStrings(QRegularExpression(QStringLiteral("calls=\\d+")),
                                  QStringLiteral("calls=0"));
    QCOMPARE(textOf(*imported), expected);
    QCOMPARE(imported->run.status, RunStatus::Done);
    QCOMPARE(imported->run.wallTime, profile->run.wallTime);
}

void ImportTest::givesBackHardNames_data()
{
    addAllFormats();
}

void ImportTest::givesBackHardNames()
{
    QFETCH(int, format);
    const auto profile = test::conformanceProfile();
    const auto imported = importFrom(m_files.exported(*profile, ExportFormat(format)));
    QVERIFY(imported);
    const auto expected = expectedTimes(ExportFormat(format));
    const auto times = test::selfTimesByName(*imported);
    for (const auto& [name, time] : expected) {
        QVERIFY2(times.contains(name), name.c_str());
        QCOMPARE(times.at(name), time);
    }
    QCOMPARE(times.size(), expected.size());
    QCOMPARE(imported->tree->total(Metric::Time, NodeId(0)),
             profile->tree->total(Metric::Time, NodeId(0)));
}

/// Callgrind has no paths, but calls and self times of all functions, and here even the totals.
void ImportTest::givesBackGraphs()
{
    const auto profile = smallProfile();
    const auto imported = importFrom(m_files.exported(*profile, ExportFormat::Callgrind));
    QVERIFY(imported);
    QCOMPARE(textOf(*imported), textOf(*profile));
    QVERIFY(!imported->run.warnings.empty());

    const auto hard = test::conformanceProfile();
    const auto calls =
        test::callsByName(*importFrom(m_files.exported(*hard, ExportFormat::Callgrind)));
    const auto expected = test::callsByName(*hard);
    for (const char* name : {"recursive", "even", "odd", "tail", "generator", "table.sort"})
        QCOMPARE(calls.at(name), expected.at(name));
}

void ImportTest::keepsLocations_data()
{
    addTreeFormats();
}

void ImportTest::keepsLocations()
{
    QFETCH(int, format);
    const auto imported = importFrom(m_files.exported(*smallProfile(), ExportFormat(format)));
    QVERIFY(imported);
    QStringList locations;
    for (const Function& function : imported->functions)
        locations.append(QString::fromStdString(imported->location(function)));
    locations.sort();
    QCOMPARE(locations,
             (QStringList{QString(), QStringLiteral("[C]"), QStringLiteral("lib/a.lua:3"),
                          QStringLiteral("test.lua")}));
}

void ImportTest::keepsMemory()
{
    const auto profile =
        test::profileFrom({"main 10 bytes=1000 blocks=3", "main;f 5 bytes=24 blocks=2"});
    const auto imported = importFrom(m_files.exported(*profile, ExportFormat::Pprof));
    QVERIFY(imported);
    QCOMPARE(imported->tree->total(Metric::Bytes, NodeId(0)), 1024u);
    QCOMPARE(imported->tree->total(Metric::Blocks, NodeId(0)), 5u);
    const auto second = importFrom(m_files.exported(*profile, ExportFormat::Speedscope));
    QVERIFY(second);
    QCOMPARE(second->tree->total(Metric::Bytes, NodeId(0)), 1024u);
    QCOMPARE(textOf(*second).size(), 2);
}

void ImportTest::readsForeignFiles_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QStringList>("tree");
    QTest::newRow("collapsed samples are of 1 ms")
        << QByteArray("# made by hand\na;b 3\r\n\na 1\na;b;c (x.lua:7) 2\n")
        << QStringList{QStringLiteral("a self=1000 total=6000 calls=0"),
                       QStringLiteral("  b self=3000 total=5000 calls=0"),
                       QStringLiteral("    c self=2000 total=2000 calls=0")};
    QTest::newRow("collapsed stacks that end in a semicolon")
        << QByteArray("a;b; 3\n")
        << QStringList{QStringLiteral("a self=0 total=3000 calls=0"),
                       QStringLiteral("  b self=3000 total=3000 calls=0")};
    QTest::newRow("speedscope, members in another order")
        << QByteArray(
               R"({"profiles":[{"weights":[0.5,2],"samples":[[0],[0,1]],"unit":"milliseconds",
              "type":"sampled","name":"x","startValue":0,"endValue":2.5,"extra":{"a":[1,"]}"]}}],
              "shared":{"frames":[{"name":"a\u00e9\ud83c\udf19"},{"line":3,"name":"b","col":null}]}})")
        << QStringList{QStringLiteral("aé🌙 self=500 total=2500 calls=0"),
                       QStringLiteral("  b self=2000 total=2000 calls=0")};
    QTest::newRow("speedscope events")
        << QByteArray(R"({"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{
              "type":"evented","unit":"microseconds","name":"x","startValue":0,"endValue":9,"events":[
              {"type":"O","frame":0,"at":1},{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":4},
              {"type":"O","frame":1,"at":5},{"type":"C","frame":1,"at":6},{"type":"C","frame":0,"at":9}]}]})")
        << QStringList{QStringLiteral("a self=5 total=8 calls=1"),
                       QStringLiteral("  b self=3 total=3 calls=2")};
    QTest::newRow("callgrind of valgrind: relative positions, two positions, inlined files, jumps")
        << QByteArray("version: 1\ncmd: ./x\npositions: instr line\nevents: Ir Dr\n\n"
                      "ob=(1) x\nfl=(1) a.c\nfn=(1) main\n0x10 5 1000 3\n+4 +1 2000\n"
                      "fi=(2) b.h\n+2 9 500\nfe=(1)\njump=3 0x10 5\n* *\ncob=(2) libc\n"
                      "cfi=(3) c.c\ncfn=(2) helper\ncalls=3 0x20 7\n* -1 4500 1\n\n"
                      "ob=(2)\nfl=(3)\nfn=(2)\n0x20 7 4500\ntotals: 8000 3\n")
        << QStringList{QStringLiteral("main self=3.5 total=8 calls=0"),
                       QStringLiteral("  helper self=4.5 total=4.5 calls=3")};
}

void ImportTest::readsForeignFiles()
{
    QFETCH(QByteArray, content);
    QFETCH(QStringList, tree);
    const auto imported = importFrom(m_files.write(QStringLiteral("foreign"), content));
    QVERIFY(imported);
    QCOMPARE(textOf(*imported), tree);
}

void ImportTest::readsUnits_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<bool>("isAssumed");
    QTest::newRow("nothing said") << QStringLiteral("a.txt") << qint64(7000000) << true;
    QTest::newRow("ns") << QStringLiteral("a.ns.collapsedstack.txt") << qint64(7) << false;
    QTest::newRow("us") << QStringLiteral("a.us.folded") << qint64(7000) << false;
    QTest::newRow("ms") << QStringLiteral("a.ms.txt") << qint64(7000000) << false;
}

void ImportTest::readsUnits()
{
    QFETCH(QString, name);
    QFETCH(qint64, nanoseconds);
    QFETCH(bool, isAssumed);
    const auto imported = importFrom(m_files.write(name, "a;b 7\n"));
    QVERIFY(imported);
    QCOMPARE(imported->run.wallTime.nanoseconds(), nanoseconds);
    QCOMPARE(!imported->run.warnings.empty(), isAssumed);
    QCOMPARE(imported->tree->has(Metric::Samples), isAssumed);
}

/// even and odd call each other and are entered by main: 10 of self time, 40 and 50.
void ImportTest::readsRecursiveGraph()
{
    const auto profile =
        test::profileFrom({"main 10", "main;even 20 calls=2", "main;even;odd 30 calls=4",
                           "main;even;odd;even 20 calls=4", "main;even;odd;even;odd 20 calls=4"});
    const auto imported = importFrom(m_files.exported(*profile, ExportFormat::Callgrind));
    QVERIFY(imported);
    QCOMPARE(test::selfTimesByName(*imported), test::selfTimesByName(*profile));
    QCOMPARE(test::callsByName(*imported), test::callsByName(*profile));
    QCOMPARE(imported->tree->total(Metric::Time, NodeId(0)), 100000u);
    const FunctionTable table = FunctionTable::compute(*imported);
    for (const FunctionCosts& costs : table.rows())
        QVERIFY(costs.total[0] <= 100000u);
}

void ImportTest::separatesThreads()
{
    const auto imported =
        importFrom(m_files.write(QStringLiteral("threads.speedscope.json"),
                                 R"({"shared":{"frames":[{"name":"a"}]},"profiles":[
           {"type":"sampled","unit":"microseconds","name":"first","samples":[[0]],"weights":[1]},
           {"type":"sampled","unit":"microseconds","name":"second","samples":[[0]],"weights":[2]}]})"));
    QVERIFY(imported);
    const QStringList expected{QStringLiteral("second self=0 total=2 calls=0"),
                               QStringLiteral("  a self=2 total=2 calls=0"),
                               QStringLiteral("first self=0 total=1 calls=0"),
                               QStringLiteral("  a self=1 total=1 calls=0")};
    QCOMPARE(textOf(*imported), expected);
}

void ImportTest::refusesBadFiles_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QByteArray& content, const QString& message) {
        QTest::newRow(name) << content << message;
    };
    row("empty", "", QStringLiteral("is empty"));
    row("text", "print('hello')\n", QStringLiteral("is none of"));
    row("other JSON", R"({"traceEvents":[]})", QStringLiteral("is no speedscope file"));
    row("broken JSON", R"({"shared":{"frames":[{"name":"a"}]},"profiles":[{"type":"sampled",)",
        QStringLiteral("damaged near byte"));
    row("frame that is not there",
        R"({"shared":{"frames":[]},"profiles":[{"type":"sampled","samples":[[0]],"weights":[1]}]})",
        QStringLiteral("a frame that is not there"));
    row("more weights than samples",
        R"({"shared":{"frames":[]},"profiles":[{"type":"sampled","samples":[],"weights":[1]}]})",
        QStringLiteral("more samples than weights, or fewer"));
    row("negative weight",
        R"({"shared":{"frames":[]},"profiles":[{"type":"sampled","samples":[[]],"weights":[-1]}]})",
        QStringLiteral("negative"));
    row("events that do not nest",
        R"({"shared":{"frames":[{"name":"a"}]},"profiles":[{"type":"evented","events":[
            {"type":"C","frame":0,"at":1}]}]})",
        QStringLiteral("closes a frame that is not open"));
    row("two counts", "a;b 1 2\na 3 4\n", QStringLiteral("two counts"));
    row("callgrind without function", "events: Ir\n1 2\n", QStringLiteral("line 2"));
    row("callgrind with decimals", "events: Ir\nfn=a\n1 2.5\n", QStringLiteral("whole number"));
    row("callgrind without functions", "events: Ir\n", QStringLiteral("no functions"));
    row("damaged gzip", "\x1F\x8B\x08 nonsense", QStringLiteral("cannot be decompressed"));
    row("protocol buffer of something else", QByteArray("\x0A\x04\x08\x01\x10\x02\x12\x7F", 8),
        QStringLiteral("pprof"));
}

void ImportTest::refusesBadFiles()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, message);
    const QString path = m_files.write(QStringLiteral("bad"), content);
    const auto result = importProfile(path.toStdString());
    QVERIFY(!result);
    const QString detail = QString::fromStdString(result.error().detail);
    QVERIFY2(detail.startsWith(path) && detail.contains(message), qPrintable(detail));
}

void ImportTest::survivesCutFiles_data()
{
    addAllFormats();
}

/// Whatever a file is cut to: an error or a profile, never a crash (the sanitizers look on).
void ImportTest::survivesCutFiles()
{
    QFETCH(int, format);
    const QByteArray whole =
        m_files.read(m_files.exported(*test::conformanceProfile(), ExportFormat(format)));
    const auto step = std::max<qsizetype>(whole.size() / 200, 1);
    for (qsizetype size = 0; size < whole.size(); size += step) {
        const QString path = m_files.write(QStringLiteral("cut"), whole.left(size));
        const auto result = importProfile(path.toStdString());
        QVERIFY(result || !result.error().detail.empty());
    }
}

void ImportTest::survivesChangedBytes_data()
{
    addAllFormats();
}

/// Likewise for bytes that were changed, the same ones in each run of the test. A compressed file
/// is changed before it is compressed, or its check sum would see to it.
void ImportTest::survivesChangedBytes()
{
    QFETCH(int, format);
    const QString file = m_files.exported(*test::conformanceProfile(), ExportFormat(format));
    QByteArray whole = m_files.read(file);
    if (ExportFormat(format) == ExportFormat::Pprof)
        whole = inflated(whole);
    QVERIFY(whole.size() > 100);
    std::mt19937 random(1);
    for (int round = 0; round < 500; ++round) {
        QByteArray changed = whole;
        for (unsigned count = 1 + random() % 8; count > 0; --count)
            changed[qsizetype(random() % unsigned(changed.size()))] = char(random());
        const QString path = m_files.write(QStringLiteral("changed"), changed);
        const auto result = importProfile(path.toStdString());
        QVERIFY(result || !result.error().detail.empty());
    }
}

QTEST_GUILESS_MAIN(ImportTest)
#include "tst_import.moc"
