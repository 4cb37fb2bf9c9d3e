// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cases/RecordedCalls.h"

#include <QString>
#include <QStringList>

#include <map>
#include <string>
#include <utility>

namespace perilune::test {

/// Whether functions of one line are one row of the oracle or, with its option -p, one each.
enum class OracleNames
{
    ByLine,
    ByPrototype
};

/// Calls by the names that the oracle gives to functions.
struct NamedCalls
{
    using Edge = std::pair<std::string, std::string>; ///< Caller, callee.

    std::map<std::string, CallCount> functions;
    std::map<Edge, CallCount> edges;
    /// Calls whose caller the oracle could not tell: those of further handlers in coroutine.close.
    std::map<std::string, std::uint64_t> unknownCallers;
    QStringList problems;

    std::uint64_t totalCalls() const;
};

/// Reads what the oracle wrote; a coroutine's body is called by what resumed it.
NamedCalls readOracle(const QString& path);

/// The same from a recording.
NamedCalls namedCalls(const RecordedCalls& calls, OracleNames names);

/// Every count that differs, as text; at most `limit` of them.
QStringList differences(const NamedCalls& oracle, const NamedCalls& recorded, int limit = 20);

} // namespace perilune::test
