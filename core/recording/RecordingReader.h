// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Format.h"
#include "core/recording/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A consistent copy of a recording, taken at one moment; the program may go on recording.
///
/// Every index and string reference in it has been checked, or is replaced by `format::none`, so a
/// damaged file never leads outside the arrays. Where something had to be dropped, `problems` says
/// so.
class RecordingSnapshot
{
public:
    format::Header header = {}; ///< Its section directories are not to be used by readers.
    std::vector<format::FunctionRecord> functions;
    std::vector<format::NodeRecord> nodes; ///< Parents before children; element 0 is the root.
    std::vector<format::TailEdgeRecord> tailEdges;
    std::vector<format::SourceRecord> sources;
    std::vector<format::NodeMemoryRecord> nodeMemory;  ///< Empty, or as long as nodes.
    std::vector<format::NodeSampleRecord> nodeSamples; ///< Empty, or as long as nodes.
    std::vector<format::NodeLineRecord> nodeLines;
    std::vector<format::DurationRecord> durations; ///< Empty, or as long as functions.
    std::vector<format::SlowCallRecord> slowCalls;
    std::vector<format::HeapPointRecord> heapCurve;
    std::vector<format::EventRecord> events;
    std::vector<format::ThreadRecord> threads;
    std::vector<format::MarkRecord> marks;
    std::vector<std::string> problems; ///< What was damaged, for people; empty for a whole file.

    /// The string at a reference; empty for `format::none` or a reference outside the file.
    std::string_view string(std::uint32_t reference) const;
    /// The text of a source; empty when it is not known.
    std::string_view sourceText(const format::SourceRecord& source) const;

    std::vector<char> strings;
    std::vector<char> texts;
};

/// Reads the recording at `path`, which may still grow.
///
/// Errors: FileNotFound, CannotRead, NotARecording, UnsupportedVersion, Damaged (nothing usable).
Result<RecordingSnapshot> readRecording(const std::string& path);

/// Writes `ticks` as the end of a recording whose process died without a word, so that the time
/// since its last event is charged to the function that ran. Does nothing when the recording has an
/// end.
Result<void> closeRecording(const std::string& path, format::State state);

} // namespace perilune
