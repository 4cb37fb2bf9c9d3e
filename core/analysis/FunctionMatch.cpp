// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionMatch.h"

#include "core/analysis/SourceMatch.h"
#include "core/analysis/TextFingerprint.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace perilune {

namespace {

// How alike two bodies must be. A name is strong evidence, so named functions of one file need
// none.
constexpr double anonymousSimilarity = 0.4;
constexpr double otherFileSimilarity = 0.5;
constexpr double otherNameSimilarity = 0.6;
// Stands for the likeness of two bodies of which one is not known, before callers are looked at.
constexpr double unknownSimilarity = 0.3;
constexpr double callerSimilarity = 0.4;
// Larger groups of one name are aligned by their order alone.
constexpr std::size_t mostComparisons = 1000000;

using Indices = std::vector<std::size_t>;

std::vector<std::size_t> lineStarts(std::string_view text)
{
    std::vector<std::size_t> starts{0};
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1))
        starts.push_back(at + 1);
    return starts;
}

/// Finds the text of functions; keeps the line starts of each source.
class BodyFinder
{
public:
    std::string_view body(const Source& source, const Function& function)
    {
        const std::string_view text = source.text;
        if (function.kind == FunctionKind::Main)
            return text;
        const auto [entry, isNew] = m_starts.try_emplace(&source);
        if (isNew)
            entry->second = lineStarts(text);
        const std::vector<std::size_t>& starts = entry->second;
        const auto lines = static_cast<int>(starts.size());
        if (text.empty() || function.line < 1 || function.line > lines
            || function.lastLine < function.line)
            return {};
        const std::size_t begin = starts[static_cast<std::size_t>(function.line - 1)];
        const std::size_t end = function.lastLine < lines
            ? starts[static_cast<std::size_t>(function.lastLine)]
            : text.size();
        return text.substr(begin, end - begin);
    }

private:
    std::unordered_map<const Source*, std::vector<std::size_t>> m_starts;
};

/// A name made of a position says nothing once the position moves.
std::string lastingName(const Function& function)
{
    if (function.kind == FunctionKind::Main || function.name.starts_with("function <"))
        return {};
    return function.name;
}

void addCallers(std::vector<MatchCandidate>& candidates, const Profile& profile,
                const FunctionTable& table)
{
    std::vector<std::size_t> indexOf(profile.functions.size(), SIZE_MAX);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        indexOf[candidates[i].id.value()] = i;
    for (const Edge& edge : table.edges()) {
        if (indexOf[edge.callee.value()] == SIZE_MAX)
            continue;
        MatchCandidate& callee = candidates[indexOf[edge.callee.value()]];
        const Function& caller = profile.function(edge.caller);
        callee.callers.push_back(lastingName(caller));
        callee.isEntry = callee.isEntry
            || (callee.kind == FunctionKind::Main && caller.kind == FunctionKind::Host);
    }
    for (MatchCandidate& candidate : candidates) {
        std::sort(candidate.callers.begin(), candidate.callers.end());
        candidate.callers.erase(std::unique(candidate.callers.begin(), candidate.callers.end()),
                                candidate.callers.end());
    }
}

double callersInCommon(const MatchCandidate& a, const MatchCandidate& b)
{
    const std::size_t both = a.callers.size() + b.callers.size();
    if (both == 0)
        return 0.0;
    std::vector<std::string> common;
    std::set_intersection(a.callers.begin(), a.callers.end(), b.callers.begin(), b.callers.end(),
                          std::back_inserter(common));
    return 2.0 * static_cast<double>(common.size()) / static_cast<double>(both);
}

/// One side of the matching: its candidates, which of them are used, their fingerprints on demand.
class Side
{
public:
    explicit Side(std::span<const MatchCandidate> candidates)
        : m_candidates(candidates)
        , m_isUsed(candidates.size(), 0)
        , m_fingerprints(candidates.size())
    {
        for (std::size_t i = 0; i < candidates.size(); ++i)
            m_ofSource[candidates[i].source].push_back(i);
    }

    std::size_t size() const { return m_candidates.size(); }
    const MatchCandidate& operator[](std::size_t index) const { return m_candidates[index]; }
    bool isUsed(std::size_t index) const { return m_isUsed[index] != 0; }
    void use(std::size_t index) { m_isUsed[index] = 1; }

    const TextFingerprint& fingerprint(std::size_t index)
    {
        std::optional<TextFingerprint>& fingerprint = m_fingerprints[index];
        if (!fingerprint)
            fingerprint = TextFingerprint::ofTokens(m_candidates[index].body);
        return *fingerprint;
    }

    std::optional<std::size_t> findKey(const std::string& key) const
    {
        for (std::size_t i = 0; i < size(); ++i)
            if (m_candidates[i].key == key)
                return i;
        return std::nullopt;
    }

    /// Unused candidates of one source (null: those without), in the order of the file.
    Indices openOf(const Source* source) const
    {
        Indices open;
        const auto found = m_ofSource.find(source);
        if (found == m_ofSource.end())
            return open;
        for (const std::size_t index : found->second)
            if (!isUsed(index))
                open.push_back(index);
        std::stable_sort(open.begin(), open.end(), [this](std::size_t left, std::size_t right) {
            return position(left) < position(right);
        });
        return open;
    }

    Indices open() const
    {
        Indices open;
        for (std::size_t i = 0; i < size(); ++i)
            if (!isUsed(i))
                open.push_back(i);
        return open;
    }

    /// The sources that appear, each once, in the order of their first candidate.
    std::vector<SourceCandidate> sources() const
    {
        std::vector<SourceCandidate> sources;
        std::unordered_map<const Source*, std::size_t> seen;
        for (const MatchCandidate& candidate : m_candidates) {
            if (!candidate.source)
                continue;
            const auto [entry, isNew] = seen.try_emplace(candidate.source, sources.size());
            if (isNew)
                sources.push_back({candidate.source, false});
            sources[entry->second].isScript = sources[entry->second].isScript || candidate.isEntry;
        }
        return sources;
    }

private:
    std::pair<int, std::uint32_t> position(std::size_t index) const
    {
        return {m_candidates[index].line, m_candidates[index].ordinal};
    }

    std::span<const MatchCandidate> m_candidates;
    std::vector<char> m_isUsed;
    std::vector<std::optional<TextFingerprint>> m_fingerprints;
    std::unordered_map<const Source*, Indices> m_ofSource;
};

/// What must be equal for functions of one file to be looked at together.
using GroupKey = std::pair<FunctionKind, std::string_view>;

std::map<GroupKey, Indices> groupByName(const Side& side, const Indices& indices)
{
    std::map<GroupKey, Indices> groups;
    for (const std::size_t index : indices)
        groups[{side[index].kind, side[index].name}].push_back(index);
    return groups;
}

class Matcher
{
public:
    Matcher(std::span<const MatchCandidate> a, std::span<const MatchCandidate> b)
        : m_a(a)
        , m_b(b)
    {
    }

    std::vector<FunctionPair> run(std::span<const ManualMatch> manual)
    {
        applyManual(manual);
        matchWithoutSource();
        for (const SourcePair& pair : pairedSources())
            matchFile(pair);
        matchAcrossFiles();
        return allPairs();
    }

private:
    struct FilePair
    {
        const Source* a;
        const Source* b;
        bool hasSameLabel;
        bool hasSameText;
    };

    void pair(std::size_t a, std::size_t b, MatchReason reason, double similarity)
    {
        m_pairs.push_back({a, b, reason, similarity});
        m_a.use(a);
        m_b.use(b);
    }

    double similarity(std::size_t a, std::size_t b)
    {
        if (m_a[a].body.empty() || m_b[b].body.empty())
            return unknownSimilarity + callerSimilarity * callersInCommon(m_a[a], m_b[b]);
        if (m_a[a].body == m_b[b].body)
            return 1.0;
        return m_a.fingerprint(a).similarity(m_b.fingerprint(b));
    }

    void applyManual(std::span<const ManualMatch> manual)
    {
        for (const ManualMatch& match : manual) {
            const auto a = m_a.findKey(match.keyA);
            const auto b = m_b.findKey(match.keyB);
            if (a && b && !m_a.isUsed(*a) && !m_b.isUsed(*b)) {
                pair(*a, *b, MatchReason::Manual, similarity(*a, *b));
            } else if (a && match.keyB.empty() && !m_a.isUsed(*a)) {
                m_a.use(*a);
                m_pairs.push_back({*a, std::nullopt, MatchReason::Manual, 0.0});
            } else if (b && match.keyA.empty() && !m_b.isUsed(*b)) {
                m_b.use(*b);
                m_pairs.push_back({std::nullopt, *b, MatchReason::Manual, 0.0});
            }
        }
    }

    /// The host, C functions and what limits folded together: their name is all they have.
    void matchWithoutSource()
    {
        const auto groupsB = groupByName(m_b, m_b.openOf(nullptr));
        for (const auto& [key, indicesA] : groupByName(m_a, m_a.openOf(nullptr))) {
            const auto found = groupsB.find(key);
            if (found == groupsB.end())
                continue;
            const Indices& indicesB = found->second;
            for (std::size_t i = 0; i < std::min(indicesA.size(), indicesB.size()); ++i)
                pair(indicesA[i], indicesB[i], MatchReason::SameKey, 1.0);
        }
    }

    std::vector<SourcePair> pairedSources()
    {
        m_sourcesA = m_a.sources();
        m_sourcesB = m_b.sources();
        return matchSources(m_sourcesA, m_sourcesB);
    }

    void matchFile(const SourcePair& sources)
    {
        const FilePair file{m_sourcesA[sources.a].source, m_sourcesB[sources.b].source,
                            sources.hasSameLabel, sources.hasSameText};
        if (file.hasSameText)
            matchSamePlaces(file);
        const auto groupsB = groupByName(m_b, m_b.openOf(file.b));
        for (const auto& [key, indicesA] : groupByName(m_a, m_a.openOf(file.a))) {
            const auto found = groupsB.find(key);
            if (found != groupsB.end())
                matchGroup(file, indicesA, found->second);
        }
        matchSimilarBodies(file);
    }

    /// In an unchanged file the place says everything.
    void matchSamePlaces(const FilePair& file)
    {
        using Place = std::tuple<FunctionKind, int, std::uint32_t, std::string_view>;
        const auto placeOf = [](const MatchCandidate& candidate) {
            return Place{candidate.kind, candidate.line, candidate.ordinal, candidate.name};
        };
        std::map<Place, std::size_t> places;
        for (const std::size_t b : m_b.openOf(file.b))
            places.emplace(placeOf(m_b[b]), b);
        for (const std::size_t a : m_a.openOf(file.a)) {
            const auto found = places.find(placeOf(m_a[a]));
            if (found == places.end())
                continue;
            pair(a, found->second, reasonInFile(file, a, found->second), 1.0);
            places.erase(found);
        }
    }

    MatchReason reasonInFile(const FilePair& file, std::size_t a, std::size_t b) const
    {
        if (!file.hasSameLabel)
            return MatchReason::FileRenamed;
        return m_a[a].line == m_b[b].line ? MatchReason::SameKey : MatchReason::LineMoved;
    }

    /// Functions of one name, or the nameless ones, of one file on both sides.
    void matchGroup(const FilePair& file, const Indices& a, const Indices& b)
    {
        const MatchCandidate& first = m_a[a.front()];
        const bool isAnonymous = first.name.empty() && first.kind != FunctionKind::Main;
        if (a.size() == 1 && b.size() == 1 && !isAnonymous)
            pair(a[0], b[0], reasonInFile(file, a[0], b[0]), similarity(a[0], b[0]));
        else if (a.size() * b.size() > mostComparisons)
            pairInOrder(file, a, b);
        else
            align(file, a, b, isAnonymous ? anonymousSimilarity : 0.0);
    }

    void pairInOrder(const FilePair& file, const Indices& a, const Indices& b)
    {
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            pair(a[i], b[i], reasonInFile(file, a[i], b[i]), similarity(a[i], b[i]));
    }

    /// Pairs two lists without crossing so that the sum of the similarities is greatest, as a diff
    /// does with lines; pairs below `lowest` are not made.
    void align(const FilePair& file, const Indices& a, const Indices& b, double lowest)
    {
        const std::size_t width = b.size() + 1;
        std::vector<double> best((a.size() + 1) * width, 0.0); // of the rests from [i][j] on
        std::vector<float> likeness(a.size() * b.size());
        for (std::size_t i = a.size(); i-- > 0;) {
            for (std::size_t j = b.size(); j-- > 0;) {
                const double alike = similarity(a[i], b[j]);
                likeness[i * b.size() + j] = static_cast<float>(alike);
                const double skip = std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
                const double take = best[(i + 1) * width + j + 1] + weight(a[i], b[j], alike);
                best[i * width + j] = alike >= lowest ? std::max(skip, take) : skip;
            }
        }
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < a.size() && j < b.size()) {
            const double here = best[i * width + j];
            if (here == best[(i + 1) * width + j]) {
                ++i;
            } else if (here == best[i * width + j + 1]) {
                ++j;
            } else {
                pair(a[i], b[j], reasonInFile(file, a[i], b[j]), likeness[i * b.size() + j]);
                ++i;
                ++j;
            }
        }
    }

    /// Equal bodies are told apart by who calls them and, last, by an unchanged line. Above 0, so
    /// that even unlike functions of one name are paired rather than left.
    double weight(std::size_t a, std::size_t b, double alike) const
    {
        const double sameLine = m_a[a].line == m_b[b].line ? 0.001 : 0.0;
        return 0.01 + alike + 0.05 * callersInCommon(m_a[a], m_b[b]) + sameLine;
    }

    /// What is left in a file: reordered anonymous functions and changed names.
    void matchSimilarBodies(const FilePair& file)
    {
        struct Proposal
        {
            double similarity;
            std::size_t a;
            std::size_t b;
        };
        const Indices openA = m_a.openOf(file.a);
        const Indices openB = m_b.openOf(file.b);
        if (openA.size() * openB.size() > mostComparisons)
            return;
        std::vector<Proposal> proposals;
        for (const std::size_t a : openA) {
            for (const std::size_t b : openB) {
                const bool isComparable =
                    m_a[a].kind == m_b[b].kind && !m_a[a].body.empty() && !m_b[b].body.empty();
                const double alike = isComparable ? similarity(a, b) : 0.0;
                if (alike >= otherNameSimilarity)
                    proposals.push_back({alike, a, b});
            }
        }
        std::stable_sort(
            proposals.begin(), proposals.end(),
            [](const Proposal& l, const Proposal& r) { return l.similarity > r.similarity; });
        for (const auto& [alike, a, b] : proposals) {
            if (m_a.isUsed(a) || m_b.isUsed(b))
                continue;
            const bool hasSameName = m_a[a].name == m_b[b].name;
            pair(a, b, hasSameName ? reasonInFile(file, a, b) : MatchReason::SimilarBody, alike);
        }
    }

    /// A name that is left exactly once on each side, in different files.
    void matchAcrossFiles()
    {
        const auto groupsB = groupByName(m_b, m_b.open());
        for (const auto& [key, indicesA] : groupByName(m_a, m_a.open())) {
            const auto found = groupsB.find(key);
            if (key.second.empty() || found == groupsB.end() || indicesA.size() != 1
                || found->second.size() != 1)
                continue;
            const std::size_t a = indicesA.front();
            const std::size_t b = found->second.front();
            if (const double alike = similarity(a, b); alike >= otherFileSimilarity)
                pair(a, b, MatchReason::FileChanged, alike);
        }
    }

    std::vector<FunctionPair> allPairs()
    {
        for (const std::size_t a : m_a.open())
            m_pairs.push_back({a, std::nullopt, MatchReason::None, 0.0});
        for (const std::size_t b : m_b.open())
            m_pairs.push_back({std::nullopt, b, MatchReason::None, 0.0});
        std::sort(m_pairs.begin(), m_pairs.end(), [](const FunctionPair& l, const FunctionPair& r) {
            return std::pair(l.a.value_or(SIZE_MAX), l.b.value_or(SIZE_MAX))
                < std::pair(r.a.value_or(SIZE_MAX), r.b.value_or(SIZE_MAX));
        });
        return std::move(m_pairs);
    }

    Side m_a;
    Side m_b;
    std::vector<SourceCandidate> m_sourcesA;
    std::vector<SourceCandidate> m_sourcesB;
    std::vector<FunctionPair> m_pairs;
};

} // namespace

std::vector<MatchCandidate> collectCandidates(const Profile& profile, const FunctionTable& table)
{
    BodyFinder finder;
    std::vector<MatchCandidate> candidates;
    candidates.reserve(table.rows().size());
    for (const FunctionCosts& row : table.rows()) {
        const Function& function = profile.function(row.function);
        MatchCandidate candidate;
        candidate.id = row.function;
        candidate.key = profile.key(row.function);
        candidate.name = lastingName(function);
        candidate.source = profile.sourceOf(function);
        candidate.kind = function.kind;
        candidate.line = function.line;
        candidate.lastLine = function.lastLine;
        candidate.ordinal = function.ordinal;
        candidate.isHost = function.kind == FunctionKind::Host;
        if (candidate.source)
            candidate.body = finder.body(*candidate.source, function);
        candidates.push_back(std::move(candidate));
    }
    addCallers(candidates, profile, table);
    return candidates;
}

MatchStatus FunctionPair::status() const
{
    if (!a)
        return MatchStatus::New;
    if (!b)
        return MatchStatus::Gone;
    switch (reason) {
    case MatchReason::LineMoved:
    case MatchReason::FileRenamed:
    case MatchReason::FileChanged:
        return MatchStatus::Moved;
    case MatchReason::SimilarBody:
        return MatchStatus::Renamed;
    case MatchReason::Manual:
    case MatchReason::SameKey:
    case MatchReason::None:
        break;
    }
    return MatchStatus::Exact;
}

std::vector<FunctionPair> matchFunctions(std::span<const MatchCandidate> a,
                                         std::span<const MatchCandidate> b,
                                         std::span<const ManualMatch> manual)
{
    return Matcher(a, b).run(manual);
}

double textSimilarity(std::string_view left, std::string_view right)
{
    if (left == right)
        return 1.0;
    return TextFingerprint::ofTokens(left).similarity(TextFingerprint::ofTokens(right));
}

} // namespace perilune
