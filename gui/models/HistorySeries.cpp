// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/HistorySeries.h"

#include "gui/models/NumberFormat.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune {

namespace {

std::vector<HistoryEntry> entriesOf(const std::vector<HistoryItem>& items)
{
    std::vector<HistoryEntry> entries;
    entries.reserve(items.size());
    for (const HistoryItem& item : items)
        entries.push_back(item.entry);
    return entries;
}

} // namespace

HistorySeries::HistorySeries(QString quantity, Metric metric, std::vector<HistoryItem> items,
                             const HistoryRules& rules)
    : m_quantity(std::move(quantity))
    , m_metric(metric)
    , m_items(std::move(items))
    , m_analysis(analyseHistory(entriesOf(m_items), rules))
{
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (m_items[i].isBaseline && point(i).hasValue())
            m_baseline = i;
}

std::optional<double> HistorySeries::deltaToBaseline(std::size_t index) const
{
    if (!m_baseline || !point(index).hasValue() || point(*m_baseline).median == 0.0)
        return std::nullopt;
    return point(index).median / point(*m_baseline).median - 1.0;
}

QString HistorySeries::formatValue(double value) const
{
    return formatMetric(m_metric, static_cast<std::uint64_t>(std::llround(std::max(0.0, value))));
}

QString HistorySeries::markText(std::size_t index) const
{
    if (m_items[index].entry.isFailed)
        return tr("failed");
    switch (point(index).mark) {
    case HistoryMark::Above:
        return tr("outlier, above the band");
    case HistoryMark::Below:
        return tr("outlier, below the band");
    case HistoryMark::ShiftUp:
        return tr("slower from here on");
    case HistoryMark::ShiftDown:
        return tr("faster from here on");
    case HistoryMark::None:
        break;
    }
    return {};
}

QString HistorySeries::describe(std::size_t index) const
{
    const HistoryItem& entry = m_items[index];
    const HistoryPoint& value = point(index);
    QStringList lines;
    lines << entry.title;
    const QDateTime started = QDateTime::fromMSecsSinceEpoch(entry.entry.startedAtUnixMs);
    lines << QLocale().toString(started, QLocale::ShortFormat);
    if (value.hasValue()) {
        const auto repeats = static_cast<int>(value.repeatCount);
        lines << tr("%1: %2 (%Ln run(s))", nullptr, repeats)
                     .arg(m_quantity, formatValue(value.median));
    } else {
        lines << tr("%1: no value").arg(m_quantity);
    }
    if (value.interval) {
        lines << tr("95 % interval of the median: %1 … %2")
                     .arg(formatValue(value.interval->lower), formatValue(value.interval->upper));
    }
    if (const auto delta = deltaToBaseline(index); delta && m_baseline != index)
        lines << tr("%1 against the baseline").arg(formatSignedPercent(*delta));
    if (entry.isBaseline)
        lines << tr("Baseline");
    if (const QString mark = markText(index); !mark.isEmpty())
        lines << mark.left(1).toUpper() + mark.mid(1);
    if (value.isFirstRepeatSlow)
        lines << tr("The first repeat was slower than the others: add a warm-up run.");
    if (!entry.note.isEmpty())
        lines << entry.note;
    return lines.join(QLatin1Char('\n'));
}

} // namespace perilune
