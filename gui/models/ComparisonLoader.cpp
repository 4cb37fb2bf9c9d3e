// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/ComparisonLoader.h"

#include "core/session/Session.h"

#include <QtConcurrent>

#include <utility>

namespace perilune {

namespace {

LoadedComparison compare(std::shared_ptr<const MatchedRuns> runs,
                         std::shared_ptr<const ComparisonTree> tree,
                         const ComparisonOptions& options)
{
    LoadedComparison loaded;
    loaded.setUp = findSetUpDifferences(*runs);
    loaded.tree = tree && tree->metric() == options.metric
        ? std::move(tree)
        : ComparisonTree::build(*runs, options.metric);
    loaded.comparison = Comparison::compute(std::move(runs), options);
    return loaded;
}

Result<LoadedComparison> loadAndCompare(const RunChoice& a, const RunChoice& b,
                                        const std::vector<ManualMatch>& manual,
                                        const ComparisonOptions& options)
{
    Result<RunGroup> left = loadGroup(a);
    if (!left)
        return left.error();
    Result<RunGroup> right = loadGroup(b);
    if (!right)
        return right.error();
    return compare(MatchedRuns::match(*std::move(left), *std::move(right), manual), nullptr,
                   options);
}

} // namespace

Result<RunGroup> loadGroup(const RunChoice& choice)
{
    RunGroup group;
    if (choice.isEmpty())
        return group;
    const Result<Session> session = Session::open(choice.file.toStdString());
    if (!session)
        return session.error();
    for (const std::int64_t id : choice.runs) {
        Result<std::shared_ptr<const Profile>> profile = session->loadRun(id);
        if (!profile)
            return profile.error();
        group.push_back(ComparedRun::of(*std::move(profile)));
    }
    return group;
}

ComparisonLoader::ComparisonLoader(QObject* parent)
    : QObject(parent)
{
}

ComparisonLoader::~ComparisonLoader() = default;

template<typename Job>
void ComparisonLoader::start(Job job)
{
    const quint64 request = ++m_latest;
    if (++m_pending == 1)
        Q_EMIT busyChanged(true);
    QtConcurrent::run(std::move(job))
        .then(this,
              [this, request](const Result<LoadedComparison>& result) { finish(request, result); });
}

void ComparisonLoader::finish(quint64 request, const Result<LoadedComparison>& result)
{
    if (--m_pending == 0)
        Q_EMIT busyChanged(false);
    if (request != m_latest)
        return;
    if (!result) {
        Q_EMIT failed(result.error());
        return;
    }
    m_runs = result->comparison->sharedRuns();
    m_tree = result->tree;
    m_isLoaded = true;
    Q_EMIT loaded(*result);
}

void ComparisonLoader::load(const RunChoice& a, const RunChoice& b,
                            const std::vector<ManualMatch>& manual,
                            const ComparisonOptions& options)
{
    m_target = {a, b, manual};
    m_isLoaded = false;
    start([=] { return loadAndCompare(a, b, manual, options); });
}

void ComparisonLoader::rematch(const std::vector<ManualMatch>& manual,
                               const ComparisonOptions& options)
{
    if (!m_isLoaded) {
        load(m_target.a, m_target.b, manual, options);
        return;
    }
    m_target.manual = manual;
    start([runs = m_runs, manual, options]() -> Result<LoadedComparison> {
        return compare(MatchedRuns::match(runs->a(), runs->b(), manual), nullptr, options);
    });
}

void ComparisonLoader::compute(const ComparisonOptions& options)
{
    const bool isMatched = m_isLoaded && m_runs->manualMatches() == m_target.manual;
    if (!isMatched) {
        rematch(m_target.manual, options);
        return;
    }
    start([runs = m_runs, tree = m_tree, options]() -> Result<LoadedComparison> {
        return compare(runs, tree, options);
    });
}

void ComparisonLoader::clear()
{
    ++m_latest;
    m_target = {};
    m_isLoaded = false;
    m_runs.reset();
    m_tree.reset();
}

} // namespace perilune
