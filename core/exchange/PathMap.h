// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perilune {

/// Finds the node for a parent node and a function: a hash with open addressing, 12 bytes an entry.
class PathMap
{
public:
    explicit PathMap(std::uint32_t expectedCount = 0)
        : m_slots(std::bit_ceil(std::size_t(expectedCount) * 2 + 16))
    {
    }

    /// The node of this path; `node`, which is stored, when it was not there.
    std::uint32_t findOrInsert(std::uint32_t parent, std::uint32_t function, std::uint32_t node)
    {
        if ((m_count + 1) * 4 > m_slots.size() * 3)
            grow();
        Slot& slot = slotOf(parent, function);
        if (slot.node == emptyNode) {
            slot = {parent, function, node};
            ++m_count;
        }
        return slot.node;
    }

private:
    static constexpr std::uint32_t emptyNode = UINT32_MAX;
    struct Slot
    {
        std::uint32_t parent = 0;
        std::uint32_t function = 0;
        std::uint32_t node = emptyNode;
    };

    Slot& slotOf(std::uint32_t parent, std::uint32_t function)
    {
        const std::uint64_t key = std::uint64_t(parent) << 32 | function;
        const std::size_t mask = m_slots.size() - 1;
        // The high bits of the product depend on all bits of the key.
        std::size_t index = key * 0x9E3779B97F4A7C15u >> (64 - std::countr_zero(m_slots.size()));
        while (m_slots[index].node != emptyNode
               && (m_slots[index].parent != parent || m_slots[index].function != function))
            index = (index + 1) & mask;
        return m_slots[index];
    }

    void grow()
    {
        std::vector<Slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const Slot& slot : old) {
            if (slot.node != emptyNode)
                slotOf(slot.parent, slot.function) = slot;
        }
    }

    std::vector<Slot> m_slots;
    std::size_t m_count = 0;
};

} // namespace perilune
