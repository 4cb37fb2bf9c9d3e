// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/RecordingReader.h"

#include <cstdint>
#include <string_view>

namespace perilune::test {

/// A snapshot put together by hand, as if it had been read from a recording. It begins with a
/// finished run of 1 tick a nanosecond from tick 1000 to tick 1000, and with the host as function
/// and node 0.
class TestSnapshot
{
public:
    TestSnapshot();

    std::uint32_t addString(std::string_view text);
    /// `chunkName` as Lua has it; `text` may be empty for one that is not known.
    std::uint32_t addSource(std::string_view chunkName, std::string_view text = {});
    std::uint32_t addC(std::string_view name);
    std::uint32_t addMain(std::uint32_t source);
    std::uint32_t addLua(std::uint32_t source, int line, int lastLine, std::uint32_t ordinal);
    /// A node of `calls` calls; its self ticks pass on the clock of the run, too.
    std::uint32_t addNode(std::uint32_t parent, std::uint32_t function, std::uint64_t calls,
                          std::uint64_t selfTicks);

    RecordingSnapshot snapshot;
};

} // namespace perilune::test
