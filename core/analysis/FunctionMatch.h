// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// What is known of one function for finding it again in another run. Borrows from the profile it
/// was collected from, which must outlive it.
struct MatchCandidate
{
    FunctionId id;    ///< In the profile it comes from.
    std::string key;  ///< Profile::key().
    std::string name; ///< Empty for an anonymous function, whose shown name holds its line.
    const Source* source = nullptr; ///< Null for C functions and the host.
    FunctionKind kind = FunctionKind::Lua;
    int line = -1;
    int lastLine = -1;
    std::uint32_t ordinal = 0;
    std::string_view body; ///< Its lines in the source; empty when the text is not known.
    std::vector<std::string> callers; ///< Names, sorted, each once.
    bool isHost = false;
    bool isEntry = false; ///< Main chunk of the script itself.
};

/// All functions of `table`, which belongs to `profile`, in the table's order.
std::vector<MatchCandidate> collectCandidates(const Profile& profile, const FunctionTable& table);

/// Why two functions are taken for the same one, in the order in which it is tried.
enum class MatchReason : std::uint8_t
{
    Manual,      ///< The user said so.
    SameKey,     ///< File, name and line are the same.
    LineMoved,   ///< Same file and name; lines were inserted or removed above it.
    FileRenamed, ///< Same name in a file that was renamed or lies elsewhere.
    FileChanged, ///< Same name and similar body, moved into another file.
    SimilarBody, ///< Another name, but a similar body in the same file: perhaps renamed.
    None,        ///< Only on one side.
};

/// How the match reads in a table.
enum class MatchStatus : std::uint8_t
{
    Exact,   ///< Nothing to report.
    Moved,   ///< To another line or file.
    Renamed, ///< Perhaps; the user may confirm or break it.
    New,     ///< In B only.
    Gone,    ///< In A only.
};

struct FunctionPair
{
    std::optional<std::size_t> a; ///< Index of the candidate; nothing for a new function.
    std::optional<std::size_t> b; ///< Likewise; nothing for one that is gone.
    MatchReason reason = MatchReason::None;
    double similarity = 0.0; ///< Of the bodies, 0..1; 1 for SameKey in an unchanged file.

    MatchStatus status() const;
};

/// A correction by the user. Both keys set: these two are the same. One of them empty: the other
/// function has no counterpart.
struct ManualMatch
{
    std::string keyA;
    std::string keyB;
    friend bool operator==(const ManualMatch&, const ManualMatch&) = default;
};

/// Pairs the functions of two versions of a program; each is used once. Pairs come in the order of
/// `a`, then what is only in `b`. Manual matches whose keys do not exist are ignored.
std::vector<FunctionPair> matchFunctions(std::span<const MatchCandidate> a,
                                         std::span<const MatchCandidate> b,
                                         std::span<const ManualMatch> manual = {});

/// How alike two pieces of Lua text are, 0..1: the share of pairs of neighbouring tokens that both
/// have, whatever the white space.
double textSimilarity(std::string_view left, std::string_view right);

} // namespace perilune
