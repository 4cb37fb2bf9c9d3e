// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Format.h"

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace perilune {

inline std::uint64_t nanosecondsOf(clockid_t clock)
{
    timespec time;
    ::clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u
        + static_cast<std::uint64_t>(time.tv_nsec);
}

/// The time-stamp counter; 0 on processors without one.
inline std::uint64_t readTimeStampCounter()
{
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
}

/// Now, in ticks of `clock`. The thread clock is that of the calling thread.
inline std::uint64_t readTicks(format::Clock clock)
{
    switch (clock) {
    case format::Clock::TimeStampCounter:
        return readTimeStampCounter();
    case format::Clock::ThreadCpu:
        return nanosecondsOf(CLOCK_THREAD_CPUTIME_ID);
    case format::Clock::Monotonic:
        break;
    }
    return nanosecondsOf(CLOCK_MONOTONIC);
}

} // namespace perilune
