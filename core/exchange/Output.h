// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Result.h"

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace perilune {

/// A buffered place to write bytes to. Errors are kept and reported once, at the end.
class Output
{
public:
    Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    virtual ~Output();

    Output& operator<<(std::string_view bytes);
    Output& operator<<(char byte);
    /// In decimal.
    Output& operator<<(std::integral auto number)
    {
        if constexpr (std::is_signed_v<decltype(number)>)
            return appendSigned(number);
        else
            return appendUnsigned(number);
    }

protected:
    /// Hands what is buffered to drain().
    void flush();
    virtual void drain(std::string_view bytes) = 0;

private:
    Output& appendSigned(std::int64_t number);
    Output& appendUnsigned(std::uint64_t number);

    std::string m_buffer;
};

/// A file that appears under its name only when finish() succeeded; "-" is the standard output.
class FileOutput final : public Output
{
public:
    static Result<std::unique_ptr<FileOutput>> create(const std::string& path);
    ~FileOutput() override;

    /// Writes what is left and gives the file its name. Errors: CannotWrite, NoSpace.
    Result<void> finish();

private:
    FileOutput(std::string path, std::string temporaryPath, std::FILE* file);
    void drain(std::string_view bytes) override;

    std::string m_path;
    std::string m_temporaryPath; ///< Empty where the target is written directly.
    std::FILE* m_file;
    int m_errorNumber = 0; ///< The first errno, 0 while all is well.
};

/// Compresses into another output.
class GzipOutput final : public Output
{
public:
    explicit GzipOutput(Output& target);
    ~GzipOutput() override;

    /// Writes the end of the stream into the target.
    void finish();

private:
    struct Stream;
    void drain(std::string_view bytes) override;
    void deflateAll(std::string_view bytes, int flush);

    Output& m_target;
    std::unique_ptr<Stream> m_stream;
};

} // namespace perilune
