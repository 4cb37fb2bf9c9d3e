// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/Names.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

/// The names of an enumeration, in the order of its enumerators from 0.
template<typename Enum>
struct Names;

template<>
struct Names<ProfilingMode>
{
    static constexpr std::array<std::string_view, 3> all = {"exact", "sampling", "combined"};
};
template<>
struct Names<ClockKind>
{
    static constexpr std::array<std::string_view, 2> all = {"wall", "cpu"};
};
template<>
struct Names<RunStatus>
{
    static constexpr std::array<std::string_view, 8> all = {
        "running", "done",       "script_error", "syntax_error",
        "stopped", "time_limit", "killed",       "could_not_start"};
};
template<>
struct Names<CorrectionMethod>
{
    static constexpr std::array<std::string_view, 3> all = {"none", "calibrated", "reference_run"};
};
template<>
struct Names<FunctionKind>
{
    static constexpr std::array<std::string_view, 5> all = {"host", "main", "lua", "c", "folded"};
};
template<>
struct Names<format::SourceKind>
{
    static constexpr std::array<std::string_view, 3> all = {"file", "string", "none"};
};

template<typename Enum>
std::string_view name(Enum value)
{
    const auto index = static_cast<std::size_t>(value);
    return index < Names<Enum>::all.size() ? Names<Enum>::all[index] : std::string_view("unknown");
}

template<typename Enum>
bool find(std::string_view text, Enum& value)
{
    const auto& all = Names<Enum>::all;
    const auto found = std::find(all.begin(), all.end(), text);
    if (found == all.end())
        return false;
    value = static_cast<Enum>(found - all.begin());
    return true;
}

} // namespace

std::string_view nameOf(ProfilingMode mode)
{
    return name(mode);
}
std::string_view nameOf(ClockKind clock)
{
    return name(clock);
}
std::string_view nameOf(RunStatus status)
{
    return name(status);
}
std::string_view nameOf(CorrectionMethod method)
{
    return name(method);
}
std::string_view nameOf(FunctionKind kind)
{
    return name(kind);
}
std::string_view nameOf(format::SourceKind kind)
{
    return name(kind);
}

bool findByName(std::string_view text, ProfilingMode& value)
{
    return find(text, value);
}
bool findByName(std::string_view text, ClockKind& value)
{
    return find(text, value);
}
bool findByName(std::string_view text, RunStatus& value)
{
    return find(text, value);
}
bool findByName(std::string_view text, CorrectionMethod& value)
{
    return find(text, value);
}
bool findByName(std::string_view text, FunctionKind& value)
{
    return find(text, value);
}
bool findByName(std::string_view text, format::SourceKind& value)
{
    return find(text, value);
}

} // namespace perilune
