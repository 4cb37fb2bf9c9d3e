// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Output.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace perilune {

namespace {

constexpr std::size_t bufferBytes = 1 << 18;

bool isDirectTarget(const std::string& path)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

Error writeError(const std::string& path, int number)
{
    const auto code =
        number == ENOSPC || number == EDQUOT ? Error::Code::NoSpace : Error::Code::CannotWrite;
    return {code, path + ": " + std::strerror(number)};
}

} // namespace

Output::Output()
{
    m_buffer.reserve(bufferBytes);
}

Output::~Output() = default;

Output& Output::operator<<(std::string_view bytes)
{
    if (m_buffer.size() + bytes.size() > bufferBytes)
        flush();
    if (bytes.size() > bufferBytes)
        drain(bytes);
    else
        m_buffer.append(bytes);
    return *this;
}

Output& Output::operator<<(char byte)
{
    if (m_buffer.size() == bufferBytes)
        flush();
    m_buffer.push_back(byte);
    return *this;
}

Output& Output::appendSigned(std::int64_t number)
{
    std::array<char, 24> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return *this << std::string_view(text.data(), static_cast<std::size_t>(end - text.data()));
}

Output& Output::appendUnsigned(std::uint64_t number)
{
    std::array<char, 24> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return *this << std::string_view(text.data(), static_cast<std::size_t>(end - text.data()));
}

void Output::flush()
{
    if (!m_buffer.empty())
        drain(m_buffer);
    m_buffer.clear();
}

Result<std::unique_ptr<FileOutput>> FileOutput::create(const std::string& path)
{
    if (path == "-")
        return std::unique_ptr<FileOutput>(new FileOutput(path, {}, stdout));
    std::string temporary;
    if (!isDirectTarget(path))
        temporary = path + ".part" + std::to_string(::getpid());
    std::FILE* file = std::fopen((temporary.empty() ? path : temporary).c_str(), "wb");
    if (!file)
        return writeError(path, errno);
    return std::unique_ptr<FileOutput>(new FileOutput(path, std::move(temporary), file));
}

FileOutput::FileOutput(std::string path, std::string temporaryPath, std::FILE* file)
    : m_path(std::move(path))
    , m_temporaryPath(std::move(temporaryPath))
    , m_file(file)
{
    // Output has a buffer of its own.
    if (m_file != stdout)
        std::setvbuf(m_file, nullptr, _IONBF, 0);
}

FileOutput::~FileOutput()
{
    if (m_file && m_file != stdout)
        std::fclose(m_file);
    if (!m_temporaryPath.empty())
        std::remove(m_temporaryPath.c_str());
}

void FileOutput::drain(std::string_view bytes)
{
    if (m_errorNumber == 0 && std::fwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size())
        m_errorNumber = errno;
}

Result<void> FileOutput::finish()
{
    flush();
    const bool isStandardOutput = m_file == stdout;
    const int closed = isStandardOutput ? std::fflush(m_file) : std::fclose(m_file);
    if (closed != 0 && m_errorNumber == 0)
        m_errorNumber = errno;
    m_file = nullptr;
    if (m_errorNumber != 0)
        return writeError(m_path, m_errorNumber);
    if (!m_temporaryPath.empty()) {
        if (std::rename(m_temporaryPath.c_str(), m_path.c_str()) != 0)
            return writeError(m_path, errno);
        m_temporaryPath.clear();
    }
    return {};
}

struct GzipOutput::Stream
{
    z_stream z = {};
};

GzipOutput::GzipOutput(Output& target)
    : m_target(target)
    , m_stream(std::make_unique<Stream>())
{
    // 15 bits of window and 16 for the gzip header; level 1, as stacks repeat so much that more
    // would cost seconds and gain little.
    constexpr int gzipWindow = 15 + 16;
    deflateInit2(&m_stream->z, 1, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY);
}

GzipOutput::~GzipOutput()
{
    deflateEnd(&m_stream->z);
}

void GzipOutput::drain(std::string_view bytes)
{
    deflateAll(bytes, Z_NO_FLUSH);
}

void GzipOutput::finish()
{
    flush();
    deflateAll({}, Z_FINISH);
}

void GzipOutput::deflateAll(std::string_view bytes, int flush)
{
    std::array<char, 1 << 16> chunk;
    z_stream& z = m_stream->z;
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z.avail_in = static_cast<uInt>(bytes.size());
    do {
        z.next_out = reinterpret_cast<Bytef*>(chunk.data());
        z.avail_out = chunk.size();
        deflate(&z, flush);
        m_target << std::string_view(chunk.data(), chunk.size() - z.avail_out);
    } while (z.avail_out == 0);
}

} // namespace perilune
