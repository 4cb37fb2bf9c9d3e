// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/MeasuredRun.h"

#include "core/profile/OverheadCorrection.h"
#include "core/recorder/Calibration.h"
#include "core/recorder/Recorder.h"
#include "core/recording/RecordingReader.h"
#include "core/recording/TickClock.h"

#include <lua.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace perilune::bench {

namespace {

volatile std::uint64_t s_lastReading;

void emptyHook(lua_State*, lua_Debug*) { }

void timeStampHook(lua_State*, lua_Debug*)
{
    s_lastReading = readTicks(format::Clock::TimeStampCounter);
}

void monotonicHook(lua_State*, lua_Debug*)
{
    s_lastReading = readTicks(format::Clock::Monotonic);
}

lua_Hook clockHook()
{
    static const bool isCounterUsable = [] {
        double rate = 0;
        return isTimeStampCounterUsable(rate);
    }();
    return isCounterUsable ? timeStampHook : monotonicHook;
}

bool isRecorded(Watcher watcher)
{
    return watcher == Watcher::Exact || watcher == Watcher::ExactByApi
        || watcher == Watcher::Sampling;
}

/// A Lua state set up as the stand-alone interpreter does.
class State
{
public:
    explicit State(const Program& program)
        : m_state(luaL_newstate())
    {
        luaL_openlibs(m_state);
        lua_gc(m_state, LUA_GCGEN, 0, 0);
        lua_createtable(m_state, 1, 1);
        lua_pushstring(m_state, program.path.c_str());
        lua_rawseti(m_state, -2, 0);
        if (!program.argument.empty()) {
            lua_pushstring(m_state, program.argument.c_str());
            lua_rawseti(m_state, -2, 1);
        }
        lua_setglobal(m_state, "arg");
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { lua_close(m_state); }

    lua_State* get() const { return m_state; }

    bool execute(const std::string& path)
    {
        return luaL_loadfile(m_state, path.c_str()) == LUA_OK
            && lua_pcall(m_state, 0, 0, 0) == LUA_OK;
    }

    std::string takeMessage()
    {
        const char* message = lua_tostring(m_state, -1);
        std::string result = message ? message : "error without a message";
        lua_pop(m_state, 1);
        return result;
    }

    /// The share of `manyCalls` that the program has left in the global `elapsed`; 0 without one.
    double shareLeftByProgram()
    {
        if (lua_getglobal(m_state, "elapsed") != LUA_TTABLE) {
            lua_pop(m_state, 1);
            return 0;
        }
        lua_getfield(m_state, -1, "manyCalls");
        lua_getfield(m_state, -2, "oneLoop");
        const double calls = lua_tonumber(m_state, -2);
        const double loop = lua_tonumber(m_state, -1);
        lua_pop(m_state, 3);
        return calls + loop > 0 ? calls / (calls + loop) : 0;
    }

private:
    lua_State* m_state;
};

struct SplitTimes
{
    double manyCalls = 0;
    double oneLoop = 0;

    double shareOfCalls() const
    {
        return manyCalls + oneLoop > 0 ? manyCalls / (manyCalls + oneLoop) : 0;
    }
};

/// Tells in whose total time a node of split8020.lua belongs, by the names its caller uses.
class SplitFunctions
{
public:
    explicit SplitFunctions(const RecordingSnapshot& snapshot)
    {
        for (const format::NodeRecord& node : snapshot.nodes) {
            const Owner inherited =
                node.parent == format::none ? Owner::Nobody : m_owners[node.parent];
            const auto& function = snapshot.functions[node.function & ~format::tailCallBit];
            m_owners.push_back(inherited != Owner::Nobody ? inherited
                                                          : ownerOf(snapshot, function));
        }
    }

    void add(std::size_t node, double time, SplitTimes& times) const
    {
        if (m_owners[node] == Owner::ManyCalls)
            times.manyCalls += time;
        else if (m_owners[node] == Owner::OneLoop)
            times.oneLoop += time;
    }

private:
    enum class Owner
    {
        Nobody,
        ManyCalls,
        OneLoop,
    };

    static Owner ownerOf(const RecordingSnapshot& snapshot, const format::FunctionRecord& function)
    {
        const std::string_view name = snapshot.string(function.callName);
        if (name == "manyCalls")
            return Owner::ManyCalls;
        return name == "oneLoop" ? Owner::OneLoop : Owner::Nobody;
    }

    std::vector<Owner> m_owners;
};

/// The recorder attached to a state, writing to a file that is read and dropped at the end.
class Recording
{
public:
    Result<void> start(lua_State* state, Watcher watcher, const std::string& path)
    {
        m_path = path;
        if (const auto created = m_writer.create(path); !created)
            return created.error();
        RecorderOptions options;
        options.useLayout = watcher != Watcher::ExactByApi;
        if (watcher == Watcher::Sampling)
            options.mode = format::Mode::Sampling;
        return m_recorder.start(state, m_writer, options);
    }

    void finish() { m_recorder.finish(format::State::Finished, 0); }
    void detach() { m_recorder.detach(); }

    Result<void> readTimes(MeasuredRun& result) const
    {
        const auto snapshot = readRecording(m_path);
        if (!snapshot)
            return snapshot.error();
        const double rate = snapshot->header.ticksPerSecond;
        result.excludedTime = static_cast<double>(snapshot->header.excludedTicks) / rate;
        result.calibrationTime = static_cast<double>(snapshot->header.calibrationTicks) / rate;
        const std::vector<double> overhead = recordingOverhead(*snapshot);
        const SplitFunctions functions(*snapshot);
        double raw = 0;
        double corrected = 0;
        SplitTimes rawSplit;
        SplitTimes correctedSplit;
        for (std::size_t node = 0; node < snapshot->nodes.size(); ++node) {
            const auto self = static_cast<double>(snapshot->nodes[node].selfTicks);
            const double trueSelf = std::max(0.0, self - overhead[node]);
            raw += self;
            corrected += trueSelf;
            functions.add(node, self, rawSplit);
            functions.add(node, trueSelf, correctedSplit);
        }
        result.rawSelfTime = raw / rate;
        result.correctedSelfTime = corrected / rate;
        result.rawShare = rawSplit.shareOfCalls();
        result.correctedShare = correctedSplit.shareOfCalls();
        return {};
    }

private:
    std::string m_path;
    RecordingWriter m_writer;
    Recorder m_recorder;
};

/// Both clocks at one moment.
struct Moment
{
    std::uint64_t processor = nanosecondsOf(CLOCK_THREAD_CPUTIME_ID);
    std::uint64_t wall = nanosecondsOf(CLOCK_MONOTONIC);
};

double secondsBetween(std::uint64_t first, std::uint64_t second)
{
    return static_cast<double>(second - first) / 1e9;
}

} // namespace

Result<MeasuredRun> run(const Program& program, Watcher watcher, const std::string& recordingPath)
{
    State state(program);
    std::optional<Recording> recording;
    if (isRecorded(watcher)) {
        recording.emplace();
        if (const auto started = recording->start(state.get(), watcher, recordingPath); !started)
            return started.error();
    } else if (watcher != Watcher::Nothing) {
        lua_sethook(state.get(), watcher == Watcher::EmptyHook ? emptyHook : clockHook(),
                    LUA_MASKCALL | LUA_MASKRET, 0);
    }
    const Moment start;
    const bool isGood = state.execute(program.path);
    if (recording)
        recording->finish();
    const Moment end;
    lua_sethook(state.get(), nullptr, 0, 0);
    MeasuredRun result;
    result.processorTime = secondsBetween(start.processor, end.processor);
    result.wallTime = secondsBetween(start.wall, end.wall);
    result.trueShare = state.shareLeftByProgram();
    if (recording) {
        recording->detach();
        if (const auto read = recording->readTimes(result); !read)
            return read.error();
    }
    if (!isGood)
        return Error{Error::Code::ScriptFailed, state.takeMessage()};
    return result;
}

} // namespace perilune::bench
