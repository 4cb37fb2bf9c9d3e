// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/RecordingWriter.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace perilune {

/// FNV-1a, 64 bits: the hash of source texts in recordings and sessions.
std::uint64_t hashOf(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL);

/// Writes each source that is met into the recording once, with its text as it is now.
///
/// Text of files is read when the file's first function is met, so it is what the run compiled
/// unless the file was changed between Lua's reading and ours.
class SourceStore
{
public:
    explicit SourceStore(RecordingWriter& writer)
        : m_writer(writer)
    {
    }

    /// Index of the source that Lua calls `source` ("@path", "=name" or the text itself), or
    /// format::none when there was no room for it.
    std::uint32_t indexOf(std::string_view source);
    /// Whether names or texts had to be left out.
    bool isIncomplete() const { return m_isIncomplete; }

private:
    std::uint32_t add(std::string_view source);
    void addFile(std::string_view path, format::SourceRecord& record);
    void addText(std::string_view text, format::SourceRecord& record);

    RecordingWriter& m_writer;
    std::unordered_map<std::uint64_t, std::uint32_t>
        m_indexByHash; ///< Hash of Lua's source string.
    bool m_isIncomplete = false;
};

} // namespace perilune
