// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/RunChoices.h"

#include "gui/models/NumberFormat.h"
#include "gui/models/RunText.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

struct RunChoices
{
    Q_DECLARE_TR_FUNCTIONS(perilune::RunChoices)
};

using Runs = std::vector<const RunSummary*>;

QString timeText(std::int64_t unixMs)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(unixMs);
    const bool isToday = time.date() == QDate::currentDate();
    return isToday ? QLocale().toString(time.time(), QStringLiteral("hh:mm:ss"))
                   : QLocale().toString(time, QLocale::ShortFormat);
}

QString medianTime(const Runs& runs)
{
    std::vector<std::int64_t> times;
    for (const RunSummary* run : runs)
        times.push_back(run->info.wallTime.nanoseconds());
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return formatDuration(Duration::fromNanoseconds(times[times.size() / 2]));
}

QString detailOf(const Runs& runs)
{
    const RunInfo& info = runs.back()->info;
    QStringList parts{modeTitle(info.mode)};
    if (!info.luaVersion.empty())
        parts << QString::fromStdString(info.luaVersion);
    parts << (runs.size() == 1 ? medianTime(runs)
                               : RunChoices::tr("median %1").arg(medianTime(runs)));
    if (info.isPartial())
        parts << statusText(info);
    if (!info.scriptHash.empty())
        parts << RunChoices::tr("text %1").arg(
            QString::fromStdString(info.scriptHash.substr(0, 6)));
    return parts.join(QStringLiteral(" · "));
}

RunChoice choiceOf(RunSet::Kind kind, const Runs& runs, const QString& file)
{
    const RunSummary& last = *runs.back();
    RunChoice choice;
    choice.kind = kind;
    choice.file = file;
    choice.script = last.info.script;
    choice.startedAtUnixMs = last.info.startedAtUnixMs;
    for (const RunSummary* run : runs) {
        choice.runs.push_back(run->id);
        choice.isBaseline = choice.isBaseline || run->isBaseline;
    }
    QStringList parts{runTitle(last.info)};
    if (!last.name.empty() && kind == RunSet::Kind::SingleRun)
        parts << QString::fromStdString(last.name);
    parts << timeText(last.info.startedAtUnixMs);
    const auto count = static_cast<int>(runs.size());
    if (kind == RunSet::Kind::SameText)
        parts << RunChoices::tr("all %Ln run(s) of this text", nullptr, count);
    else if (kind == RunSet::Kind::Repeats)
        parts << RunChoices::tr("%Ln run(s)", nullptr, count);
    choice.title = parts.join(QStringLiteral(" · "));
    choice.detail = detailOf(runs);
    return choice;
}

RunChoice choiceOf(const RunSet& set, const std::vector<RunSummary>& runs, const QString& file)
{
    if (set.runs.empty())
        return {};
    Runs members;
    for (const std::size_t run : set.runs)
        members.push_back(&runs[run]);
    return choiceOf(set.kind, members, file);
}

} // namespace

std::vector<RunChoice> runChoices(const std::vector<RunSummary>& runs, const QString& file)
{
    std::vector<RunChoice> choices;
    for (const RunSet& set : findRunSets(runs))
        choices.push_back(choiceOf(set, runs, file));
    // Of sets with the same last run, the larger one first.
    std::stable_sort(choices.begin(), choices.end(),
                     [](const RunChoice& left, const RunChoice& right) {
                         return std::pair(left.startedAtUnixMs, left.runs.size())
                             > std::pair(right.startedAtUnixMs, right.runs.size());
                     });
    return choices;
}

RunChoice choiceOfRuns(const std::vector<RunSummary>& runs, const std::vector<std::int64_t>& ids,
                       const QString& file)
{
    Runs members;
    for (const RunSummary& run : runs)
        if (std::find(ids.begin(), ids.end(), run.id) != ids.end())
            members.push_back(&run);
    if (members.empty())
        return {};
    const auto kind = members.size() == 1 ? RunSet::Kind::SingleRun : RunSet::Kind::Repeats;
    return choiceOf(kind, members, file);
}

RunChoicePair defaultPair(const std::vector<RunSummary>& runs, const QString& file)
{
    const RunSet changed = newestRunSet(runs);
    const RunSet baseline = baselineFor(runs, changed);
    return {choiceOf(baseline, runs, file), choiceOf(changed, runs, file)};
}

} // namespace perilune
