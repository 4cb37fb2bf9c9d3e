// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/RecordingWriter.h"

#include <lua.hpp>

#include <cstddef>
#include <cstdint>

namespace perilune {

/// Counts what a Lua state allocates: by node, by type of object, and the heap over time.
///
/// Counts bytes and blocks as they are asked for, growth of a block included; what is freed lowers
/// the heap only. In exact mode each allocation goes to the node on top. In sampling mode
/// the node is not known at once: allocations are summed until the next memory sample, which is
/// asked for after about bytesPerSample bytes, and go to the function that it finds.
class HeapRecorder
{
public:
    static constexpr std::uint64_t bytesPerSample = 64u << 10;
    static constexpr std::uint32_t mostCurvePoints = 2000;

    HeapRecorder(RecordingWriter& writer, bool isSampling);
    HeapRecorder(const HeapRecorder&) = delete;
    HeapRecorder& operator=(const HeapRecorder&) = delete;
    ~HeapRecorder();

    /// Starts from what the state holds now, and counts its collections with an object of our own.
    void begin(lua_State* state);
    /// One call of the allocator that succeeded; arguments as Lua's allocator has them.
    void changed(const void* block, std::size_t oldSize, std::size_t newSize);
    /// Sampling: whether enough was allocated for a memory sample.
    bool wantsSample() const { return m_pendingBytes >= m_nextSampleBytes; }
    /// Sampling: gives what was allocated since the last memory sample to a node.
    void sampled(std::uint32_t node);
    /// What the heap holds now is what the script left; closing the state frees it.
    void scriptEnded();
    void end();

private:
    static int collected(lua_State* state);
    void plantSentinel(lua_State* state);
    void addCurvePoint();

    RecordingWriter& m_writer;
    format::Header* m_header;
    bool m_isSampling;
    bool m_hasEnded = false;
    HeapRecorder** m_sentinel = nullptr; ///< In the Lua state; null while there is none.
    std::uint64_t m_heapBytes = 0;
    std::uint64_t m_pendingBytes = 0;
    std::uint64_t m_pendingBlocks = 0;
    std::uint64_t m_nextSampleBytes = bytesPerSample;
    std::uint64_t m_nextPointTicks = 0;
    std::uint64_t m_pointInterval = 0;
    std::uint32_t m_random = 88172645u;
};

} // namespace perilune
