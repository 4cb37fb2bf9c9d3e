// SPDX-License-Identifier: GPL-3.0-or-later
#include "SampleProfile.h"

#include "core/session/ColumnBlock.h"

#include <random>
#include <sstream>

namespace perilune::test {

namespace {

using Random = std::mt19937_64;

Duration nanoseconds(std::uint64_t number)
{
    return Duration::fromNanoseconds(static_cast<std::int64_t>(number));
}

RunInfo sampleRun(unsigned seed)
{
    RunInfo run;
    run.script = "dir/script " + std::to_string(seed) + ".lua";
    run.arguments = {"", "a b", "\xff\xfe not UTF-8", std::string("zero\0byte", 9)};
    run.workingDirectory = "/home/user/dir";
    run.environment = {{"EMPTY", ""}, {"SET", "ä=1"}, {"UNSET", std::nullopt}};
    run.standardInput = "/tmp/input";
    run.scriptHash = "0123456789abcdef";
    run.interpreter = "Lua 5.4";
    run.luaVersion = "Lua 5.4";
    run.machine = "A machine, 2 cores";
    run.gitCommit = "c0ffee";
    run.gitDirty = true;
    run.mode = ProfilingMode::Sampling;
    run.clock = ClockKind::Cpu;
    run.clockName = "CLOCK_MONOTONIC";
    run.samplingInterval = Duration::fromMilliseconds(1);
    run.hasLines = true;
    run.hasMemory = true;
    run.hasDurations = true;
    run.hasTimeline = true;
    run.status = RunStatus::ScriptError;
    run.exitCode = 1;
    run.signal = 9;
    run.errorMessage = "script.lua:1: no";
    run.traceback = "stack traceback:\n\t[C]: in ?";
    run.startedAtUnixMs = 1700000000123 + seed;
    run.wallTime = Duration::fromMilliseconds(1234);
    run.excludedTime = nanoseconds(77);
    run.calibrationTime = nanoseconds(88);
    run.correction = {CorrectionMethod::Calibrated, nanoseconds(5), nanoseconds(6), 1.25, 0.015625};
    run.eventCount = UINT64_MAX;
    run.switchCount = 3;
    run.sampleCount = 4;
    run.limits = 0x80000001;
    run.heapPeakBytes = 1u << 20;
    run.heapFinalBytes = 1u << 19;
    run.collectionCount = 12;
    run.warnings = {"First.", "Second."};
    run.repeatGroup = "group";
    run.isWarmUp = true;
    return run;
}

std::vector<Source> sampleSources(unsigned seed)
{
    std::string text = "local function f() end\n" + std::string(seed % 5, '\n') + "return f()\n";
    const std::uint64_t hash = fnv1a(text);
    return {{"@dir/script.lua", "/home/user/dir/script.lua", "dir/script.lua", std::move(text),
             hash, format::SourceKind::File, true},
            {"return 1", "", "[string \"return 1\"]", "return 1",
             fnv1a(std::string_view("return 1")), format::SourceKind::String, false},
            {"=name", "", "name", "", UINT64_MAX, format::SourceKind::None, true}};
}

std::vector<Function> sampleFunctions()
{
    return {{"(interpreter)", {}, -1, -1, format::none, FunctionKind::Host, false},
            {"main chunk dir/script.lua", SourceId(0), 0, 0, 0, FunctionKind::Main, false},
            {"f", SourceId(0), 1, 1, 1, FunctionKind::Lua, false},
            {"function <name:7>", SourceId(2), 7, 9, format::none, FunctionKind::Lua, true},
            {"string.format", {}, -1, -1, format::none, FunctionKind::C, false},
            {"(folded calls)", {}, -1, -1, format::none, FunctionKind::Folded, false},
            {"never called", SourceId(1), 1, 1, 1, FunctionKind::Lua, false}};
}

/// Every metric, every function but the last, a chain and a fan.
std::shared_ptr<const CallTree> sampleTree(Random& random)
{
    std::vector<CallTree::Input> nodes(20);
    for (std::uint32_t index = 0; index < nodes.size(); ++index) {
        CallTree::Input& node = nodes[index];
        node.parent = index == 0 ? UINT32_MAX : index < 8 ? index - 1 : std::uint32_t(random() % 8);
        node.function = FunctionId(index == 0 ? 0 : 1 + std::uint32_t(random() % 5));
        node.isTailCall = index % 3 == 2;
        for (std::uint64_t& self : node.self)
            self = random() % 1000000;
    }
    return CallTree::build(nodes, (1u << metricCount) - 1);
}

void addFunctionDurations(Profile& profile, Random& random)
{
    profile.durations.resize(profile.functions.size());
    for (std::size_t function = 1; function < profile.functions.size(); function += 2) {
        DurationStatistics& duration = profile.durations[function];
        duration = {
            10, nanoseconds(1), nanoseconds(random() % 100), nanoseconds(200), nanoseconds(300),
            {}};
        duration.buckets = {{nanoseconds(1), nanoseconds(2), 3},
                            {nanoseconds(256), nanoseconds(362), 7}};
    }
}

} // namespace

Profile sampleProfile(unsigned seed)
{
    Random random(seed);
    Profile profile;
    profile.run = sampleRun(seed);
    profile.sources = sampleSources(seed);
    profile.functions = sampleFunctions();
    profile.tree = sampleTree(random);
    profile.tailEdges = {{NodeId(3), NodeId(4), 5}, {NodeId(1), NodeId(0), UINT64_MAX}};
    profile.lines = {{NodeId(1), 1, 2, nanoseconds(30), nanoseconds(40), 5},
                     {NodeId(1), 2, 1, nanoseconds(random() % 100), nanoseconds(0), 0},
                     {NodeId(9), 1, 7, nanoseconds(1), nanoseconds(2), 3}};
    addFunctionDurations(profile, random);
    profile.slowCalls = {{NodeId(5), nanoseconds(100), nanoseconds(900)},
                         {NodeId(2), nanoseconds(50), nanoseconds(800)}};
    profile.heapCurve = {{nanoseconds(0), 1000}, {nanoseconds(10), 900}, {nanoseconds(20), 5000}};
    return profile;
}

Profile largeProfile(std::uint32_t functionCount, std::uint32_t nodeCount, unsigned seed)
{
    Random random(seed);
    Profile profile;
    profile.run.script = "large.lua";
    profile.run.status = RunStatus::Done;
    profile.run.startedAtUnixMs = 1700000000000 + seed;
    profile.sources = {
        {"@large.lua", "/large.lua", "large.lua", "", 1, format::SourceKind::File, true}};
    for (std::uint32_t index = 0; index < functionCount; ++index) {
        const int line = static_cast<int>(index);
        profile.functions.push_back({"function" + std::to_string(index), SourceId(0), line,
                                     line + 1, index, FunctionKind::Lua, false});
    }
    std::vector<CallTree::Input> nodes(nodeCount);
    for (std::uint32_t index = 0; index < nodeCount; ++index) {
        nodes[index].parent = index == 0 ? UINT32_MAX : std::uint32_t(random() % index);
        nodes[index].function = FunctionId(index % functionCount);
        for (const std::size_t metric : {0, 1, 2})
            nodes[index].self[metric] = random() % 100000;
    }
    profile.tree = CallTree::build(nodes, 7);
    return profile;
}

namespace {

void describeRun(std::ostream& text, const RunInfo& run)
{
    text << run.script << '|' << run.workingDirectory << '|' << run.standardInput << '|'
         << run.scriptHash << '|' << run.interpreter << '|' << run.luaVersion << '|' << run.machine
         << '|' << run.gitCommit << run.gitDirty << '\n';
    for (const std::string& argument : run.arguments)
        text << "argument " << argument << '\n';
    for (const auto& [name, value] : run.environment)
        text << "variable " << name << (value ? "=" + *value : " unset") << '\n';
    text << int(run.mode) << int(run.clock) << run.clockName << ' '
         << run.samplingInterval.nanoseconds() << run.hasLines << run.hasMemory << run.hasDurations
         << run.hasTimeline << '\n';
    text << int(run.status) << ' ' << run.exitCode << ' ' << run.signal << run.errorMessage << '|'
         << run.traceback << ' ' << run.startedAtUnixMs << ' ' << run.wallTime.nanoseconds() << ' '
         << run.excludedTime.nanoseconds() << ' ' << run.calibrationTime.nanoseconds() << '\n';
    text << int(run.correction.method) << ' ' << run.correction.removed.nanoseconds() << ' '
         << run.correction.clamped.nanoseconds() << ' ' << run.correction.estimatedSlowdown << ' '
         << run.correction.residualShare << '\n';
    text << run.eventCount << ' ' << run.switchCount << ' ' << run.sampleCount << ' ' << run.limits
         << ' ' << run.heapPeakBytes << ' ' << run.heapFinalBytes << ' ' << run.collectionCount
         << ' ' << run.repeatGroup.value_or("no group") << run.isWarmUp << '\n';
    for (const std::string& warning : run.warnings)
        text << "warning " << warning << '\n';
}

void describeFunctions(std::ostream& text, const Profile& profile)
{
    for (const Source& source : profile.sources)
        text << "source " << source.chunkName << '|' << source.path << '|' << source.label << '|'
             << source.text << '|' << source.hash << ' ' << int(source.kind) << source.isComplete
             << '\n';
    for (const Function& function : profile.functions)
        text << "function " << function.name << ' ' << function.source.value() << ' '
             << function.line << ' ' << function.lastLine << ' ' << function.ordinal << ' '
             << int(function.kind) << function.isStripped << '\n';
}

void describeTree(std::ostream& text, const CallTree& tree)
{
    text << "measured " << tree.measured() << '\n';
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index) {
        const NodeId node(index);
        text << "node " << tree.parent(node).value() << ' ' << tree.function(node).value()
             << (tree.isTailCall(node) ? " tail" : "");
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            text << ' ' << tree.self(static_cast<Metric>(metric), node) << '/'
                 << tree.total(static_cast<Metric>(metric), node);
        text << '\n';
    }
}

void describeParts(std::ostream& text, const Profile& profile)
{
    for (const TailEdge& edge : profile.tailEdges)
        text << "tail " << edge.from.value() << ' ' << edge.to.value() << ' ' << edge.calls << '\n';
    for (const NodeLine& line : profile.lines)
        text << "line " << line.node.value() << ' ' << line.line << ' ' << line.hits << ' '
             << line.selfTime.nanoseconds() << ' ' << line.calleeTime.nanoseconds() << ' '
             << line.calleeSamples << '\n';
    for (const DurationStatistics& duration : profile.durations) {
        text << "duration " << duration.count << ' ' << duration.minimum.nanoseconds() << ' '
             << duration.median.nanoseconds() << ' ' << duration.percentile95.nanoseconds() << ' '
             << duration.maximum.nanoseconds();
        for (const auto& bucket : duration.buckets)
            text << " [" << bucket.lower.nanoseconds() << ' ' << bucket.upper.nanoseconds() << ' '
                 << bucket.count << ']';
        text << '\n';
    }
    for (const SlowCall& call : profile.slowCalls)
        text << "slow " << call.node.value() << ' ' << call.start.nanoseconds() << ' '
             << call.duration.nanoseconds() << '\n';
    for (const HeapPoint& point : profile.heapCurve)
        text << "heap " << point.time.nanoseconds() << ' ' << point.bytes << '\n';
}

} // namespace

std::string textOf(const Profile& profile)
{
    std::ostringstream text;
    describeRun(text, profile.run);
    describeFunctions(text, profile);
    describeTree(text, *profile.tree);
    describeParts(text, profile);
    return text.str();
}

} // namespace perilune::test
