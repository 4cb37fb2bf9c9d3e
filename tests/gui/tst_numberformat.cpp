// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/NumberFormat.h"

#include <QLocale>
#include <QTest>

#include <limits>

using namespace perilune;

class NumberFormatTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void formatsDurations_data();
    void formatsDurations();
    void formatsFixedUnits_data();
    void formatsFixedUnits();
    void formatsExactAndSignedDurations();
    void formatsPercents_data();
    void formatsPercents();
    void formatsCountsAndBytes();
    void formatsMetrics();
    void formatsClocks();
    void followsTheLocale();
};

void NumberFormatTest::formatsDurations_data()
{
    QTest::addColumn<qint64>("nanoseconds");
    QTest::addColumn<QString>("text");
    const auto row = [](qint64 nanoseconds, const char* text) {
        QTest::newRow(text) << nanoseconds << QString::fromUtf8(text);
    };
    row(0, "0 ns");
    row(1, "1 ns");
    row(999, "999 ns");
    row(1000, "1.000 µs");
    row(1234, "1.234 µs");
    row(9999, "9.999 µs");
    row(10000, "10.0 µs");
    row(12345, "12.3 µs");
    row(123456, "123.5 µs");
    row(999949, "999.9 µs");
    row(999950, "1.000 ms");
    row(9'999'500, "10.0 ms");
    row(1'284'012'345, "1.284 s");
    row(59'949'000'000, "59.9 s");
    row(59'950'000'000, "1.000 min");
    row(90'000'000'000, "1.500 min");
    row(3'600'000'000'000, "60.0 min");
    row(86'400'000'000'000, "1,440.0 min");
    row(-12345, "−12.3 µs");
}

void NumberFormatTest::formatsDurations()
{
    QFETCH(qint64, nanoseconds);
    QFETCH(QString, text);
    QCOMPARE(formatDuration(Duration::fromNanoseconds(nanoseconds)), text);
}

void NumberFormatTest::formatsFixedUnits_data()
{
    QTest::addColumn<TimeUnit>("unit");
    QTest::addColumn<QString>("text");
    QTest::newRow("ns") << TimeUnit::Nanoseconds << QStringLiteral("1,284,012,345 ns");
    QTest::newRow("µs") << TimeUnit::Microseconds << QStringLiteral("1,284,012.3 µs");
    QTest::newRow("ms") << TimeUnit::Milliseconds << QStringLiteral("1,284.012 ms");
    QTest::newRow("s") << TimeUnit::Seconds << QStringLiteral("1.284012 s");
}

void NumberFormatTest::formatsFixedUnits()
{
    QFETCH(TimeUnit, unit);
    QFETCH(QString, text);
    QCOMPARE(formatDuration(Duration::fromNanoseconds(1'284'012'345), unit), text);
}

void NumberFormatTest::formatsExactAndSignedDurations()
{
    const Duration duration = Duration::fromNanoseconds(1'284'012'345);
    const Duration negative = Duration() - duration;
    QCOMPARE(formatExactDuration(duration), QStringLiteral("1,284,012,345 ns"));
    QCOMPARE(formatExactDuration(negative), QStringLiteral("−1,284,012,345 ns"));
    QCOMPARE(formatSignedDuration(duration), QStringLiteral("+1.284 s"));
    QCOMPARE(formatSignedDuration(negative), QStringLiteral("−1.284 s"));
    QCOMPARE(formatSignedDuration(Duration()), QStringLiteral("0 ns"));
    QCOMPARE(formatSignedDuration(duration, TimeUnit::Milliseconds),
             QStringLiteral("+1,284.012 ms"));
}

void NumberFormatTest::formatsPercents_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("signedText");
    const auto row = [](double share, const char* text, const char* signedText) {
        QTest::addRow("%.9g", share)
            << share << QString::fromUtf8(text) << QString::fromUtf8(signedText);
    };
    row(0.0, "0 %", "0 %");
    row(1e-9, "<0.1 %", "+<0.1 %");
    row(0.00099, "<0.1 %", "+<0.1 %");
    row(0.001, "0.1 %", "+0.1 %");
    row(0.1234, "12.3 %", "+12.3 %");
    row(1.0, "100.0 %", "+100.0 %");
    row(12.5, "1,250.0 %", "+1,250.0 %");
    row(-0.0312, "−3.1 %", "−3.1 %");
    row(-0.0001, "−<0.1 %", "−<0.1 %");
    row(std::numeric_limits<double>::infinity(), "–", "–");
    row(std::numeric_limits<double>::quiet_NaN(), "–", "–");
}

void NumberFormatTest::formatsPercents()
{
    QFETCH(double, share);
    QFETCH(QString, text);
    QFETCH(QString, signedText);
    QCOMPARE(formatPercent(share), text);
    QCOMPARE(formatSignedPercent(share), signedText);
}

void NumberFormatTest::formatsCountsAndBytes()
{
    QCOMPARE(formatCount(0), QStringLiteral("0"));
    QCOMPARE(formatCount(10'000'000), QStringLiteral("10,000,000"));
    QCOMPARE(formatCount(UINT64_MAX), QStringLiteral("18,446,744,073,709,551,615"));
    QCOMPARE(formatBytes(0), QStringLiteral("0 B"));
    QCOMPARE(formatBytes(1023), QStringLiteral("1,023 B"));
    QCOMPARE(formatBytes(1024), QStringLiteral("1.000 KiB"));
    QCOMPARE(formatBytes(12'600), QStringLiteral("12.3 KiB"));
    QCOMPARE(formatBytes(5'000'000'000), QStringLiteral("4.657 GiB"));
}

void NumberFormatTest::formatsMetrics()
{
    QCOMPARE(formatMetric(Metric::Time, 12345), QStringLiteral("12.3 µs"));
    QCOMPARE(formatMetric(Metric::RawTime, 12345, TimeUnit::Nanoseconds),
             QStringLiteral("12,345 ns"));
    QCOMPARE(formatMetric(Metric::Calls, 12345), QStringLiteral("12,345"));
    QCOMPARE(formatMetric(Metric::Bytes, 2048), QStringLiteral("2.000 KiB"));
    QCOMPARE(metricTitle(Metric::Bytes), QStringLiteral("Allocated"));
}

void NumberFormatTest::formatsClocks()
{
    QCOMPARE(formatClock(Duration::fromMilliseconds(3'999)), QStringLiteral("0:03"));
    QCOMPARE(formatClock(Duration::fromMilliseconds(727'000)), QStringLiteral("12:07"));
    QCOMPARE(formatClock(Duration::fromMilliseconds(3'723'000)), QStringLiteral("1:02:03"));
}

void NumberFormatTest::followsTheLocale()
{
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(formatDuration(Duration::fromNanoseconds(12345)), QStringLiteral("12,3 µs"));
    QCOMPARE(formatCount(12345), QStringLiteral("12.345"));
    QCOMPARE(formatPercent(0.00001), QStringLiteral("<0,1 %"));
}

QTEST_APPLESS_MAIN(NumberFormatTest)
#include "tst_numberformat.moc"
