// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"
#include "gui/models/CellValue.h"

#include <QString>

namespace perilune {

/// The columns of the functions table in their order. The first eight are shown by default.
enum class FunctionColumn
{
    Name,
    SelfTime,
    SelfShare,
    TotalTime,
    TotalShare,
    Calls,
    MeanTime,
    Location,
    SelfMean,
    Kind,
    TailCalls,
    Callers,
    Callees,
    Minimum,
    Median,
    Percentile95,
    Maximum,
    SelfBytes,
    TotalBytes,
    RawSelf,
    RawTotal,
    Samples,
};
inline constexpr int functionColumnCount = static_cast<int>(FunctionColumn::Samples) + 1;
inline constexpr int defaultFunctionColumnCount = static_cast<int>(FunctionColumn::Location) + 1;

/// A row in the company of what it belongs to.
struct FunctionRow
{
    const Profile& profile;
    const FunctionTable& table;
    const FunctionCosts& costs;

    const Function& function() const { return profile.function(costs.function); }
};

/// What a column is called, what it means, and how it reads its value from a row.
struct FunctionColumnSpec
{
    const char* title;   ///< Untranslated, context "FunctionColumn".
    const char* toolTip; ///< One sentence, where needed with a small example.
    CellValue::Kind kind;
    CellValue (*value)(const FunctionRow& row);
    bool (*isMeasured)(const Profile& profile); ///< Null: always.
};

const FunctionColumnSpec& specOf(FunctionColumn column);
QString titleOf(FunctionColumn column);
QString toolTipOf(FunctionColumn column);
bool isMeasured(FunctionColumn column, const Profile& profile);

/// "Lua", "C", "Main chunk", …: the kind of a function for people.
QString kindTitle(FunctionKind kind);

} // namespace perilune
