// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/ProfileWriter.h"

#include "core/analysis/FunctionTable.h"
#include "core/session/Names.h"
#include "core/session/ProfileBlocks.h"

#include <map>
#include <optional>

namespace perilune::rows {

namespace {

/// Inserts what belongs to one run. Each step ends the writing at its first error.
class ProfileWriter
{
public:
    ProfileWriter(SqliteDatabase& database, std::int64_t runId, const Profile& profile)
        : m_database(database)
        , m_runId(runId)
        , m_profile(profile)
        , m_table(FunctionTable::compute(profile))
    {
    }

    Result<void> write()
    {
        using Step = Result<void> (ProfileWriter::*)();
        for (const Step step : {&ProfileWriter::writeSources, &ProfileWriter::writeFunctions,
                                &ProfileWriter::writeEdges, &ProfileWriter::writeLines,
                                &ProfileWriter::writeDurations, &ProfileWriter::writeBlocks}) {
            if (const auto written = (this->*step)(); !written)
                return written;
        }
        return {};
    }

private:
    Result<void> writeSources();
    Result<void> writeText(const std::string& hash, const std::string& text);
    Result<void> writeFunctions();
    Result<std::int64_t> functionId(FunctionId id);
    Result<void> writeEdges();
    Result<void> writeLines();
    Result<void> writeDurations();
    Result<void> writeBlocks();
    Result<void> writeBlock(SqliteStatement& statement, const char* kind,
                            const blocks::Bytes& data);

    std::optional<std::uint64_t> measured(const FunctionCosts& costs, Metric metric,
                                          bool isTotal) const
    {
        if (!m_profile.tree->has(metric))
            return std::nullopt;
        const auto index = static_cast<std::size_t>(metric);
        return isTotal ? costs.total[index] : costs.self[index];
    }

    /// Sampling counts no calls.
    std::optional<std::uint64_t> callsOrNull(std::uint64_t calls) const
    {
        return m_profile.tree->has(Metric::Calls) ? std::optional(calls) : std::nullopt;
    }

    /// The raw time, which is the time itself where nothing was taken out.
    std::uint64_t raw(const FunctionCosts& costs, bool isTotal) const
    {
        return measured(costs, Metric::RawTime, isTotal)
            .value_or(isTotal ? costs.total[0] : costs.self[0]);
    }

    SqliteDatabase& m_database;
    std::int64_t m_runId;
    const Profile& m_profile;
    FunctionTable m_table;
    std::vector<std::int64_t> m_functionIds; ///< In the table `function`, by position.
    std::optional<SqliteStatement> m_findFunction;
    std::optional<SqliteStatement> m_insertFunction;
};

Result<void> ProfileWriter::writeSources()
{
    auto statement = m_database.prepare("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (!statement)
        return statement.error();
    int position = 0;
    for (const Source& source : m_profile.sources) {
        std::optional<std::string> textHash;
        if (!source.text.empty()) {
            textHash = hashText(fnv1a(source.text));
            if (const auto written = writeText(*textHash, source.text); !written)
                return written;
        }
        const auto inserted =
            statement->run(m_runId, position++, source.label, source.chunkName, source.path,
                           nameOf(source.kind), hashText(source.hash), source.isComplete, textHash);
        if (!inserted)
            return inserted;
    }
    return {};
}

Result<void> ProfileWriter::writeText(const std::string& hash, const std::string& text)
{
    auto find = m_database.prepare("SELECT 1 FROM source_text WHERE hash = ?");
    if (!find)
        return find.error();
    find->start(hash);
    const auto isThere = find->step();
    if (!isThere)
        return isThere.error();
    if (*isThere)
        return {};
    auto insert = m_database.prepare("INSERT INTO source_text VALUES (?, ?, ?)");
    if (!insert)
        return insert.error();
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return insert->run(hash, text.size(), packBytes({bytes, text.size()}));
}

Result<void> ProfileWriter::writeFunctions()
{
    auto find = m_database.prepare("SELECT id FROM function WHERE key = ? AND kind = ?"
                                   " AND last_line = ? AND is_stripped = ? AND ordinal IS ?");
    auto insert = m_database.prepare("INSERT INTO function VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)");
    auto insertResult = m_database.prepare(
        "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const auto* statement : {&find, &insert, &insertResult}) {
        if (!*statement)
            return statement->error();
    }
    m_findFunction = std::move(*find);
    m_insertFunction = std::move(*insert);
    for (std::uint32_t position = 0; position < m_profile.functions.size(); ++position) {
        const FunctionId function(position);
        const auto id = functionId(function);
        if (!id)
            return id.error();
        m_functionIds.push_back(*id);
        const FunctionCosts* found = m_table.find(function);
        const FunctionCosts costs = found != nullptr ? *found : FunctionCosts();
        const SourceId source = m_profile.function(function).source;
        const auto inserted = insertResult->run(
            m_runId, *id, position, source.isValid() ? std::optional(source.value()) : std::nullopt,
            callsOrNull(costs.calls), callsOrNull(costs.tailCalls), costs.self[0], costs.total[0],
            raw(costs, false), raw(costs, true), measured(costs, Metric::Samples, false),
            measured(costs, Metric::Samples, true), measured(costs, Metric::Bytes, false),
            measured(costs, Metric::Bytes, true), measured(costs, Metric::Blocks, false),
            measured(costs, Metric::Blocks, true));
        if (!inserted)
            return inserted;
    }
    return {};
}

/// The row in `function` that all runs share, made when it is not there yet.
Result<std::int64_t> ProfileWriter::functionId(FunctionId id)
{
    const Function& function = m_profile.function(id);
    const std::string key = m_profile.key(id);
    const auto kind = nameOf(function.kind);
    std::optional<std::int64_t> ordinal;
    if (function.ordinal != format::none)
        ordinal = function.ordinal;
    m_findFunction->start(key, kind, function.lastLine, function.isStripped, ordinal);
    const auto isThere = m_findFunction->step();
    if (!isThere)
        return isThere.error();
    if (*isThere)
        return m_findFunction->integer(0);
    const Source* source = m_profile.sourceOf(function);
    const auto inserted =
        m_insertFunction->run(key, function.name, source != nullptr ? source->label : "",
                              function.line, function.lastLine, ordinal, kind, function.isStripped);
    if (!inserted)
        return inserted.error();
    return m_database.lastInsertedId();
}

Result<void> ProfileWriter::writeEdges()
{
    // Two functions that nothing tells apart share a row; so do their edges.
    auto statement = m_database.prepare("INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?)"
                                        " ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,"
                                        " tail_calls = tail_calls + excluded.tail_calls,"
                                        " total_ns = total_ns + excluded.total_ns");
    if (!statement)
        return statement.error();
    for (const Edge& edge : m_table.edges()) {
        const auto inserted = statement->run(
            m_runId, m_functionIds[edge.caller.value()], m_functionIds[edge.callee.value()],
            callsOrNull(edge.calls), callsOrNull(edge.tailCalls),
            edge.hasTotal ? std::optional(edge.total[0]) : std::nullopt);
        if (!inserted)
            return inserted;
    }
    return {};
}

Result<void> ProfileWriter::writeLines()
{
    struct Costs
    {
        std::uint64_t hits = 0;
        Duration selfTime;
    };
    std::map<std::pair<std::uint32_t, int>, Costs> lines; // by source and line
    for (const NodeLine& line : m_profile.lines) {
        const FunctionId function = m_profile.tree->function(line.node);
        if (!function.isValid() || !m_profile.function(function).source.isValid())
            continue;
        Costs& costs = lines[{m_profile.function(function).source.value(), line.line}];
        costs.hits += line.hits;
        costs.selfTime += line.selfTime;
    }
    auto statement = m_database.prepare("INSERT INTO line VALUES (?, ?, ?, ?, ?)");
    if (!statement)
        return statement.error();
    for (const auto& [place, costs] : lines) {
        const auto inserted = statement->run(m_runId, place.first, place.second, costs.hits,
                                             costs.selfTime.nanoseconds());
        if (!inserted)
            return inserted;
    }
    return {};
}

Result<void> ProfileWriter::writeDurations()
{
    auto statement = m_database.prepare("INSERT INTO duration VALUES (?, ?, ?, ?, ?, ?, ?)");
    if (!statement)
        return statement.error();
    for (std::size_t position = 0; position < m_profile.durations.size(); ++position) {
        const DurationStatistics& duration = m_profile.durations[position];
        if (duration.count == 0)
            continue;
        const auto inserted =
            statement->run(m_runId, position, duration.count, duration.minimum.nanoseconds(),
                           duration.median.nanoseconds(), duration.percentile95.nanoseconds(),
                           duration.maximum.nanoseconds());
        if (!inserted)
            return inserted;
    }
    return {};
}

Result<void> ProfileWriter::writeBlocks()
{
    auto statement = m_database.prepare("INSERT INTO block VALUES (?, ?, ?)");
    if (!statement)
        return statement.error();
    if (const auto written = writeBlock(*statement, "tree", blocks::packTree(*m_profile.tree));
        !written)
        return written;
    const auto writeUnlessEmpty = [&](const char* kind, const auto& elements, auto pack) {
        return elements.empty() ? Result<void>() : writeBlock(*statement, kind, pack(elements));
    };
    if (const auto written =
            writeUnlessEmpty("tail_edges", m_profile.tailEdges, blocks::packTailEdges);
        !written)
        return written;
    if (const auto written = writeUnlessEmpty("node_lines", m_profile.lines, blocks::packNodeLines);
        !written)
        return written;
    if (const auto written =
            writeUnlessEmpty("slow_calls", m_profile.slowCalls, blocks::packSlowCalls);
        !written)
        return written;
    if (const auto written =
            writeUnlessEmpty("heap_curve", m_profile.heapCurve, blocks::packHeapCurve);
        !written)
        return written;
    return writeUnlessEmpty("duration_buckets", m_profile.durations, blocks::packBuckets);
}

Result<void> ProfileWriter::writeBlock(SqliteStatement& statement, const char* kind,
                                       const blocks::Bytes& data)
{
    return statement.run(m_runId, kind, data);
}

} // namespace

Result<void> insertProfile(SqliteDatabase& database, std::int64_t runId, const Profile& profile)
{
    return ProfileWriter(database, runId, profile).write();
}

Result<void> removeRun(SqliteDatabase& database, std::int64_t runId)
{
    // Before its results are gone, which say which functions may become unused.
    const std::string id = std::to_string(runId);
    if (const auto listed = database.execute("CREATE TEMP TABLE unused AS SELECT DISTINCT "
                                             "function_id AS id FROM result WHERE run_id = "
                                             + id);
        !listed)
        return listed;
    for (const char* table : {"run_argument", "run_environment", "run_tag", "run_warning", "source",
                              "result", "edge", "line", "duration", "block"}) {
        if (const auto removed =
                database.execute(std::string("DELETE FROM ") + table + " WHERE run_id = " + id);
            !removed)
            return removed;
    }
    // Whether another run has the function: mostly the first one that is asked, by the key of
    // `result`.
    return database.execute(
        "DELETE FROM run WHERE id = " + id
        + ";"
          "DELETE FROM function WHERE id IN (SELECT id FROM temp.unused) AND NOT EXISTS"
          " (SELECT 1 FROM run CROSS JOIN result"
          " ON result.run_id = run.id AND result.function_id = function.id);"
          "DELETE FROM source_text WHERE NOT EXISTS"
          " (SELECT 1 FROM source WHERE source.text_hash = source_text.hash);"
          "DROP TABLE temp.unused");
}

} // namespace perilune::rows
