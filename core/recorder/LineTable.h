// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/PointerMap.h"
#include "core/recording/RecordingWriter.h"

#include <cstdint>

namespace perilune {

/// The costs of lines in a recording, found by node and line.
class LineTable
{
public:
    explicit LineTable(RecordingWriter& writer)
        : m_writer(writer)
    {
        writer.setLimit(format::Section::NodeLines, std::uint64_t(1) << 30);
    }

    /// The record of a line, made when it is new; null when there is no room for it.
    format::NodeLineRecord* lineOf(std::uint32_t node, int line);

private:
    RecordingWriter& m_writer;
    PointerMap<std::uint32_t> m_indices; ///< Index + 1 by (node, line).
};

} // namespace perilune
