// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/Calibration.h"

#include "core/recording/TickClock.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace perilune {

namespace {

bool isTimeStampCounterInvariant()
{
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
#else
    return false;
#endif
}

/// The kernel takes it for its own clock only where it agrees between processors.
bool doesKernelTrustIt()
{
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string name;
    return static_cast<bool>(file >> name) && (name == "tsc" || name == "kvm-clock" || name == "hyperv_clocksource_tsc_page");
}

struct Reading
{
    std::uint64_t ticks;
    std::uint64_t nanoseconds;
};

/// Both clocks at one moment: the pair that was read in the shortest time of a few.
Reading readBoth()
{
    Reading best = {};
    std::uint64_t shortest = UINT64_MAX;
    for (int attempt = 0; attempt < 8; ++attempt) {
        const std::uint64_t before = readTimeStampCounter();
        const std::uint64_t nanoseconds = nanosecondsOf(CLOCK_MONOTONIC);
        const std::uint64_t after = readTimeStampCounter();
        if (after - before < shortest) {
            shortest = after - before;
            best = {before + (after - before) / 2, nanoseconds};
        }
    }
    return best;
}

double rateBetween(const Reading& first, const Reading& second)
{
    const double nanoseconds = static_cast<double>(second.nanoseconds - first.nanoseconds);
    return nanoseconds > 0 ? static_cast<double>(second.ticks - first.ticks) / nanoseconds * 1e9 : 0;
}

void waitNanoseconds(std::uint64_t nanoseconds)
{
    const std::uint64_t end = nanosecondsOf(CLOCK_MONOTONIC) + nanoseconds;
    while (nanosecondsOf(CLOCK_MONOTONIC) < end) { }
}

} // namespace

bool isTimeStampCounterUsable(double& ticksPerSecond)
{
    if (!isTimeStampCounterInvariant() || !doesKernelTrustIt())
        return false;
    const Reading start = readBoth();
    waitNanoseconds(1000000);
    const Reading middle = readBoth();
    waitNanoseconds(1000000);
    const Reading end = readBoth();
    ticksPerSecond = rateBetween(start, end);
    const double first = rateBetween(start, middle);
    const double second = rateBetween(middle, end);
    return first > 1e6 && std::abs(first - second) < 0.01 * first;
}

format::Calibration calibrate(format::Clock, bool)
{
    return {};
}

} // namespace perilune
