// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"
#include "core/analysis/ComparisonTree.h"
#include "core/analysis/SetUpDifference.h"
#include "core/recording/Result.h"
#include "gui/models/RunChoices.h"

#include <QObject>

#include <memory>
#include <vector>

namespace perilune {

/// Everything that the panes of a comparison show; immutable.
struct LoadedComparison
{
    std::shared_ptr<const Comparison> comparison;
    std::shared_ptr<const ComparisonTree> tree;
    std::vector<SetUpDifference> setUp;
};

/// Loads the runs of a comparison from their sessions, matches and compares them in a worker
/// thread, and answers in the thread it lives in. Only the answer to the latest request is
/// delivered.
class ComparisonLoader : public QObject
{
    Q_OBJECT
public:
    explicit ComparisonLoader(QObject* parent = nullptr);
    ~ComparisonLoader() override;

    /// Loads both sides and compares them.
    void load(const RunChoice& a, const RunChoice& b, const std::vector<ManualMatch>& manual,
              const ComparisonOptions& options);
    /// Matches the loaded runs anew and compares them.
    void rematch(const std::vector<ManualMatch>& manual, const ComparisonOptions& options);
    /// Compares what was matched last in another way.
    void compute(const ComparisonOptions& options);
    bool isBusy() const { return m_pending > 0; }
    void clear(); ///< Forgets the runs; answers on their way are dropped.

Q_SIGNALS:
    void busyChanged(bool isBusy);
    void loaded(const perilune::LoadedComparison& loaded);
    void failed(const perilune::Error& error);

private:
    template<typename Job>
    void start(Job job);
    void finish(quint64 request, const Result<LoadedComparison>& result);

    /// What is wanted: a change of the options on the way to it must not bring back what was there.
    struct Target
    {
        RunChoice a;
        RunChoice b;
        std::vector<ManualMatch> manual;
    };
    Target m_target;
    bool m_isLoaded = false;                   ///< m_runs are those of the target.
    std::shared_ptr<const MatchedRuns> m_runs; ///< Of the last answer.
    std::shared_ptr<const ComparisonTree> m_tree;
    quint64 m_latest = 0;
    int m_pending = 0;
};

/// Reads the runs of a choice from its session file; for a worker thread.
Result<RunGroup> loadGroup(const RunChoice& choice);

} // namespace perilune
