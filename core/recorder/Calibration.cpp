// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/Calibration.h"

#include "core/recorder/CallTreeRecorder.h"
#include "core/recording/RecordingWriter.h"
#include "core/recording/TickClock.h"

#include <lua.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace perilune {

namespace {

bool isTimeStampCounterInvariant()
{
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
#else
    return false;
#endif
}

/// The kernel takes it for its own clock only where it agrees between processors.
bool doesKernelTrustIt()
{
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    return static_cast<bool>(file >> name)
        && (name == "tsc" || name == "kvm-clock" || name == "hyperv_clocksource_tsc_page");
}

struct Reading
{
    std::uint64_t ticks;
    std::uint64_t nanoseconds;
};

/// Both clocks at one moment: the pair that was read in the shortest time of a few.
Reading readBoth()
{
    Reading best = {};
    std::uint64_t shortest = UINT64_MAX;
    for (int attempt = 0; attempt < 8; ++attempt) {
        const std::uint64_t before = readTimeStampCounter();
        const std::uint64_t nanoseconds = nanosecondsOf(CLOCK_MONOTONIC);
        const std::uint64_t after = readTimeStampCounter();
        if (after - before < shortest) {
            shortest = after - before;
            best = {before + (after - before) / 2, nanoseconds};
        }
    }
    return best;
}

double rateBetween(const Reading& first, const Reading& second)
{
    const double nanoseconds = static_cast<double>(second.nanoseconds - first.nanoseconds);
    return nanoseconds > 0 ? static_cast<double>(second.ticks - first.ticks) / nanoseconds * 1e9
                           : 0;
}

void waitNanoseconds(std::uint64_t nanoseconds)
{
    const std::uint64_t end = nanosecondsOf(CLOCK_MONOTONIC) + nanoseconds;
    while (nanosecondsOf(CLOCK_MONOTONIC) < end) { }
}

} // namespace

bool isTimeStampCounterUsable(double& ticksPerSecond)
{
    if (!isTimeStampCounterInvariant() || !doesKernelTrustIt())
        return false;
    const Reading start = readBoth();
    waitNanoseconds(1000000);
    const Reading middle = readBoth();
    waitNanoseconds(1000000);
    const Reading end = readBoth();
    ticksPerSecond = rateBetween(start, end);
    const double first = rateBetween(start, middle);
    const double second = rateBetween(middle, end);
    return first > 1e6 && std::abs(first - second) < 0.01 * first;
}

namespace {

/// Which hook is measured.
struct HookKind
{
    bool useLayout;
    bool lines;
    bool durations;
    double lineCost = 0; ///< Of one line event, once it is known: taken out of what calls cost.

    bool hasDetails() const { return lines || durations; }
    int mask() const { return LUA_MASKCALL | LUA_MASKRET | (lines ? LUA_MASKLINE : 0); }
};

/// A small program whose events are of known kinds, run with and without the hook.
struct Kernel
{
    const char* code; ///< Defines the function `run`, which does everything.
};

// Calls among Lua functions as programs make them: recursion, methods on objects, swapping callees.
// One constant per event fits recursion and object code to about a tenth; see tests/bench.
constexpr Kernel luaKernels[] = {
    {R"(local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
        function run() fib(18) end)"},
    {R"(local Stack = {} Stack.__index = Stack
        function Stack:push(v) local n = self.n + 1 self[n] = v self.n = n end
        function Stack:pop() local n = self.n local v = self[n] self.n = n - 1 return v end
        local function move(from, to) to:push(from:pop()) end
        local function tower(n, a, b, c)
          if n == 1 then move(a, b) return end
          tower(n - 1, a, c, b) move(a, b) tower(n - 1, c, b, a)
        end
        local function new() return setmetatable({n = 0}, Stack) end
        function run()
          local a, b, c = new(), new(), new()
          for i = 1, 11 do a:push(i) end
          tower(11, a, b, c)
        end)"},
    {R"(local v = {1, 2, 3, 4, 5, 6, 7}
        local function swap(t, i, j) local x = t[i] t[i] = t[j] t[j] = x end
        local function permute(n)
          if n == 0 then return end
          permute(n - 1)
          for i = n - 1, 1, -1 do swap(v, n, i) permute(n - 1) swap(v, n, i) end
        end
        function run() permute(6) end)"},
};

constexpr Kernel cKernel = {
    R"(local floor, byte, max, select = math.floor, string.byte, math.max, select
        function run()
          local s = 0
          for i = 1, 2000 do s = s + floor(i / 3) + byte("hello", i % 5 + 1) + max(s, i % 7) + select("#", i) end
        end)"};
constexpr Kernel fixedKernel = {R"(local function pick(a, b, c) return a end
        function run() for i = 1, 500 do pick(i, i, i) end end)"};
constexpr Kernel callbackKernel = {R"(local t = {}
        local function less(a, b) return a < b end
        local sort = table.sort
        function run()
          local x = 42
          for i = 1, 500 do x = (x * 1103515245 + 12345) % 2147483648 t[i] = x end
          sort(t, less)
        end)"};
constexpr Kernel lineKernel = {R"(function run()
          local a, b = 0, 0
          for i = 1, 1000 do
            a = i + b
            b = a ~ i
          end
        end)"};
constexpr Kernel tailKernel = {
    R"(local function count(n) if n == 0 then return 0 end return count(n - 1) end
        function run() count(500) end)"};
constexpr Kernel coroutineKernel = {
    R"(local create, yield, resume = coroutine.create, coroutine.yield, coroutine.resume
        local function body() while true do yield(1) end end
        function run()
          local co = create(body)
          for i = 1, 200 do resume(co, i) end
        end)"};

/// What one kernel did, and what its hook cost.
struct Measurement
{
    double extraTicks = 0; ///< With the hook less without it, for one run.
    double plainTicks = 0;
    double luaCalls = 0; ///< By Lua functions; those of C functions are fromCCalls.
    double fromCCalls = 0;
    double cCalls = 0;
    double switches = 0;
    double lineHits = 0;
    double innerTicks = 0; ///< Self time of everything below `run`, in the fastest hooked run.
};

/// A Lua state with one kernel loaded, recorded into memory.
class KernelState
{
public:
    KernelState(const Kernel& kernel, format::Clock clock, HookKind hookKind)
        : m_clock(clock)
        , m_hook(CallTreeRecorder::hookFor(clock, hookKind.useLayout, hookKind.hasDetails()))
        , m_mask(hookKind.mask())
    {
        layout::ObjectSizes sizes;
        m_state = luaL_newstate();
        if (!m_state || !m_writer.createAnonymous())
            return;
        luaL_openlibs(m_state);
        lua_gc(m_state, LUA_GCSTOP);
        m_tree.emplace(m_writer, RecordingLimits(), sizes);
        if (hookKind.hasDetails())
            m_tree->recordDetails(hookKind.lines, hookKind.durations);
        m_isReady = m_tree->begin(m_state, clock) && luaL_dostring(m_state, kernel.code) == LUA_OK;
    }
    KernelState(const KernelState&) = delete;
    KernelState& operator=(const KernelState&) = delete;
    ~KernelState()
    {
        if (m_state)
            lua_close(m_state);
    }
    bool isReady() const { return m_isReady; }

    double runPlain() { return run(nullptr); }
    double runHooked() { return run(m_hook); }

    /// Self ticks recorded so far below `run`, which is node 1.
    double innerTicks()
    {
        const auto* nodes = m_writer.data<format::NodeRecord>(format::Section::Nodes);
        const std::uint64_t count = m_writer.count(format::Section::Nodes);
        double sum = 0;
        for (std::uint64_t index = 2; index < count; ++index)
            sum += static_cast<double>(nodes[index].selfTicks);
        return sum;
    }

    Measurement counts(double hookedRuns)
    {
        Measurement result;
        const auto* functions = m_writer.data<format::FunctionRecord>(format::Section::Functions);
        const auto* nodes = m_writer.data<format::NodeRecord>(format::Section::Nodes);
        const std::uint64_t count = m_writer.count(format::Section::Nodes);
        for (std::uint64_t index = 2; index < count; ++index) { // 0: host, 1: run
            const auto& function = functions[nodes[index].function & ~format::tailCallBit];
            const auto& parent =
                functions[nodes[nodes[index].parent].function & ~format::tailCallBit];
            const double calls = static_cast<double>(nodes[index].calls) / hookedRuns;
            if (function.kind == format::FunctionKind::C)
                result.cCalls += calls;
            else
                (parent.kind == format::FunctionKind::C ? result.fromCCalls : result.luaCalls) +=
                    calls;
        }
        const auto* lines = m_writer.data<format::NodeLineRecord>(format::Section::NodeLines);
        for (std::uint64_t index = 0; index < m_writer.count(format::Section::NodeLines); ++index)
            result.lineHits += static_cast<double>(lines[index].hits) / hookedRuns;
        result.switches = static_cast<double>(m_writer.header().switchCount) / hookedRuns;
        return result;
    }

private:
    double run(lua_Hook hook)
    {
        lua_getglobal(m_state, "run");
        // The main thread's hook is inherited when a coroutine is made; an older one has its own.
        lua_sethook(m_state, hook, hook ? m_mask : 0, 0);
        const std::uint64_t before = readTicks(m_clock);
        lua_call(m_state, 0, 0);
        const std::uint64_t after = readTicks(m_clock);
        lua_sethook(m_state, nullptr, 0, 0);
        return static_cast<double>(after - before);
    }

    format::Clock m_clock;
    lua_Hook m_hook;
    int m_mask;
    RecordingWriter m_writer;
    std::optional<CallTreeRecorder> m_tree;
    lua_State* m_state = nullptr;
    bool m_isReady = false;
};

constexpr int repetitions = 7;

/// The mean of the faster half: whatever else the machine does only makes runs slower.
double typical(std::array<double, repetitions>& runs)
{
    std::sort(runs.begin(), runs.end());
    constexpr int half = (repetitions + 1) / 2;
    return std::accumulate(runs.begin(), runs.begin() + half, 0.0) / half;
}

/// Runs a kernel in turn with and without the hook; the fastest run of each counts, since whatever
/// else the machine does only makes runs slower.
Measurement measure(const Kernel& kernel, format::Clock clock, HookKind hookKind)
{
    KernelState plain(kernel, clock, hookKind);
    KernelState hooked(kernel, clock, hookKind);
    if (!plain.isReady() || !hooked.isReady())
        return {};
    std::array<double, repetitions> plainRuns;
    std::array<double, repetitions> hookedRuns;
    const double innerBefore = hooked.innerTicks();
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        plainRuns[repetition] = plain.runPlain();
        hookedRuns[repetition] = hooked.runHooked();
    }
    Measurement result = hooked.counts(repetitions);
    result.innerTicks = (hooked.innerTicks() - innerBefore) / repetitions;
    result.plainTicks = typical(plainRuns);
    result.extraTicks = std::max(
        0.0, typical(hookedRuns) - result.plainTicks - result.lineHits * hookKind.lineCost);
    return result;
}

double perCall(double ticks, double calls)
{
    return calls > 0 ? ticks / calls : 0;
}

struct LuaCost
{
    double ticks = 0;  ///< Of one call and its return.
    double spread = 0; ///< Half the range over the kernels, as a share.
};

/// The cost that leaves the smallest squared error in the corrected times of the kernels: a kernel
/// that does little but call weighs most, since an error of the cost shows most in such programs.
LuaCost luaCallCost(format::Clock clock, HookKind hookKind)
{
    double sum = 0;
    double weights = 0;
    double lowest = 1e18;
    double highest = 0;
    for (const Kernel& kernel : luaKernels) {
        const Measurement measured = measure(kernel, clock, hookKind);
        const double cost = perCall(measured.extraTicks, measured.luaCalls);
        const double share =
            measured.plainTicks > 0 ? measured.extraTicks / measured.plainTicks : 0;
        sum += cost * share * share;
        weights += share * share;
        lowest = std::min(lowest, cost);
        highest = std::max(highest, cost);
    }
    if (weights <= 0)
        return {};
    return {sum / weights, (highest - lowest) / 2 * weights / sum};
}

/// How a call's cost is shared between its two events and, at each, between caller and callee.
struct CostSplit
{
    double callShare;   ///< Of the whole cost: the call event. The rest is the return event.
    double calleeShare; ///< Of each event's cost: what the callee is charged with.
};

CostSplit splitOf(const Measurement& fixed, const Measurement& tail, double luaCost)
{
    // A tail call has a call event and leaves its caller's return event out.
    const double callShare = luaCost > 0 ? perCall(tail.extraTicks, tail.luaCalls) / luaCost : 0.5;
    // The callee of the kernel does nothing; of what a call costs without hook, its own
    // instructions are somewhat less than half.
    const double ownTicks = 0.4 * fixed.plainTicks;
    const double calleeShare =
        fixed.extraTicks > 0 ? (fixed.innerTicks - ownTicks) / fixed.extraTicks : 0.5;
    return {std::clamp(callShare, 0.3, 0.8), std::clamp(calleeShare, 0.3, 0.7)};
}

} // namespace

format::Calibration calibrate(format::Clock clock, bool useLayout, bool lines, bool durations)
{
    HookKind hookKind = {useLayout, lines, durations};
    if (lines) {
        const Measurement measured = measure(lineKernel, clock, hookKind);
        hookKind.lineCost = perCall(measured.extraTicks, measured.lineHits);
    }
    const LuaCost lua = luaCallCost(clock, hookKind);
    const double luaCost = lua.ticks;
    const Measurement c = measure(cKernel, clock, hookKind);
    const double cCost = perCall(c.extraTicks, c.cCalls);
    const Measurement callback = measure(callbackKernel, clock, hookKind);
    const Measurement coroutine = measure(coroutineKernel, clock, hookKind);
    const CostSplit split = splitOf(measure(fixedKernel, clock, hookKind),
                                    measure(tailKernel, clock, hookKind), luaCost);

    format::Calibration result = {};
    const auto share = [&](double cost, bool isCall, bool isCallee) {
        return cost * (isCall ? split.callShare : 1 - split.callShare)
            * (isCallee ? split.calleeShare : 1 - split.calleeShare);
    };
    result.luaCallBefore = share(luaCost, true, false);
    result.luaCallAfter = share(luaCost, true, true);
    result.luaReturnBefore = share(luaCost, false, true);
    result.luaReturnAfter = share(luaCost, false, false);
    result.cCallBefore = share(cCost, true, false);
    result.cCallAfter = share(cCost, true, true);
    result.cReturnBefore = share(cCost, false, true);
    result.cReturnAfter = share(cCost, false, false);
    result.fromCExtra =
        perCall(callback.extraTicks - callback.cCalls * cCost, callback.fromCCalls) - luaCost;
    result.switchCost = std::max(0.0,
                                 perCall(coroutine.extraTicks - coroutine.cCalls * cCost
                                             - coroutine.fromCCalls * (luaCost + result.fromCExtra),
                                         coroutine.switches));
    result.lineEvent = hookKind.lineCost;
    result.spread = lua.spread;
    return result;
}

} // namespace perilune
