// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/MatchedRuns.h"

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace perilune {

namespace {

/// The functions of a group of runs, each once.
struct GroupFunctions
{
    std::vector<MatchCandidate> candidates;
    std::vector<MatchedSide> sides;                ///< In the same order.
    std::vector<std::vector<std::size_t>> indexOf; ///< By run and FunctionId.
};

/// Keys that one run has more than once (chunks loaded from equal strings) get a number.
std::string uniqueKey(std::string key, std::unordered_map<std::string, int>& uses)
{
    const int use = ++uses[key];
    return use == 1 ? key : key + '#' + std::to_string(use);
}

/// Runs of one group have their sources each; makes equal ones the same object, that of the first
/// run.
class SharedSources
{
public:
    const Source* find(const Source* source)
    {
        if (!source)
            return nullptr;
        return m_sources.try_emplace({source->label, source->hash}, source).first->second;
    }

private:
    std::map<std::pair<std::string_view, std::uint64_t>, const Source*> m_sources;
};

MatchedSide sideOf(const MatchCandidate& candidate, const Profile& profile, std::size_t run,
                   std::size_t runCount)
{
    const Function& function = profile.function(candidate.id);
    return {candidate.key, function.name, profile.location(function),
            run,           candidate.id,  std::vector<const FunctionCosts*>(runCount, nullptr)};
}

GroupFunctions collectGroup(const RunGroup& group)
{
    GroupFunctions functions;
    std::unordered_map<std::string, std::size_t> indexOfKey;
    SharedSources sources;
    for (std::size_t run = 0; run < group.size(); ++run) {
        const Profile& profile = *group[run].profile;
        const FunctionTable& table = *group[run].table;
        std::vector<std::size_t>& indexOf = functions.indexOf.emplace_back();
        indexOf.assign(profile.functions.size(), SIZE_MAX);
        std::unordered_map<std::string, int> uses;
        for (MatchCandidate& candidate : collectCandidates(profile, table)) {
            candidate.key = uniqueKey(std::move(candidate.key), uses);
            candidate.source = sources.find(candidate.source);
            const auto [entry, isNew] =
                indexOfKey.try_emplace(candidate.key, functions.sides.size());
            const FunctionId id = candidate.id;
            if (isNew) {
                functions.sides.push_back(sideOf(candidate, profile, run, group.size()));
                functions.candidates.push_back(std::move(candidate));
            }
            indexOf[id.value()] = entry->second;
            functions.sides[entry->second].costs[run] = table.find(id);
        }
    }
    return functions;
}

/// Replaces places in a group by places in the matched list.
std::vector<std::vector<std::size_t>> translated(std::vector<std::vector<std::size_t>> indexOf,
                                                 const std::vector<std::size_t>& placeOf)
{
    for (std::vector<std::size_t>& run : indexOf)
        for (std::size_t& index : run)
            if (index != SIZE_MAX)
                index = placeOf[index];
    return indexOf;
}

} // namespace

ComparedRun ComparedRun::of(std::shared_ptr<const Profile> profile)
{
    auto table = std::make_shared<const FunctionTable>(FunctionTable::compute(*profile));
    return {std::move(profile), std::move(table)};
}

std::shared_ptr<const MatchedRuns> MatchedRuns::match(RunGroup a, RunGroup b,
                                                      std::vector<ManualMatch> manual)
{
    auto matched = std::shared_ptr<MatchedRuns>(new MatchedRuns);
    matched->m_a = std::move(a);
    matched->m_b = std::move(b);
    matched->m_manual = std::move(manual);

    GroupFunctions left = collectGroup(matched->m_a);
    GroupFunctions right = collectGroup(matched->m_b);
    std::vector<std::size_t> placeOfA(left.sides.size());
    std::vector<std::size_t> placeOfB(right.sides.size());
    for (const FunctionPair& pair :
         matchFunctions(left.candidates, right.candidates, matched->m_manual)) {
        MatchedFunction function;
        function.reason = pair.reason;
        function.status = pair.status();
        function.similarity = pair.similarity;
        if (pair.a) {
            placeOfA[*pair.a] = matched->m_functions.size();
            function.kind = left.candidates[*pair.a].kind;
            function.a = std::move(left.sides[*pair.a]);
        }
        if (pair.b) {
            placeOfB[*pair.b] = matched->m_functions.size();
            function.kind = right.candidates[*pair.b].kind;
            function.b = std::move(right.sides[*pair.b]);
        }
        matched->m_functions.push_back(std::move(function));
    }
    matched->m_indexA = translated(std::move(left.indexOf), placeOfA);
    matched->m_indexB = translated(std::move(right.indexOf), placeOfB);
    return matched;
}

} // namespace perilune
