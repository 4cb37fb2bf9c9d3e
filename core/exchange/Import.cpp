// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Import.h"

#include "core/exchange/Readers.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <zlib.h>

namespace perilune {

namespace {

/// Of a file, compressed or not: a small file can hold very many zeros.
constexpr std::size_t contentLimit = UINT32_MAX;

struct FileCloser
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<std::string> readFile(const std::string& path)
{
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        const auto code = errno == ENOENT ? Error::Code::FileNotFound : Error::Code::CannotRead;
        return Error{code, path + ": " + std::strerror(errno)};
    }
    std::string content;
    struct stat status = {};
    if (::fstat(::fileno(file.get()), &status) == 0 && S_ISREG(status.st_mode)
        && status.st_size < std::int64_t(contentLimit))
        content.reserve(static_cast<std::size_t>(status.st_size));
    std::array<char, 1 << 16> chunk;
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
        content.append(chunk.data(), count);
        if (content.size() > contentLimit)
            return Error{Error::Code::CannotRead, path + ": is larger than 4 GiB"};
    }
    if (std::ferror(file.get()))
        return Error{Error::Code::CannotRead, path + ": " + std::strerror(errno)};
    return content;
}

bool isGzip(std::string_view content)
{
    return content.starts_with("\x1F\x8B");
}

/// Ends inflating in every case.
struct Inflater
{
    z_stream z = {};
    bool isReady = inflateInit2(&z, 15 + 16) == Z_OK; // gzip only
    Inflater() = default;
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&z); }
};

Result<std::string> gunzip(std::string_view content)
{
    Inflater inflater;
    std::string result;
    std::array<char, 1 << 16> chunk;
    z_stream& z = inflater.z;
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    z.avail_in = static_cast<uInt>(content.size());
    for (int status = Z_OK; status != Z_STREAM_END;) {
        z.next_out = reinterpret_cast<Bytef*>(chunk.data());
        z.avail_out = chunk.size();
        status = inflate(&z, Z_NO_FLUSH);
        result.append(chunk.data(), chunk.size() - z.avail_out);
        if ((status != Z_OK && status != Z_STREAM_END) || result.size() > contentLimit)
            return damaged("cannot be decompressed");
    }
    return result;
}

ImportResult readAny(std::string_view content, std::string_view fileName)
{
    const std::size_t begin = content.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (begin == std::string_view::npos)
        return damaged("is empty");
    if (content[begin] == '{')
        return readSpeedscope(content);
    if (looksLikePprof(content))
        return readPprof(content);
    if (looksLikeCallgrind(content))
        return readCallgrind(content);
    if (looksLikeCollapsed(content))
        return readCollapsed(content, fileName);
    return damaged("is none of collapsed stacks, speedscope, callgrind and pprof");
}

std::int64_t lastChangeUnixMs(const std::string& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return 0;
    return std::int64_t(status.st_mtim.tv_sec) * 1000 + status.st_mtim.tv_nsec / 1000000;
}

/// Fills in what only the file itself can tell.
std::shared_ptr<const Profile> complete(const std::shared_ptr<const Profile>& read,
                                        const std::string& path)
{
    auto profile = std::make_shared<Profile>(*read);
    if (profile->run.script.empty())
        profile->run.script = std::filesystem::path(path).filename().string();
    if (profile->run.startedAtUnixMs <= 0)
        profile->run.startedAtUnixMs = lastChangeUnixMs(path);
    return profile;
}

} // namespace

ImportResult importProfile(const std::string& path)
{
    auto content = readFile(path);
    if (!content)
        return content.error();
    if (isGzip(*content)) {
        content = gunzip(*content);
        if (!content)
            return damaged(path + ": " + content.error().detail);
    }
    const auto profile = readAny(*content, std::filesystem::path(path).filename().string());
    if (!profile)
        return Error{profile.error().code, path + ": " + profile.error().detail};
    return complete(*profile, path);
}

} // namespace perilune
