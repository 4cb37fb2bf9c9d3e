// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/History.h"
#include "core/profile/CallTree.h"
#include "core/profile/RunInfo.h"

#include <QCoreApplication>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace perilune {

/// One point of a history: a run, or the repeats of one run.
struct HistoryItem
{
    std::vector<std::int64_t> runs; ///< Ids in the session, in the order they ran.
    QString title;                  ///< The run's name, else when it began.
    QString note;
    RunStatus status = RunStatus::Done;
    bool isBaseline = false;
    HistoryEntry entry;
};

/// One quantity over the runs of a script, with what analyseHistory() says of it. Immutable.
class HistorySeries
{
    Q_DECLARE_TR_FUNCTIONS(perilune::HistorySeries)
public:
    HistorySeries() = default;
    /// `quantity` names what is shown ("Self time of parse"), `metric` how its values read.
    HistorySeries(QString quantity, Metric metric, std::vector<HistoryItem> items,
                  const HistoryRules& rules = {});

    const QString& quantity() const { return m_quantity; }
    Metric metric() const { return m_metric; }
    std::size_t size() const { return m_items.size(); }
    bool isEmpty() const { return m_items.empty(); }
    const HistoryItem& item(std::size_t index) const { return m_items[index]; }
    const HistoryPoint& point(std::size_t index) const { return m_analysis.points[index]; }
    const std::vector<HistoryBreak>& breaks() const { return m_analysis.breaks; }
    /// The last item marked as baseline that has a value.
    std::optional<std::size_t> baseline() const { return m_baseline; }

    /// Share by which a point lies above the baseline; nothing without one, or for a baseline of 0.
    std::optional<double> deltaToBaseline(std::size_t index) const;
    QString formatValue(double value) const;
    /// "outlier", "slower from here on", "failed": what is special about a point; empty for
    /// nothing.
    QString markText(std::size_t index) const;
    /// All that is known of a point, in lines of plain text.
    QString describe(std::size_t index) const;

private:
    QString m_quantity;
    Metric m_metric = Metric::Time;
    std::vector<HistoryItem> m_items;
    HistoryAnalysis m_analysis;
    std::optional<std::size_t> m_baseline;
};

} // namespace perilune
