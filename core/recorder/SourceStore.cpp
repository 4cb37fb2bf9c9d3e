// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/SourceStore.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace perilune {

namespace {

constexpr std::size_t longestChunkName = 512;
constexpr std::size_t largestSourceFile = 16u << 20;

/// The text of a regular file of reasonable size; false when it cannot be had.
bool readFile(const char* path, std::string& text)
{
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return false;
    struct stat status;
    bool isRead = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode)
        && static_cast<std::size_t>(status.st_size) <= largestSourceFile;
    if (isRead) {
        text.resize(static_cast<std::size_t>(status.st_size));
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t got = ::read(file, text.data() + done, text.size() - done);
            if (got <= 0)
                break;
            done += static_cast<std::size_t>(got);
        }
        text.resize(done);
    }
    ::close(file);
    return isRead;
}

std::string absolutePath(std::string_view path)
{
    if (!path.empty() && path.front() == '/')
        return std::string(path);
    std::vector<char> folder(4096);
    if (!::getcwd(folder.data(), folder.size()))
        return std::string(path);
    std::string result = folder.data();
    result += '/';
    if (path.starts_with("./"))
        path.remove_prefix(2);
    result += path;
    return result;
}

} // namespace

std::uint64_t hashOf(std::string_view text, std::uint64_t seed)
{
    std::uint64_t hash = seed;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

std::uint32_t SourceStore::indexOf(std::string_view source)
{
    const std::uint64_t hash = hashOf(source);
    if (const auto found = m_indexByHash.find(hash); found != m_indexByHash.end())
        return found->second;
    const std::uint32_t index = add(source);
    m_indexByHash.emplace(hash, index);
    return index;
}

std::uint32_t SourceStore::add(std::string_view source)
{
    format::SourceRecord record = {};
    record.path = format::none;
    record.kind = format::SourceKind::None;
    record.hash = hashOf(source);
    const bool isText = source.empty() || (source.front() != '@' && source.front() != '=');
    std::string_view chunkName = source;
    if (isText)
        chunkName = source.substr(0, std::min(source.find('\n'), longestChunkName));
    else
        chunkName = source.substr(0, 4096);
    record.chunkName = m_writer.addString(chunkName);
    if (isText)
        addText(source, record);
    else if (source.front() == '@')
        addFile(source.substr(1), record);
    m_isIncomplete = m_isIncomplete || record.chunkName == format::none;
    return m_writer.append(format::Section::Sources, record);
}

void SourceStore::addFile(std::string_view path, format::SourceRecord& record)
{
    record.kind = format::SourceKind::File;
    const std::string absolute = absolutePath(path);
    record.path = m_writer.addString(absolute);
    std::string text;
    if (readFile(absolute.c_str(), text)) {
        addText(text, record);
        record.kind = format::SourceKind::File;
    }
}

void SourceStore::addText(std::string_view text, format::SourceRecord& record)
{
    record.kind = format::SourceKind::String;
    const std::uint64_t offset = m_writer.addText(text);
    if (offset == UINT64_MAX) {
        m_isIncomplete = true;
        return;
    }
    record.textOffset = offset;
    record.textBytes = text.size();
    record.hash = hashOf(text);
    record.isComplete = 1;
}

} // namespace perilune
