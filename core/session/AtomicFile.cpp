// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/AtomicFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace {

constexpr int maximumAttempts = 100;

Error writeError(const std::string& path, int systemError)
{
    if (systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG)
        return noSpaceError(path);
    if (systemError == ENOENT)
        return {Error::Code::CannotWrite,
                "“" + path + "” cannot be written: its folder does not exist."};
    return {Error::Code::CannotWrite,
            "“" + path + "” cannot be written: " + std::strerror(systemError) + "."};
}

/// The file that a chain of links ends at, or the path itself.
std::string resolved(const std::string& path)
{
    std::error_code error;
    const auto target = std::filesystem::weakly_canonical(path, error);
    return error ? path : target.string();
}

std::string folderOf(const std::string& path)
{
    const auto folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

/// Flushes a file or a folder to the disk.
Result<void> flush(const std::string& path, const std::string& target)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return writeError(target, errno);
    const int result = ::fsync(descriptor);
    const int systemError = errno;
    ::close(descriptor);
    // Some file systems cannot flush a folder and say EINVAL.
    if (result != 0 && systemError != EINVAL)
        return writeError(target, systemError);
    return {};
}

} // namespace

Error noSpaceError(const std::string& path)
{
    return {Error::Code::NoSpace,
            "There is no space left to write “" + path + "”; free some or save elsewhere."};
}

AtomicFile::AtomicFile(std::string target, std::string temporary)
    : m_target(std::move(target))
    , m_temporary(std::move(temporary))
{
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_target(std::move(other.m_target))
    , m_temporary(std::exchange(other.m_temporary, {}))
{
}

AtomicFile::~AtomicFile()
{
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<AtomicFile> AtomicFile::begin(const std::string& path)
{
    const std::string target = resolved(path);
    struct stat existing = {};
    const bool exists = ::stat(target.c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        return Error{Error::Code::CannotWrite, "“" + path + "” is no file; choose another name."};
    if (exists && ::access(target.c_str(), W_OK) != 0)
        return writeError(path, errno);
    for (int attempt = 0; attempt < maximumAttempts; ++attempt) {
        std::string temporary =
            target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
        const int descriptor =
            ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0 && errno == EEXIST)
            continue;
        if (descriptor < 0)
            return writeError(path, errno);
        if (exists)
            (void)::fchmod(descriptor, existing.st_mode & 0777);
        ::close(descriptor);
        return AtomicFile(target, std::move(temporary));
    }
    return writeError(path, EEXIST);
}

Result<void> AtomicFile::commit()
{
    if (const auto flushed = flush(m_temporary, m_target); !flushed)
        return flushed;
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        return writeError(m_target, errno);
    m_temporary.clear();
    return flush(folderOf(m_target), m_target);
}

} // namespace perilune
