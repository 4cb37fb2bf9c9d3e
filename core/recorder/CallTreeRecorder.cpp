// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/CallTreeRecorder.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace perilune {

using format::Clock;
using format::NodeRecord;
using format::Section;

namespace {

/// Of the keys that caches hold: an address has 48 bits, above it are the generation and the kind
/// of call.
constexpr std::uint64_t addressMask = (1ULL << 48) - 1;
constexpr std::uint64_t tailKeyBit = 1ULL << 63;
constexpr std::uint32_t generationMask = (1u << 15) - 1;
/// Lua allows about 200 nested resumes; a longer chain of resumers would be a cycle.
constexpr int longestResumeChain = 1000;

/// The coroutine whose events this thread of the process saw last, of whatever recorder. One load
/// finds both the stack and the recorder; another coroutine shows as another `state`.
thread_local ThreadStack* t_thread = nullptr;

std::mutex s_recordersMutex;
std::vector<CallTreeRecorder*> s_recorders;
/// The only recorder of the process, or null when there are several: then its hook is the one that
/// fired.
std::atomic<CallTreeRecorder*> s_onlyRecorder = nullptr;

std::size_t hashSlot(const NodeRecord* parent, std::uint64_t key)
{
    const auto address = reinterpret_cast<std::uintptr_t>(parent);
    return (key >> 4) ^ (address >> 4) ^ (address >> 9);
}

const void* registryOf(lua_State* state)
{
    return lua_topointer(state, LUA_REGISTRYINDEX);
}

/// The activation that called the running one; for none, something that stands for the coroutine's
/// base.
template<bool Layout>
const void* callerOf(lua_State* state, const lua_Debug* record)
{
    if constexpr (Layout)
        return layout::previous(record->i_ci);
    lua_Debug caller;
    return lua_getstack(state, 1, &caller) != 0 ? static_cast<const void*>(caller.i_ci) : state;
}

template<bool Layout>
bool isBaseOf(lua_State* state, const void* callInfo)
{
    if constexpr (Layout)
        return layout::isBase(callInfo);
    return callInfo == state;
}

} // namespace

CallTreeRecorder::CallTreeRecorder(RecordingWriter& writer, const RecordingLimits& limits,
                                   const layout::ObjectSizes& sizes)
    : m_header(&writer.header())
    , m_writer(writer)
    , m_sizes(sizes)
    , m_functions(writer, limits.stringBytes)
    , m_tree(writer, limits)
{
    writer.setLimit(Section::TailEdges, std::uint64_t(1) << 30);
}

CallTreeRecorder::~CallTreeRecorder()
{
    const std::lock_guard lock(s_recordersMutex);
    std::erase(s_recorders, this);
    s_onlyRecorder = s_recorders.size() == 1 ? s_recorders.front() : nullptr;
    if (t_thread && t_thread->recorder == this)
        t_thread = nullptr;
}

CallTreeRecorder* CallTreeRecorder::current()
{
    return t_thread ? t_thread->recorder : nullptr;
}

CallTreeRecorder* CallTreeRecorder::recorderOf(lua_State* state)
{
    if (CallTreeRecorder* only = s_onlyRecorder.load(std::memory_order_acquire))
        return only;
    const void* registry = registryOf(state);
    const std::lock_guard lock(s_recordersMutex);
    for (CallTreeRecorder* recorder : s_recorders)
        if (recorder->m_registry == registry)
            return recorder;
    return nullptr;
}

CallDetails& CallTreeRecorder::recordDetails(bool lines, bool durations)
{
    m_details = std::make_unique<CallDetails>(m_writer, m_tree, lines, durations);
    return *m_details;
}

Result<void> CallTreeRecorder::begin(lua_State* main, Clock clock, bool memory)
{
    if (!m_functions.addHost() || !m_tree.begin(memory, false))
        return Error{Error::Code::NoSpace, "no room for the recording"};
    m_nodes = m_tree.root();
    {
        const std::lock_guard lock(s_recordersMutex);
        m_registry = registryOf(main);
        m_main = main;
        s_recorders.push_back(this);
        s_onlyRecorder = s_recorders.size() == 1 ? this : nullptr;
    }
    m_current = threadOf(main);
    t_thread = m_current;
    m_header->clock = static_cast<std::uint32_t>(clock);
    m_header->nodesAddress = reinterpret_cast<std::uintptr_t>(m_nodes);
    m_header->currentNodeAddress = m_header->nodesAddress;
    m_header->startMonotonicNs = nanosecondsOf(CLOCK_MONOTONIC);
    m_header->startTicks = readTicks(clock);
    m_header->lastTicks = m_header->startTicks;
    return {};
}

void CallTreeRecorder::hostContinues()
{
    if (m_hasStopped || m_header->startTicks == 0)
        return;
    const std::uint64_t now = readTicks(static_cast<Clock>(m_header->clock));
    if (now > m_header->lastTicks) {
        reinterpret_cast<NodeRecord*>(m_header->currentNodeAddress)->selfTicks
            += now - m_header->lastTicks;
        m_header->lastTicks = now;
    }
    if (ThreadStack* main = threadOf(m_main))
        unwind(main, main->frames);
    m_header->currentNodeAddress = m_header->nodesAddress;
}

void CallTreeRecorder::end()
{
    if (m_header->startTicks == 0 || m_header->endTicks != 0)
        return;
    const std::uint64_t now = readTicks(static_cast<Clock>(m_header->clock));
    if (!m_hasStopped && now > m_header->lastTicks) {
        reinterpret_cast<NodeRecord*>(m_header->currentNodeAddress)->selfTicks +=
            now - m_header->lastTicks;
        m_header->lastTicks = now;
    }
    m_header->endTicks = m_header->lastTicks;
    m_header->endMonotonicNs = nanosecondsOf(CLOCK_MONOTONIC);
    if (m_functions.isIncomplete())
        m_header->limits |= format::StringLimit;
    m_hasStopped = true;
}

/// Everything of an event that is common: 12 to 16 ns with the call into the hook, of which the
/// clock takes about half. What is not common is out of line, so that this stays small in the
/// cache.
template<Clock clock, bool Layout, bool Details>
void CallTreeRecorder::hook(lua_State* state, lua_Debug* record)
{
    const std::uint64_t now = readTicks(clock);
    ThreadStack* thread = t_thread;
    CallTreeRecorder* recorder;
    if (thread && thread->state == state) [[likely]] {
        recorder = thread->recorder;
    } else {
        recorder = recorderOf(state);
        if (!recorder)
            return;
        thread = nullptr;
    }
    if (recorder->m_hasStopped) [[unlikely]]
        return;
    format::Header* header = recorder->m_header;
    const std::uint64_t elapsed = now - header->lastTicks;
    // A clock that went back (a machine that slept) adds nothing.
    if (static_cast<std::int64_t>(elapsed) > 0) [[likely]]
        reinterpret_cast<NodeRecord*>(header->currentNodeAddress)->selfTicks += elapsed;
    header->lastTicks = now;
    if constexpr (Details)
        recorder->m_details->charged(static_cast<std::int64_t>(elapsed) > 0 ? elapsed : 0);
    if (!thread) [[unlikely]]
        thread = enterThread<clock, Layout>(state, record);

    switch (record->event) {
    case LUA_HOOKCALL:
        recorder->onCall<clock, Layout>(thread, state, record);
        if constexpr (Details)
            recorder->m_details->called(*thread);
        break;
    case LUA_HOOKRET:
        recorder->onReturn<Details>(thread, record);
        break;
    case LUA_HOOKTAILCALL:
        recorder->onTailCall<clock, Layout, Details>(thread, state, record);
        break;
    case LUA_HOOKLINE:
        if constexpr (Details)
            recorder->m_details->reachedLine(*thread, record->currentline);
        break;
    default:
        break;
    }
    header->currentNodeAddress = reinterpret_cast<std::uintptr_t>(thread->top->node);
    if (recorder->m_attention != 0) [[unlikely]]
        recorder->m_attentionHandler(*recorder, state, record);
}

template<Clock clock>
lua_Hook CallTreeRecorder::hookWithClock(bool useLayout, bool withDetails)
{
    if (useLayout)
        return withDetails ? hook<clock, true, true> : hook<clock, true, false>;
    return withDetails ? hook<clock, false, true> : hook<clock, false, false>;
}

lua_Hook CallTreeRecorder::hookFor(Clock clock, bool useLayout, bool withDetails)
{
    switch (clock) {
    case Clock::TimeStampCounter:
        return hookWithClock<Clock::TimeStampCounter>(useLayout, withDetails);
    case Clock::ThreadCpu:
        return hookWithClock<Clock::ThreadCpu>(useLayout, withDetails);
    case Clock::Monotonic:
        break;
    }
    return hookWithClock<Clock::Monotonic>(useLayout, withDetails);
}

/// Work of varying cost is nobody's time: whoever did some reads the clock again.
template<Clock clock>
void CallTreeRecorder::excludeTimeSinceEvent()
{
    const std::uint64_t now = readTicks(clock);
    if (now > m_header->lastTicks) {
        m_header->excludedTicks += now - m_header->lastTicks;
        m_header->lastTicks = now;
    }
}

template<Clock clock, bool Layout>
inline void CallTreeRecorder::onCall(ThreadStack* thread, lua_State* state, lua_Debug* record)
{
    const void* caller = callerOf<Layout>(state, record);
    if (thread->top->callInfo != caller) [[unlikely]]
        repairForCall<Layout>(thread, caller);
    NodeRecord* parent = thread->top->node;
    const std::uint64_t key = keyOf<Layout>(state, record);
    NodeRecord* child;
    if (parent->cacheKey == key) {
        child = m_nodes + parent->cacheChild;
    } else {
        // A node that calls several functions in turn misses its own cache; without this second
        // look JSON encoding pays 1.56 times the clock's cost per event instead of 1.3.
        const ChildEntry& recent = m_recentChildren[hashSlot(parent, key) % recentChildCount];
        if (recent.parent == parent && recent.key == key) [[likely]]
            child = recent.child;
        else
            child = findOrAddChild<clock, Layout>(parent, state, record, key);
    }
    ++child->calls;
    thread->push(record->i_ci, child);
}

template<bool Details>
inline void CallTreeRecorder::onReturn(ThreadStack* thread, const lua_Debug* record)
{
    // Activations above it were removed by an error; one that is not there was entered unseen.
    if (thread->top->callInfo != record->i_ci && !unwindTo(thread, record->i_ci)) [[unlikely]]
        return;
    if (thread->top == thread->frames) [[unlikely]]
        return;
    if constexpr (Details)
        m_details->ending(*thread);
    --thread->top;
    if constexpr (Details)
        m_details->ended(*thread);
}

template<Clock clock, bool Layout, bool Details>
void CallTreeRecorder::onTailCall(ThreadStack* thread, lua_State* state, lua_Debug* record)
{
    if (thread->top->callInfo != record->i_ci && !unwindTo(thread, record->i_ci)) [[unlikely]] {
        onCall<clock, Layout>(thread, state, record); // its caller was entered unseen
        if constexpr (Details)
            m_details->called(*thread);
        return;
    }
    if constexpr (Details)
        m_details->ending(*thread);
    NodeRecord* from = thread->top->node;
    const std::uint64_t key = keyOf<Layout>(state, record) | tailKeyBit;
    NodeRecord* target = nullptr;
    if (from->cacheKey == key) [[likely]] {
        target = m_nodes + from->cacheChild;
        if (from->cacheTailEdge != 0)
            ++m_writer.data<format::TailEdgeRecord>(Section::TailEdges)[from->cacheTailEdge - 1]
                  .calls;
    } else {
        target = findTailTarget<clock, Layout>(from, state, record, key);
    }
    ++target->calls;
    thread->top->node = target;
    if constexpr (Details)
        m_details->tailCalled(*thread);
}

template<bool Layout>
inline std::uint64_t CallTreeRecorder::keyOf(lua_State* state, lua_Debug* record)
{
    if constexpr (Layout)
        return layout::functionKey(record->i_ci) | m_generationBits;
    return static_cast<std::uint64_t>(m_functions.findOrAddByApi(state, record)) + 1;
}

template<bool Layout>
std::uint32_t CallTreeRecorder::functionOf(lua_State* state, lua_Debug* record, std::uint64_t key)
{
    if constexpr (!Layout)
        return static_cast<std::uint32_t>((key & addressMask) - 1);
    const std::uint64_t address = key & addressMask;
    const std::uint32_t known = m_functions.find(address);
    return known != format::none ? known : m_functions.add(state, record, address);
}

template<Clock clock, bool Layout>
NodeRecord* CallTreeRecorder::findOrAddChild(NodeRecord* parent, lua_State* state,
                                             lua_Debug* record, std::uint64_t key)
{
    if (NodeTree::isFolded(parent))
        return parent;
    const std::uint32_t function = functionOf<Layout>(state, record, key);
    if (function == format::none) {
        stopRecording();
        return m_tree.discarded();
    }
    if (m_hiddenFunction != 0 && m_functions.find(m_hiddenFunction) == function) {
        --parent->calls; // its time is its caller's, and the call about to be counted is none
        return parent;
    }
    NodeRecord* child = m_tree.find(parent, function);
    if (!child) {
        child = m_tree.add(parent, function);
        m_functions.noteCallName(state, record, function);
    }
    renewGeneration();
    if (hasFailed())
        return child;
    key = keyOf<Layout>(state, record);
    parent->cacheKey = key;
    parent->cacheChild = m_tree.indexOf(child);
    m_recentChildren[hashSlot(parent, key) % recentChildCount] = {key, parent, child};
    excludeTimeSinceEvent<clock>();
    return child;
}

template<Clock clock, bool Layout>
NodeRecord* CallTreeRecorder::findTailTarget(NodeRecord* from, lua_State* state, lua_Debug* record,
                                             std::uint64_t key)
{
    if (NodeTree::isFolded(from))
        return from;
    const std::uint32_t function = functionOf<Layout>(state, record, key);
    if (function == format::none) {
        stopRecording();
        return m_tree.discarded();
    }
    std::uint32_t edge = 0;
    NodeRecord* target = chainNode(from, function);
    if (target) {
        edge = tailEdge(from, target);
    } else {
        target = m_tree.find(from, function | format::tailCallBit);
        if (!target)
            target = m_tree.add(from, function | format::tailCallBit);
    }
    renewGeneration();
    if (hasFailed())
        return target;
    from->cacheKey = keyOf<Layout>(state, record) | tailKeyBit;
    from->cacheChild = m_tree.indexOf(target);
    from->cacheTailEdge = edge;
    if (edge != 0)
        ++m_writer.data<format::TailEdgeRecord>(Section::TailEdges)[edge - 1].calls;
    excludeTimeSinceEvent<clock>();
    return target;
}

/// The node of `function` in the chain of tail calls that ends at `from`, or null.
NodeRecord* CallTreeRecorder::chainNode(NodeRecord* from, std::uint32_t function)
{
    for (NodeRecord* node = from;; node = m_nodes + node->parent) {
        if ((node->function & ~format::tailCallBit) == function)
            return node;
        if ((node->function & format::tailCallBit) == 0)
            return nullptr;
    }
}

/// Index + 1 of the record that counts tail calls from one node back to another; 0 when there is no
/// room.
std::uint32_t CallTreeRecorder::tailEdge(const NodeRecord* from, const NodeRecord* to)
{
    std::uint32_t& index = m_tailEdges.insert(pairKey(m_tree.indexOf(from), m_tree.indexOf(to)));
    if (index == 0) {
        const format::TailEdgeRecord record = {m_tree.indexOf(from), m_tree.indexOf(to), 0};
        index = m_writer.append(Section::TailEdges, record) + 1; // none + 1 is 0
        if (index == 0)
            stopRecording();
    }
    return index;
}

/// Makes all cached keys miss when an address may come to mean another function.
void CallTreeRecorder::renewGeneration()
{
    const std::uint64_t bits = static_cast<std::uint64_t>(m_functions.generation() & generationMask)
        << 48;
    if (bits == m_generationBits) [[likely]]
        return;
    m_generationBits = bits;
    if (bits != 0)
        return;
    // The bits came round: old keys would match again.
    const std::uint64_t count = m_writer.count(Section::Nodes);
    for (std::uint64_t node = 0; node < count; ++node)
        m_nodes[node].cacheKey = 0;
    m_recentChildren = {};
}

/// Brings a stack in step with a call made by `caller`: what is above it was removed by an error.
template<bool Layout>
void CallTreeRecorder::repairForCall(ThreadStack* thread, const void* caller)
{
    if (isBaseOf<Layout>(thread->state, caller)) {
        // The first activation of a coroutine, or of a new life of its state.
        unwind(thread, thread->frames);
        thread->top->callInfo = caller;
        return;
    }
    if (unwindTo(thread, caller))
        return;
    // The caller itself was entered unseen (hooks were off): hang the call under the nearest
    // ancestor that is known.
    if constexpr (Layout) {
        for (const void* ancestor = caller; !layout::isBase(ancestor);
             ancestor = layout::previous(ancestor))
            if (unwindTo(thread, ancestor))
                return;
    }
    unwind(thread, thread->frames);
    thread->top->callInfo = caller;
}

/// Pops the activations above `frame`, which ended without a return event.
void CallTreeRecorder::unwind(ThreadStack* thread, Frame* frame)
{
    if (m_details)
        m_details->unwinding(*thread, frame);
    for (const Frame* lost = thread->top; lost > frame; --lost)
        ++lost->node->lostReturns;
    thread->top = frame;
}

/// Pops down to the activation `callInfo`; false (and nothing popped) when it is not there.
bool CallTreeRecorder::unwindTo(ThreadStack* thread, const void* callInfo)
{
    Frame* frame = thread->find(callInfo);
    if (!frame)
        return false;
    unwind(thread, frame);
    return true;
}

/// The first event of a coroutine after another one ran: brings its stack in step, finds out
/// whether it was resumed or yielded to, and hangs it under its resumer.
template<Clock clock, bool Layout>
ThreadStack* CallTreeRecorder::enterThread(lua_State* state, lua_Debug* record)
{
    CallTreeRecorder& recorder = *recorderOf(state);
    ThreadStack* thread = recorder.threadOf(state);
    if (record->event == LUA_HOOKCALL)
        recorder.repairForCall<Layout>(thread, callerOf<Layout>(state, record));
    else if (thread->top->callInfo != record->i_ci)
        recorder.unwindTo(thread, record->i_ci);
    if (recorder.m_current != thread) {
        ++recorder.m_header->switchCount;
        ThreadStack* previous = recorder.m_current;
        const bool hasMoved = recorder.resume(thread);
        recorder.m_current = thread;
        if (recorder.m_details)
            recorder.m_details->switched(previous, previous && thread->resumer != previous,
                                         *thread);
        if (hasMoved)
            recorder.excludeTimeSinceEvent<clock>();
    }
    t_thread = thread;
    return thread;
}

/// Whether `thread` waits for the coroutine that ran last, directly or through others. The main
/// thread does always: nobody resumes it.
bool CallTreeRecorder::isWaiting(const ThreadStack* thread) const
{
    if (thread->state == m_main)
        return true;
    int steps = 0;
    for (const ThreadStack* waiting = m_current->resumer; waiting && steps < longestResumeChain;
         waiting = waiting->resumer, ++steps)
        if (waiting == thread)
            return true;
    return false;
}

/// Notes who resumed the coroutine; true when its activations had to move in the tree.
bool CallTreeRecorder::resume(ThreadStack* thread)
{
    ThreadStack* previous = m_current;
    if (!previous)
        return false;
    if (isWaiting(thread)) {
        // It has been yielded to, or those it waited for have ended.
        int steps = 0;
        while (previous && previous != thread && steps++ < longestResumeChain)
            previous = std::exchange(previous->resumer, nullptr);
        return false;
    }
    thread->resumer = previous;
    if (thread->frames->node == previous->top->node)
        return false;
    hangUnder(thread, previous->top->node);
    return true;
}

/// Moves the activations of a coroutine under another node; they are not calls and count none.
void CallTreeRecorder::hangUnder(ThreadStack* thread, NodeRecord* base)
{
    thread->frames->node = base;
    NodeRecord* parent = base;
    for (Frame* frame = thread->frames + 1; frame <= thread->top; ++frame) {
        // A chain of tail calls within one activation is kept as a chain.
        std::vector<std::uint32_t> chain;
        for (const NodeRecord* node = frame->node;; node = m_nodes + node->parent) {
            chain.push_back(node->function);
            if ((node->function & format::tailCallBit) == 0)
                break;
        }
        for (auto field = chain.rbegin(); field != chain.rend() && !NodeTree::isFolded(parent);
             ++field) {
            parent = m_tree.findOrAdd(parent, *field);
        }
        frame->node = parent;
    }
}

ThreadStack* CallTreeRecorder::threadOf(lua_State* state)
{
    const auto key = reinterpret_cast<std::uintptr_t>(state);
    ThreadStack*& recent = m_recentThreads[(key >> 6) % recentThreadCount];
    if (recent && recent->state == state) [[likely]]
        return recent;
    ThreadStack*& thread = m_threads.insert(key);
    if (thread) {
        recent = thread;
        return thread;
    }
    if (m_freeThreads.empty()) {
        m_threadStorage.push_back(std::make_unique<ThreadStack>());
        m_freeThreads.push_back(m_threadStorage.back().get());
    }
    thread = m_freeThreads.back();
    m_freeThreads.pop_back();
    thread->recorder = this;
    thread->reset(state, m_nodes);
    recent = thread;
    return thread;
}

void CallTreeRecorder::forgetThread(void* block)
{
    const auto key = reinterpret_cast<std::uintptr_t>(block) + m_sizes.threadOffset;
    ThreadStack** found = m_threads.find(key);
    if (!found)
        return;
    ThreadStack* thread = *found;
    // One that it resumed may have yielded to it unseen, with hooks off, and still count as running:
    // whoever waits for it from now on is the one that resumed it.
    ThreadStack* running = m_current;
    for (int steps = 0; running && steps < longestResumeChain; running = running->resumer, ++steps)
        if (running->resumer == thread)
            running->resumer = thread->resumer;
    if (thread == m_current) {
        // It ended unseen, with hooks off; its resumer runs.
        m_current = thread->resumer;
        if (m_current && !m_hasStopped)
            m_header->currentNodeAddress = reinterpret_cast<std::uintptr_t>(m_current->top->node);
    }
    if (thread == t_thread)
        t_thread = nullptr;
    if (m_details)
        m_details->forgotten(*thread);
    thread->state = nullptr;
    m_threads.erase(key);
    m_freeThreads.push_back(thread);
}

/// Whether the tree could not grow, which ends the recording.
bool CallTreeRecorder::hasFailed()
{
    if (m_tree.hasFailed() && !m_hasStopped)
        stopRecording();
    return m_hasStopped;
}

/// The recording cannot grow: what it has is kept, the script goes on unrecorded.
void CallTreeRecorder::stopRecording()
{
    m_header->limits |= m_writer.growthError() != 0 ? format::DiskFull : format::StringLimit;
    m_header->endTicks = m_header->lastTicks;
    m_hasStopped = true;
}

} // namespace perilune
