// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/LuaLayout.h"
#include "core/recorder/PointerMap.h"
#include "tests/unit/recorder/RecordedScript.h"

#include <QTest>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <map>
#include <new>
#include <random>
#include <sys/resource.h>
#include <thread>
#include <unordered_map>

using namespace perilune;
using test::quickOptions;
using test::record;
using test::RecordedScript;

namespace {

std::atomic<std::uint64_t> s_allocations = 0;

int allocationsSoFar(lua_State* state)
{
    lua_pushinteger(state, static_cast<lua_Integer>(s_allocations.load()));
    return 1;
}

} // namespace

// Counts what C++ code of this program allocates; Lua's own memory comes from realloc.
void* operator new(std::size_t bytes)
{
    ++s_allocations;
    if (void* memory = std::malloc(bytes ? bytes : 1))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

class RecorderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layoutFitsThisLua();
    void pointerMapAgreesWithReference();
    void tellsFunctionsApart_data();
    void tellsFunctionsApart();
    void countsAcrossAddressReuse();
    void allocatesNothingPerEvent();
    void foldsBeyondNodeLimit();
    void foldsBeyondDepthLimit();
    void keepsScriptRunningOnFullDisk();
    void lets_scriptHookFire();
    void pathsAndClocksAgree();
    void recordsTwoStatesInTwoThreads();
    void addsUpToWallTime();
    void givesTimeAfterAnErrorToTheHost();
    void countsLinesExactly();
    void countsDurations();
    void countsMemory();
    void showsNothingNegativeAfterCorrection();
};

void RecorderTest::layoutFitsThisLua()
{
    layout::ObjectSizes sizes;
    QVERIFY(layout::isLayoutValid(sizes));
    QVERIFY(sizes.prototype >= 100 && sizes.prototype < 256);
    QVERIFY(sizes.thread >= 150 && sizes.thread < 400);
}

void RecorderTest::pointerMapAgreesWithReference()
{
    std::mt19937 random(7);
    PointerMap<std::uint32_t> map;
    std::unordered_map<std::uint64_t, std::uint32_t> reference;
    for (int step = 0; step < 200000; ++step) {
        const std::uint64_t key = 1 + random() % 5000;
        if (random() % 3 == 0) {
            map.erase(key);
            reference.erase(key);
        } else {
            map.insert(key) = static_cast<std::uint32_t>(step);
            reference[key] = static_cast<std::uint32_t>(step);
        }
    }
    QCOMPARE(map.size(), reference.size());
    for (std::uint64_t key = 1; key <= 5000; ++key) {
        const std::uint32_t* value = map.find(key);
        const auto expected = reference.find(key);
        QCOMPARE(value != nullptr, expected != reference.end());
        if (value)
            QCOMPARE(*value, expected->second);
    }
}

void RecorderTest::tellsFunctionsApart_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("functions");
    QTest::addColumn<int>("calls");
    QTest::newRow("closures made in a loop are one function")
        << "for i = 1, 50 do local function f() return i end f() end"
        << "f" << 1 << 50;
    QTest::newRow("two functions of one name are two")
        << "do local function f() end f() end\ndo local function f() end f() f() end"
        << "f" << 2 << 3;
    QTest::newRow("a chunk loaded twice under one name is one")
        << "for i = 1, 3 do local g = load('local function f() end f() f()', '=x') g() end"
        << "function <x:1>" << 1 << 6;
    QTest::newRow("another text under the same name is another function")
        << "for i = 1, 4 do load('local function f() return \"' .. i .. '\" end f()', '=x')() end"
        << "function <x:1>" << 4 << 4;
}

void RecorderTest::tellsFunctionsApart()
{
    QFETCH(QString, code);
    QFETCH(QString, name);
    QFETCH(int, functions);
    QFETCH(int, calls);
    for (const bool useLayout : {true, false}) {
        RecorderOptions options = quickOptions();
        options.useLayout = useLayout;
        const RecordedScript script = record(code.toStdString(), options);
        QCOMPARE(QString::fromStdString(script.error), QString());
        const std::string wanted = script.functionCount(name.toStdString()) > 0
            ? name.toStdString()
            : std::string("f"); // the caller's name, where the text is not known
        QCOMPARE(script.functionCount(wanted), functions);
        QCOMPARE(script.calls(wanted), std::uint64_t(calls));
    }
}

void RecorderTest::countsAcrossAddressReuse()
{
    // Prototypes die and others take their addresses, while one calling node stays the same.
    const RecordedScript script = record(R"(
        local function call(f) return f() end
        for i = 1, 2000 do
          local f = load("return " .. i % 7, "=chunk" .. i % 7)
          call(f)
          if i % 10 == 0 then collectgarbage() end
        end)");
    QCOMPARE(QString::fromStdString(script.error), QString());
    int chunks = 0;
    for (const FunctionCosts& row : script.table.rows()) {
        const Function& function = script.profile->function(row.function);
        if (function.name.find("chunk") == std::string::npos || function.name.find("main") != 0
            || function.name.find("call(f)") != std::string::npos)
            continue;
        if (row.calls == 1)
            continue;
        ++chunks;
        QVERIFY2(row.calls == 285 || row.calls == 286, function.name.c_str());
    }
    QCOMPARE(chunks, 7);
}

void RecorderTest::allocatesNothingPerEvent()
{
    const RecordedScript script =
        record(R"(
        local function leaf(x) return x end
        local function fail() error("x") end
        local function tail(n) if n == 0 then return 0 end return tail(n - 1) end
        local co = coroutine.wrap(function() while true do coroutine.yield(1) end end)
        local function work(n)
          for i = 1, n do leaf(i) math.abs(i) pcall(fail) tail(3) co() end
        end
        work(100)
        local before = allocationsSoFar()
        work(10000)
        local after = allocationsSoFar()
        if after - before > 0 then error(after - before .. " allocations") end)",
               quickOptions(),
               [](lua_State* state) { lua_register(state, "allocationsSoFar", allocationsSoFar); });
    QCOMPARE(QString::fromStdString(script.error), QString());
    QCOMPARE(script.calls("leaf"), std::uint64_t(10100));
}

void RecorderTest::foldsBeyondNodeLimit()
{
    RecorderOptions options = quickOptions();
    options.limits.nodes = 50;
    const RecordedScript script = record(R"(
        local function down(n) if n > 0 then down(n - 1) end end
        down(500))",
                                         options);
    QVERIFY((script.snapshot.header.limits & format::NodeLimit) != 0);
    QVERIFY(script.snapshot.nodes.size() <= 102);
    const std::uint64_t folded = script.calls("(calls beyond the node limit)");
    QVERIFY(folded > 0);
    QCOMPARE(script.calls("down") + folded, std::uint64_t(501));
    QVERIFY(!script.profile->run.warnings.empty());
}

void RecorderTest::foldsBeyondDepthLimit()
{
    RecorderOptions options = quickOptions();
    options.limits.depth = 10;
    const RecordedScript script = record(R"(
        local function down(n) if n > 0 then down(n - 1) end end
        down(100) down(100))",
                                         options);
    QVERIFY((script.snapshot.header.limits & format::DepthLimit) != 0);
    QCOMPARE(script.calls("down") + script.calls("(calls beyond the depth limit)"),
             std::uint64_t(202));
    QCOMPARE(script.calls("down"), std::uint64_t(18)); // depth 2 to 10, twice
}

void RecorderTest::keepsScriptRunningOnFullDisk()
{
    rlimit before;
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small = {600000, before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    const RecordedScript script = record(R"(
        local function down(n) if n > 0 then return 1 + down(n - 1) end return 0 end
        if down(100000) ~= 100000 then error("wrong") end)");
    ::setrlimit(RLIMIT_FSIZE, &before);
    QCOMPARE(QString::fromStdString(script.error), QString());
    QVERIFY((script.snapshot.header.limits & format::DiskFull) != 0);
    QVERIFY(script.calls("down") > 1000);
    QVERIFY(!script.profile->run.warnings.empty());
}

void RecorderTest::lets_scriptHookFire()
{
    const RecordedScript script = record(R"(
        local calls, lines = 0, 0
        local function f() return 1 end
        debug.sethook(function(event) if event == "line" then lines = lines + 1
                                      else calls = calls + 1 end end, "cl")
        local hook, mask = debug.gethook()
        for i = 1, 10 do f() end
        debug.sethook()
        assert(type(hook) == "function" and mask == "cl")
        assert(debug.gethook() == nil)
        assert(calls == 12, calls) -- gethook, f, sethook
        assert(lines > 10, lines)
        for i = 1, 5 do f() end)");
    QCOMPARE(QString::fromStdString(script.error), QString());
    QCOMPARE(script.calls("f"), std::uint64_t(15));
}

void RecorderTest::pathsAndClocksAgree()
{
    const std::string code = R"(
        local function even(n) if n == 0 then return true end return odd(n - 1) end
        function odd(n) if n == 0 then return false end return even(n - 1) end
        for i = 1, 20 do even(i) pcall(error, {}) table.sort({3, 1, 2}, function(a, b) return a < b end) end
        local gen = coroutine.wrap(function() for i = 1, 5 do coroutine.yield(even(i)) end end)
        for i = 1, 5 do gen() end)";
    const RecordedScript reference = record(code);
    for (const auto clock : {format::Clock::Monotonic, format::Clock::ThreadCpu}) {
        for (const bool useLayout : {true, false}) {
            RecorderOptions options = quickOptions();
            options.clock = clock;
            options.useLayout = useLayout;
            const RecordedScript other = record(code, options);
            QCOMPARE(other.snapshot.header.clock, static_cast<std::uint32_t>(clock));
            QCOMPARE(other.snapshot.nodes.size(), reference.snapshot.nodes.size());
            for (const char* name : {"even", "odd", "pcall", "table.sort", "coroutine.yield"})
                QCOMPARE(other.calls(name), reference.calls(name));
        }
    }
}

void RecorderTest::recordsTwoStatesInTwoThreads()
{
    const auto code = [](int calls) {
        return "local function f() end for i = 1, " + std::to_string(calls) + " do f() end";
    };
    RecordedScript first;
    RecordedScript second;
    std::thread other([&] { second = record(code(20000)); });
    first = record(code(30000));
    other.join();
    QCOMPARE(first.calls("f"), std::uint64_t(30000));
    QCOMPARE(second.calls("f"), std::uint64_t(20000));
}

void RecorderTest::addsUpToWallTime()
{
    const RecordedScript script = record(R"(
        local function f(n) local s = 0 for i = 1, n do s = s + i end return s end
        local co = coroutine.wrap(function() while true do coroutine.yield(f(10)) end end)
        for i = 1, 2000 do pcall(error, "x") f(20) co() end)");
    const format::Header& header = script.snapshot.header;
    std::uint64_t sum = header.excludedTicks;
    for (const format::NodeRecord& node : script.snapshot.nodes)
        sum += node.selfTicks;
    QCOMPARE(sum, header.endTicks - header.startTicks);
}

void RecorderTest::givesTimeAfterAnErrorToTheHost()
{
    const RecordedScript script = record("local function fails() error('x') end fails()");
    QVERIFY(!script.error.empty());
    const format::Header& header = script.snapshot.header;
    QCOMPARE(header.currentNode, std::uint32_t(0));
    for (const format::NodeRecord& node : script.snapshot.nodes)
        QCOMPARE(node.lostReturns, node.parent == format::none ? 0u : 1u);
}

void RecorderTest::countsLinesExactly()
{
    RecorderOptions options = quickOptions();
    options.lines = true;
    const RecordedScript script = record(R"(
local function f(n)
  local s = 0
  for i = 1, n do
    s = s + i
  end
  return s
end
f(10)
f(5))",
                                         options);
    std::map<int, std::uint64_t> hits;
    for (const NodeLine& line : script.profile->lines)
        hits[line.line] += line.hits;
    QCOMPARE(hits[3], std::uint64_t(2));
    QCOMPARE(hits[5], std::uint64_t(15));
    QCOMPARE(hits[7], std::uint64_t(2));
    QCOMPARE(hits[9], std::uint64_t(1));
}

void RecorderTest::countsDurations()
{
    RecorderOptions options = quickOptions();
    options.durations = true;
    const RecordedScript script = record(R"(
        local function quick() end
        local function slow() for i = 1, 200000 do end end
        for i = 1, 100 do quick() end
        for i = 1, 3 do slow() end
        pcall(function() local function dies() error("x") end dies() end))",
                                         options);
    std::uint64_t counted = 0;
    for (const FunctionCosts& row : script.table.rows()) {
        const std::string& name = script.profile->function(row.function).name;
        const DurationStatistics& statistics = script.profile->durations[row.function.value()];
        if (name == "quick" || name == "slow" || name == "dies") {
            QCOMPARE(statistics.count, row.calls);
            QVERIFY(statistics.minimum <= statistics.median);
            QVERIFY(statistics.median <= statistics.percentile95);
            QVERIFY(statistics.percentile95 <= statistics.maximum);
            ++counted;
        }
    }
    QCOMPARE(counted, std::uint64_t(3));
    int slowCalls = 0;
    for (const SlowCall& call : script.profile->slowCalls)
        if (script.profile->function(script.profile->tree->function(call.node)).name == "slow")
            ++slowCalls;
    QCOMPARE(slowCalls, 3);
}

void RecorderTest::countsMemory()
{
    RecorderOptions options = quickOptions();
    options.memory = true;
    const RecordedScript script = record(R"(
        collectgarbage("stop")
        local function tables() for i = 1, 1000 do local t = {} end end
        local function strings() for i = 1, 1000 do local s = "key number " .. i .. (" "):rep(60) end end
        tables() strings())",
                                         options);
    const format::Header& header = script.snapshot.header;
    std::uint64_t bytes = 0;
    std::uint64_t blocks = 0;
    for (const format::NodeMemoryRecord& node : script.snapshot.nodeMemory) {
        bytes += node.bytes;
        blocks += node.blocks;
    }
    std::uint64_t bytesByType = 0;
    std::uint64_t blocksByType = 0;
    for (const auto& type : header.allocatedByType) {
        blocksByType += type[0];
        bytesByType += type[1];
    }
    QCOMPARE(bytes, bytesByType);
    QCOMPARE(blocks, blocksByType);
    QCOMPARE(script.self(Metric::Blocks, "tables"), std::uint64_t(1000));
    QCOMPARE(script.self(Metric::Bytes, "tables"), std::uint64_t(1000 * 56));
    QVERIFY(header.heapPeakBytes >= header.heapFinalBytes);
    QVERIFY(header.heapFinalBytes > 0 && header.heapFinalBytes < (1u << 30));
}

void RecorderTest::showsNothingNegativeAfterCorrection()
{
    RecorderOptions options = quickOptions();
    options.calibrate = true;
    const RecordedScript script = record(R"(
        local function empty() end
        for i = 1, 100000 do empty() end)",
                                         options);
    const OverheadCorrection& correction = script.profile->run.correction;
    QVERIFY(correction.method == CorrectionMethod::Calibrated);
    QVERIFY(correction.removed > Duration());
    QVERIFY(correction.estimatedSlowdown > 1.0);
    const CallTree& tree = *script.profile->tree;
    const std::uint64_t raw = tree.total(Metric::RawTime, tree.root());
    const std::uint64_t corrected = tree.total(Metric::Time, tree.root());
    const auto removed = static_cast<std::uint64_t>(correction.removed.nanoseconds());
    QVERIFY(corrected < raw);
    // Rounding of each node to whole nanoseconds is all that may differ.
    QVERIFY(std::max(corrected + removed, raw) - std::min(corrected + removed, raw) < 100);
}

QTEST_GUILESS_MAIN(RecorderTest)
#include "tst_recorder.moc"
