// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a profile of a million nodes in each format and reads it back; prints times and sizes.
#include "core/exchange/Export.h"
#include "core/exchange/Import.h"
#include "tests/support/TestProfiles.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/resource.h>

using namespace perilune;

namespace {

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The largest memory that the process had so far.
double peakMiB()
{
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

bool isImportable(ExportFormat format)
{
    return format == ExportFormat::Collapsed || format == ExportFormat::Speedscope
        || format == ExportFormat::Callgrind || format == ExportFormat::Pprof;
}

std::string pathIn(const std::string& folder, const ExportFormatInfo& info)
{
    return folder + "/profile" + std::string(info.suffix);
}

void measureWriting(const Profile& profile, const ExportFormatInfo& info, const std::string& folder)
{
    const std::string path = pathIn(folder, info);
    const auto start = std::chrono::steady_clock::now();
    const auto written = exportProfile(profile, info.format, path);
    std::printf("write %-12s %6.2f s  %8.1f MB  peak %6.0f MiB  %s\n", info.name.data(),
                secondsSince(start), static_cast<double>(std::filesystem::file_size(path)) / 1e6,
                peakMiB(), written ? "" : written.error().detail.c_str());
}

void measureReading(const ExportFormatInfo& info, const std::string& folder)
{
    const auto start = std::chrono::steady_clock::now();
    const auto read = importProfile(pathIn(folder, info));
    std::printf("read  %-12s %6.2f s  %s\n", info.name.data(), secondsSince(start),
                read ? "" : read.error().detail.c_str());
}

} // namespace

int main(int argumentCount, char** arguments)
{
    const auto nodes =
        static_cast<std::uint32_t>(argumentCount > 1 ? std::atoi(arguments[1]) : 1000000);
    const auto profile = test::largeProfile(nodes, 5000);
    std::printf("%u nodes, 5000 functions; %.0f MiB before the first export\n", nodes, peakMiB());
    std::string folder = (std::filesystem::temp_directory_path() / "perilune-exchange-XXXXXX");
    if (!mkdtemp(folder.data()))
        return 1;
    for (const ExportFormatInfo& info : exportFormats())
        measureWriting(*profile, info, folder);
    for (const ExportFormatInfo& info : exportFormats()) {
        if (isImportable(info.format))
            measureReading(info, folder);
    }
    std::filesystem::remove_all(folder);
    return 0;
}
