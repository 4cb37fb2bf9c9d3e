// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/CallDurations.h"
#include "core/profile/OverheadCorrection.h"
#include "core/profile/ProfileBuilder.h"
#include "core/profile/TickScale.h"
#include "tests/cases/ScriptProcess.h"
#include "tests/support/TestSnapshot.h"

#include <QFile>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

using namespace perilune;
using test::TestSnapshot;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

std::uint64_t sumOf(const CallTree& tree, Metric metric)
{
    return tree.total(metric, tree.root());
}

NodeId nodeOf(const Profile& profile, const char* name)
{
    for (std::uint32_t index = 0; index < profile.tree->nodeCount(); ++index)
        if (profile.function(profile.tree->function(NodeId(index))).name == name)
            return NodeId(index);
    return {};
}

bool hasWarning(const Profile& profile, const char* part)
{
    return std::any_of(
        profile.run.warnings.begin(), profile.run.warnings.end(),
        [part](const std::string& text) { return text.find(part) != std::string::npos; });
}

/// main (1 call, 1000 ticks) calls f (100 calls, 5000 ticks), which calls the C function c
/// (200 calls, 3000 ticks).
TestSnapshot threeFunctions()
{
    TestSnapshot test;
    const std::uint32_t source = test.addSource("@a.lua", "local function f() c() end f()");
    const std::uint32_t main = test.addNode(0, test.addMain(source), 1, 1000);
    const std::uint32_t f = test.addNode(main, test.addLua(source, 1, 1, 1), 100, 5000);
    test.addNode(f, test.addC("c"), 200, 3000);
    return test;
}

} // namespace

class ProfileBuilderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void buildsTree();
    void convertsTicks();
    void chargesTheOpenInterval_data();
    void chargesTheOpenInterval();
    void correctsForOverhead();
    void neverCorrectsBelowZero();
    void doesNotCorrectWithoutCalibration();
    void ignoresDamagedCalibration();
    void mapsStatus_data();
    void mapsStatus();
    void launcherKnowsBetter();
    void describesTheRun();
    void warnsOfLimits_data();
    void warnsOfLimits();
    void warnsOfDamage();
    void carriesTailEdgesAndLines();
    void carriesMemoryAndSamples();
    void carriesSlowCallsAndHeapCurve();
    void durationBucketsCoverAllTicks();
    void summarizesDurations();
    void survivesDamagedSnapshots();
    void survivesAnEmptySnapshot();
    void selfTimesOfARealRunAddUpToItsWallTime();
};

void ProfileBuilderTest::buildsTree()
{
    const auto profile = buildProfile(threeFunctions().snapshot);
    const CallTree& tree = *profile->tree;
    QCOMPARE(tree.nodeCount(), 4u);
    QVERIFY(tree.has(Metric::Calls) && tree.has(Metric::RawTime) && tree.has(Metric::Time));
    QVERIFY(!tree.has(Metric::Bytes) && !tree.has(Metric::Samples));
    const NodeId f = nodeOf(*profile, "f");
    QCOMPARE(tree.callCount(f), std::uint64_t(100));
    QCOMPARE(tree.self(Metric::RawTime, f), std::uint64_t(5000));
    QCOMPARE(tree.total(Metric::RawTime, f), std::uint64_t(8000));
    QCOMPARE(tree.parent(nodeOf(*profile, "c")), f);
    QCOMPARE(tree.parent(f), nodeOf(*profile, "main chunk a.lua"));
    QCOMPARE(profile->function(tree.function(tree.root())).name, std::string("(interpreter)"));
    QCOMPARE(sumOf(tree, Metric::RawTime), std::uint64_t(9000));
    QCOMPARE(profile->run.wallTime, Duration::fromNanoseconds(9000));
}

void ProfileBuilderTest::convertsTicks()
{
    TestSnapshot test = threeFunctions();
    test.snapshot.header.ticksPerSecond = 3e9;
    test.snapshot.header.excludedTicks = 300;
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(profile->run.wallTime, Duration::fromNanoseconds(3000));
    QCOMPARE(profile->run.excludedTime, Duration::fromNanoseconds(100));
    QCOMPARE(sumOf(*profile->tree, Metric::RawTime), std::uint64_t(3000));

    const TickScale scale(test.snapshot.header);
    QCOMPARE(scale.nanoseconds(-5), std::uint64_t(0));
    QCOMPARE(scale.nanoseconds(notANumber), std::uint64_t(0));
    QCOMPARE(scale.nanoseconds(1e300), std::uint64_t(0));
    QCOMPARE(scale.sinceStart(10), Duration()); // before the start
}

void ProfileBuilderTest::chargesTheOpenInterval_data()
{
    QTest::addColumn<quint64>("endTicks"); // behind the last event; UINT64_MAX: no end
    QTest::addColumn<quint64>("selfOfF");
    QTest::addColumn<qint64>("wall");
    QTest::newRow("ended by itself") << quint64(0) << quint64(5000) << qint64(9000);
    QTest::newRow("killed long after its last event")
        << quint64(700) << quint64(5700) << qint64(9700);
    QTest::newRow("still running") << quint64(UINT64_MAX) << quint64(5000) << qint64(9000);
}

void ProfileBuilderTest::chargesTheOpenInterval()
{
    QFETCH(quint64, endTicks);
    QFETCH(quint64, selfOfF);
    QFETCH(qint64, wall);
    TestSnapshot test = threeFunctions();
    format::Header& header = test.snapshot.header;
    header.currentNode = 2; // f
    header.state = static_cast<std::uint32_t>(format::State::Running);
    header.endTicks = endTicks == UINT64_MAX ? 0 : header.lastTicks + endTicks;
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(profile->tree->self(Metric::RawTime, nodeOf(*profile, "f")), selfOfF);
    QCOMPARE(profile->run.wallTime, Duration::fromNanoseconds(wall));
    QCOMPARE(sumOf(*profile->tree, Metric::RawTime), static_cast<std::uint64_t>(wall));
}

void ProfileBuilderTest::correctsForOverhead()
{
    TestSnapshot test = threeFunctions();
    format::Calibration& calibration = test.snapshot.header.calibration;
    calibration.luaCallBefore = 1;
    calibration.luaCallAfter = 2;
    calibration.luaReturnBefore = 3;
    calibration.luaReturnAfter = 4;
    calibration.cCallBefore = 0.5;
    calibration.cCallAfter = 1.5;
    calibration.cReturnBefore = 2.5;
    calibration.cReturnAfter = 3.5;
    calibration.spread = 0.1;
    const std::vector<double> overhead = recordingOverhead(test.snapshot);
    // main: its own call and return, and 100 calls of f; f: 100 of its own, and 200 calls of c.
    QCOMPARE(overhead[1], 2.0 + 3.0 + 100 * (1.0 + 4.0));
    QCOMPARE(overhead[2], 100 * (2.0 + 3.0) + 200 * (0.5 + 3.5));
    QCOMPARE(overhead[3], 200 * (1.5 + 2.5));
    const auto profile = buildProfile(test.snapshot);
    const CallTree& tree = *profile->tree;
    QCOMPARE(tree.self(Metric::Time, nodeOf(*profile, "main chunk a.lua")), std::uint64_t(495));
    QCOMPARE(tree.self(Metric::Time, nodeOf(*profile, "f")), std::uint64_t(5000 - 1300));
    QCOMPARE(tree.self(Metric::Time, nodeOf(*profile, "c")), std::uint64_t(3000 - 800));
    const OverheadCorrection& correction = profile->run.correction;
    QCOMPARE(correction.method, CorrectionMethod::Calibrated);
    QCOMPARE(correction.removed, Duration::fromNanoseconds(505 + 1300 + 800));
    // The host pays 5 ticks for its one call, and has none.
    QCOMPARE(correction.clamped, Duration::fromNanoseconds(5));
    QCOMPARE(correction.estimatedSlowdown, 9000.0 / (9000 - 2605));
    QCOMPARE(correction.residualShare, 0.1 * 2605 / (9000 - 2605));
}

void ProfileBuilderTest::neverCorrectsBelowZero()
{
    TestSnapshot test = threeFunctions();
    test.snapshot.header.calibration.cCallAfter = 20; // 200 calls: 4000 of c's 3000 ticks
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(profile->tree->self(Metric::Time, nodeOf(*profile, "c")), std::uint64_t(0));
    QCOMPARE(profile->run.correction.removed, Duration::fromNanoseconds(3000));
    QCOMPARE(profile->run.correction.clamped, Duration::fromNanoseconds(1000));
}

void ProfileBuilderTest::doesNotCorrectWithoutCalibration()
{
    const auto profile = buildProfile(threeFunctions().snapshot);
    QCOMPARE(profile->run.correction.method, CorrectionMethod::None);
    QCOMPARE(profile->run.correction.estimatedSlowdown, 1.0);
    QCOMPARE(profile->tree->selfColumn(Metric::Time), profile->tree->selfColumn(Metric::RawTime));
}

void ProfileBuilderTest::ignoresDamagedCalibration()
{
    TestSnapshot test = threeFunctions();
    test.snapshot.header.calibration.luaCallAfter = notANumber;
    test.snapshot.header.calibration.cCallAfter = std::numeric_limits<double>::infinity();
    test.snapshot.header.calibration.spread = notANumber;
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(sumOf(*profile->tree, Metric::Time), std::uint64_t(9000));
    QVERIFY(std::isfinite(profile->run.correction.residualShare));
}

void ProfileBuilderTest::mapsStatus_data()
{
    QTest::addColumn<format::State>("state");
    QTest::addColumn<RunStatus>("status");
    QTest::addColumn<bool>("isPartial");
    using format::State;
    QTest::newRow("starting") << State::Starting << RunStatus::Running << true;
    QTest::newRow("running") << State::Running << RunStatus::Running << true;
    QTest::newRow("finished") << State::Finished << RunStatus::Done << false;
    QTest::newRow("exited") << State::Exited << RunStatus::Done << false;
    QTest::newRow("script error") << State::ScriptError << RunStatus::ScriptError << true;
    QTest::newRow("syntax error") << State::SyntaxError << RunStatus::SyntaxError << true;
    QTest::newRow("stopped") << State::Stopped << RunStatus::Stopped << true;
    QTest::newRow("unknown") << static_cast<State>(77) << RunStatus::Running << true;
}

void ProfileBuilderTest::mapsStatus()
{
    QFETCH(format::State, state);
    QFETCH(RunStatus, status);
    QFETCH(bool, isPartial);
    TestSnapshot test = threeFunctions();
    test.snapshot.header.state = static_cast<std::uint32_t>(state);
    test.snapshot.header.exitCode = 3;
    test.snapshot.header.errorMessage = test.addString("a.lua:1: it failed");
    test.snapshot.header.traceback = test.addString("stack traceback: ...");
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(profile->run.status, status);
    QCOMPARE(profile->run.isPartial(), isPartial);
    QCOMPARE(profile->run.exitCode, status == RunStatus::Running ? 0 : 3);
    QCOMPARE(profile->run.errorMessage, std::string("a.lua:1: it failed"));
    QCOMPARE(profile->run.traceback, std::string("stack traceback: ..."));
}

void ProfileBuilderTest::launcherKnowsBetter()
{
    TestSnapshot test = threeFunctions();
    test.snapshot.header.state = static_cast<std::uint32_t>(format::State::Running);
    for (const RunStatus status : {RunStatus::TimeLimit, RunStatus::Killed, RunStatus::Stopped}) {
        RunInfo run;
        run.status = status;
        run.exitCode = 9;
        run.errorMessage = "killed";
        run.script = "a.lua";
        run.warnings = {"first"};
        const auto profile = buildProfile(test.snapshot, run);
        QCOMPARE(profile->run.status, status);
        QCOMPARE(profile->run.exitCode, 9);
        QCOMPARE(profile->run.errorMessage, std::string("killed"));
        QCOMPARE(profile->run.script, std::string("a.lua"));
        QCOMPARE(profile->run.warnings.front(), std::string("first"));
    }
}

void ProfileBuilderTest::describesTheRun()
{
    TestSnapshot test = threeFunctions();
    format::Header& header = test.snapshot.header;
    header.luaVersion = test.addString("Lua 5.4");
    header.workingDirectory = test.addString("/home/me");
    header.clock = static_cast<std::uint32_t>(format::Clock::ThreadCpu);
    header.startedAtUnixNs = 1700000000123456789;
    header.eventCount = 602;
    header.switchCount = 7;
    header.calibrationTicks = 50;
    header.options = format::OptionLines;
    const auto profile = buildProfile(test.snapshot);
    const RunInfo& run = profile->run;
    QCOMPARE(run.luaVersion, std::string("Lua 5.4"));
    QCOMPARE(run.interpreter, std::string("Lua 5.4"));
    QCOMPARE(run.workingDirectory, std::string("/home/me"));
    QCOMPARE(run.clock, ClockKind::Cpu);
    QCOMPARE(run.clockName, std::string("CLOCK_THREAD_CPUTIME_ID"));
    QCOMPARE(run.startedAtUnixMs, std::int64_t(1700000000123));
    QCOMPARE(run.eventCount, std::uint64_t(602));
    QCOMPARE(run.switchCount, std::uint64_t(7));
    QCOMPARE(run.calibrationTime, Duration::fromNanoseconds(50));
    QVERIFY(run.hasLines);
    QVERIFY(!run.hasMemory && !run.hasDurations && !run.hasTimeline);
    QCOMPARE(run.mode, ProfilingMode::Exact);
    QVERIFY(run.warnings.empty());
}

void ProfileBuilderTest::warnsOfLimits_data()
{
    QTest::addColumn<quint32>("limit");
    QTest::addColumn<QString>("part");
    QTest::newRow("nodes") << quint32(format::NodeLimit) << u"limit of nodes"_qs;
    QTest::newRow("depth") << quint32(format::DepthLimit) << u"limit of depth"_qs;
    QTest::newRow("strings") << quint32(format::StringLimit) << u"limit of strings"_qs;
    QTest::newRow("disk") << quint32(format::DiskFull) << u"disk is full"_qs;
    QTest::newRow("stack") << quint32(format::StackCut) << u"exact mode"_qs;
    QTest::newRow("events") << quint32(format::EventsLost) << u"timeline"_qs;
}

void ProfileBuilderTest::warnsOfLimits()
{
    QFETCH(quint32, limit);
    QFETCH(QString, part);
    TestSnapshot test = threeFunctions();
    test.snapshot.header.limits = limit;
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(profile->run.limits, limit);
    QCOMPARE(profile->run.warnings.size(), std::size_t(1));
    QVERIFY(hasWarning(*profile, qPrintable(part)));
}

void ProfileBuilderTest::warnsOfDamage()
{
    TestSnapshot test = threeFunctions();
    test.snapshot.problems = {"The file is cut off."};
    const auto profile = buildProfile(test.snapshot);
    QVERIFY(hasWarning(*profile, "cut off"));
    QVERIFY(hasWarning(*profile, "Run the script again"));
}

void ProfileBuilderTest::carriesTailEdgesAndLines()
{
    TestSnapshot test;
    const std::uint32_t source = test.addSource("@a.lua");
    const std::uint32_t f = test.addLua(source, 1, 3, 1);
    const std::uint32_t g = test.addLua(source, 5, 7, 2);
    const std::uint32_t light = test.addNode(0, f, 100, 10);
    const std::uint32_t tail = test.addNode(light, g | format::tailCallBit, 99, 20);
    const std::uint32_t heavy = test.addNode(0, g, 1, 500);
    test.snapshot.tailEdges = {{tail, light, 99}, {heavy, heavy, 0}};
    test.snapshot.nodeLines = {{heavy, 6, 12, 400, 50, 3}};
    const auto profile = buildProfile(test.snapshot);
    const CallTree& tree = *profile->tree;
    const NodeId first = tree.child(tree.root(), 0); // heaviest first: numbers have changed
    const NodeId second = tree.child(tree.root(), 1);
    QCOMPARE(tree.self(Metric::RawTime, first), std::uint64_t(500));
    QCOMPARE(profile->tailEdges.size(), std::size_t(1));
    QCOMPARE(profile->tailEdges[0].from, tree.child(second, 0));
    QCOMPARE(profile->tailEdges[0].to, second);
    QCOMPARE(profile->tailEdges[0].calls, std::uint64_t(99));
    QVERIFY(tree.isTailCall(tree.child(second, 0)));
    QCOMPARE(profile->lines.size(), std::size_t(1));
    QCOMPARE(profile->lines[0].node, first);
    QCOMPARE(profile->lines[0].line, 6);
    QCOMPARE(profile->lines[0].hits, std::uint64_t(12));
    QCOMPARE(profile->lines[0].selfTime, Duration::fromNanoseconds(400));
    QCOMPARE(profile->lines[0].calleeTime, Duration::fromNanoseconds(50));
    QCOMPARE(profile->lines[0].calleeSamples, std::uint64_t(3));
}

void ProfileBuilderTest::carriesMemoryAndSamples()
{
    TestSnapshot test = threeFunctions();
    format::Header& header = test.snapshot.header;
    header.mode = static_cast<std::uint32_t>(format::Mode::Sampling);
    header.samplingIntervalNs = 1000000;
    header.sampleCount = 10;
    header.heapPeakBytes = 4096;
    header.heapFinalBytes = 1024;
    header.collections = 3;
    test.snapshot.nodeMemory = {{0, 0}, {100, 1}, {200, 2}, {400, 4}};
    test.snapshot.nodeSamples = {{0}, {1}, {6}, {3}};
    const auto profile = buildProfile(test.snapshot);
    const CallTree& tree = *profile->tree;
    QCOMPARE(profile->run.mode, ProfilingMode::Sampling);
    QCOMPARE(profile->run.samplingInterval, Duration::fromMilliseconds(1));
    QVERIFY(profile->run.hasMemory);
    QVERIFY(!tree.has(Metric::Calls));
    QCOMPARE(sumOf(tree, Metric::Bytes), std::uint64_t(700));
    QCOMPARE(tree.self(Metric::Blocks, nodeOf(*profile, "c")), std::uint64_t(4));
    QCOMPARE(tree.total(Metric::Samples, nodeOf(*profile, "f")), std::uint64_t(9));
    QCOMPARE(profile->run.sampleCount, std::uint64_t(10));
    QCOMPARE(profile->run.heapPeakBytes, std::uint64_t(4096));
    QCOMPARE(profile->run.heapFinalBytes, std::uint64_t(1024));
    QCOMPARE(profile->run.collectionCount, std::uint64_t(3));
}

void ProfileBuilderTest::carriesSlowCallsAndHeapCurve()
{
    TestSnapshot test = threeFunctions();
    test.snapshot.slowCalls = {{2, 0, 1500, 250}};
    test.snapshot.heapCurve = {{1000, 10}, {2000, 30}};
    const auto profile = buildProfile(test.snapshot);
    QCOMPARE(profile->slowCalls.size(), std::size_t(1));
    QCOMPARE(profile->slowCalls[0].node, nodeOf(*profile, "f"));
    QCOMPARE(profile->slowCalls[0].start, Duration::fromNanoseconds(500));
    QCOMPARE(profile->slowCalls[0].duration, Duration::fromNanoseconds(250));
    QCOMPARE(profile->heapCurve.size(), std::size_t(2));
    QCOMPARE(profile->heapCurve[1].time, Duration::fromNanoseconds(1000));
    QCOMPARE(profile->heapCurve[1].bytes, std::uint64_t(30));
}

void ProfileBuilderTest::durationBucketsCoverAllTicks()
{
    using format::DurationRecord;
    QCOMPARE(DurationRecord::bucketOf(0), std::size_t(0));
    QCOMPARE(DurationRecord::bucketOf(1), std::size_t(0));
    QCOMPARE(DurationRecord::bucketOf(UINT64_MAX), DurationRecord::bucketCount - 1);
    for (std::size_t bucket = 2; bucket < DurationRecord::bucketCount; ++bucket) {
        const std::uint64_t start = DurationRecord::bucketStart(bucket);
        QCOMPARE(DurationRecord::bucketOf(start), bucket);
        QCOMPARE(DurationRecord::bucketOf(DurationRecord::bucketStart(bucket + 1) - 1), bucket);
        QVERIFY(start < DurationRecord::bucketStart(bucket + 1));
    }
}

void ProfileBuilderTest::summarizesDurations()
{
    using format::DurationRecord;
    DurationRecord record = {};
    const auto add = [&record](std::uint64_t ticks) {
        record.minimumTicks = record.count == 0 ? ticks : std::min(record.minimumTicks, ticks);
        record.maximumTicks = std::max(record.maximumTicks, ticks);
        ++record.count;
        ++record.buckets[DurationRecord::bucketOf(ticks)];
    };
    for (std::uint64_t ticks = 1000; ticks < 2000; ++ticks)
        add(ticks);
    add(50000);
    format::Header header = {};
    header.ticksPerSecond = 1e9;
    const DurationStatistics statistics = summarizeDurations(record, TickScale(header));
    QCOMPARE(statistics.count, std::uint64_t(1001));
    QCOMPARE(statistics.minimum, Duration::fromNanoseconds(1000));
    QCOMPARE(statistics.maximum, Duration::fromNanoseconds(50000));
    QVERIFY(std::abs(statistics.median.nanoseconds() - 1500) <= 2);
    QVERIFY(std::abs(statistics.percentile95.nanoseconds() - 1951) <= 60);
    QCOMPARE(statistics.buckets.size(), std::size_t(4));
    std::uint64_t count = 0;
    for (const DurationStatistics::Bucket& bucket : statistics.buckets) {
        QVERIFY(bucket.lower < bucket.upper);
        count += bucket.count;
    }
    QCOMPARE(count, statistics.count);

    QCOMPARE(summarizeDurations(DurationRecord{}, TickScale(header)).median, Duration());
    // One call: everything is that call.
    DurationRecord one = {};
    one.count = 1;
    one.minimumTicks = one.maximumTicks = 777;
    one.buckets[DurationRecord::bucketOf(777)] = 1;
    QCOMPARE(summarizeDurations(one, TickScale(header)).median, Duration::fromNanoseconds(777));
}

void ProfileBuilderTest::survivesDamagedSnapshots()
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 500; ++round) {
        TestSnapshot test = threeFunctions();
        test.snapshot.nodeMemory.resize(random() % 6);
        test.snapshot.nodeSamples.resize(random() % 6);
        test.snapshot.durations.resize(random() % 6);
        test.snapshot.tailEdges = {{static_cast<std::uint32_t>(random() % 6), 2, random()}};
        test.snapshot.nodeLines = {
            {static_cast<std::uint32_t>(random() % 9), -5, 1, random(), 1, 1}};
        test.snapshot.slowCalls = {
            {static_cast<std::uint32_t>(random() % 9), 0, random(), random()}};
        test.snapshot.header.currentNode = static_cast<std::uint32_t>(random());
        test.snapshot.header.endTicks = random();
        test.snapshot.header.ticksPerSecond = round % 2 == 0 ? notANumber : -1.0;
        for (format::NodeRecord& node : test.snapshot.nodes) {
            if (random() % 2 == 0)
                node.parent = static_cast<std::uint32_t>(random() % 6);
            if (random() % 2 == 0)
                node.function = static_cast<std::uint32_t>(random());
            node.selfTicks = random();
        }
        for (format::FunctionRecord& function : test.snapshot.functions) {
            function.source = static_cast<std::uint32_t>(random() % 3);
            function.name = static_cast<std::uint32_t>(random() % 100);
            function.kind = static_cast<format::FunctionKind>(random() % 7);
        }
        test.snapshot.strings.resize(random() % 20);
        const auto profile = buildProfile(test.snapshot);
        QCOMPARE(profile->tree->nodeCount(), 4u);
        for (std::uint32_t index = 0; index < 4; ++index)
            QVERIFY(!profile->function(profile->tree->function(NodeId(index))).name.empty());
    }
}

void ProfileBuilderTest::survivesAnEmptySnapshot()
{
    const auto profile = buildProfile(RecordingSnapshot());
    QCOMPARE(profile->tree->nodeCount(), 1u);
    QVERIFY(profile->functions.empty());
}

void ProfileBuilderTest::selfTimesOfARealRunAddUpToItsWallTime()
{
    QTemporaryDir folder;
    QFile script(folder.filePath(QStringLiteral("work.lua")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end\n"
                 "local co = coroutine.wrap(function() for i = 1, 1000 do\n"
                 "  coroutine.yield(('x'):rep(i)) end end)\n"
                 "for i = 1, 1000 do co() pcall(error, i) end\n"
                 "local function loop(n) if n > 0 then return loop(n - 1) end end\n"
                 "loop(1000) fib(18)\n");
    script.close();
    const QString recording = folder.filePath(QStringLiteral("work.plrec"));
    const auto run =
        test::runToEnd(test::recordedScript(recording, script.fileName(), {}, folder.path()));
    QCOMPARE(run.errorOutput, QByteArray());
    QCOMPARE(run.exitCode, 0);
    const auto snapshot = readRecording(recording.toStdString());
    QVERIFY(snapshot);
    RunInfo info;
    info.workingDirectory = folder.path().toStdString();
    const auto profile = buildProfile(*snapshot, info);
    QCOMPARE(profile->run.status, RunStatus::Done);
    const auto charged = static_cast<std::int64_t>(sumOf(*profile->tree, Metric::RawTime))
        + profile->run.excludedTime.nanoseconds();
    // Each node's time is rounded to a nanosecond.
    QVERIFY(std::abs(charged - profile->run.wallTime.nanoseconds())
            <= static_cast<std::int64_t>(profile->tree->nodeCount()) + 2);
    QVERIFY(sumOf(*profile->tree, Metric::Time) <= sumOf(*profile->tree, Metric::RawTime));
    QStringList names;
    for (const Function& function : profile->functions)
        names.append(QString::fromStdString(function.name + " " + profile->location(function)));
    for (const char* wanted :
         {"fib work.lua:1", "loop work.lua:5", "main chunk work.lua work.lua", "error [C]",
          "coroutine.yield [C]", "string.rep [C]", "function <work.lua:2> work.lua:2"})
        QVERIFY2(names.contains(QString::fromUtf8(wanted)), wanted);
}

QTEST_GUILESS_MAIN(ProfileBuilderTest)
#include "tst_profilebuilder.moc"
