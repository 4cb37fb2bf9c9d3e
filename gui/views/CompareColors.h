// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

class QPalette;

namespace perilune {

/// How sure the change is that a colour stands for; strong colours are for clear changes only.
enum class ChangeStrength
{
    Strong,
    Weak
};

/// Colours of differences: blue for faster, orange for slower, grey between, apart for every kind
/// of colour blindness. A sign, word or pattern always stands beside them.
class CompareColors
{
public:
    explicit CompareColors(const QPalette& palette);

    /// A filled area; `amount` from -1 (much faster) over 0 (same) to 1 (much slower).
    QColor fill(double amount, ChangeStrength strength) const;
    QColor same() const { return fill(0.0, ChangeStrength::Strong); }
    /// For text and lines on the palette's Base.
    QColor slowerText() const;
    QColor fasterText() const;

private:
    bool m_isDark;
};

} // namespace perilune
