// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/ColumnBlock.h"

#include <cassert>
#include <memory>
#include <zstd.h>

namespace perilune {

namespace {

constexpr std::uint8_t blockVersion = 1;
constexpr std::size_t headerBytes = 1 + 8 + 8;
/// What a block may unpack to: far more than a recording's bounds let a tree have.
constexpr std::uint64_t maximumUnpackedBytes = std::uint64_t(4) << 30;
constexpr int compressionLevel = 3;
constexpr std::size_t maximumNumberBytes = 10;

enum Encoding : std::uint8_t
{
    Plain = 0,
    Delta = 1
};

void writeU64(std::uint8_t* to, std::uint64_t value)
{
    for (int byte = 0; byte < 8; ++byte)
        to[byte] = static_cast<std::uint8_t>(value >> (8 * byte));
}

std::uint64_t readU64(const std::uint8_t* from)
{
    std::uint64_t value = 0;
    for (int byte = 0; byte < 8; ++byte)
        value |= std::uint64_t(from[byte]) << (8 * byte);
    return value;
}

void appendNumber(std::vector<std::uint8_t>& bytes, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        bytes.push_back(static_cast<std::uint8_t>(value) | 0x80);
    bytes.push_back(static_cast<std::uint8_t>(value));
}

/// Small differences of either sign become small numbers; wraps around, and back in unzigzag().
std::uint64_t zigzag(std::uint64_t difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}

std::uint64_t unzigzag(std::uint64_t number)
{
    return (number >> 1) ^ (0 - (number & 1));
}

Error damaged(const char* what)
{
    return {Error::Code::Damaged, what};
}

struct FreeStream
{
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

} // namespace

std::uint64_t fnv1a(std::span<const std::uint8_t> bytes)
{
    std::uint64_t hash = 14695981039346656037u;
    for (const std::uint8_t byte : bytes) {
        hash ^= byte;
        hash *= 1099511628211u;
    }
    return hash;
}

std::uint64_t fnv1a(std::string_view text)
{
    return fnv1a({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string hashText(std::uint64_t hash)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4)
        text += digits[(hash >> shift) & 15];
    return text;
}

std::vector<std::uint8_t> packBytes(std::span<const std::uint8_t> bytes)
{
    std::vector<std::uint8_t> packed(headerBytes + ZSTD_compressBound(bytes.size()));
    const std::size_t frameBytes =
        ZSTD_compress(packed.data() + headerBytes, packed.size() - headerBytes, bytes.data(),
                      bytes.size(), compressionLevel);
    assert(ZSTD_isError(frameBytes) == 0); // there is always room for it
    packed.resize(headerBytes + frameBytes);
    packed[0] = blockVersion;
    writeU64(packed.data() + 9, bytes.size());
    writeU64(packed.data() + 1, fnv1a(std::span(packed).subspan(9)));
    return packed;
}

Result<std::vector<std::uint8_t>> unpackBytes(std::span<const std::uint8_t> packed)
{
    if (packed.size() < headerBytes)
        return damaged("the block is cut");
    if (packed[0] != blockVersion)
        return Error{Error::Code::UnsupportedVersion,
                     "the block has version " + std::to_string(packed[0])
                         + ", this program reads version 1"};
    if (readU64(packed.data() + 1) != fnv1a(packed.subspan(9)))
        return damaged("the checksum of the block is wrong");
    const std::uint64_t size = readU64(packed.data() + 9);
    if (size > maximumUnpackedBytes)
        return damaged("the block is too large");

    std::vector<std::uint8_t> bytes;
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    ZSTD_inBuffer input = {packed.data() + headerBytes, packed.size() - headerBytes, 0};
    std::vector<std::uint8_t> chunk(ZSTD_DStreamOutSize());
    for (;;) {
        ZSTD_outBuffer output = {chunk.data(), chunk.size(), 0};
        const std::size_t result = ZSTD_decompressStream(stream.get(), &output, &input);
        if (ZSTD_isError(result) != 0 || output.pos > size - bytes.size())
            return damaged("the block cannot be unpacked");
        bytes.insert(bytes.end(), chunk.data(), chunk.data() + output.pos);
        if (result == 0)
            break;
        if (output.pos == 0 && input.pos == input.size)
            return damaged("the block is cut");
    }
    if (bytes.size() != size)
        return damaged("the block has another size than it says");
    return bytes;
}

ColumnWriter::ColumnWriter(std::uint64_t rowCount, std::uint64_t tag)
    : m_rowCount(rowCount)
{
    appendNumber(m_bytes, rowCount);
    appendNumber(m_bytes, tag);
}

void ColumnWriter::addColumn(std::span<const std::uint64_t> values)
{
    assert(values.size() == m_rowCount);
    m_bytes.push_back(Plain);
    for (const std::uint64_t value : values)
        appendNumber(m_bytes, value);
}

void ColumnWriter::addDeltaColumn(std::span<const std::uint64_t> values)
{
    assert(values.size() == m_rowCount);
    m_bytes.push_back(Delta);
    std::uint64_t previous = 0;
    for (const std::uint64_t value : values) {
        appendNumber(m_bytes, zigzag(value - previous));
        previous = value;
    }
}

Result<ColumnReader> ColumnReader::open(std::span<const std::uint8_t> packed)
{
    auto bytes = unpackBytes(packed);
    if (!bytes)
        return bytes.error();
    ColumnReader reader(std::move(*bytes));
    if (!reader.readNumber(reader.m_rowCount) || !reader.readNumber(reader.m_tag))
        return damaged("the block is cut");
    return reader;
}

Result<std::vector<std::uint64_t>> ColumnReader::next()
{
    // Each number takes a byte at least, which bounds what a wrong row count can make us reserve.
    if (m_next >= m_bytes.size() || m_rowCount > m_bytes.size() - m_next - 1)
        return damaged("a column is missing");
    const std::uint8_t encoding = m_bytes[m_next++];
    if (encoding != Plain && encoding != Delta)
        return damaged("a column has an unknown encoding");
    std::vector<std::uint64_t> values(m_rowCount);
    std::uint64_t previous = 0;
    for (std::uint64_t& value : values) {
        std::uint64_t number = 0;
        if (!readNumber(number))
            return damaged("a column is cut");
        value = encoding == Delta ? previous + unzigzag(number) : number;
        previous = value;
    }
    return values;
}

bool ColumnReader::readNumber(std::uint64_t& value)
{
    value = 0;
    for (std::size_t byte = 0; byte < maximumNumberBytes && m_next < m_bytes.size(); ++byte) {
        const std::uint8_t next = m_bytes[m_next++];
        value |= std::uint64_t(next & 0x7f) << (7 * byte);
        if ((next & 0x80) == 0)
            return true;
    }
    return false;
}

} // namespace perilune
