// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Protobuf.h"

namespace perilune {

bool ProtobufReader::next()
{
    if (m_rest.empty() || m_isDamaged)
        return false;
    std::uint64_t tag = 0;
    if (!readVarint(tag))
        return false;
    m_field = static_cast<std::uint32_t>(tag >> 3);
    m_number = 0;
    m_bytes = {};
    m_isBytes = false;
    switch (tag & 7) {
    case 0:
        return readVarint(m_number);
    case 1:
        return readFixed(8);
    case 2:
        return readBytes();
    case 5:
        return readFixed(4);
    default:
        return fail();
    }
}

bool ProtobufReader::readVarint(std::uint64_t& value)
{
    value = 0;
    for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= std::uint64_t(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    return fail();
}

bool ProtobufReader::readFixed(std::size_t size)
{
    if (m_rest.size() < size)
        return fail();
    for (std::size_t index = 0; index < size; ++index)
        m_number |= std::uint64_t(static_cast<unsigned char>(m_rest[index])) << (8 * index);
    m_rest.remove_prefix(size);
    return true;
}

bool ProtobufReader::readBytes()
{
    std::uint64_t size = 0;
    if (!readVarint(size) || size > m_rest.size())
        return fail();
    m_isBytes = true;
    m_bytes = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return true;
}

bool ProtobufReader::fail()
{
    m_isDamaged = true;
    m_rest = {};
    return false;
}

} // namespace perilune
