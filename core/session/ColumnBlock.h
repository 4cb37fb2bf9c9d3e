// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// FNV-1a 64, the hash of texts and blocks in recordings and sessions.
std::uint64_t fnv1a(std::span<const std::uint8_t> bytes);
std::uint64_t fnv1a(std::string_view text);
/// 16 hexadecimal digits.
std::string hashText(std::uint64_t hash);

/// Bytes packed with zstd behind a version byte and a checksum:
/// u8 version (1), u64 FNV-1a of all that follows, u64 size when unpacked, one zstd frame;
/// little-endian.
std::vector<std::uint8_t> packBytes(std::span<const std::uint8_t> bytes);
/// Errors: UnsupportedVersion, Damaged. Memory grows only with what is really unpacked.
Result<std::vector<std::uint8_t>> unpackBytes(std::span<const std::uint8_t> packed);

/// Writes columns of equal length, each number in as few bytes as it needs (LEB128).
class ColumnWriter
{
public:
    /// `tag` is a number of the caller's own that comes back from ColumnReader::tag().
    ColumnWriter(std::uint64_t rowCount, std::uint64_t tag = 0);

    /// For numbers that are mostly small.
    void addColumn(std::span<const std::uint64_t> values);
    /// For numbers that are mostly close to the one before.
    void addDeltaColumn(std::span<const std::uint64_t> values);

    std::vector<std::uint8_t> pack() const { return packBytes(m_bytes); }

private:
    std::vector<std::uint8_t> m_bytes;
    std::uint64_t m_rowCount;
};

/// Reads what ColumnWriter has packed, column by column in the same order.
class ColumnReader
{
public:
    /// Errors: UnsupportedVersion, Damaged.
    static Result<ColumnReader> open(std::span<const std::uint8_t> packed);

    std::uint64_t rowCount() const { return m_rowCount; }
    std::uint64_t tag() const { return m_tag; }
    /// The next column, as long as rowCount(). Error: Damaged, also when there is no further
    /// column.
    Result<std::vector<std::uint64_t>> next();

private:
    explicit ColumnReader(std::vector<std::uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    bool readNumber(std::uint64_t& value);

    std::vector<std::uint8_t> m_bytes;
    std::size_t m_next = 0;
    std::uint64_t m_rowCount = 0;
    std::uint64_t m_tag = 0;
};

} // namespace perilune
