// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"
#include "core/profile/ProfileBuilder.h"
#include "core/recorder/Recorder.h"
#include "core/recording/RecordingReader.h"

#include <lua.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

using namespace perilune;

namespace {

/// A program that fills every kind of record of exact mode: tail calls, errors, coroutines, C
/// functions, strings that were loaded.
constexpr const char* program = R"(
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function count(n) if n == 0 then return 0 end return count(n - 1) end
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
local function fail(n) if n == 0 then error("end") end fail(n - 1) end
fib(12) count(50) even(21)
pcall(fail, 20)
local generator = coroutine.wrap(function() for i = 1, 5 do coroutine.yield(fib(i)) end end)
for i = 1, 5 do generator() end
for i = 1, 20 do load("local x = ... return function(y) return x + y end", "=chunk" .. i)(i)(1) end
table.sort({5, 3, 1, 4}, function(a, b) return a < b end)
string.gsub("abc", ".", function(c) return c:upper() end)
)";

QByteArray recordProgram(const QString& path)
{
    lua_State* state = luaL_newstate();
    luaL_openlibs(state);
    {
        RecordingWriter writer;
        Recorder recorder;
        if (!writer.create(path.toStdString()) || !recorder.start(state, writer, {}))
            return {};
        if (luaL_dostring(state, program) != LUA_OK)
            return {};
        recorder.finish(format::State::Finished, 0);
        recorder.detach();
    }
    lua_close(state);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr auto headerBytes = static_cast<qsizetype>(format::headerBytes);

/// Values that break arithmetic which trusts them.
constexpr std::array<quint64, 9> nastyValues = {
    0,
    1,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0xffffffffffffffff,
};

} // namespace

/// Whatever a file holds, reading it ends in an error or in a profile that can be used.
class TestDamagedRecordings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void wholeFileIsRead();
    void survives_data();
    void survives();

private:
    void readAndUse(const QByteArray& content);
    void truncate(QByteArray& content);
    void flipBits(QByteArray& content);
    /// Puts a nasty value where something is, between two places.
    void overwrite(QByteArray& content, qsizetype from, qsizetype to);
    void overwriteHeader(QByteArray& content);
    void overwriteRecords(QByteArray& content);
    void fillWithNoise(QByteArray& content);
    qsizetype randomBelow(qsizetype limit);
    /// A place that holds something: most of a recording is room to grow.
    qsizetype randomUsedPlace(qsizetype from, qsizetype to);

    QTemporaryDir m_folder;
    QByteArray m_recording;
    std::vector<qsizetype> m_usedPlaces; ///< Of bytes that are not zero, ascending.
    std::mt19937_64 m_random;
    int m_usable = 0;
};

qsizetype TestDamagedRecordings::randomBelow(qsizetype limit)
{
    return static_cast<qsizetype>(m_random() % static_cast<quint64>(limit));
}

void TestDamagedRecordings::initTestCase()
{
    m_recording = recordProgram(m_folder.filePath(QStringLiteral("whole.plrec")));
    QVERIFY(m_recording.size() > headerBytes);
    for (qsizetype at = 0; at < m_recording.size(); ++at)
        if (m_recording.at(at) != 0)
            m_usedPlaces.push_back(at);
}

qsizetype TestDamagedRecordings::randomUsedPlace(qsizetype from, qsizetype to)
{
    const auto first = std::lower_bound(m_usedPlaces.begin(), m_usedPlaces.end(), from);
    const auto last = std::lower_bound(first, m_usedPlaces.end(), to);
    return first[randomBelow(last - first)];
}

void TestDamagedRecordings::wholeFileIsRead()
{
    readAndUse(m_recording);
    QCOMPARE(m_usable, 1);
}

/// Goes through all that a reader of the window would touch.
void TestDamagedRecordings::readAndUse(const QByteArray& content)
{
    const QString path = m_folder.filePath(QStringLiteral("damaged.plrec"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), content.size());
    file.close();
    const auto snapshot = readRecording(path.toStdString());
    if (!snapshot) {
        QVERIFY(!snapshot.error().detail.empty());
        return;
    }
    ++m_usable;
    const std::shared_ptr<const Profile> profile = buildProfile(*snapshot);
    QVERIFY(profile && profile->tree);
    const FunctionTable table = FunctionTable::compute(*profile);
    for (const FunctionCosts& row : table.rows())
        QVERIFY(row.function.value() < profile->functions.size());
    for (const Function& function : profile->functions) {
        QVERIFY(!function.name.empty());
        profile->location(function);
    }
}

void TestDamagedRecordings::truncate(QByteArray& content)
{
    content.truncate(randomUsedPlace(0, content.size()) + randomBelow(16));
}

void TestDamagedRecordings::flipBits(QByteArray& content)
{
    const auto count = 1 + randomBelow(64);
    for (qsizetype flip = 0; flip < count; ++flip) {
        const qsizetype at = randomUsedPlace(0, content.size());
        content[at] = static_cast<char>(content.at(at) ^ (1 << randomBelow(8)));
    }
}

void TestDamagedRecordings::overwrite(QByteArray& content, qsizetype from, qsizetype to)
{
    const quint64 value = nastyValues[m_random() % nastyValues.size()];
    const qsizetype width = randomBelow(2) == 0 ? 4 : 8;
    const qsizetype place = randomUsedPlace(from, to) / width * width;
    std::memcpy(content.data() + place, &value, static_cast<std::size_t>(width));
}

void TestDamagedRecordings::overwriteHeader(QByteArray& content)
{
    const auto count = 1 + randomBelow(4);
    for (qsizetype change = 0; change < count; ++change)
        overwrite(content, static_cast<qsizetype>(sizeof format::magic), headerBytes);
}

void TestDamagedRecordings::overwriteRecords(QByteArray& content)
{
    const auto count = 1 + randomBelow(32);
    for (qsizetype change = 0; change < count; ++change)
        overwrite(content, headerBytes, content.size());
}

void TestDamagedRecordings::fillWithNoise(QByteArray& content)
{
    const qsizetype start = randomUsedPlace(0, content.size());
    const qsizetype length = std::min(content.size() - start, 1 + randomBelow(4096));
    for (qsizetype at = start; at < start + length; ++at)
        content[at] = static_cast<char>(m_random());
}

void TestDamagedRecordings::survives_data()
{
    QTest::addColumn<int>("damage");
    QTest::newRow("cut short") << 0;
    QTest::newRow("bits flipped") << 1;
    QTest::newRow("header overwritten") << 2;
    QTest::newRow("records overwritten") << 3;
    QTest::newRow("noise") << 4;
}

void TestDamagedRecordings::survives()
{
    QFETCH(int, damage);
    using Damage = void (TestDamagedRecordings::*)(QByteArray&);
    static constexpr Damage damages[] = {
        &TestDamagedRecordings::truncate, &TestDamagedRecordings::flipBits,
        &TestDamagedRecordings::overwriteHeader, &TestDamagedRecordings::overwriteRecords,
        &TestDamagedRecordings::fillWithNoise};
    const quint64 seed = std::random_device()();
    qInfo("seed %llu", static_cast<unsigned long long>(seed));
    m_random.seed(seed);
    m_usable = 0;
    constexpr int attempts = 300;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        QByteArray content = m_recording;
        (this->*damages[damage])(content);
        readAndUse(content);
        if (QTest::currentTestFailed())
            return;
    }
    qInfo("%d of %d damaged files could be used", m_usable, attempts);
}

QTEST_GUILESS_MAIN(TestDamagedRecordings)
#include "tst_damaged_recordings.moc"
