// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <cstddef>
#include <cstdio>
#include <vector>

namespace perilune::cli {

enum class SortKey
{
    Self,
    Total,
    Calls
};

struct ReportOptions
{
    SortKey sort = SortKey::Self;
    std::size_t limit = 0; ///< Of the functions; 0 means all.
};

/// The rows to report: sorted, largest first, ties by id; cut at the limit.
std::vector<FunctionCosts> reportedRows(const FunctionTable& table, const ReportOptions& options);

/// Writes the table for people. Write errors stay in the stream.
void writeTableReport(std::FILE* stream, const Profile& profile, const FunctionTable& table,
                      const ReportOptions& options);

/// Writes the JSON that other programs rely on; described in the help page of the command line.
/// Members are only ever added. Write errors stay in the stream.
void writeJsonReport(std::FILE* stream, const Profile& profile, const FunctionTable& table,
                     const ReportOptions& options);

} // namespace perilune::cli
