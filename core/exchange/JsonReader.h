// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A number, exact where it is a whole one of 64 bits.
struct JsonNumber
{
    double value = 0;
    std::uint64_t whole = 0;
    bool isWhole = false;
};

/// Reads JSON token by token, without building a document and without recursion.
///
/// Usage: enterObject() and nextKey() until it is false, enterArray() and nextElement() likewise,
/// and exactly one value read or skipped after each of them that is true. The first error stays:
/// everything fails from there on.
class JsonReader
{
public:
    explicit JsonReader(std::string_view text);

    bool enterObject();
    bool enterArray();
    /// Goes to the next member of the object that was entered last, or leaves it. `key` is valid
    /// until the next call.
    bool nextKey(std::string_view& key);
    /// Goes to the next element of the array that was entered last, or leaves it.
    bool nextElement();

    bool readString(std::string& value);
    bool readNumber(JsonNumber& number);
    /// A whole number that is not negative, below 2^32.
    bool readIndex(std::uint32_t& value);
    bool skipValue();

    /// What kind of value comes next: '{', '[', '"', 'n' for a number, 'l' for a literal, 0 at the
    /// end.
    char peek();
    bool hasFailed() const { return m_hasFailed; }
    std::size_t position() const { return m_position; }
    /// True when nothing but blanks is left.
    bool isAtEnd();

private:
    bool fail();
    void skipBlanks();
    bool take(char expected);
    bool takeSeparator(char closing);
    bool skipString();
    bool skipScalar();
    bool readEscape(std::string& value);
    bool readCodeUnit(std::uint32_t& unit);

    std::string_view m_text;
    std::size_t m_position = 0;
    std::vector<bool> m_isFirst; ///< By open object or array: nothing was read in it yet.
    std::string m_key;
    bool m_hasFailed = false;
};

} // namespace perilune
