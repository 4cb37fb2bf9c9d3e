// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perilune {

/// Mixes all bits of a key into all bits of the result (the finalizer of MurmurHash3, public
/// domain).
inline std::uint64_t mixBits(std::uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdULL;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53ULL;
    return value ^ (value >> 33);
}

/// A hash table from 64-bit keys other than 0 to small values, by open addressing.
///
/// Invariant: at most half of the slots are used, so a probe ends soon; a removed key's successors
/// are moved back over it, so there are no tombstones.
template<typename Value>
class PointerMap
{
public:
    PointerMap()
        : m_slots(64)
    {
    }

    /// The value of `key`, or null. Valid until the next insert or erase.
    Value* find(std::uint64_t key)
    {
        for (std::size_t index = mixBits(key) & mask();; index = (index + 1) & mask()) {
            if (m_slots[index].key == key)
                return &m_slots[index].value;
            if (m_slots[index].key == 0)
                return nullptr;
        }
    }

    /// The value of `key`, made when it is not there.
    Value& insert(std::uint64_t key)
    {
        if (Value* value = find(key))
            return *value;
        if ((m_count + 1) * 2 > m_slots.size())
            grow();
        ++m_count;
        Slot& slot = m_slots[freeSlot(key)];
        slot.key = key;
        slot.value = Value();
        return slot.value;
    }

    void erase(std::uint64_t key)
    {
        std::size_t hole = mixBits(key) & mask();
        while (m_slots[hole].key != key) {
            if (m_slots[hole].key == 0)
                return;
            hole = (hole + 1) & mask();
        }
        --m_count;
        for (std::size_t next = (hole + 1) & mask(); m_slots[next].key != 0;
             next = (next + 1) & mask()) {
            const std::size_t home = mixBits(m_slots[next].key) & mask();
            // Only a key whose home lies at or before the hole may move into it.
            if (((next - home) & mask()) >= ((next - hole) & mask())) {
                m_slots[hole] = m_slots[next];
                hole = next;
            }
        }
        m_slots[hole] = Slot();
    }

    std::size_t size() const { return m_count; }

    template<typename Visitor>
    void forEach(Visitor visit)
    {
        for (Slot& slot : m_slots)
            if (slot.key != 0)
                visit(slot.key, slot.value);
    }

private:
    struct Slot
    {
        std::uint64_t key = 0;
        Value value = Value();
    };

    std::size_t mask() const { return m_slots.size() - 1; }
    std::size_t freeSlot(std::uint64_t key) const
    {
        std::size_t index = mixBits(key) & mask();
        while (m_slots[index].key != 0)
            index = (index + 1) & mask();
        return index;
    }
    void grow()
    {
        std::vector<Slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const Slot& slot : old)
            if (slot.key != 0)
                m_slots[freeSlot(slot.key)] = slot;
    }

    std::vector<Slot> m_slots;
    std::size_t m_count = 0;
};

} // namespace perilune
