// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/LineTable.h"

#include "core/recorder/NodeTree.h"

namespace perilune {

using format::NodeLineRecord;
using format::Section;

NodeLineRecord* LineTable::lineOf(std::uint32_t node, int line)
{
    std::uint32_t& index = m_indices.insert(pairKey(node, static_cast<std::uint32_t>(line)));
    if (index == 0) {
        NodeLineRecord record = {};
        record.node = node;
        record.line = line;
        index = m_writer.append(Section::NodeLines, record) + 1; // none + 1 is 0
        if (index == 0) {
            m_writer.header().limits |= format::StringLimit;
            return nullptr;
        }
    }
    return m_writer.data<NodeLineRecord>(Section::NodeLines) + index - 1;
}

} // namespace perilune
