// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/History.h"
#include "core/session/RunHistory.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace perilune::cli {

enum class HistoryFormat
{
    Table,
    Csv,
    Json
};

enum class HistoryUnit
{
    Nanoseconds,
    Bytes,
    Count
};
HistoryUnit unitOf(HistoryQuantity quantity);

/// One point with the run it stands for.
struct HistoryRow
{
    std::vector<std::int64_t> runs; ///< Numbers in the session.
    std::string name;
    std::int64_t startedAtUnixMs = 0;
    bool isBaseline = false;
    bool isFailed = false;
    std::string setUp;
    HistoryPoint point;
};

/// The runs of one script of one session.
struct HistoryTable
{
    std::string file;
    std::string script;
    std::vector<HistoryRow> rows;
};

HistoryTable makeHistoryTable(const std::string& file, const std::string& script,
                              const std::vector<RunSummary>& runs,
                              const std::vector<RunPoint>& points);

struct HistoryReport
{
    std::string function; ///< Empty for the whole run.
    std::string metric;
    HistoryUnit unit = HistoryUnit::Nanoseconds;
    std::vector<HistoryTable> tables;
};

/// Write errors stay in the stream. CSV and JSON hold whole base units; their columns and members
/// are only ever added to.
void writeHistory(std::FILE* stream, const HistoryReport& report, HistoryFormat format);

} // namespace perilune::cli
