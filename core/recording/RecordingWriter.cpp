// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/RecordingWriter.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace perilune {

using format::Section;

namespace {

constexpr std::uint64_t firstExtentBytes = 64u << 10;
constexpr std::uint64_t largestExtentBytes = 32u << 20;

Error errnoError(Error::Code code, const std::string& what)
{
    const int number = errno;
    const bool isFull = number == ENOSPC || number == EDQUOT;
    return {isFull ? Error::Code::NoSpace : code, what + ": " + std::strerror(number)};
}

/// posix_fallocate that survives being interrupted by the sampler's signals.
int reserveFileSpace(int file, std::uint64_t offset, std::uint64_t bytes)
{
    int error = 0;
    do
        error = posix_fallocate(file, static_cast<off_t>(offset), static_cast<off_t>(bytes));
    while (error == EINTR);
    return error;
}

std::uint64_t roundUp(std::uint64_t value, std::uint64_t step)
{
    return (value + step - 1) / step * step;
}

} // namespace

std::uint32_t elementBytes(Section section)
{
    switch (section) {
    case Section::Functions:
        return sizeof(format::FunctionRecord);
    case Section::Nodes:
        return sizeof(format::NodeRecord);
    case Section::TailEdges:
        return sizeof(format::TailEdgeRecord);
    case Section::Sources:
        return sizeof(format::SourceRecord);
    case Section::NodeMemory:
        return sizeof(format::NodeMemoryRecord);
    case Section::NodeSamples:
        return sizeof(format::NodeSampleRecord);
    case Section::NodeLines:
        return sizeof(format::NodeLineRecord);
    case Section::Durations:
        return sizeof(format::DurationRecord);
    case Section::SlowCalls:
        return sizeof(format::SlowCallRecord);
    case Section::HeapCurve:
        return sizeof(format::HeapPointRecord);
    case Section::Events:
        return sizeof(format::EventRecord);
    case Section::Threads:
        return sizeof(format::ThreadRecord);
    case Section::Marks:
        return sizeof(format::MarkRecord);
    default:
        return 1;
    }
}

RecordingWriter::~RecordingWriter()
{
    unmap();
}

Result<void> RecordingWriter::create(const std::string& path)
{
    m_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (m_file < 0)
        return errnoError(Error::Code::CannotWrite, path);
    return initialize(path);
}

Result<void> RecordingWriter::createAnonymous()
{
    m_file = ::memfd_create("perilune-recording", MFD_CLOEXEC);
    if (m_file < 0)
        return errnoError(Error::Code::CannotWrite, "memory");
    return initialize("memory");
}

Result<void> RecordingWriter::initialize(const std::string& name)
{
    m_fileBytes = format::headerBytes;
    if (const int error = reserveFileSpace(m_file, 0, m_fileBytes); error != 0) {
        errno = error;
        return errnoError(Error::Code::CannotWrite, name);
    }
    void* memory = ::mmap(nullptr, m_fileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (memory == MAP_FAILED)
        return errnoError(Error::Code::CannotWrite, name);
    m_header = static_cast<format::Header*>(memory);
    std::memcpy(m_header->magic, format::magic, sizeof format::magic);
    m_header->version = format::version;
    m_header->headerBytes = format::headerBytes;
    m_header->luaVersion = format::none;
    m_header->errorMessage = format::none;
    m_header->traceback = format::none;
    m_header->workingDirectory = format::none;
    for (std::size_t index = 0; index < format::sectionCapacity; ++index)
        m_header->sections[index].elementBytes = elementBytes(static_cast<Section>(index));
    return {};
}

void RecordingWriter::setLimit(Section section, std::uint64_t bytes)
{
    state(section).limitBytes = bytes;
}

bool RecordingWriter::reserve(Section section, std::uint64_t elements)
{
    const std::uint64_t bytes = elements * elementBytes(section);
    return bytes <= state(section).mappedBytes || grow(section, bytes);
}

bool RecordingWriter::grow(Section section, std::uint64_t neededBytes)
{
    SectionState& target = state(section);
    m_growthError = 0;
    if (neededBytes > target.limitBytes)
        return false;
    if (!target.base) {
        // Addresses only; a limit below a page still gets whole extents.
        target.reservedBytes = roundUp(target.limitBytes, largestExtentBytes) + largestExtentBytes;
        void* memory = ::mmap(nullptr, target.reservedBytes, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            m_growthError = errno;
            return false;
        }
        target.base = static_cast<char*>(memory);
    }
    format::SectionDirectory& directory = m_header->sections[static_cast<std::size_t>(section)];
    while (target.mappedBytes < neededBytes) {
        // Doubling keeps the extents few; the cap keeps what is reserved in vain small.
        std::uint64_t bytes = std::clamp(target.mappedBytes, firstExtentBytes, largestExtentBytes);
        bytes = std::max(bytes,
                         std::min(roundUp(neededBytes - target.mappedBytes, firstExtentBytes),
                                  target.reservedBytes - target.mappedBytes));
        if (directory.extentCount == std::size(directory.extents)
            || target.mappedBytes + bytes > target.reservedBytes)
            return false;
        if (const int error = reserveFileSpace(m_file, m_fileBytes, bytes); error != 0) {
            m_growthError = error;
            return false;
        }
        void* memory = ::mmap(target.base + target.mappedBytes, bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_FIXED, m_file, static_cast<off_t>(m_fileBytes));
        if (memory == MAP_FAILED) {
            m_growthError = errno;
            return false;
        }
        directory.extents[directory.extentCount] = {m_fileBytes, bytes};
        std::atomic_ref(directory.extentCount)
            .store(directory.extentCount + 1, std::memory_order_release);
        target.mappedBytes += bytes;
        m_fileBytes += bytes;
    }
    return true;
}

std::uint64_t RecordingWriter::count(Section section) const
{
    return m_header->sections[static_cast<std::size_t>(section)].count;
}

void RecordingWriter::publish(Section section, std::uint64_t count)
{
    std::atomic_ref(m_header->sections[static_cast<std::size_t>(section)].count)
        .store(count, std::memory_order_release);
}

std::uint32_t RecordingWriter::addString(std::string_view text)
{
    const std::uint64_t offset = count(Section::Strings);
    const auto length = static_cast<std::uint32_t>(text.size());
    const std::uint64_t end = offset + sizeof length + text.size();
    if (end >= format::none || !reserve(Section::Strings, end))
        return format::none;
    char* target = data<char>(Section::Strings) + offset;
    std::memcpy(target, &length, sizeof length);
    std::memcpy(target + sizeof length, text.data(), text.size());
    publish(Section::Strings, end);
    return static_cast<std::uint32_t>(offset);
}

std::uint64_t RecordingWriter::addText(std::string_view text)
{
    const std::uint64_t offset = count(Section::SourceText);
    if (!reserve(Section::SourceText, offset + text.size()))
        return UINT64_MAX;
    std::memcpy(data<char>(Section::SourceText) + offset, text.data(), text.size());
    publish(Section::SourceText, offset + text.size());
    return offset;
}

void RecordingWriter::unmap()
{
    for (SectionState& section : m_sections) {
        if (section.base)
            ::munmap(section.base, section.reservedBytes);
        section = {};
    }
    if (m_header)
        ::munmap(m_header, format::headerBytes);
    m_header = nullptr;
    if (m_file >= 0)
        ::close(m_file);
    m_file = -1;
}

} // namespace perilune
