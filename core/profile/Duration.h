// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace perilune {

/// A signed span of time with nanosecond resolution; differences may be negative.
class Duration
{
public:
    constexpr Duration() = default;
    static constexpr Duration fromNanoseconds(std::int64_t ns) { return Duration(ns); }
    static constexpr Duration fromMilliseconds(std::int64_t ms) { return Duration(ms * 1000000); }
    constexpr std::int64_t nanoseconds() const { return m_ns; }
    constexpr double seconds() const { return static_cast<double>(m_ns) / 1e9; }
    constexpr Duration& operator+=(Duration other)
    {
        m_ns += other.m_ns;
        return *this;
    }
    constexpr Duration& operator-=(Duration other)
    {
        m_ns -= other.m_ns;
        return *this;
    }
    friend constexpr Duration operator+(Duration a, Duration b) { return a += b; }
    friend constexpr Duration operator-(Duration a, Duration b) { return a -= b; }
    friend constexpr auto operator<=>(Duration, Duration) = default;
    /// This duration as a share of `whole` (0..1 for a part); 0 when `whole` is zero.
    constexpr double shareOf(Duration whole) const
    {
        return whole.m_ns == 0 ? 0.0 : static_cast<double>(m_ns) / static_cast<double>(whole.m_ns);
    }

private:
    constexpr explicit Duration(std::int64_t ns)
        : m_ns(ns)
    {
    }
    std::int64_t m_ns = 0;
};

} // namespace perilune
