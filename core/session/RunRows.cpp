// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/RunRows.h"

#include "core/session/Names.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace perilune::rows {

namespace {

/// Calls `visit(column, field)` for every column of the table `run` but its id, always in this
/// order: the one place that ties columns to fields.
template<typename Summary, typename Visitor>
void visitColumns(Summary& summary, Visitor&& visit)
{
    visit("name", summary.name);
    visit("notes", summary.notes);
    visit("is_pinned", summary.isPinned);
    visit("is_baseline", summary.isBaseline);
    visit("is_left_out", summary.isLeftOut);
    visit("function_count", summary.functionCount);
    visit("node_count", summary.nodeCount);

    auto& info = summary.info;
    visit("script", info.script);
    visit("working_directory", info.workingDirectory);
    visit("standard_input", info.standardInput);
    visit("script_hash", info.scriptHash);
    visit("interpreter", info.interpreter);
    visit("lua_version", info.luaVersion);
    visit("machine", info.machine);
    visit("git_commit", info.gitCommit);
    visit("git_dirty", info.gitDirty);
    visit("mode", info.mode);
    visit("clock", info.clock);
    visit("clock_name", info.clockName);
    visit("sampling_interval_ns", info.samplingInterval);
    visit("has_lines", info.hasLines);
    visit("has_memory", info.hasMemory);
    visit("has_durations", info.hasDurations);
    visit("has_timeline", info.hasTimeline);
    visit("status", info.status);
    visit("exit_code", info.exitCode);
    visit("signal", info.signal);
    visit("error_message", info.errorMessage);
    visit("traceback", info.traceback);
    visit("started_at_ms", info.startedAtUnixMs);
    visit("wall_ns", info.wallTime);
    visit("excluded_ns", info.excludedTime);
    visit("calibration_ns", info.calibrationTime);
    visit("correction", info.correction.method);
    visit("correction_removed_ns", info.correction.removed);
    visit("correction_clamped_ns", info.correction.clamped);
    visit("estimated_slowdown", info.correction.estimatedSlowdown);
    visit("residual_share", info.correction.residualShare);
    visit("event_count", info.eventCount);
    visit("switch_count", info.switchCount);
    visit("sample_count", info.sampleCount);
    visit("limits", info.limits);
    visit("heap_peak_bytes", info.heapPeakBytes);
    visit("heap_final_bytes", info.heapFinalBytes);
    visit("collection_count", info.collectionCount);
    visit("repeat_group", info.repeatGroup);
    visit("is_warm_up", info.isWarmUp);
}

/// "name, notes, …", or "?, ?, …" where only the count matters.
std::string columnList(bool asPlaceholders)
{
    std::string list;
    RunSummary summary;
    visitColumns(summary, [&](const char* column, const auto&) {
        list += list.empty() ? "" : ", ";
        list += asPlaceholders ? "?" : column;
    });
    return list;
}

/// Binds a field by its type.
class FieldBinder
{
public:
    FieldBinder(SqliteStatement& statement, int firstIndex)
        : m_statement(statement)
        , m_index(firstIndex)
    {
    }

    template<typename Field>
    void operator()(const char*, const Field& field)
    {
        if constexpr (std::is_same_v<Field, Duration>)
            m_statement.bind(m_index++, field.nanoseconds());
        else if constexpr (std::is_enum_v<Field>)
            m_statement.bind(m_index++, nameOf(field));
        else
            m_statement.bind(m_index++, field);
    }

private:
    SqliteStatement& m_statement;
    int m_index;
};

/// Reads a field by its type; numbers that do not fit are brought into range.
class FieldReader
{
public:
    FieldReader(const SqliteStatement& statement, int firstColumn)
        : m_statement(statement)
        , m_column(firstColumn)
    {
    }

    template<typename Field>
    void operator()(const char*, Field& field)
    {
        read(m_column++, field);
    }

private:
    void read(int column, std::string& field) const { field = m_statement.text(column); }
    void read(int column, double& field) const { field = m_statement.real(column); }
    void read(int column, bool& field) const { field = m_statement.integer(column) != 0; }
    void read(int column, Duration& field) const
    {
        field = Duration::fromNanoseconds(m_statement.integer(column));
    }
    void read(int column, std::optional<std::string>& field) const
    {
        if (!m_statement.isNull(column))
            field = m_statement.text(column);
    }
    template<typename Field>
    void read(int column, Field& field) const
    {
        if constexpr (std::is_enum_v<Field>) {
            (void)findByName(m_statement.text(column), field);
        } else if constexpr (sizeof(Field) == sizeof(std::int64_t)) {
            field = static_cast<Field>(m_statement.integer(column));
        } else {
            field = static_cast<Field>(std::clamp<std::int64_t>(m_statement.integer(column),
                                                                std::numeric_limits<Field>::min(),
                                                                std::numeric_limits<Field>::max()));
        }
    }

    const SqliteStatement& m_statement;
    int m_column;
};

/// Inserts (run, position, value…) for each element of a list.
template<typename List, typename BindValues>
Result<void> insertList(const SqliteDatabase& database, const std::string& sql, std::int64_t id,
                        const List& list, BindValues bindValues)
{
    auto statement = database.prepare(sql);
    if (!statement)
        return statement.error();
    int position = 0;
    for (const auto& element : list) {
        statement->start(id, position++);
        bindValues(*statement, element);
        if (const auto inserted = statement->step(); !inserted)
            return inserted.error();
    }
    return {};
}

Result<void> insertTags(const SqliteDatabase& database, const RunSummary& summary)
{
    return insertList(
        database, "INSERT INTO run_tag VALUES (?, ?, ?)", summary.id, summary.tags,
        [](SqliteStatement& statement, const std::string& tag) { statement.bind(3, tag); });
}

Result<void> insertLists(const SqliteDatabase& database, const RunSummary& summary)
{
    const auto bindText = [](SqliteStatement& statement, const std::string& text) {
        statement.bind(3, text);
    };
    const auto bindVariable = [](SqliteStatement& statement, const auto& variable) {
        statement.bind(3, variable.first);
        statement.bind(4, variable.second);
    };
    if (const auto result = insertList(database, "INSERT INTO run_argument VALUES (?, ?, ?)",
                                       summary.id, summary.info.arguments, bindText);
        !result)
        return result;
    if (const auto result = insertList(database, "INSERT INTO run_environment VALUES (?, ?, ?, ?)",
                                       summary.id, summary.info.environment, bindVariable);
        !result)
        return result;
    if (const auto result = insertList(database, "INSERT INTO run_warning VALUES (?, ?, ?)",
                                       summary.id, summary.info.warnings, bindText);
        !result)
        return result;
    return insertTags(database, summary);
}

using SummaryById = std::unordered_map<std::int64_t, RunSummary*>;

/// A list of the runs: its table, the columns that follow run and position, and what takes a row.
struct ListTable
{
    const char* name;
    const char* columns;
    void (*take)(RunSummary&, const SqliteStatement&);
};

constexpr ListTable listTables[] = {
    {"run_argument", "value",
     [](RunSummary& summary, const SqliteStatement& row) {
         summary.info.arguments.push_back(row.text(2));
     }},
    {"run_environment", "name, value",
     [](RunSummary& summary, const SqliteStatement& row) {
         auto& variable = summary.info.environment.emplace_back(row.text(2), std::nullopt);
         if (!row.isNull(3))
             variable.second = row.text(3);
     }},
    {"run_warning", "text",
     [](RunSummary& summary, const SqliteStatement& row) {
         summary.info.warnings.push_back(row.text(2));
     }},
    {"run_tag", "tag",
     [](RunSummary& summary, const SqliteStatement& row) { summary.tags.push_back(row.text(2)); }},
};

/// Reads one list of all runs, or of one. Rows come in the order of (run, position); a damaged file
/// whose pages form a loop shows itself by breaking that order.
Result<void> readList(const SqliteDatabase& database, const ListTable& table,
                      std::optional<std::int64_t> onlyRun, const SummaryById& summaries)
{
    auto statement = database.prepare(std::string("SELECT run_id, position, ") + table.columns
                                      + " FROM " + table.name + (onlyRun ? " WHERE run_id = ?" : "")
                                      + " ORDER BY run_id, position");
    if (!statement)
        return statement.error();
    if (onlyRun)
        statement->start(*onlyRun);
    std::pair<std::int64_t, std::int64_t> previous(std::numeric_limits<std::int64_t>::min(), 0);
    for (;;) {
        const auto hasRow = statement->step();
        if (!hasRow)
            return hasRow.error();
        if (!*hasRow)
            return {};
        const std::pair key(statement->integer(0), statement->integer(1));
        if (key <= previous)
            return Error{Error::Code::Damaged, "the rows are out of order"};
        previous = key;
        if (const auto found = summaries.find(key.first); found != summaries.end())
            table.take(*found->second, *statement);
    }
}

void readLists(const SqliteDatabase& database, std::optional<std::int64_t> onlyRun,
               const SummaryById& summaries, std::vector<std::string>& problems)
{
    for (const ListTable& table : listTables) {
        if (const auto read = readList(database, table, onlyRun, summaries); !read)
            problems.push_back(std::string("Some rows of the table ") + table.name
                               + " cannot be read (" + read.error().detail + ").");
    }
}

RunSummary summaryFrom(const SqliteStatement& row)
{
    RunSummary summary;
    summary.id = row.integer(0);
    visitColumns(summary, FieldReader(row, 1));
    return summary;
}

enum class Direction
{
    Forward,
    Backward
};

/// Appends the runs from one end of the table up to one that is there already or cannot be read.
Result<void> appendRuns(const SqliteDatabase& database, Direction direction,
                        std::unordered_map<std::int64_t, RunSummary>& runs)
{
    auto statement = database.prepare("SELECT id, " + columnList(false) + " FROM run ORDER BY id"
                                      + (direction == Direction::Backward ? " DESC" : ""));
    if (!statement)
        return statement.error();
    for (;;) {
        const auto hasRow = statement->step();
        if (!hasRow)
            return hasRow.error();
        if (!*hasRow)
            return {};
        RunSummary summary = summaryFrom(*statement);
        const std::int64_t id = summary.id;
        if (!runs.emplace(id, std::move(summary)).second) {
            if (direction == Direction::Backward)
                return {};
            return Error{Error::Code::Damaged, "the rows are out of order"};
        }
    }
}

} // namespace

Result<std::int64_t> insertRun(SqliteDatabase& database, const RunSummary& summary)
{
    auto statement = database.prepare("INSERT INTO run (id, " + columnList(false) + ") VALUES (?, "
                                      + columnList(true) + ")");
    if (!statement)
        return statement.error();
    statement->start(summary.id == 0 ? std::nullopt : std::optional(summary.id));
    visitColumns(summary, FieldBinder(*statement, 2));
    if (const auto inserted = statement->step(); !inserted)
        return inserted.error();
    RunSummary withId = summary;
    withId.id = database.lastInsertedId();
    if (const auto lists = insertLists(database, withId); !lists)
        return lists.error();
    return withId.id;
}

Result<void> updateRun(SqliteDatabase& database, const RunSummary& summary)
{
    auto update = database.prepare("UPDATE run SET name = ?, notes = ?, is_pinned = ?,"
                                   " is_baseline = ?, is_left_out = ? WHERE id = ?");
    if (!update)
        return update.error();
    if (const auto updated = update->run(summary.name, summary.notes, summary.isPinned,
                                         summary.isBaseline, summary.isLeftOut, summary.id);
        !updated)
        return updated;
    auto removal = database.prepare("DELETE FROM run_tag WHERE run_id = ?");
    if (!removal)
        return removal.error();
    if (const auto removed = removal->run(summary.id); !removed)
        return removed;
    return insertTags(database, summary);
}

std::vector<RunSummary> readRuns(const SqliteDatabase& database, std::vector<std::string>& problems)
{
    std::unordered_map<std::int64_t, RunSummary> byId;
    if (const auto forward = appendRuns(database, Direction::Forward, byId); !forward) {
        problems.push_back("Some runs cannot be read (" + forward.error().detail + ").");
        (void)appendRuns(database, Direction::Backward, byId); // what lies behind the damage
    }
    SummaryById summaries;
    for (auto& [id, summary] : byId)
        summaries.emplace(id, &summary);
    readLists(database, std::nullopt, summaries, problems);

    std::vector<RunSummary> runs;
    runs.reserve(byId.size());
    for (auto& [id, summary] : byId)
        runs.push_back(std::move(summary));
    std::sort(runs.begin(), runs.end(), [](const RunSummary& left, const RunSummary& right) {
        return std::pair(left.info.startedAtUnixMs, left.id)
            < std::pair(right.info.startedAtUnixMs, right.id);
    });
    return runs;
}

Result<RunSummary> readRun(const SqliteDatabase& database, std::int64_t id,
                           std::vector<std::string>& problems)
{
    auto statement = database.prepare("SELECT id, " + columnList(false) + " FROM run WHERE id = ?");
    if (!statement)
        return statement.error();
    statement->start(id);
    const auto hasRow = statement->step();
    if (!hasRow)
        return hasRow.error();
    if (!*hasRow)
        return Error{Error::Code::InvalidArgument,
                     "“" + database.path() + "” has no run " + std::to_string(id) + "."};
    RunSummary summary = summaryFrom(*statement);
    readLists(database, id, {{id, &summary}}, problems);
    return summary;
}

Result<bool> hasRun(const SqliteDatabase& database, std::int64_t id)
{
    auto statement = database.prepare("SELECT 1 FROM run WHERE id = ?");
    if (!statement)
        return statement.error();
    statement->start(id);
    return statement->step();
}

} // namespace perilune::rows
