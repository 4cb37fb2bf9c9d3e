// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/HeapRecorder.h"

#include <algorithm>

namespace perilune {

using format::AllocationType;
using format::Section;

namespace {

/// Lua tells its allocator the type of a new object in place of an old size.
AllocationType typeOf(std::size_t tag)
{
    switch (tag) {
    case LUA_TSTRING:
        return AllocationType::String;
    case LUA_TTABLE:
        return AllocationType::Table;
    case LUA_TFUNCTION:
        return AllocationType::Function;
    case LUA_TUSERDATA:
        return AllocationType::Userdata;
    case LUA_TTHREAD:
        return AllocationType::Thread;
    default:
        return AllocationType::Other;
    }
}

constexpr double firstPointSeconds = 0.0005;

} // namespace

HeapRecorder::HeapRecorder(RecordingWriter& writer, bool isSampling)
    : m_writer(writer)
    , m_header(&writer.header())
    , m_isSampling(isSampling)
{
    m_header->options |= format::OptionMemory;
}

HeapRecorder::~HeapRecorder()
{
    // The object may outlive this; its finalizer then has nothing to tell.
    if (m_sentinel)
        *m_sentinel = nullptr;
}

void HeapRecorder::begin(lua_State* state)
{
    plantSentinel(state);
    m_heapBytes = static_cast<std::uint64_t>(lua_gc(state, LUA_GCCOUNT)) * 1024
        + static_cast<std::uint64_t>(lua_gc(state, LUA_GCCOUNTB));
    m_header->heapPeakBytes = m_heapBytes;
    m_pointInterval = static_cast<std::uint64_t>(m_header->ticksPerSecond * firstPointSeconds);
}

/// An object that nothing refers to: its finalizer runs once a collection, and plants the next one.
void HeapRecorder::plantSentinel(lua_State* state)
{
    auto** self = static_cast<HeapRecorder**>(lua_newuserdatauv(state, sizeof(HeapRecorder*), 0));
    *self = this;
    m_sentinel = self;
    lua_createtable(state, 0, 1);
    lua_pushcfunction(state, collected);
    lua_setfield(state, -2, "__gc");
    lua_setmetatable(state, -2);
    lua_pop(state, 1);
}

int HeapRecorder::collected(lua_State* state)
{
    HeapRecorder* self = *static_cast<HeapRecorder**>(lua_touserdata(state, 1));
    if (!self)
        return 0;
    self->m_sentinel = nullptr;
    if (self->m_header->endTicks != 0)
        return 0;
    ++self->m_header->collections;
    self->plantSentinel(state);
    return 0;
}

void HeapRecorder::changed(const void* block, std::size_t oldSize, std::size_t newSize)
{
    if (m_hasEnded)
        return;
    const std::size_t before = block ? oldSize : 0;
    m_heapBytes += newSize - before; // wraps as it should when the block shrank
    if (m_header->lastTicks >= m_nextPointTicks)
        addCurvePoint();
    if (newSize <= before)
        return;
    m_header->heapPeakBytes = std::max(m_header->heapPeakBytes, m_heapBytes);
    const std::uint64_t bytes = newSize - before;
    const std::uint64_t blocks = block ? 0 : 1;
    if (!block) {
        auto* byType = m_header->allocatedByType[static_cast<std::size_t>(typeOf(oldSize))];
        byType[0] += 1;
        byType[1] += bytes;
    } else {
        m_header->allocatedByType[static_cast<std::size_t>(AllocationType::Other)][1] += bytes;
    }
    if (m_isSampling) {
        m_pendingBytes += bytes;
        m_pendingBlocks += blocks;
        return;
    }
    const std::uint64_t index =
        (m_header->currentNodeAddress - m_header->nodesAddress) / sizeof(format::NodeRecord);
    if (index < m_writer.count(Section::NodeMemory)) {
        auto& record = m_writer.data<format::NodeMemoryRecord>(Section::NodeMemory)[index];
        record.bytes += bytes;
        record.blocks += blocks;
    }
}

void HeapRecorder::sampled(std::uint32_t node)
{
    if (node < m_writer.count(Section::NodeMemory)) {
        auto& record = m_writer.data<format::NodeMemoryRecord>(Section::NodeMemory)[node];
        record.bytes += m_pendingBytes;
        record.blocks += m_pendingBlocks;
    }
    m_pendingBytes = m_pendingBlocks = 0;
    // The step varies by half each way, so that no rhythm of the program is in step with it.
    m_random ^= m_random << 13;
    m_random ^= m_random >> 17;
    m_random ^= m_random << 5;
    m_nextSampleBytes = bytesPerSample / 2 + m_random % bytesPerSample;
}

/// Adds a point of the curve; when there are too many, every other one goes and the step doubles.
void HeapRecorder::addCurvePoint()
{
    m_nextPointTicks = m_header->lastTicks + m_pointInterval;
    const std::uint64_t count = m_writer.count(Section::HeapCurve);
    if (count >= mostCurvePoints) {
        auto* points = m_writer.data<format::HeapPointRecord>(Section::HeapCurve);
        for (std::uint64_t index = 0; index < count / 2; ++index)
            points[index] = points[index * 2];
        m_writer.publish(Section::HeapCurve, count / 2);
        m_pointInterval *= 2;
    }
    m_writer.append(Section::HeapCurve, format::HeapPointRecord{m_header->lastTicks, m_heapBytes});
}

void HeapRecorder::scriptEnded()
{
    m_header->heapFinalBytes = m_heapBytes;
}

void HeapRecorder::end()
{
    if (m_isSampling && m_pendingBytes > 0)
        sampled(static_cast<std::uint32_t>((m_header->currentNodeAddress - m_header->nodesAddress)
                                           / sizeof(format::NodeRecord)));
    m_hasEnded = true;
    if (m_header->heapFinalBytes == 0)
        m_header->heapFinalBytes = m_heapBytes;
}

} // namespace perilune
