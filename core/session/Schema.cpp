// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/Schema.h"

#include <array>
#include <string>

namespace perilune::schema {

namespace {

constexpr const char* tables = R"(
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT
) WITHOUT ROWID;

CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    is_pinned INTEGER NOT NULL DEFAULT 0,
    is_baseline INTEGER NOT NULL DEFAULT 0,
    is_left_out INTEGER NOT NULL DEFAULT 0,
    function_count INTEGER NOT NULL,
    node_count INTEGER NOT NULL,
    script TEXT NOT NULL,
    working_directory TEXT NOT NULL,
    standard_input TEXT NOT NULL,
    script_hash TEXT NOT NULL,
    interpreter TEXT NOT NULL,
    lua_version TEXT NOT NULL,
    machine TEXT NOT NULL,
    git_commit TEXT NOT NULL,
    git_dirty INTEGER NOT NULL,
    mode TEXT NOT NULL,
    clock TEXT NOT NULL,
    clock_name TEXT NOT NULL,
    sampling_interval_ns INTEGER NOT NULL,
    has_lines INTEGER NOT NULL,
    has_memory INTEGER NOT NULL,
    has_durations INTEGER NOT NULL,
    has_timeline INTEGER NOT NULL,
    status TEXT NOT NULL,
    exit_code INTEGER NOT NULL,
    signal INTEGER NOT NULL,
    error_message TEXT NOT NULL,
    traceback TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    wall_ns INTEGER NOT NULL,
    excluded_ns INTEGER NOT NULL,
    calibration_ns INTEGER NOT NULL,
    correction TEXT NOT NULL,
    correction_removed_ns INTEGER NOT NULL,
    correction_clamped_ns INTEGER NOT NULL,
    estimated_slowdown REAL NOT NULL,
    residual_share REAL NOT NULL,
    event_count INTEGER NOT NULL,
    switch_count INTEGER NOT NULL,
    sample_count INTEGER NOT NULL,
    limits INTEGER NOT NULL,
    heap_peak_bytes INTEGER NOT NULL,
    heap_final_bytes INTEGER NOT NULL,
    collection_count INTEGER NOT NULL,
    repeat_group TEXT,
    is_warm_up INTEGER NOT NULL
);

CREATE TABLE manual_match (
    key_a TEXT NOT NULL,
    key_b TEXT NOT NULL,
    PRIMARY KEY (key_a, key_b)
) WITHOUT ROWID;

CREATE TABLE run_argument (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE run_environment (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE run_tag (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE run_warning (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE source_text (
    hash TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    text BLOB NOT NULL
);

CREATE TABLE source (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    chunk_name TEXT NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    is_complete INTEGER NOT NULL,
    text_hash TEXT REFERENCES source_text (hash),
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;
CREATE INDEX source_by_text ON source (text_hash);

CREATE TABLE function (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    ordinal INTEGER,
    kind TEXT NOT NULL,
    is_stripped INTEGER NOT NULL
);
CREATE INDEX function_by_key ON function (key);
CREATE INDEX function_by_name ON function (name);

CREATE TABLE result (
    run_id INTEGER NOT NULL REFERENCES run (id),
    function_id INTEGER NOT NULL REFERENCES function (id),
    position INTEGER NOT NULL,
    source_position INTEGER,
    calls INTEGER,
    tail_calls INTEGER,
    self_ns INTEGER NOT NULL,
    total_ns INTEGER NOT NULL,
    raw_self_ns INTEGER NOT NULL,
    raw_total_ns INTEGER NOT NULL,
    self_samples INTEGER,
    total_samples INTEGER,
    self_bytes INTEGER,
    total_bytes INTEGER,
    self_blocks INTEGER,
    total_blocks INTEGER,
    PRIMARY KEY (run_id, function_id, position)
) WITHOUT ROWID;

CREATE TABLE edge (
    run_id INTEGER NOT NULL REFERENCES run (id),
    caller INTEGER NOT NULL REFERENCES function (id),
    callee INTEGER NOT NULL REFERENCES function (id),
    calls INTEGER,
    tail_calls INTEGER,
    total_ns INTEGER,
    PRIMARY KEY (run_id, caller, callee)
) WITHOUT ROWID;

CREATE TABLE line (
    run_id INTEGER NOT NULL REFERENCES run (id),
    source_position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    hits INTEGER NOT NULL,
    self_ns INTEGER NOT NULL,
    PRIMARY KEY (run_id, source_position, line)
) WITHOUT ROWID;

CREATE TABLE duration (
    run_id INTEGER NOT NULL REFERENCES run (id),
    position INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    minimum_ns INTEGER NOT NULL,
    median_ns INTEGER NOT NULL,
    percentile95_ns INTEGER NOT NULL,
    maximum_ns INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE block (
    run_id INTEGER NOT NULL REFERENCES run (id),
    kind TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (run_id, kind)
);

CREATE VIEW function_cost AS
    SELECT run.id AS run_id, run.name AS run, run.script AS script,
        datetime(run.started_at_ms / 1000, 'unixepoch') AS started_at,
        function.name AS function, function.source AS source, function.line AS line,
        function.kind AS kind, result.calls AS calls, result.tail_calls AS tail_calls,
        result.self_ns AS self_ns, result.total_ns AS total_ns, result.self_bytes AS self_bytes,
        result.position AS position, function.key AS key
    FROM function CROSS JOIN run CROSS JOIN result
        ON result.run_id = run.id AND result.function_id = function.id;

CREATE VIEW call_edge AS
    SELECT edge.run_id AS run_id, caller_function.name AS caller, callee_function.name AS callee,
        edge.calls AS calls, edge.tail_calls AS tail_calls, edge.total_ns AS total_ns
    FROM edge
        JOIN function AS caller_function ON caller_function.id = edge.caller
        JOIN function AS callee_function ON callee_function.id = edge.callee;
)";

/// Step n brings a file from version n + 1 to version n + 2. A step is never changed once files of
/// its version are about; tests/unit/session keeps a file of every version.
constexpr std::array<const char*, currentVersion - 1> migrations = {};

std::string writerOf(const SqliteDatabase& database)
{
    auto statement = database.prepare("SELECT value FROM setting WHERE name = 'written_by'");
    if (!statement)
        return {};
    const auto hasRow = statement->step();
    return hasRow && *hasRow ? statement->text(0) : std::string();
}

Error tooNew(const SqliteDatabase& database, std::int64_t version)
{
    const std::string writer = writerOf(database);
    std::string detail = "“" + database.path() + "” has session format " + std::to_string(version)
        + (writer.empty() ? "" : ", written by " + writer)
        + "; this is Perilune " PERILUNE_VERSION ", which reads up to format "
        + std::to_string(currentVersion) + ". Open it with a newer Perilune.";
    return {Error::Code::UnsupportedVersion, std::move(detail)};
}

Result<void> setVersion(SqliteDatabase& database)
{
    return database.execute("PRAGMA user_version = " + std::to_string(currentVersion));
}

} // namespace

Result<void> create(SqliteDatabase& database)
{
    auto transaction = SqliteTransaction::begin(database);
    if (!transaction)
        return transaction.error();
    if (const auto made = database.execute(tables); !made)
        return made.error();
    if (const auto written =
            database.execute("PRAGMA application_id = " + std::to_string(applicationId)
                             + "; INSERT INTO setting VALUES ('written_by', "
                               "'Perilune " PERILUNE_VERSION "')");
        !written)
        return written.error();
    if (const auto versioned = setVersion(database); !versioned)
        return versioned.error();
    return transaction->commit();
}

Result<void> migrate(SqliteDatabase& database)
{
    const auto version = database.queryInteger("PRAGMA user_version");
    if (!version)
        return version.error();
    if (*version > currentVersion)
        return tooNew(database, *version);
    if (*version < 1)
        return Error{Error::Code::Damaged,
                     "“" + database.path() + "” does not say which version its tables have."};
    if (*version == currentVersion)
        return {};
    auto transaction = SqliteTransaction::begin(database);
    if (!transaction)
        return transaction.error();
    for (auto step = static_cast<std::size_t>(*version) - 1; step < migrations.size(); ++step) {
        if (const auto migrated = database.execute(migrations[step]); !migrated)
            return migrated.error();
    }
    if (const auto versioned = setVersion(database); !versioned)
        return versioned.error();
    return transaction->commit();
}

} // namespace perilune::schema
