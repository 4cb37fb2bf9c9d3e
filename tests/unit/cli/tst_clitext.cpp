// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/JsonWriter.h"
#include "core/cli/NumberText.h"
#include "core/cli/TextTable.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

using namespace perilune;
using namespace perilune::cli;

class CliTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void writesDurations_data();
    void writesDurations();
    void writesBytes_data();
    void writesBytes();
    void writesPercents_data();
    void writesPercents();
    void writesCounts_data();
    void writesCounts();
    void alignsTables();
    void cutsLongTexts();
    void writesJson();
    void escapesText_data();
    void escapesText();
    void writesNoNumberThatIsNone();
};

void CliTextTest::writesDurations_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << qint64(0) << u"0 ns"_qs;
    QTest::newRow("one") << qint64(1) << u"1 ns"_qs;
    QTest::newRow("999 ns") << qint64(999) << u"999 ns"_qs;
    QTest::newRow("1000 ns") << qint64(1000) << u"1.000 µs"_qs;
    QTest::newRow("four digits below ten") << qint64(9876) << u"9.876 µs"_qs;
    QTest::newRow("ten") << qint64(10000) << u"10.0 µs"_qs;
    QTest::newRow("rounds up to ten") << qint64(9999600) << u"10.0 ms"_qs;
    QTest::newRow("rounds into the next unit") << qint64(999960) << u"1.000 ms"_qs;
    QTest::newRow("stays below it") << qint64(999940) << u"999.9 µs"_qs;
    QTest::newRow("seconds") << qint64(1284012345) << u"1.284 s"_qs;
    QTest::newRow("a minute") << qint64(60000000000) << u"1.000 min"_qs;
    QTest::newRow("rounds into a minute") << qint64(59960000000) << u"1.000 min"_qs;
    QTest::newRow("hours") << qint64(36000000000000) << u"600.0 min"_qs;
    QTest::newRow("never an exponent")
        << std::numeric_limits<qint64>::max() << u"153722867.3 min"_qs;
    QTest::newRow("negative") << qint64(-1500) << u"−1.500 µs"_qs;
}

void CliTextTest::writesDurations()
{
    QFETCH(qint64, nanoseconds);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(durationText(Duration::fromNanoseconds(nanoseconds))), text);
}

void CliTextTest::writesBytes_data()
{
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << quint64(0) << u"0 B"_qs;
    QTest::newRow("1023") << quint64(1023) << u"1023 B"_qs;
    QTest::newRow("1024") << quint64(1024) << u"1.000 KiB"_qs;
    QTest::newRow("12.3 KiB") << quint64(12600) << u"12.3 KiB"_qs;
    QTest::newRow("most") << std::numeric_limits<quint64>::max() << u"16777216.0 TiB"_qs;
}

void CliTextTest::writesBytes()
{
    QFETCH(quint64, bytes);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(bytesText(bytes)), text);
}

void CliTextTest::writesPercents_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << 0.0 << u"0 %"_qs;
    QTest::newRow("little") << 0.0000001 << u"<0.1 %"_qs;
    QTest::newRow("some") << 0.1234 << u"12.3 %"_qs;
    QTest::newRow("all") << 1.0 << u"100.0 %"_qs;
}

void CliTextTest::writesPercents()
{
    QFETCH(double, share);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(percentText(share)), text);
}

void CliTextTest::writesCounts_data()
{
    QTest::addColumn<quint64>("count");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << quint64(0) << u"0"_qs;
    QTest::newRow("999") << quint64(999) << u"999"_qs;
    QTest::newRow("1000") << quint64(1000) << u"1,000"_qs;
    QTest::newRow("1234567") << quint64(1234567) << u"1,234,567"_qs;
    QTest::newRow("most") << std::numeric_limits<quint64>::max()
                          << u"18,446,744,073,709,551,615"_qs;
}

void CliTextTest::writesCounts()
{
    QFETCH(quint64, count);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(countText(count)), text);
}

void CliTextTest::alignsTables()
{
    TextTable table;
    table.addColumn("Name", TextTable::Alignment::Left);
    table.addColumn("Time", TextTable::Alignment::Right);
    table.addColumn("Where", TextTable::Alignment::Left);
    table.addRow({"fünf", "5 µs", "a"});
    table.addRow({"six hundred", "600.0 ms", ""});
    QCOMPARE(QString::fromStdString(table.text()),
             u"Name             Time  Where\n"
             "fünf             5 µs  a\n"
             "six hundred  600.0 ms\n"_qs);
}

void CliTextTest::cutsLongTexts()
{
    TextTable table;
    table.addColumn("N", TextTable::Alignment::Left, 5);
    table.addRow({"12345"});
    table.addRow({"äöüßéè"});
    table.addRow({"a\n\033b"});
    QCOMPARE(QString::fromStdString(table.text()), u"N\n12345\näöüß…\na  b\n"_qs);
}

/// What `write` makes, as bytes.
static QByteArray jsonOf(const std::function<void(JsonWriter&)>& write)
{
    char* bytes = nullptr;
    std::size_t size = 0;
    std::FILE* stream = ::open_memstream(&bytes, &size);
    JsonWriter json(stream);
    write(json);
    std::fclose(stream);
    const QByteArray result(bytes, static_cast<qsizetype>(size));
    std::free(bytes);
    return result;
}

void CliTextTest::writesJson()
{
    const QByteArray json = jsonOf([](JsonWriter& writer) {
        writer.beginObject();
        writer.member("number", -5);
        writer.member("truth", true);
        writer.key("list");
        writer.beginArray(JsonWriter::Layout::Inline);
        writer.value("x");
        writer.null();
        writer.beginObject();
        writer.member("a", 0.5);
        writer.member("b", std::uint64_t(7));
        writer.endObject();
        writer.endArray();
        writer.key("empty");
        writer.beginArray();
        writer.endArray();
        writer.endObject();
    });
    QCOMPARE(QString::fromUtf8(json),
             u"{\n"
             "  \"number\": -5,\n"
             "  \"truth\": true,\n"
             "  \"list\": [\"x\", null, {\"a\": 0.5, \"b\": 7}],\n"
             "  \"empty\": []\n"
             "}\n"_qs);
    QVERIFY(QJsonDocument::fromJson(json).isObject());
}

void CliTextTest::escapesText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* name, const QByteArray& text, const QByteArray& json) {
        QTest::newRow(name) << text << json;
    };
    const QByteArray bad("\xef\xbf\xbd");
    row("plain", "a/b", "a/b");
    row("marks", "\"\\", "\\\"\\\\");
    row("controls", QByteArray("\0\n\t\r\x1b\x7f", 6), "\\u0000\\n\\t\\r\\u001b\\u007f");
    row("two, three and four bytes", "ä€😀", "ä€😀");
    row("a stray byte", "a\xff\x62", "a" + bad + "b");
    row("a cut sequence", "\xe2\x82", bad + bad);
    row("an overlong slash", "\xc0\xaf", bad + bad);
    row("a surrogate", "\xed\xa0\x80", bad + bad + bad);
    row("beyond Unicode", "\xf4\x90\x80\x80", bad + bad + bad + bad);
}

void CliTextTest::escapesText()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, json);
    const QByteArray written = jsonOf([&](JsonWriter& writer) {
        writer.beginArray(JsonWriter::Layout::Inline);
        writer.value(text.toStdString());
        writer.endArray();
    });
    QCOMPARE(written, "[\"" + json + "\"]\n");
    QCOMPARE(QJsonDocument::fromJson(written).array().at(0).toString(), QString::fromUtf8(text));
}

void CliTextTest::writesNoNumberThatIsNone()
{
    const QByteArray written = jsonOf([](JsonWriter& writer) {
        writer.beginArray(JsonWriter::Layout::Inline);
        writer.value(std::nan(""));
        writer.value(HUGE_VAL);
        writer.value(1e-9);
        writer.endArray();
    });
    QCOMPARE(written, QByteArray("[null, null, 1e-09]\n"));
}

QTEST_GUILESS_MAIN(CliTextTest)
#include "tst_clitext.moc"
