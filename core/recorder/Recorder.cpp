// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/Recorder.h"

#include "core/recorder/Calibration.h"

#include <algorithm>
#include <atomic>
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
/// The only recorder of the process, or null: spares each resume in sampling mode the search.
std::atomic<Recorder*> s_onlyRecorder = nullptr;

void updateOnlyRecorder()
{
    s_onlyRecorder = s_recorders.size() == 1 ? s_recorders.front().second : nullptr;
}

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
    // Only states that are recorded have hooks and functions that ask.
    if (Recorder* only = s_onlyRecorder.load(std::memory_order_acquire))
        return only;
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
    {
        const std::lock_guard lock(s_mutex);
        s_recorders.emplace_back(lua_topointer(state, LUA_REGISTRYINDEX), this);
        updateOnlyRecorder();
    }
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    header.startedAtUnixNs = static_cast<std::int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
    const auto started = options.mode == format::Mode::Sampling
        ? startSampling(options, clock, useLayout, sizes)
        : startExact(options, clock, useLayout, sizes);
    if (started)
        header.state = static_cast<std::uint32_t>(format::State::Running);
    return started;
}

Result<void> Recorder::startExact(const RecorderOptions& options, format::Clock clock,
                                  bool useLayout, const layout::ObjectSizes& sizes)
{
    format::Header& header = m_writer->header();
    const bool withDetails = options.lines || options.durations;
    const int mask = LUA_MASKCALL | LUA_MASKRET | (options.lines ? LUA_MASKLINE : 0);
    m_hook = CallTreeRecorder::hookFor(clock, useLayout, withDetails);
    m_userHooks = std::make_unique<UserHooks>(m_hook, mask);
    m_tree = std::make_unique<CallTreeRecorder>(*m_writer, options.limits, sizes);
    m_tree->setAttention(attend);
    if (!options.setHook)
        return m_tree->begin(m_state, clock);
    if (options.calibrate) {
        const std::uint64_t before = readTicks(clock);
        header.calibration = calibrate(clock, useLayout, options.lines, options.durations);
        header.calibrationTicks = readTicks(clock) - before;
    }
    if (withDetails) {
        const format::Calibration& costs = header.calibration;
        m_tree->recordDetails(options.lines, options.durations)
            .setEventCost((costs.luaCallBefore + costs.luaCallAfter + costs.luaReturnBefore
                           + costs.luaReturnAfter)
                          / 2);
    }
    watchAllocation(sizes, options);
    m_userHooks->install(m_state);
    if (const auto begun = m_tree->begin(m_state, clock, options.memory); !begun)
        return begun.error();
    lua_sethook(m_state, m_hook, mask, 0);
    return {};
}

Result<void> Recorder::startSampling(const RecorderOptions& options, format::Clock clock,
                                     bool useLayout, const layout::ObjectSizes& sizes)
{
    m_hook = sampleHook;
    m_userHooks = std::make_unique<UserHooks>(m_hook, 0);
    m_sampler = std::make_unique<Sampler>(*m_writer, options.limits, sizes);
    watchAllocation(sizes, options);
    m_userHooks->install(m_state);
    m_sampler->coroutines().install(m_state);
    return m_sampler->begin(m_state, clock, options.samplingInterval, m_hook, useLayout,
                            m_heap.get());
}

void Recorder::watchAllocation(const layout::ObjectSizes& sizes, const RecorderOptions& options)
{
    m_sizes = sizes;
    m_allocation = std::make_unique<AllocationWatch>(sizes, blockFreed, this);
    if (options.memory) {
        m_heap = std::make_unique<HeapRecorder>(*m_writer, m_sampler != nullptr);
        m_heap->begin(m_state);
        m_allocation->countIn(*m_heap, m_sampler ? wantsMemorySample : nullptr);
    }
    m_allocation->install(m_state);
}

void Recorder::wantsMemorySample(void* recorder)
{
    static_cast<Recorder*>(recorder)->m_sampler->armForMemory();
}

void Recorder::blockFreed(void* recorder, void* block, std::size_t bytes)
{
    auto* self = static_cast<Recorder*>(recorder);
    if (bytes == self->m_sizes.thread) {
        const auto* thread = static_cast<const char*>(block) + self->m_sizes.threadOffset;
        self->m_userHooks->forget(reinterpret_cast<const lua_State*>(thread));
    }
    if (self->m_tree)
        self->m_tree->blockFreed(block, bytes);
    else
        self->m_sampler->blockFreed(block, bytes);
}

void Recorder::hide(lua_CFunction function)
{
    if (m_tree)
        m_tree->hide(function);
    else
        m_sampler->hide(function);
}

void Recorder::finish(format::State outcome, int exitCode, std::string_view message,
                      std::string_view traceback)
{
    if (!m_writer || m_writer->header().state != static_cast<std::uint32_t>(format::State::Running))
        return;
    if (m_tree)
        m_tree->end();
    else
        m_sampler->end();
    if (m_heap)
        m_heap->end();
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
    if (m_userHooks)
        m_userHooks->remove(m_state);
    if (m_sampler) {
        m_sampler->stopTicking();
        m_sampler->coroutines().remove(m_state);
    }
    if (m_allocation)
        m_allocation->remove(m_state);
    stateClosed();
}

void Recorder::stateClosed()
{
    const std::lock_guard lock(s_mutex);
    std::erase_if(s_recorders, [this](const auto& entry) { return entry.second == this; });
    updateOnlyRecorder();
    m_state = nullptr;
}

void Recorder::userHooksChanged()
{
    if (m_tree)
        m_tree->raiseAttention(AttentionUserHooks);
}

void Recorder::interrupt(void (*handler)(lua_State* state))
{
    m_interruptHandler = handler;
    if (m_sampler) {
        m_sampler->armRunning();
        return;
    }
    m_tree->raiseAttention(AttentionInterrupt);
    // The coroutine that runs may be another one by now; then its first event sees the attention.
    if (lua_State* running = m_tree->currentState())
        lua_sethook(running, m_hook, m_userHooks->maskFor(running) | LUA_MASKCOUNT, 1);
}

/// Calls the handler that interrupt() was given, once; it may not return.
bool Recorder::takeInterrupt(lua_State* state)
{
    void (*handler)(lua_State*) = m_interruptHandler;
    if (!handler)
        return false;
    m_interruptHandler = nullptr;
    handler(state);
    return true;
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
        recorder->takeInterrupt(state);
    }
    if ((tree.attention() & AttentionUserHooks) != 0)
        recorder->m_userHooks->dispatch(state, record);
}

/// Fires once for each armed tick, and for the script's own hooks.
void Recorder::sampleHook(lua_State* state, lua_Debug* record)
{
    Recorder* recorder = of(state);
    if (!recorder) {
        lua_sethook(state, nullptr, 0, 0);
        return;
    }
    const int event = record->event;
    const int line = record->currentline;
    const bool isOurs = recorder->m_sampler->onEvent(state, record);
    UserHooks& hooks = *recorder->m_userHooks;
    const int mask = hooks.maskFor(state);
    lua_sethook(state, mask != 0 ? recorder->m_hook : nullptr, mask, hooks.countFor(state));
    // A tick that came meanwhile has just been disarmed.
    if (recorder->m_sampler->isArmed())
        recorder->m_sampler->armRunning();
    recorder->takeInterrupt(state);
    if (mask == 0 || isOurs)
        return;
    record->event = event;
    record->currentline = line;
    hooks.dispatch(state, record);
}

} // namespace perilune
