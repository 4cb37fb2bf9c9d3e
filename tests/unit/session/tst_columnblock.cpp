// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/ColumnBlock.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace perilune;

using Column = std::vector<std::uint64_t>;
using Bytes = std::vector<std::uint8_t>;

Q_DECLARE_METATYPE(Column)

class ColumnBlockTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void hashesAsPublished();
    void bytesComeBack_data();
    void bytesComeBack();
    void columnsComeBack_data();
    void columnsComeBack();
    void everyFlippedBitIsFound();
    void everyCutIsFound();
    void refusesNewerVersions();
    void refusesWrongSizes();
    void readsNoMoreColumnsThanThereAre();
    void survivesWrongContentBehindAGoodChecksum();
};

void ColumnBlockTest::hashesAsPublished()
{
    // From the test vectors of the FNV reference implementation.
    QCOMPARE(hashText(fnv1a(std::string_view(""))), std::string("cbf29ce484222325"));
    QCOMPARE(hashText(fnv1a(std::string_view("a"))), std::string("af63dc4c8601ec8c"));
    QCOMPARE(hashText(fnv1a(std::string_view("foobar"))), std::string("85944171f73967e8"));
}

void ColumnBlockTest::bytesComeBack_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("one") << QByteArray("x");
    QTest::newRow("zeros") << QByteArray(1000000, '\0');
    QTest::newRow("all values") << QByteArray("\0\1\x7f\x80\xff", 5);
}

static Bytes toBytes(const QByteArray& text)
{
    return {text.begin(), text.end()};
}

void ColumnBlockTest::bytesComeBack()
{
    QFETCH(QByteArray, bytes);
    const auto unpacked = unpackBytes(packBytes(toBytes(bytes)));
    QVERIFY(unpacked);
    QVERIFY(*unpacked == toBytes(bytes));
}

void ColumnBlockTest::columnsComeBack_data()
{
    QTest::addColumn<Column>("values");
    QTest::newRow("none") << Column{};
    QTest::newRow("small") << Column{0, 1, 127, 128, 16383, 16384};
    QTest::newRow("extremes") << Column{0, UINT64_MAX, 0, 1, UINT64_MAX - 1, INT64_MAX};
    QTest::newRow("falling") << Column{1000, 999, 10, 0};
}

void ColumnBlockTest::columnsComeBack()
{
    QFETCH(Column, values);
    ColumnWriter writer(values.size(), 77);
    writer.addColumn(values);
    writer.addDeltaColumn(values);
    const Bytes packed = writer.pack();
    auto reader = ColumnReader::open(packed);
    QVERIFY(reader);
    QCOMPARE(reader->rowCount(), std::uint64_t(values.size()));
    QCOMPARE(reader->tag(), std::uint64_t(77));
    for (int column = 0; column < 2; ++column) {
        const auto read = reader->next();
        QVERIFY(read);
        QCOMPARE(*read, values);
    }
    QVERIFY(!reader->next());
}

static Bytes samplePack()
{
    Column values;
    for (std::uint64_t value = 0; value < 100; ++value)
        values.push_back(value * value);
    ColumnWriter writer(values.size());
    writer.addColumn(values);
    return writer.pack();
}

void ColumnBlockTest::everyFlippedBitIsFound()
{
    const Bytes packed = samplePack();
    for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
        Bytes flipped = packed;
        flipped[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        QVERIFY(!unpackBytes(flipped));
    }
}

void ColumnBlockTest::everyCutIsFound()
{
    const Bytes packed = samplePack();
    for (std::size_t size = 0; size < packed.size(); ++size)
        QVERIFY(!unpackBytes(std::span(packed).first(size)));
}

void ColumnBlockTest::refusesNewerVersions()
{
    Bytes packed = samplePack();
    packed[0] = 2;
    const auto unpacked = unpackBytes(packed);
    QVERIFY(!unpacked);
    QVERIFY(unpacked.error().code == Error::Code::UnsupportedVersion);
}

/// Makes the checksum right again, as somebody would who wants to do harm.
static void seal(Bytes& packed)
{
    const std::uint64_t hash = fnv1a(std::span(packed).subspan(9));
    for (int byte = 0; byte < 8; ++byte)
        packed[static_cast<std::size_t>(1 + byte)] = static_cast<std::uint8_t>(hash >> (8 * byte));
}

void ColumnBlockTest::refusesWrongSizes()
{
    for (const int size : {0, 1, 255}) {
        Bytes packed = samplePack();
        packed[9] = static_cast<std::uint8_t>(size);
        seal(packed);
        QVERIFY(!unpackBytes(packed));
    }
    Bytes huge = samplePack();
    std::fill(huge.begin() + 9, huge.begin() + 17, std::uint8_t(0xff));
    seal(huge);
    QVERIFY(!unpackBytes(huge));
}

void ColumnBlockTest::readsNoMoreColumnsThanThereAre()
{
    // A row count that is far larger than the block, and no column behind it.
    const Bytes claim = {0xff, 0xff, 0xff, 0xff, 0x7f, 0};
    auto reader = ColumnReader::open(packBytes(claim));
    QVERIFY(reader);
    QVERIFY(!reader->next());
}

void ColumnBlockTest::survivesWrongContentBehindAGoodChecksum()
{
    std::mt19937 random(1);
    for (int attempt = 0; attempt < 5000; ++attempt) {
        Bytes content(random() % 40);
        std::generate(content.begin(), content.end(), [&] { return std::uint8_t(random()); });
        auto reader = ColumnReader::open(packBytes(content));
        while (reader && reader->next()) {
            if (reader->rowCount() > 40)
                QFAIL("more rows than bytes");
        }
    }
}

QTEST_GUILESS_MAIN(ColumnBlockTest)
#include "tst_columnblock.moc"
