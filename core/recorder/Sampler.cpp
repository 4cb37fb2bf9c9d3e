// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/Sampler.h"

#include <algorithm>
#include <csignal>

namespace perilune {

using format::NodeRecord;
using format::Section;

namespace {

thread_local Sampler* t_sampler = nullptr;

constexpr int sampleMask = LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT;

} // namespace

Sampler::Sampler(RecordingWriter& writer, const RecordingLimits& limits,
                 const layout::ObjectSizes& sizes)
    : m_writer(writer)
    , m_header(&writer.header())
    , m_sizes(sizes)
    , m_functions(writer, limits.stringBytes)
    , m_tree(writer, limits)
    , m_lines(writer)
{
    m_frames.reserve(deepestWalk + 1);
    m_previous.reserve(deepestWalk + 1);
}

Sampler::~Sampler()
{
    m_ticker.stop();
    if (t_sampler == this)
        t_sampler = nullptr;
}

Result<void> Sampler::begin(lua_State* main, format::Clock clock, std::chrono::nanoseconds interval,
                            lua_Hook hook, bool useLayout, HeapRecorder* heap)
{
    if (!m_functions.addHost() || !m_tree.begin(heap != nullptr, true))
        return Error{Error::Code::NoSpace, "no room for the recording"};
    m_functions.learnName(reinterpret_cast<std::uintptr_t>(CoroutineTracker::wrappedFunction()),
                          "coroutine.wrap resumer");
    m_clock = clock;
    m_hook = hook;
    m_useLayout = useLayout;
    m_heap = heap;
    m_coroutines.begin(main, onSwitch, this);
    m_header->mode = static_cast<std::uint32_t>(format::Mode::Sampling);
    m_header->options |= format::OptionLines;
    m_header->samplingIntervalNs = static_cast<std::uint64_t>(interval.count());
    m_header->clock = static_cast<std::uint32_t>(clock);
    m_header->nodesAddress = reinterpret_cast<std::uintptr_t>(m_tree.root());
    m_header->currentNodeAddress = m_header->nodesAddress;
    lua_Debug host;
    m_baseCallInfo = lua_getstack(main, 0, &host) != 0 ? host.i_ci : nullptr;
    t_sampler = this;
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(Ticker::signalNumber(), &action, nullptr);
    m_header->startMonotonicNs = nanosecondsOf(CLOCK_MONOTONIC);
    m_header->startTicks = readTicks(clock);
    m_header->lastTicks = m_header->startTicks;
    if (!m_ticker.start(interval, *this))
        return Error{Error::Code::CannotStart, "the sampler's thread could not be started"};
    return {};
}

void Sampler::hostContinues()
{
    if (m_hasStopped)
        return;
    const std::uint64_t now = readTicks(m_clock);
    if (now > m_header->lastTicks) {
        reinterpret_cast<NodeRecord*>(m_header->currentNodeAddress)->selfTicks
            += now - m_header->lastTicks;
        m_header->lastTicks = now;
    }
    m_header->currentNodeAddress = m_header->nodesAddress;
}

void Sampler::end()
{
    if (m_hasStopped)
        return;
    m_hasStopped = true;
    const std::uint64_t now = readTicks(m_clock);
    if (now > m_header->lastTicks)
        reinterpret_cast<NodeRecord*>(m_header->currentNodeAddress)->selfTicks +=
            now - m_header->lastTicks;
    m_header->lastTicks = std::max(now, m_header->lastTicks);
    m_header->endTicks = m_header->lastTicks;
    m_header->endMonotonicNs = nanosecondsOf(CLOCK_MONOTONIC);
    if (m_functions.isIncomplete())
        m_header->limits |= format::StringLimit;
}

bool Sampler::wantsTick()
{
    if (m_hasStopped)
        return false;
    // One that waits for a memory sample is made one of time as well.
    return !m_isTimeDue.exchange(true) || !m_isArmed || ++m_ticksWaited > patience;
}

/// The thread sleeps, so nothing it runs can look at the hook before it wakes; by then the fields
/// are complete. Its processor time does not pass, so there is nothing to sample by that clock.
void Sampler::armSleeping()
{
    if (m_useLayout && m_clock != format::Clock::ThreadCpu)
        arm(m_coroutines.running(), false);
    else if (!m_useLayout)
        m_ticksWaited = 0;
}

void Sampler::armForMemory()
{
    if (!m_isArmed && !m_hasStopped)
        armRunning();
}

void Sampler::armRunning()
{
    arm(m_coroutines.running(), true);
}

/// Sets the hook without lua_sethook, which would walk all activations of a deep stack at each
/// tick: only the innermost one has to look at its hooks at once, the others see the mask at their
/// returns.
void Sampler::arm(lua_State* state, bool isRunning)
{
    m_ticksWaited = 0;
    m_isArmed = true;
    if (!m_useLayout) {
        lua_sethook(state, m_hook, sampleMask | lua_gethookmask(state), 1);
        return;
    }
    const int mask = layout::load<int>(state, layout::stateHookMask);
    layout::store(state, layout::stateHook, m_hook);
    layout::store(state, layout::stateBaseHookCount, 1);
    layout::store(state, layout::stateHookCount, 1);
    layout::store(state, layout::stateHookMask, mask | sampleMask);
    if (!isRunning)
        return;
    auto* callInfo = const_cast<void*>(layout::runningCallInfo(state));
    if ((layout::load<unsigned short>(callInfo, layout::callInfoStatus) & layout::statusIsC) == 0)
        layout::store(callInfo, layout::callInfoTrap, 1);
}

void Sampler::onSignal(int)
{
    if (t_sampler && !t_sampler->m_hasStopped)
        t_sampler->armRunning();
}

/// Another coroutine goes on: a sample that waits for its event waits there.
void Sampler::onSwitch(void* sampler, lua_State* state)
{
    auto* self = static_cast<Sampler*>(sampler);
    if (self->m_isArmed)
        self->arm(state, true);
}

bool Sampler::onEvent(lua_State* state, lua_Debug* record)
{
    if (!m_isArmed || m_hasStopped)
        return false;
    m_isArmed = false;
    takeSample(state, record);
    return record->event == LUA_HOOKCOUNT;
}

void Sampler::takeSample(lua_State* state, const lua_Debug* record)
{
    const std::uint64_t now = readTicks(m_clock);
    if (state != m_coroutines.running()) {
        ++m_header->missedSamples; // resumed by a C module: whom it runs for is not known
        return;
    }
    // At its call event a function has not run yet: the time was its caller's.
    const bool skipsTop = record->event == LUA_HOOKCALL;
    m_frames.clear();
    m_isCut = false;
    if (m_useLayout)
        collectFrames(state, skipsTop);
    else
        collectByApi(state, skipsTop);
    std::reverse(m_frames.begin(), m_frames.end());
    resolveFrames();
    if (m_heap && m_heap->wantsSample())
        m_heap->sampled(m_tree.indexOf(topNode()));
    const bool isTimeDue = m_isTimeDue.exchange(false);
    if (isTimeDue && now > m_header->lastTicks)
        chargeFrames(now - m_header->lastTicks);
    std::swap(m_frames, m_previous);
    // The sample's own time is nobody's; after one of memory alone, the interval goes on behind it.
    const std::uint64_t after = readTicks(m_clock);
    const std::uint64_t own = after > now ? after - now : 0;
    m_header->excludedTicks += own;
    m_header->lastTicks = isTimeDue ? std::max(now, after) : m_header->lastTicks + own;
}

NodeRecord* Sampler::topNode() const
{
    return m_frames.empty() ? m_tree.root() : m_frames.back().node;
}

void Sampler::collectFrames(lua_State* state, bool skipsTop)
{
    for (; state; state = m_coroutines.resumerOf(state)) {
        const void* callInfo = layout::runningCallInfo(state);
        if (skipsTop && !layout::isBase(callInfo))
            callInfo = layout::previous(callInfo);
        skipsTop = false;
        for (; !layout::isBase(callInfo) && callInfo != m_baseCallInfo;
             callInfo = layout::previous(callInfo)) {
            if (m_frames.size() == deepestWalk) {
                m_isCut = true;
                return;
            }
            SampledFrame frame;
            frame.state = state;
            frame.callInfo = callInfo;
            frame.key = layout::functionKey(callInfo);
            if (frame.key == m_hiddenFunction)
                continue;
            if (layout::isLuaFunction(callInfo))
                frame.instruction = layout::load<const void*>(callInfo, layout::callInfoSavedPc);
            m_frames.push_back(frame);
        }
    }
}

void Sampler::collectByApi(lua_State* state, bool skipsTop)
{
    for (; state; state = m_coroutines.resumerOf(state)) {
        lua_Debug record;
        for (int level = skipsTop ? 1 : 0; lua_getstack(state, level, &record) != 0
             && static_cast<const void*>(record.i_ci) != m_baseCallInfo;
             ++level) {
            if (m_frames.size() == deepestApiWalk) {
                m_isCut = true;
                return;
            }
            SampledFrame frame;
            frame.state = state;
            frame.callInfo = record.i_ci;
            record.event = LUA_HOOKCOUNT;
            frame.key = m_functions.findOrAddByApi(state, &record);
            m_frames.push_back(frame);
        }
        skipsTop = false;
    }
}

/// Finds the node of each activation; those that have not changed since the last sample keep
/// theirs.
void Sampler::resolveFrames()
{
    NodeRecord* parent = m_tree.root();
    bool isSame = true;
    if (m_isCut) {
        parent = m_tree.foldedChild(parent, format::StackCut);
        isSame = false;
    }
    for (std::size_t index = 0; index < m_frames.size(); ++index) {
        SampledFrame& frame = m_frames[index];
        const SampledFrame* before = index < m_previous.size() ? &m_previous[index] : nullptr;
        isSame = isSame && before && before->callInfo == frame.callInfo && before->key == frame.key;
        if (isSame) {
            frame.node = before->node;
            if (m_useLayout && before->instruction == frame.instruction) {
                frame.line = before->line;
                frame.lineRecord = before->lineRecord;
                parent = frame.node;
                continue;
            }
        }
        // A stack that changes this fast and deep is costly to look up; its outer lines matter
        // least.
        const bool withLine = !m_isCut || index + linesOfCutStack >= m_frames.size();
        resolve(frame, parent, withLine);
        parent = frame.node;
    }
}

void Sampler::resolve(SampledFrame& frame, NodeRecord* parent, bool withLine)
{
    if (!frame.node) {
        const std::uint32_t function = functionOf(frame);
        frame.node =
            function == format::none ? m_tree.discarded() : m_tree.findOrAdd(parent, function);
    }
    if (!withLine)
        return;
    lua_Debug record;
    record.i_ci = static_cast<CallInfo*>(const_cast<void*>(frame.callInfo));
    record.currentline = -1;
    lua_getinfo(frame.state, "l", &record);
    frame.line = record.currentline;
    frame.lineRecord = frame.line > 0 && frame.node != m_tree.discarded()
        ? m_lines.lineOf(m_tree.indexOf(frame.node), frame.line)
        : nullptr;
}

std::uint32_t Sampler::functionOf(const SampledFrame& frame)
{
    if (!m_useLayout)
        return static_cast<std::uint32_t>(frame.key);
    const std::uint32_t known = m_functions.find(frame.key);
    if (known != format::none)
        return known;
    if (lua_checkstack(frame.state, LUA_MINSTACK) == 0)
        return format::none;
    lua_Debug record = {};
    record.i_ci = static_cast<CallInfo*>(const_cast<void*>(frame.callInfo));
    const std::uint32_t function = m_functions.add(frame.state, &record, frame.key);
    if (function != format::none)
        m_functions.noteCallName(frame.state, &record, function);
    return function;
}

void Sampler::chargeFrames(std::uint64_t ticks)
{
    NodeRecord* top = topNode();
    top->selfTicks += ticks;
    m_header->currentNodeAddress = reinterpret_cast<std::uintptr_t>(top);
    if (m_tree.hasFailed()) {
        m_header->limits |= m_writer.growthError() != 0 ? format::DiskFull : format::StringLimit;
        m_header->currentNodeAddress = m_header->nodesAddress;
        end();
        return;
    }
    ++m_header->sampleCount;
    ++m_writer.data<format::NodeSampleRecord>(Section::NodeSamples)[m_tree.indexOf(top)]
          .selfSamples;
    for (SampledFrame& frame : m_frames) {
        if (!frame.lineRecord)
            continue;
        if (&frame == &m_frames.back()) {
            ++frame.lineRecord->hits;
            frame.lineRecord->selfTicks += ticks;
        } else {
            ++frame.lineRecord->calleeSamples;
            frame.lineRecord->calleeTicks += ticks;
        }
    }
}

} // namespace perilune
