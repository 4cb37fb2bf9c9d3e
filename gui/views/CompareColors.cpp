// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CompareColors.h"

#include "gui/views/FlameColors.h"
#include "gui/views/Theme.h"

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

constexpr double orangeHue = 55.0;
constexpr double blueHue = 250.0;
/// What a change that is not clear keeps of its colour.
constexpr double weakShare = 0.45;

} // namespace

CompareColors::CompareColors(const QPalette& palette)
    : m_isDark(themeColors(palette).isDark)
{
}

QColor CompareColors::fill(double amount, ChangeStrength strength) const
{
    const double size =
        std::min(std::abs(amount), 1.0) * (strength == ChangeStrength::Weak ? weakShare : 1.0);
    const double neutral = m_isDark ? 0.38 : 0.91;
    const double full = m_isDark ? 0.64 : 0.70;
    const double chroma = m_isDark ? 0.13 : 0.155;
    return colorFromOklch(neutral + (full - neutral) * size, 0.004 + chroma * size,
                          amount > 0.0 ? orangeHue : blueHue);
}

QColor CompareColors::slowerText() const
{
    return m_isDark ? QColor(0xffffab5c) : QColor(0xffa34a00);
}

QColor CompareColors::fasterText() const
{
    return m_isDark ? QColor(0xff6fb7ff) : QColor(0xff0a5cab);
}

} // namespace perilune
