// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CompareText.h"

#include "gui/models/NumberFormat.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace perilune {

namespace {

/// Gives tr() the context of this file.
struct CompareText
{
    Q_DECLARE_TR_FUNCTIONS(perilune::CompareText)
};

enum class CostUnit
{
    Duration,
    Bytes,
    Count,
    Share
};

CostUnit unitOf(const ComparisonOptions& options)
{
    if (options.normalisation == Normalisation::ShareOfRun)
        return CostUnit::Share;
    if (options.cost == CostKind::Calls)
        return CostUnit::Count;
    switch (options.metric) {
    case Metric::Time:
    case Metric::RawTime:
        return CostUnit::Duration;
    case Metric::Bytes:
        return CostUnit::Bytes;
    case Metric::Calls:
    case Metric::Samples:
    case Metric::Blocks:
        break;
    }
    return CostUnit::Count;
}

bool isTime(const ComparisonOptions& options)
{
    return options.cost != CostKind::Calls
        && (options.metric == Metric::Time || options.metric == Metric::RawTime);
}

/// Medians and costs per call need not be whole; small ones keep a decimal.
QString withDecimal(double value, const QLocale& locale)
{
    const bool isWhole = value == std::floor(value);
    return locale.toString(value, 'f', isWhole || value >= 100.0 ? 0 : 1);
}

QString formatMagnitude(double value, const ComparisonOptions& options, const QLocale& locale)
{
    switch (unitOf(options)) {
    case CostUnit::Share:
        return formatPercent(value, locale);
    case CostUnit::Duration:
        if (value < 100.0 && value != std::floor(value))
            return withDecimal(value, locale) + QStringLiteral(" ns");
        return formatDuration(Duration::fromNanoseconds(std::llround(value)), TimeUnit::Automatic,
                              locale);
    case CostUnit::Bytes:
        return formatBytes(static_cast<std::uint64_t>(std::llround(value)), locale);
    case CostUnit::Count:
        break;
    }
    return withDecimal(value, locale);
}

QString formatP(double p)
{
    return p < 0.0001 ? QStringLiteral("< 0.0001")
                      : QStringLiteral("= %1").arg(QLocale().toString(p, 'f', 4));
}

QString runCounts(const ChangeEstimate& change)
{
    return CompareText::tr("%1 + %2 runs").arg(change.countA).arg(change.countB);
}

QString intervalText(const Interval& interval)
{
    return CompareText::tr("95 % interval %1 … %2")
        .arg(formatSignedPercent(interval.lower - 1.0), formatSignedPercent(interval.upper - 1.0));
}

/// "12.4 % slower"; the words of the whole run are those of its metric.
QString changeInWords(double ratio, const ComparisonOptions& options)
{
    const QString size = formatPercent(std::abs(ratio - 1.0));
    if (isTime(options))
        return ratio >= 1.0 ? CompareText::tr("%1 slower").arg(size)
                            : CompareText::tr("%1 faster").arg(size);
    return ratio >= 1.0 ? CompareText::tr("%1 more").arg(size)
                        : CompareText::tr("%1 less").arg(size);
}

QString familyText(const ChangeEstimate& change)
{
    const auto functions = static_cast<int>(change.familySize);
    switch (change.correction) {
    case FamilyCorrection::None:
        return {};
    case FamilyCorrection::Ranks:
        return CompareText::tr("Corrected for %Ln function(s) by Benjamini–Hochberg: p %1.",
                               nullptr, functions)
            .arg(formatP(change.adjustedP));
    case FamilyCorrection::Welch:
        break;
    }
    return CompareText::tr(
               "Corrected for %Ln function(s) by Benjamini–Hochberg: p %1, over Welch's t "
               "test, because so few runs leave the rank test too coarse for so many functions.",
               nullptr, functions)
        .arg(formatP(change.adjustedP));
}

QString placeOf(const MatchedSide& side)
{
    return QString::fromStdString(side.location);
}

QString setUpTitle(SetUpItem item)
{
    switch (item) {
    case SetUpItem::Script:
        return CompareText::tr("Script");
    case SetUpItem::ScriptText:
        return CompareText::tr("Text of the script");
    case SetUpItem::GitCommit:
        return CompareText::tr("Git commit");
    case SetUpItem::Arguments:
        return CompareText::tr("Arguments");
    case SetUpItem::WorkingDirectory:
        return CompareText::tr("Working directory");
    case SetUpItem::Environment:
        return CompareText::tr("Environment");
    case SetUpItem::StandardInput:
        return CompareText::tr("Standard input");
    case SetUpItem::Interpreter:
        return CompareText::tr("Interpreter");
    case SetUpItem::LuaVersion:
        return CompareText::tr("Lua version");
    case SetUpItem::Machine:
        return CompareText::tr("Machine");
    case SetUpItem::Mode:
        return CompareText::tr("Mode");
    case SetUpItem::SamplingInterval:
        return CompareText::tr("Sampling interval");
    case SetUpItem::Clock:
        return CompareText::tr("Clock");
    case SetUpItem::Options:
        return CompareText::tr("Options");
    case SetUpItem::Correction:
        return CompareText::tr("Overhead correction");
    case SetUpItem::RepeatCount:
        return CompareText::tr("Number of runs");
    case SetUpItem::Partial:
        return CompareText::tr("Runs that did not come to their end");
    case SetUpItem::Drift:
        return CompareText::tr("Drift between the first and the last runs of a side");
    case SetUpItem::Unsteady:
        return CompareText::tr("Spread of the runs of a side");
    case SetUpItem::CommonShift:
        return CompareText::tr("All functions alike");
    }
    return {};
}

QString orNone(const std::string& text)
{
    return text.empty() ? CompareText::tr("none") : QString::fromStdString(text);
}

} // namespace

QString comparedTitle(const ComparisonOptions& options)
{
    QString title;
    const QString metric = metricTitle(options.metric).toLower();
    switch (options.cost) {
    case CostKind::Self:
        title = CompareText::tr("Self %1").arg(metric);
        break;
    case CostKind::Total:
        title = CompareText::tr("Total %1").arg(metric);
        break;
    case CostKind::Mean:
        title = CompareText::tr("Mean %1 per call").arg(metric);
        break;
    case CostKind::Calls:
        title = CompareText::tr("Calls");
        break;
    }
    switch (options.normalisation) {
    case Normalisation::Absolute:
        return title;
    case Normalisation::PerCall:
        if (options.cost == CostKind::Mean || options.cost == CostKind::Calls)
            return title;
        return CompareText::tr("%1 per call").arg(title);
    case Normalisation::ShareOfRun:
        break;
    }
    return CompareText::tr("%1, share of the run").arg(title);
}

QString formatCost(std::optional<double> value, const ComparisonOptions& options,
                   const QLocale& locale)
{
    return value ? formatMagnitude(*value, options, locale) : noValue();
}

QString formatSignedCost(double value, const ComparisonOptions& options, const QLocale& locale)
{
    const QString text = formatMagnitude(std::abs(value), options, locale);
    if (value == 0.0)
        return text;
    return (value > 0.0 ? QChar(u'+') : QChar(0x2212)) + text;
}

QString exactCost(std::optional<double> value)
{
    return value ? QString::number(*value, 'g', 15) : QString();
}

QString costUnitSuffix(const ComparisonOptions& options)
{
    switch (unitOf(options)) {
    case CostUnit::Duration:
        return QStringLiteral(" (ns)");
    case CostUnit::Bytes:
        return QStringLiteral(" (B)");
    case CostUnit::Share:
    case CostUnit::Count:
        break;
    }
    return {};
}

QString verdictTitle(Verdict verdict, const ComparisonOptions& options)
{
    switch (verdict) {
    case Verdict::Slower:
        return isTime(options) ? CompareText::tr("▲ slower") : CompareText::tr("▲ more");
    case Verdict::Faster:
        return isTime(options) ? CompareText::tr("▼ faster") : CompareText::tr("▼ less");
    case Verdict::NoClearChange:
        return CompareText::tr("≈ no clear change");
    case Verdict::TooFewRuns:
        break;
    }
    return CompareText::tr("too few runs");
}

QString verdictDetails(const ChangeEstimate& change, const ComparisonOptions& options)
{
    QStringList lines;
    lines << verdictTitle(change.verdict, options) + QStringLiteral(" · ") + runCounts(change);
    lines << CompareText::tr("Median of A %1, of B %2.")
                 .arg(formatCost(change.medianA, options), formatCost(change.medianB, options));
    if (change.verdict == Verdict::TooFewRuns) {
        lines << CompareText::tr("Nothing is claimed with fewer than %1 runs on each side.")
                     .arg(options.rules.minimumRuns);
        return lines.join(u'\n');
    }
    if (change.interval)
        lines << CompareText::tr("Change of the median: %1.").arg(intervalText(*change.interval));
    lines << (change.rankTest.isExact
                  ? CompareText::tr("Mann–Whitney test: p %1 (exact).")
                  : CompareText::tr("Mann–Whitney test: p %1 (normal approximation)."))
                 .arg(formatP(change.rankTest.p));
    if (const QString family = familyText(change); !family.isEmpty())
        lines << family;
    if (const double drift = driftAllowance(change, options.rules); drift > 0.0)
        lines << CompareText::tr(
                     "The runs spread by ±%1, so only a difference beyond %2 would be clear.")
                     .arg(formatPercent(change.spread), formatPercent(std::exp(drift) - 1.0));
    lines << CompareText::tr(
                 "A clear change has p ≤ %1, an interval without 0, and more than %2 difference.")
                 .arg(QLocale().toString(options.rules.level),
                      formatPercent(options.rules.threshold));
    return lines.join(u'\n');
}

QString verdictLine(const Comparison& comparison)
{
    const ChangeEstimate& whole = comparison.whole();
    const ComparisonOptions& options = comparison.options();
    if (!whole.ratio)
        return CompareText::tr("Nothing to compare: A has no %1.")
            .arg(comparedTitle(options).toLower());
    const QString change = changeInWords(*whole.ratio, options);
    if (whole.verdict == Verdict::TooFewRuns) {
        if (whole.countA == 1 && whole.countB == 1)
            return CompareText::tr("Single runs, too few to say: B was %1 this time.").arg(change);
        return CompareText::tr(
                   "Too few runs to say (%1): B was %2 in the median. Run each %3 times.")
            .arg(runCounts(whole), change)
            .arg(options.rules.minimumRuns);
    }
    const QString evidence = whole.interval
        ? CompareText::tr("%1, %2").arg(intervalText(*whole.interval), runCounts(whole))
        : runCounts(whole);
    if (isClear(whole.verdict))
        return CompareText::tr("B is %1 (%2): clear change.").arg(change, evidence);
    return CompareText::tr("No clear change: B is %1 (%2).").arg(change, evidence);
}

QString statusTitle(const MatchedFunction& function)
{
    switch (function.status) {
    case MatchStatus::New:
        return CompareText::tr("new");
    case MatchStatus::Gone:
        return CompareText::tr("gone");
    case MatchStatus::Renamed:
        return CompareText::tr("renamed?");
    case MatchStatus::Moved:
        if (function.reason == MatchReason::LineMoved)
            return CompareText::tr("moved");
        return function.reason == MatchReason::FileRenamed
            ? CompareText::tr("file renamed")
            : CompareText::tr("moved to another file");
    case MatchStatus::Exact:
        break;
    }
    return function.reason == MatchReason::Manual ? CompareText::tr("matched by you") : QString();
}

QString statusDetails(const MatchedFunction& function)
{
    if (!function.a || !function.b) {
        const QString text =
            function.a ? CompareText::tr("Only in A.") : CompareText::tr("Only in B.");
        return function.reason == MatchReason::Manual
            ? text + u' ' + CompareText::tr("You said so.")
            : text;
    }
    const QString names = CompareText::tr("A: %1, %2\nB: %3, %4")
                              .arg(QString::fromStdString(function.a->name), placeOf(*function.a),
                                   QString::fromStdString(function.b->name), placeOf(*function.b));
    const QString alike =
        CompareText::tr("The bodies are %1 alike.").arg(formatPercent(function.similarity));
    switch (function.reason) {
    case MatchReason::Manual:
        return names + u'\n' + CompareText::tr("Matched by you.");
    case MatchReason::LineMoved:
        return names + u'\n' + CompareText::tr("Found again by its name and file.");
    case MatchReason::FileRenamed:
        return names + u'\n' + CompareText::tr("The files are versions of each other.");
    case MatchReason::FileChanged:
        return names + u'\n' + alike;
    case MatchReason::SimilarBody:
        return names + u'\n' + alike + u' '
            + CompareText::tr("Confirm or break the match in the context menu.");
    case MatchReason::SameKey:
    case MatchReason::None:
        break;
    }
    return names;
}

QString setUpText(const SetUpDifference& difference)
{
    if (difference.item == SetUpItem::CommonShift)
        return CompareText::tr(
                   "All functions changed alike, by %1 per call: the machine may have been "
                   "slower or faster")
            .arg(QString::fromStdString(difference.b));
    return CompareText::tr("%1: A %2, B %3")
        .arg(setUpTitle(difference.item), orNone(difference.a), orNone(difference.b));
}

} // namespace perilune
