// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace perilune {

/// An index of one kind of thing, which cannot be mixed up with an index of another kind.
template<typename Tag>
class Id
{
public:
    constexpr Id() = default; ///< Invalid.
    constexpr explicit Id(std::uint32_t value)
        : m_value(value)
    {
    }
    constexpr bool isValid() const { return m_value != UINT32_MAX; }
    constexpr std::uint32_t value() const { return m_value; }
    friend constexpr auto operator<=>(Id, Id) = default;

private:
    std::uint32_t m_value = UINT32_MAX;
};

using FunctionId = Id<struct FunctionTag>;
using NodeId = Id<struct NodeTag>;
using SourceId = Id<struct SourceTag>;

} // namespace perilune

template<typename Tag>
struct std::hash<perilune::Id<Tag>>
{
    std::size_t operator()(perilune::Id<Tag> id) const noexcept { return id.value(); }
};
