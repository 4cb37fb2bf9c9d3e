// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "gui/models/CallTreeRows.h"
#include "gui/models/CellValue.h"

#include <QString>

namespace perilune {

/// The columns of the call tree in their order. The first nine are shown by default.
enum class CallTreeColumn
{
    Name,
    Self,
    SelfShare,
    Total,
    TotalShare,
    ParentShare,
    Calls,
    Mean,
    Location,
    SelfBytes,
    TotalBytes,
    Samples,
};
inline constexpr int callTreeColumnCount = static_cast<int>(CallTreeColumn::Samples) + 1;
inline constexpr int defaultCallTreeColumnCount = static_cast<int>(CallTreeColumn::Location) + 1;

/// A row in the company of what it belongs to.
struct CallTreeRow
{
    const Profile& profile;
    const CallTreeRows& rows;
    CallTreeRows::Row row;
    Metric weight;

    const Function& function() const { return profile.function(rows.function(row)); }
    std::uint64_t whole(Metric metric) const
    {
        return profile.tree->total(metric, profile.tree->root());
    }
};

/// What a column is called, what it means, and how it reads its value from a row.
struct CallTreeColumnSpec
{
    const char* title; ///< Untranslated, context "CallTreeColumn".
    const char* toolTip;
    CellValue::Kind kind; ///< None: that of the weight.
    CellValue (*value)(const CallTreeRow& row);
    bool (*isMeasured)(const Profile& profile, Metric weight); ///< Null: always.
};

const CallTreeColumnSpec& specOf(CallTreeColumn column);
/// With the weight where that is not time: "Self, allocated".
QString titleOf(CallTreeColumn column, Metric weight);
QString toolTipOf(CallTreeColumn column);
CellValue::Kind kindOf(CallTreeColumn column, Metric weight);
bool isMeasured(CallTreeColumn column, const Profile& profile, Metric weight);

/// "main › run › loop": the functions a row stands for.
QString nameOf(const CallTreeRow& row);

} // namespace perilune
