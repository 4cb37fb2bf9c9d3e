// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/RecordingReader.h"

#include "core/recording/RecordingWriter.h"
#include "core/recording/TickClock.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perilune {

using format::Section;

namespace {

/// A file descriptor that closes itself.
class File
{
public:
    File(const std::string& path, int flags)
        : m_descriptor(::open(path.c_str(), flags | O_CLOEXEC))
    {
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    bool isOpen() const { return m_descriptor >= 0; }
    int descriptor() const { return m_descriptor; }

    /// Reads at most `bytes` bytes; returns how many there were.
    std::size_t readAt(std::uint64_t offset, void* target, std::size_t bytes) const
    {
        std::size_t done = 0;
        while (done < bytes) {
            const ssize_t got = ::pread(m_descriptor, static_cast<char*>(target) + done,
                                        bytes - done, static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

private:
    int m_descriptor;
};

Result<void> readHeader(const File& file, const std::string& path, format::Header& header)
{
    struct stat status;
    if (::fstat(file.descriptor(), &status) == 0 && S_ISDIR(status.st_mode))
        return Error{Error::Code::NotARecording, path + ": is a folder, not a recording"};
    std::memset(static_cast<void*>(&header), 0, sizeof header);
    const std::size_t got = file.readAt(0, &header, sizeof header);
    if (got < sizeof format::magic
        || std::memcmp(header.magic, format::magic, sizeof format::magic) != 0)
        return Error{Error::Code::NotARecording, path + ": is not a Perilune recording"};
    if (header.version != format::version)
        return Error{Error::Code::UnsupportedVersion,
                     path + ": has recording format " + std::to_string(header.version)
                         + ", this program reads format " + std::to_string(format::version)};
    if (got < sizeof header)
        return Error{Error::Code::Damaged, path + ": is cut off inside its header"};
    return {};
}

/// Copies the sections of one recording and notes what is missing.
class SectionReader
{
public:
    SectionReader(const File& file, std::vector<std::string>& problems)
        : m_file(file)
        , m_problems(problems)
    {
        struct stat status;
        if (::fstat(file.descriptor(), &status) == 0)
            m_fileBytes = static_cast<std::uint64_t>(status.st_size);
    }

    template<typename Record>
    std::vector<Record> read(Section section, const char* name)
    {
        std::vector<Record> records;
        format::SectionDirectory directory;
        // The directory is read now, not with the header: what other sections refer to may have
        // been added meanwhile, and sections are read in the order "referring before referred to".
        const std::uint64_t offset = offsetof(format::Header, sections)
            + static_cast<std::size_t>(section) * sizeof directory;
        if (m_file.readAt(offset, &directory, sizeof directory) != sizeof directory)
            return records;
        if (directory.count == 0)
            return records;
        if (directory.elementBytes != sizeof(Record)
            || directory.extentCount > std::size(directory.extents)) {
            m_problems.push_back(std::string("The list of ") + name
                                 + " is damaged and was left out.");
            return records;
        }
        const std::uint64_t wantedBytes = directory.count * sizeof(Record);
        if (directory.count > m_fileBytes || wantedBytes / sizeof(Record) != directory.count) {
            m_problems.push_back(std::string("The list of ") + name
                                 + " is damaged and was left out.");
            return records;
        }
        std::vector<char> bytes;
        bytes.reserve(std::min<std::uint64_t>(wantedBytes, m_fileBytes));
        for (std::uint32_t index = 0; index < directory.extentCount && bytes.size() < wantedBytes;
             ++index) {
            const format::Extent extent = directory.extents[index];
            if (extent.offset >= m_fileBytes)
                break;
            const std::uint64_t available = std::min(extent.bytes, m_fileBytes - extent.offset);
            const std::size_t take = std::min<std::uint64_t>(available, wantedBytes - bytes.size());
            const std::size_t start = bytes.size();
            bytes.resize(start + take);
            const std::size_t got = m_file.readAt(extent.offset, bytes.data() + start, take);
            bytes.resize(start + got);
            if (got < take || available < extent.bytes)
                break;
        }
        const std::size_t whole = bytes.size() / sizeof(Record);
        if (whole < directory.count)
            m_problems.push_back("The file is cut off: " + std::to_string(whole) + " of "
                                 + std::to_string(directory.count) + " " + name + " are left.");
        records.resize(whole);
        if (whole > 0)
            std::memcpy(static_cast<void*>(records.data()), bytes.data(), whole * sizeof(Record));
        return records;
    }

private:
    const File& m_file;
    std::vector<std::string>& m_problems;
    std::uint64_t m_fileBytes = 0;
};

/// Removes whatever would lead outside the arrays, so that no user of a snapshot has to look again.
class SnapshotCleaner
{
public:
    explicit SnapshotCleaner(RecordingSnapshot& snapshot)
        : m_snapshot(snapshot)
    {
    }

    void clean()
    {
        cleanSources();
        cleanFunctions();
        cleanNodes();
        cleanNodeReferences();
        cleanHeader();
        if (m_dropped > 0)
            m_snapshot.problems.push_back(std::to_string(m_dropped)
                                          + " damaged entries of the recording were left out.");
    }

private:
    bool isString(std::uint32_t reference) const
    {
        std::uint32_t length = 0;
        if (reference > m_snapshot.strings.size()
            || m_snapshot.strings.size() - reference < sizeof length)
            return false;
        std::memcpy(&length, m_snapshot.strings.data() + reference, sizeof length);
        return m_snapshot.strings.size() - reference - sizeof length >= length;
    }
    void cleanString(std::uint32_t& reference)
    {
        if (reference == format::none || isString(reference))
            return;
        reference = format::none;
        ++m_dropped;
    }
    bool isNode(std::uint32_t node) const { return node < m_snapshot.nodes.size(); }

    void cleanSources()
    {
        for (format::SourceRecord& source : m_snapshot.sources) {
            cleanString(source.chunkName);
            cleanString(source.path);
            if (static_cast<std::uint32_t>(source.kind) > 2)
                source.kind = format::SourceKind::None;
            if (source.textOffset > m_snapshot.texts.size()
                || source.textBytes > m_snapshot.texts.size() - source.textOffset) {
                source.textOffset = source.textBytes = 0;
                source.isComplete = 0;
                ++m_dropped;
            }
        }
    }
    void cleanFunctions()
    {
        for (format::FunctionRecord& function : m_snapshot.functions) {
            cleanString(function.name);
            cleanString(function.callName);
            cleanString(function.callNameWhat);
            if (function.source != format::none && function.source >= m_snapshot.sources.size()) {
                function.source = format::none;
                ++m_dropped;
            }
            if (function.kind > format::FunctionKind::Folded) {
                function.kind = format::FunctionKind::Lua;
                ++m_dropped;
            }
        }
    }
    /// A node whose parent or function is damaged ends the list: later ones may hang under it.
    void cleanNodes()
    {
        auto& nodes = m_snapshot.nodes;
        for (std::size_t index = 0; index < nodes.size(); ++index) {
            const bool hasParent =
                index == 0 ? nodes[0].parent == format::none : nodes[index].parent < index;
            if (hasParent
                && (nodes[index].function & ~format::tailCallBit) < m_snapshot.functions.size())
                continue;
            m_snapshot.problems.push_back("The call tree is damaged: " + std::to_string(index)
                                          + " of " + std::to_string(nodes.size())
                                          + " nodes are left.");
            nodes.resize(index);
            break;
        }
    }
    template<typename Record, typename Predicate>
    void dropUnless(std::vector<Record>& records, Predicate isGood)
    {
        m_dropped += std::erase_if(records, [&](const Record& record) { return !isGood(record); });
    }
    template<typename Record>
    void fit(std::vector<Record>& records, std::size_t count)
    {
        if (!records.empty())
            records.resize(count);
    }
    void cleanNodeReferences()
    {
        dropUnless(m_snapshot.tailEdges,
                   [&](const auto& edge) { return isNode(edge.from) && isNode(edge.to); });
        dropUnless(m_snapshot.nodeLines, [&](const auto& line) { return isNode(line.node); });
        std::erase_if(m_snapshot.slowCalls,
                      [](const auto& call) { return call.durationTicks == 0; });
        dropUnless(m_snapshot.slowCalls, [&](const auto& call) { return isNode(call.node); });
        dropUnless(m_snapshot.events, [&](const auto& event) { return isNode(event.node); });
        dropUnless(m_snapshot.marks, [&](const auto& mark) {
            return isNode(mark.node) && (mark.name == format::none || isString(mark.name));
        });
        for (format::ThreadRecord& thread : m_snapshot.threads)
            if (!isNode(thread.resumedFrom))
                thread.resumedFrom = format::none;
        fit(m_snapshot.nodeMemory, m_snapshot.nodes.size());
        fit(m_snapshot.nodeSamples, m_snapshot.nodes.size());
        fit(m_snapshot.durations, m_snapshot.functions.size());
    }
    void cleanHeader()
    {
        format::Header& header = m_snapshot.header;
        cleanString(header.luaVersion);
        cleanString(header.errorMessage);
        cleanString(header.traceback);
        cleanString(header.workingDirectory);
        const std::uint64_t distance = header.currentNodeAddress - header.nodesAddress;
        const std::uint64_t index = distance / sizeof(format::NodeRecord);
        header.currentNode = header.currentNodeAddress != 0 && index < m_snapshot.nodes.size()
            ? static_cast<std::uint32_t>(index)
            : 0;
        if (!(header.ticksPerSecond > 0) || !(header.ticksPerSecond < 1e15))
            header.ticksPerSecond = 1e9;
    }

    RecordingSnapshot& m_snapshot;
    std::size_t m_dropped = 0;
};

} // namespace

std::string_view RecordingSnapshot::string(std::uint32_t reference) const
{
    std::uint32_t length = 0;
    if (reference > strings.size() || strings.size() - reference < sizeof length)
        return {};
    std::memcpy(&length, strings.data() + reference, sizeof length);
    if (strings.size() - reference - sizeof length < length)
        return {};
    return {strings.data() + reference + sizeof length, length};
}

std::string_view RecordingSnapshot::sourceText(const format::SourceRecord& source) const
{
    if (source.textOffset > texts.size() || source.textBytes > texts.size() - source.textOffset)
        return {};
    return {texts.data() + source.textOffset, source.textBytes};
}

Result<RecordingSnapshot> readRecording(const std::string& path)
{
    const File file(path, O_RDONLY);
    if (!file.isOpen())
        return Error{errno == ENOENT ? Error::Code::FileNotFound : Error::Code::CannotRead,
                     path + ": " + std::strerror(errno)};
    RecordingSnapshot snapshot;
    if (const auto header = readHeader(file, path, snapshot.header); !header)
        return header.error();
    SectionReader reader(file, snapshot.problems);
    // What refers to others comes first, so that everything referred to is there.
    snapshot.nodeLines = reader.read<format::NodeLineRecord>(Section::NodeLines, "lines");
    snapshot.tailEdges = reader.read<format::TailEdgeRecord>(Section::TailEdges, "tail calls");
    snapshot.slowCalls = reader.read<format::SlowCallRecord>(Section::SlowCalls, "slow calls");
    snapshot.events = reader.read<format::EventRecord>(Section::Events, "events");
    snapshot.threads = reader.read<format::ThreadRecord>(Section::Threads, "coroutines");
    snapshot.marks = reader.read<format::MarkRecord>(Section::Marks, "marks");
    snapshot.nodeMemory =
        reader.read<format::NodeMemoryRecord>(Section::NodeMemory, "memory counts");
    snapshot.nodeSamples =
        reader.read<format::NodeSampleRecord>(Section::NodeSamples, "sample counts");
    snapshot.nodes = reader.read<format::NodeRecord>(Section::Nodes, "nodes");
    snapshot.durations = reader.read<format::DurationRecord>(Section::Durations, "durations");
    snapshot.functions = reader.read<format::FunctionRecord>(Section::Functions, "functions");
    snapshot.sources = reader.read<format::SourceRecord>(Section::Sources, "sources");
    snapshot.texts = reader.read<char>(Section::SourceText, "source texts");
    snapshot.strings = reader.read<char>(Section::Strings, "strings");
    snapshot.heapCurve = reader.read<format::HeapPointRecord>(Section::HeapCurve, "heap points");
    SnapshotCleaner(snapshot).clean();
    return snapshot;
}

Result<void> closeRecording(const std::string& path, format::State state)
{
    const File file(path, O_RDWR);
    if (!file.isOpen())
        return Error{errno == ENOENT ? Error::Code::FileNotFound : Error::Code::CannotRead,
                     path + ": " + std::strerror(errno)};
    format::Header header;
    if (const auto read = readHeader(file, path, header); !read)
        return read.error();
    if (header.endTicks != 0 || header.startTicks == 0)
        return {};
    // Another thread's processor time cannot be read here: what is charged is all that is known.
    const auto clock = static_cast<format::Clock>(header.clock);
    header.endTicks = clock == format::Clock::ThreadCpu ? header.lastTicks : readTicks(clock);
    header.state = static_cast<std::uint32_t>(state);
    const auto write = [&](std::size_t offset, const auto& field) {
        return ::pwrite(file.descriptor(), &field, sizeof field, static_cast<off_t>(offset))
            == static_cast<ssize_t>(sizeof field);
    };
    if (!write(offsetof(format::Header, endTicks), header.endTicks)
        || !write(offsetof(format::Header, state), header.state))
        return Error{Error::Code::CannotWrite, path + ": " + std::strerror(errno)};
    return {};
}

} // namespace perilune
