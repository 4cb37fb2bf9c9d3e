// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Format.h"
#include "core/recording/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perilune {

/// Writes a recording: a shared mapping of a growing file.
///
/// Each section has one contiguous, never moving range of addresses, into which further extents of
/// the file are mapped as it grows; pointers into a section therefore stay valid. Space is reserved
/// with posix_fallocate before it is mapped, so a full disk shows as a failed grow() and never as
/// SIGBUS. Not thread-safe. Throws nothing.
class RecordingWriter
{
public:
    RecordingWriter() = default;
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;
    ~RecordingWriter(); ///< Unmaps; what was written stays in the file.

    /// Creates `path`, replacing what is there. Errors: CannotWrite, NoSpace.
    Result<void> create(const std::string& path);
    /// A recording in memory alone, for calibration and tests.
    Result<void> createAnonymous();
    bool isOpen() const { return m_header != nullptr; }

    format::Header& header() { return *m_header; }

    /// Sets how many bytes a section may grow to; before its first element.
    void setLimit(format::Section section, std::uint64_t bytes);
    /// Makes room for `elements` elements; false when the disk or the section's limit is full.
    bool reserve(format::Section section, std::uint64_t elements);
    /// The first element of a section, valid after a successful reserve().
    template<typename Record>
    Record* data(format::Section section)
    {
        return reinterpret_cast<Record*>(state(section).base);
    }
    std::uint64_t count(format::Section section) const;
    /// Makes elements below `count` visible to readers.
    void publish(format::Section section, std::uint64_t count);

    /// Appends one element and publishes it; its index, or format::none when there is no room.
    template<typename Record>
    std::uint32_t append(format::Section section, const Record& record)
    {
        const std::uint64_t index = count(section);
        if (!reserve(section, index + 1))
            return format::none;
        data<Record>(section)[index] = record;
        publish(section, index + 1);
        return static_cast<std::uint32_t>(index);
    }
    /// Stores a string; its reference, or format::none when there is no room.
    std::uint32_t addString(std::string_view text);
    /// Appends bytes to SourceText; their offset, or UINT64_MAX when there is no room.
    std::uint64_t addText(std::string_view text);

    /// The errno of the last failed growth: ENOSPC, EDQUOT, EFBIG, …; 0 when only a limit was
    /// reached.
    int growthError() const { return m_growthError; }

private:
    struct SectionState
    {
        char* base = nullptr; ///< Reserved addresses.
        std::uint64_t reservedBytes = 0;
        std::uint64_t mappedBytes = 0; ///< From base on, backed by the file.
        std::uint64_t limitBytes = 64u << 20;
    };

    SectionState& state(format::Section section)
    {
        return m_sections[static_cast<std::size_t>(section)];
    }
    Result<void> initialize(const std::string& name);
    bool grow(format::Section section, std::uint64_t neededBytes);
    void unmap();

    int m_file = -1;
    format::Header* m_header = nullptr;
    std::uint64_t m_fileBytes = 0;
    int m_growthError = 0;
    std::array<SectionState, format::sectionCapacity> m_sections;
};

/// sizeof the records of a section, 1 for bytes.
std::uint32_t elementBytes(format::Section section);

} // namespace perilune
