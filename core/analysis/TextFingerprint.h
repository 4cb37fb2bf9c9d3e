// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace perilune {

/// A bag of hashes that two texts can be compared by, in time linear in their length.
class TextFingerprint
{
public:
    /// Of pairs of neighbouring tokens, whatever the white space: fit for the body of a function.
    static TextFingerprint ofTokens(std::string_view text);
    /// Of trimmed lines that are not empty: fit for a whole file.
    static TextFingerprint ofLines(std::string_view text);

    bool isEmpty() const { return m_hashes.empty(); }
    /// Share of elements that both have (Dice's coefficient of the bags), 0..1; 0 when both are
    /// empty.
    double similarity(const TextFingerprint& other) const;

private:
    std::vector<std::uint32_t> m_hashes; ///< Sorted.
};

} // namespace perilune
