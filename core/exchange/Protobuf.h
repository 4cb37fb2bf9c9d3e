// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perilune {

/// Builds one message of the protocol buffers' wire format.
class ProtobufWriter
{
public:
    void clear() { m_bytes.clear(); }
    std::string_view bytes() const { return m_bytes; }

    void addVarint(std::uint32_t field, std::uint64_t value)
    {
        appendVarint(std::uint64_t(field) << 3);
        appendVarint(value);
    }
    void addBytes(std::uint32_t field, std::string_view bytes)
    {
        appendVarint(std::uint64_t(field) << 3 | 2);
        appendVarint(bytes.size());
        m_bytes += bytes;
    }
    /// One element of a packed field: no tag, for a message that is added with addBytes().
    void appendVarint(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            m_bytes.push_back(static_cast<char>(value | 0x80));
        m_bytes.push_back(static_cast<char>(value));
    }

private:
    std::string m_bytes;
};

/// Reads the fields of one message in their order. Bad bytes end the reading and make isDamaged()
/// true.
class ProtobufReader
{
public:
    explicit ProtobufReader(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    /// Goes to the next field; false at the end.
    bool next();
    std::uint32_t field() const { return m_field; }
    /// Of a varint or fixed field; 0 otherwise.
    std::uint64_t number() const { return m_number; }
    std::int64_t signedNumber() const { return static_cast<std::int64_t>(m_number); }
    /// Of a length-delimited field; empty otherwise.
    std::string_view bytes() const { return m_bytes; }
    /// Calls `visit` for each value of a repeated number, packed or not.
    template<typename Visit>
    void forEachNumber(Visit visit)
    {
        if (!m_isBytes)
            return visit(m_number);
        ProtobufReader packed(m_bytes);
        std::uint64_t value = 0;
        while (!packed.m_rest.empty() && packed.readVarint(value))
            visit(value);
        m_isDamaged = m_isDamaged || packed.m_isDamaged;
    }
    bool isDamaged() const { return m_isDamaged; }

private:
    bool readVarint(std::uint64_t& value);
    bool readFixed(std::size_t size);
    bool readBytes();
    bool fail();

    std::string_view m_rest;
    std::string_view m_bytes;
    std::uint64_t m_number = 0;
    std::uint32_t m_field = 0;
    bool m_isBytes = false;
    bool m_isDamaged = false;
};

} // namespace perilune
