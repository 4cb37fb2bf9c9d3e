// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"
#include "core/analysis/SetUpDifference.h"

#include <QLocale>
#include <QString>

/// How comparisons read on the screen. B minus A everywhere: plus means slower, or more.
namespace perilune {

/// "Self time", "Total time per call", "Allocated (self), share of the run", …: what is compared.
QString comparedTitle(const ComparisonOptions& options);

/// A value as the options measure it: a duration, bytes, a count or a share; "–" for nothing.
QString formatCost(std::optional<double> value, const ComparisonOptions& options,
                   const QLocale& locale = QLocale());
/// The same with its sign, for differences.
QString formatSignedCost(double value, const ComparisonOptions& options,
                         const QLocale& locale = QLocale());
/// All digits in the base unit, for other programs.
QString exactCost(std::optional<double> value);
/// " (ns)", " (B)", " (%)" or nothing.
QString costUnitSuffix(const ComparisonOptions& options);

/// "▲ slower", "▼ faster", "≈ no clear change", "too few runs"; more and less for what is no time.
QString verdictTitle(Verdict verdict, const ComparisonOptions& options);
/// How sure a verdict is and where that comes from, in sentences.
QString verdictDetails(const ChangeEstimate& change, const ComparisonOptions& options);
/// One line that says whether B is slower than A as a whole.
QString verdictLine(const Comparison& comparison);

/// How a function was found on the other side: "moved (line 10 → 14)", "new"; empty for nothing
/// special.
QString statusTitle(const MatchedFunction& function);
/// The same in a sentence.
QString statusDetails(const MatchedFunction& function);

/// "Lua version: A Lua 5.4, B Lua 5.3".
QString setUpText(const SetUpDifference& difference);

} // namespace perilune
