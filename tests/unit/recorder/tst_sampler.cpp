// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/recorder/RecordedScript.h"

#include <QTest>

#include <map>

using namespace perilune;
using test::quickOptions;
using test::record;
using test::RecordedScript;

namespace {

RecorderOptions sampling(std::chrono::microseconds interval = std::chrono::microseconds(200))
{
    RecorderOptions options = quickOptions();
    options.mode = format::Mode::Sampling;
    options.samplingInterval = interval;
    return options;
}

double share(const RecordedScript& script, const std::string& name)
{
    return static_cast<double>(script.self(Metric::Time, name))
        / static_cast<double>(script.table.sum(Metric::Time));
}

} // namespace

class SamplerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitsTimeAsItWasSpent_data();
    void splitsTimeAsItWasSpent();
    void leavesScriptAsItIs();
    void followsCoroutines();
    void seesCFunctionsAtTheirReturn();
    void keepsBlockingCallsWhole();
    void cutsDeepStacksVisibly();
    void findsTheHotLine();
    void samplesAllocation();
    void survivesFastTicks();
};

void SamplerTest::splitsTimeAsItWasSpent_data()
{
    QTest::addColumn<bool>("useLayout");
    QTest::newRow("layout") << true;
    QTest::newRow("public API") << false;
}

void SamplerTest::splitsTimeAsItWasSpent()
{
    QFETCH(bool, useLayout);
    RecorderOptions options = sampling();
    options.useLayout = useLayout;
    // Processor time on both sides, so that other programs do not matter.
    options.clock = format::Clock::ThreadCpu;
    const RecordedScript script = record(R"(
        local clock = os.clock
        local function spin(seconds)
          local stop = clock() + seconds
          while clock() < stop do for i = 1, 200 do end end
        end
        local function most() spin(0.15) return 1 end
        local function rest() spin(0.05) return 1 end
        most() rest())",
                                         options);
    QCOMPARE(QString::fromStdString(script.error), QString());
    QVERIFY(!script.profile->tree->has(Metric::Calls)); // nothing was counted, nothing is shown
    QVERIFY(script.profile->run.sampleCount > 100);
    std::uint64_t most = 0;
    for (const FunctionCosts& row : script.table.rows())
        if (script.profile->function(row.function).name == "most")
            most = row.total[0];
    const double measured =
        static_cast<double>(most) / static_cast<double>(script.table.sum(Metric::Time));
    // 0.75 with the sampling error of some hundred samples, five times over.
    QVERIFY2(measured > 0.65 && measured < 0.85, qPrintable(QString::number(measured)));
}

void SamplerTest::leavesScriptAsItIs()
{
    const RecordedScript script = record(R"(
        local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b) error("gone " .. c) end)
        local ok, sum = coroutine.resume(co, 1, 2)
        assert(ok and sum == 3)
        local bad, message = coroutine.resume(co, "x")
        assert(not bad and message:find("gone x"))
        assert(coroutine.status(co) == "dead")
        local dead, why = coroutine.resume(co)
        assert(not dead and why == "cannot resume dead coroutine")
        local w = coroutine.wrap(function() error({}) end)
        local fine, object = pcall(w)
        assert(not fine and type(object) == "table")
        local named = coroutine.wrap(function() error("text", 0) end)
        local _, text = pcall(function() named() end)
        assert(text:find("text$"), text)
        assert(not pcall(coroutine.resume, 1))
        assert(debug.gethook() == nil)
        local count = 0
        debug.sethook(function() count = count + 1 end, "c")
        for i = 1, 10 do math.abs(i) end
        debug.sethook()
        assert(count == 11, count)
        local outer = coroutine.wrap(function() return coroutine.isyieldable(), coroutine.running() end)
        local yieldable, thread = outer()
        assert(yieldable and type(thread) == "thread"))",
                                         sampling());
    QCOMPARE(QString::fromStdString(script.error), QString());
}

void SamplerTest::followsCoroutines()
{
    RecorderOptions options = sampling();
    options.clock = format::Clock::ThreadCpu;
    const RecordedScript script = record(R"(
        local function inside() local s = 0 for i = 1, 4000 do s = s + i end return s end
        local co = coroutine.wrap(function() while true do inside() coroutine.yield() end end)
        for i = 1, 6000 do co() end)",
                                         options);
    QCOMPARE(QString::fromStdString(script.error), QString());
    QVERIFY2(share(script, "inside") > 0.6, qPrintable(QString::number(share(script, "inside"))));
    // It hangs under the function that resumed it.
    bool isUnderResumer = false;
    const CallTree& tree = *script.profile->tree;
    for (std::uint32_t node = 1; node < tree.nodeCount(); ++node) {
        const NodeId id(node);
        if (script.profile->function(tree.function(id)).name != "inside")
            continue;
        const NodeId body = tree.parent(id);
        const NodeId resumer = tree.parent(body);
        isUnderResumer = isUnderResumer
            || script.profile->function(tree.function(resumer)).name == "coroutine.wrap resumer";
    }
    QVERIFY(isUnderResumer);
}

void SamplerTest::seesCFunctionsAtTheirReturn()
{
    RecorderOptions options = sampling();
    options.clock = format::Clock::ThreadCpu;
    const RecordedScript script = record(R"(
        local text = ("a"):rep(120)
        local function search() return text:find(".-.-.-b") end
        local stop = os.clock() + 0.1
        while os.clock() < stop do search() end)",
                                         options);
    QVERIFY2(share(script, "string.find") > 0.8,
             qPrintable(QString::number(share(script, "string.find"))));
}

void SamplerTest::keepsBlockingCallsWhole()
{
    const RecordedScript script = record(R"(
        local pipe = io.popen("sleep 0.15; echo one; sleep 0.15; echo two")
        assert(pipe:read("l") == "one")
        assert(pipe:read("l") == "two")
        assert(pipe:close())
        assert(os.execute("sleep 0.1") == true))",
                                         sampling(std::chrono::microseconds(100)));
    QCOMPARE(QString::fromStdString(script.error), QString());
    // The time belongs to the functions that waited.
    QVERIFY(share(script, "file:read") + share(script, "os.execute") + share(script, "file:close")
            > 0.8);
}

void SamplerTest::cutsDeepStacksVisibly()
{
    const RecordedScript script = record(R"(
        local function down(n) if n > 0 then return 1 + down(n - 1) end
          local s = 0 for i = 1, 3000000 do s = s + i end return 0 end
        down(150000))",
                                         sampling());
    QCOMPARE(QString::fromStdString(script.error), QString());
    QVERIFY((script.snapshot.header.limits & format::StackCut) != 0);
    QCOMPARE(script.functionCount("(outer part of a stack too deep to walk)"), 1);
    QVERIFY(!script.profile->run.warnings.empty());
}

void SamplerTest::findsTheHotLine()
{
    RecorderOptions options = sampling();
    options.clock = format::Clock::ThreadCpu;
    const RecordedScript script = record(R"(
local stop = os.clock() + 0.1
local function work()
  local s = 0
  for i = 1, 20000 do s = s + i * i end
  s = s + 1
  return s
end
while os.clock() < stop do work() end)",
                                         options);
    std::map<int, Duration> self;
    Duration all;
    for (const NodeLine& line : script.profile->lines) {
        self[line.line] += line.selfTime;
        all += line.selfTime;
    }
    QVERIFY(self[5].shareOf(all) > 0.8);
}

void SamplerTest::samplesAllocation()
{
    RecorderOptions options = sampling();
    options.memory = true;
    const RecordedScript script = record(R"(
        local function makesMost() local t = {} for i = 1, 300 do t[i] = {i} end return t end
        local function makesLittle() local s = 0 for i = 1, 3000 do s = s + i end return {} end
        for i = 1, 300 do makesMost() makesLittle() end)",
                                         options);
    std::uint64_t byType = 0;
    for (const auto& type : script.snapshot.header.allocatedByType)
        byType += type[1];
    QCOMPARE(script.table.sum(Metric::Bytes), byType);
    QVERIFY(script.self(Metric::Bytes, "makesMost") * 10 > byType * 8);
}

void SamplerTest::survivesFastTicks()
{
    RecorderOptions options = sampling(std::chrono::microseconds(100));
    options.memory = true;
    const RecordedScript script = record(R"(
        local function fail(n) if n == 0 then error("x") end return 1 + fail(n - 1) end
        local function gen(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
        for round = 1, 150 do
          pcall(fail, 50)
          for v in gen(30) do local s = ("x"):rep(v) end
          table.sort({5, 3, 1, 4}, function(a, b) return a < b end)
          load("return " .. round)()
          setmetatable({}, {__gc = function() local t = {} end})
          if round % 20 == 0 then collectgarbage() end
          local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() end}) coroutine.yield() end)
          coroutine.resume(co) coroutine.close(co)
        end)",
                                         options);
    QCOMPARE(QString::fromStdString(script.error), QString());
    const format::Header& header = script.snapshot.header;
    std::uint64_t sum = header.excludedTicks;
    for (const format::NodeRecord& node : script.snapshot.nodes)
        sum += node.selfTicks;
    QCOMPARE(sum, header.endTicks - header.startTicks);
}

QTEST_GUILESS_MAIN(SamplerTest)
#include "tst_sampler.moc"
