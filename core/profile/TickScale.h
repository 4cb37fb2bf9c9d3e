// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Duration.h"
#include "core/recording/Format.h"

#include <cmath>
#include <cstdint>

namespace perilune {

/// Turns the ticks of one recording into nanoseconds. What cannot be a time (negative, or beyond
/// 280 years) becomes 0.
class TickScale
{
public:
    explicit TickScale(const format::Header& header)
        : m_nanosecondsPerTick(header.ticksPerSecond > 0 ? 1e9 / header.ticksPerSecond : 1.0)
        , m_startTicks(header.startTicks)
    {
    }

    double nanosecondsPerTick() const { return m_nanosecondsPerTick; }
    std::uint64_t nanoseconds(double ticks) const
    {
        const double value = ticks * m_nanosecondsPerTick;
        return value > 0 && value < 9e18 ? static_cast<std::uint64_t>(std::llround(value)) : 0;
    }
    Duration duration(double ticks) const
    {
        return Duration::fromNanoseconds(static_cast<std::int64_t>(nanoseconds(ticks)));
    }
    Duration duration(std::uint64_t ticks) const { return duration(static_cast<double>(ticks)); }
    /// From the start of the run to a point in time.
    Duration sinceStart(std::uint64_t ticks) const
    {
        return ticks > m_startTicks ? duration(ticks - m_startTicks) : Duration();
    }

private:
    double m_nanosecondsPerTick;
    std::uint64_t m_startTicks;
};

} // namespace perilune
