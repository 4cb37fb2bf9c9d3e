// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/SourceMatch.h"

#include "core/analysis/TextFingerprint.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace perilune {

namespace {

// A file counts as renamed from this score on: common lines 0..1, and more for an equal file name.
constexpr double lowestScore = 0.4;
constexpr double equalNameScore = 0.3;
// Two files of one name of which a text is missing.
constexpr double unknownTextScore = 0.2;
// Comparing all with all is for files, not for thousands of loaded strings.
constexpr std::size_t mostComparisons = 250000;

std::string_view fileName(const Source& source)
{
    const std::string_view label = source.label;
    const std::size_t slash = label.find_last_of("/\\");
    return slash == std::string_view::npos ? label : label.substr(slash + 1);
}

bool hasEqualText(const Source& a, const Source& b)
{
    return !a.text.empty() && a.hash == b.hash && a.text.size() == b.text.size();
}

class SourceMatcher
{
public:
    SourceMatcher(std::span<const SourceCandidate> a, std::span<const SourceCandidate> b)
        : m_a(a)
        , m_b(b)
        , m_isUsedA(a.size(), 0)
        , m_isUsedB(b.size(), 0)
    {
    }

    std::vector<SourcePair> run()
    {
        pairByLabel();
        pairByText();
        pairScripts();
        pairByScore();
        return std::move(m_pairs);
    }

private:
    void pair(std::size_t a, std::size_t b)
    {
        const Source& left = *m_a[a].source;
        const Source& right = *m_b[b].source;
        m_pairs.push_back({a, b, left.label == right.label, hasEqualText(left, right)});
        m_isUsedA[a] = 1;
        m_isUsedB[b] = 1;
    }

    /// Pairs sources with the same label; of several with one label, those that have the same text
    /// and then the first unused.
    void pairByLabel()
    {
        std::unordered_map<std::string_view, std::vector<std::size_t>> open;
        for (std::size_t b = 0; b < m_b.size(); ++b)
            open[m_b[b].source->label].push_back(b);
        for (const bool needsSameText : {true, false}) {
            for (std::size_t a = 0; a < m_a.size(); ++a) {
                const auto found = open.find(m_a[a].source->label);
                if (found != open.end() && !m_isUsedA[a])
                    pairWithFirst(a, found->second, needsSameText);
            }
        }
    }

    void pairByText()
    {
        std::unordered_map<std::uint64_t, std::vector<std::size_t>> open;
        for (std::size_t b = 0; b < m_b.size(); ++b)
            open[m_b[b].source->hash].push_back(b);
        for (std::size_t a = 0; a < m_a.size(); ++a) {
            const auto found = open.find(m_a[a].source->hash);
            if (found != open.end() && !m_isUsedA[a])
                pairWithFirst(a, found->second, true);
        }
    }

    void pairWithFirst(std::size_t a, const std::vector<std::size_t>& candidates,
                       bool needsSameText)
    {
        for (const std::size_t b : candidates) {
            if (m_isUsedB[b] || (needsSameText && !hasEqualText(*m_a[a].source, *m_b[b].source)))
                continue;
            pair(a, b);
            return;
        }
    }

    void pairScripts()
    {
        const auto isScript = [](const SourceCandidate& candidate) { return candidate.isScript; };
        const auto a = std::find_if(m_a.begin(), m_a.end(), isScript);
        const auto b = std::find_if(m_b.begin(), m_b.end(), isScript);
        if (a == m_a.end() || b == m_b.end())
            return;
        const auto indexA = static_cast<std::size_t>(a - m_a.begin());
        const auto indexB = static_cast<std::size_t>(b - m_b.begin());
        if (!m_isUsedA[indexA] && !m_isUsedB[indexB])
            pair(indexA, indexB);
    }

    struct Open
    {
        std::size_t index;
        TextFingerprint lines;
    };

    static std::vector<Open> openOf(std::span<const SourceCandidate> side,
                                    const std::vector<char>& isUsed)
    {
        std::vector<Open> open;
        for (std::size_t i = 0; i < side.size(); ++i)
            if (!isUsed[i])
                open.push_back({i, TextFingerprint::ofLines(side[i].source->text)});
        return open;
    }

    double score(const Open& a, const Open& b) const
    {
        const Source& left = *m_a[a.index].source;
        const Source& right = *m_b[b.index].source;
        if (left.kind != right.kind)
            return 0.0;
        const bool hasEqualName = fileName(left) == fileName(right);
        const bool isTextKnown = !a.lines.isEmpty() && !b.lines.isEmpty();
        const double likeness = isTextKnown ? a.lines.similarity(b.lines) : unknownTextScore;
        return likeness + (hasEqualName ? equalNameScore : 0.0);
    }

    void pairByScore()
    {
        struct Proposal
        {
            double score;
            std::size_t a;
            std::size_t b;
        };
        const std::vector<Open> openA = openOf(m_a, m_isUsedA);
        const std::vector<Open> openB = openOf(m_b, m_isUsedB);
        if (openA.size() * openB.size() > mostComparisons)
            return;
        std::vector<Proposal> proposals;
        for (const Open& a : openA)
            for (const Open& b : openB)
                if (const double value = score(a, b); value >= lowestScore)
                    proposals.push_back({value, a.index, b.index});
        std::stable_sort(proposals.begin(), proposals.end(),
                         [](const Proposal& l, const Proposal& r) { return l.score > r.score; });
        for (const Proposal& proposal : proposals)
            if (!m_isUsedA[proposal.a] && !m_isUsedB[proposal.b])
                pair(proposal.a, proposal.b);
    }

    std::span<const SourceCandidate> m_a;
    std::span<const SourceCandidate> m_b;
    std::vector<char> m_isUsedA;
    std::vector<char> m_isUsedB;
    std::vector<SourcePair> m_pairs;
};

} // namespace

std::vector<SourcePair> matchSources(std::span<const SourceCandidate> a,
                                     std::span<const SourceCandidate> b)
{
    return SourceMatcher(a, b).run();
}

} // namespace perilune
