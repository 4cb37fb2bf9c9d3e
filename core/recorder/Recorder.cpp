// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/Recorder.h"

#include "core/recorder/Calibration.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace perilune {

namespace {

/// What the hook has to attend to beyond recording.
enum Attention : unsigned
{
    AttentionUserHooks = 1u << 0,
    AttentionInterrupt = 1u << 1,
};

std::mutex s_mutex;
std::vector<std::pair<const void*, Recorder*>> s_recorders; ///< By the registry of the Lua state.

format::Clock chooseClock(const RecorderOptions& options, double& ticksPerSecond)
{
    using format::Clock;
    const Clock wanted = options.clock.value_or(Clock::TimeStampCounter);
    if (wanted == Clock::TimeStampCounter && isTimeStampCounterUsable(ticksPerSecond))
        return wanted;
    ticksPerSecond = 1e9;
    return wanted == Clock::TimeStampCounter ? Clock::Monotonic : wanted;
}

} // namespace

Recorder::~Recorder()
{
    detach();
}

Recorder* Recorder::of(lua_State* state)
{
    const void* registry = lua_topointer(state, LUA_REGISTRYINDEX);
    const std::lock_guard lock(s_mutex);
    for (const auto& [known, recorder] : s_recorders)
        if (known == registry)
            return recorder;
    return nullptr;
}

Result<void> Recorder::start(lua_State* state, RecordingWriter& writer,
                             const RecorderOptions& options)
{
    m_writer = &writer;
    m_state = state;
    layout::ObjectSizes sizes;
    const bool useLayout = layout::isLayoutValid(sizes) && options.useLayout;
    format::Header& header = writer.header();
    const format::Clock clock = chooseClock(options, header.ticksPerSecond);
    header.layoutPath = useLayout ? 1 : 0;
    header.processId = static_cast<std::uint32_t>(::getpid());
    header.luaVersion = writer.addString(LUA_VERSION);
    if (options.calibrate && options.setHook) {
        const std::uint64_t before = readTicks(clock);
        header.calibration = calibrate(clock, useLayout);
        header.calibrationTicks = readTicks(clock) - before;
    }
    m_tree = std::make_unique<CallTreeRecorder>(writer, options.limits, sizes);
    m_tree->setAttention(attend);
    m_hook = CallTreeRecorder::hookFor(clock, useLayout);
    m_allocation = std::make_unique<AllocationWatch>(*m_tree);
    m_userHooks = std::make_unique<UserHooks>(m_hook);
    {
        const std::lock_guard lock(s_mutex);
        s_recorders.emplace_back(lua_topointer(state, LUA_REGISTRYINDEX), this);
    }
    if (options.setHook) {
        m_allocation->install(state);
        m_userHooks->install(state);
    }
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    header.startedAtUnixNs = static_cast<std::int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
    if (const auto begun = m_tree->begin(state, clock); !begun)
        return begun.error();
    header.state = static_cast<std::uint32_t>(format::State::Running);
    if (options.setHook)
        lua_sethook(state, m_hook, UserHooks::recorderMask, 0);
    return {};
}

void Recorder::finish(format::State outcome, int exitCode, std::string_view message,
                      std::string_view traceback)
{
    if (!m_tree || m_writer->header().state != static_cast<std::uint32_t>(format::State::Running))
        return;
    m_tree->end();
    format::Header& header = m_writer->header();
    if (!message.empty())
        header.errorMessage = m_writer->addString(message);
    if (!traceback.empty())
        header.traceback = m_writer->addString(traceback);
    header.exitCode = exitCode;
    header.state = static_cast<std::uint32_t>(outcome);
}

void Recorder::detach()
{
    if (!m_state)
        return;
    lua_sethook(m_state, nullptr, 0, 0);
    m_userHooks->remove(m_state);
    m_allocation->remove(m_state);
    stateClosed();
}

void Recorder::stateClosed()
{
    const std::lock_guard lock(s_mutex);
    std::erase_if(s_recorders, [this](const auto& entry) { return entry.second == this; });
    m_state = nullptr;
}

void Recorder::userHooksChanged()
{
    m_tree->raiseAttention(AttentionUserHooks);
}

void Recorder::interrupt(void (*handler)(lua_State* state))
{
    m_interruptHandler = handler;
    m_tree->raiseAttention(AttentionInterrupt);
    // The coroutine that runs may be another one by now; then its first event sees the attention.
    if (lua_State* running = m_tree->currentState())
        lua_sethook(running, m_hook, UserHooks::recorderMask | LUA_MASKCOUNT, 1);
}

void Recorder::attend(CallTreeRecorder& tree, lua_State* state, lua_Debug* record)
{
    Recorder* recorder = of(state);
    if (!recorder)
        return;
    if ((tree.attention() & AttentionInterrupt) != 0) {
        tree.lowerAttention(AttentionInterrupt);
        UserHooks& hooks = *recorder->m_userHooks;
        if (lua_State* armed = tree.currentState())
            lua_sethook(armed, recorder->m_hook, hooks.maskFor(armed), hooks.countFor(armed));
        recorder->m_interruptHandler(state);
    }
    if ((tree.attention() & AttentionUserHooks) != 0)
        recorder->m_userHooks->dispatch(state, record);
}

} // namespace perilune
