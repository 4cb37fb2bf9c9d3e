// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SqliteDatabase.h"

#include "core/session/AtomicFile.h"

#include <cerrno>
#include <cstring>
#include <sqlite3.h>
#include <utility>

namespace perilune {

namespace {

/// How long another program may hold the file before we give up.
constexpr int busyTimeoutMs = 5000;

bool isNoSpace(int systemError)
{
    return systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG;
}

bool isWriting(int extendedResult)
{
    return extendedResult == SQLITE_IOERR_WRITE || extendedResult == SQLITE_IOERR_FSYNC
        || extendedResult == SQLITE_IOERR_DIR_FSYNC || extendedResult == SQLITE_IOERR_TRUNCATE
        || extendedResult == SQLITE_IOERR_DELETE;
}

Error::Code errorCode(int result, int systemError)
{
    switch (result & 0xff) {
    case SQLITE_FULL:
        return Error::Code::NoSpace;
    case SQLITE_IOERR:
        if (isNoSpace(systemError))
            return Error::Code::NoSpace;
        return isWriting(result) ? Error::Code::CannotWrite : Error::Code::CannotRead;
    case SQLITE_CORRUPT:
        return Error::Code::Damaged;
    case SQLITE_NOTADB:
        return Error::Code::NotASession;
    case SQLITE_READONLY:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_TOOBIG:
        return Error::Code::CannotWrite;
    case SQLITE_ERROR: // a table or column that the statement names is not there
        return Error::Code::Damaged;
    default:
        return Error::Code::CannotRead;
    }
}

std::string errorText(Error::Code code, int result, const std::string& path)
{
    if (code == Error::Code::NoSpace)
        return noSpaceError(path).detail;
    if ((result & 0xff) == SQLITE_BUSY || (result & 0xff) == SQLITE_LOCKED)
        return "“" + path + "” is being written by another program; try again when it is done.";
    if (code == Error::Code::CannotWrite && (result & 0xff) == SQLITE_IOERR)
        return "“" + path + "” cannot be written; check its disk, or save elsewhere.";
    if (code == Error::Code::NotASession)
        return "“" + path + "” is no Perilune session.";
    return {};
}

Error makeError(sqlite3* connection, int result, const std::string& path)
{
    const int systemError = connection != nullptr ? sqlite3_system_errno(connection) : 0;
    const Error::Code code = errorCode(result, systemError);
    std::string text = errorText(code, result, path);
    if (text.empty()) {
        text = "“" + path + "”: " + (connection != nullptr ? sqlite3_errmsg(connection) : "");
        if ((result & 0xff) == SQLITE_IOERR && systemError != 0)
            text += std::string(", ") + std::strerror(systemError);
    }
    return {code, text};
}

/// Nothing that a file brings along is to run: no triggers, no views, no functions with effects.
void distrust(sqlite3* connection, SqliteDatabase::Access access)
{
    const bool isRecovery = access == SqliteDatabase::Access::Recovery;
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, isRecovery ? 0 : 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
}

/// No side files outlive a change (a write-ahead log would), a commit is on the disk when it
/// returns, and a page is checked when it is read.
const char* settings(SqliteDatabase::Access access)
{
    if (access == SqliteDatabase::Access::Recovery)
        return "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
               "PRAGMA writable_schema = ON"; // on a read-only connection: tolerates missing pages
    return "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
           "PRAGMA synchronous = EXTRA; PRAGMA cache_size = -16384";
}

/// SQLite wants a path with a leading "./" or "/" so that "file:…" and ":memory:" are ordinary
/// names.
std::string plainPath(const std::string& path)
{
    return path.starts_with('/') ? path : "./" + path;
}

} // namespace

void SqliteStatement::Finalizer::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

SqliteStatement::SqliteStatement(sqlite3_stmt* statement, const std::string& path)
    : m_statement(statement)
    , m_path(path)
{
}

Result<bool> SqliteStatement::step()
{
    const int result =
        m_bindingError != SQLITE_OK ? m_bindingError : sqlite3_step(m_statement.get());
    if (result == SQLITE_ROW)
        return true;
    if (result == SQLITE_DONE)
        return false;
    const Error error = makeError(sqlite3_db_handle(m_statement.get()), result, m_path);
    reset(); // ends the statement's hold on the file
    return error;
}

Result<void> SqliteStatement::finish()
{
    const auto stepped = step();
    if (!stepped)
        return stepped.error();
    reset();
    return {};
}

bool SqliteStatement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

std::int64_t SqliteStatement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double SqliteStatement::real(int column) const
{
    return sqlite3_column_double(m_statement.get(), column);
}

std::string SqliteStatement::text(int column) const
{
    const auto* bytes = sqlite3_column_text(m_statement.get(), column);
    if (bytes == nullptr)
        return {};
    const int size = sqlite3_column_bytes(m_statement.get(), column);
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::span<const std::uint8_t> SqliteStatement::blob(int column) const
{
    const void* bytes = sqlite3_column_blob(m_statement.get(), column);
    if (bytes == nullptr)
        return {};
    const int size = sqlite3_column_bytes(m_statement.get(), column);
    return {static_cast<const std::uint8_t*>(bytes), static_cast<std::size_t>(size)};
}

void SqliteStatement::reset()
{
    sqlite3_reset(m_statement.get());
    m_bindingError = SQLITE_OK;
}

void SqliteStatement::bind(int index, double value)
{
    noteBinding(sqlite3_bind_double(m_statement.get(), index, value));
}

void SqliteStatement::bind(int index, std::string_view text)
{
    const char* bytes = text.empty() ? "" : text.data(); // a null pointer would bind NULL
    noteBinding(sqlite3_bind_text64(m_statement.get(), index, bytes, text.size(), SQLITE_TRANSIENT,
                                    SQLITE_UTF8));
}

void SqliteStatement::bind(int index, const Blob& blob)
{
    noteBinding(
        sqlite3_bind_blob64(m_statement.get(), index, blob.data(), blob.size(), SQLITE_STATIC));
}

void SqliteStatement::bind(int index, std::nullopt_t)
{
    noteBinding(sqlite3_bind_null(m_statement.get(), index));
}

void SqliteStatement::bindInteger(int index, std::int64_t value)
{
    noteBinding(sqlite3_bind_int64(m_statement.get(), index, value));
}

void SqliteStatement::noteBinding(int code)
{
    if (m_bindingError == SQLITE_OK)
        m_bindingError = code;
}

void SqliteDatabase::Closer::operator()(sqlite3* connection) const
{
    sqlite3_close_v2(connection);
}

SqliteDatabase::SqliteDatabase(sqlite3* connection, const std::string& path)
    : m_connection(connection)
    , m_path(path)
{
}

Result<SqliteDatabase> SqliteDatabase::open(const std::string& path, Access access)
{
    const int flags = access == Access::Recovery ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    sqlite3* connection = nullptr;
    const int result = sqlite3_open_v2(plainPath(path).c_str(), &connection,
                                       flags | SQLITE_OPEN_EXRESCODE, nullptr);
    SqliteDatabase database(connection, path);
    if (result != SQLITE_OK)
        return makeError(connection, result, path);
    distrust(connection, access);
    sqlite3_busy_timeout(connection, busyTimeoutMs);
    if (const auto configured = database.execute(settings(access)); !configured)
        return configured.error();
    return database;
}

bool SqliteDatabase::isReadOnly() const
{
    return sqlite3_db_readonly(m_connection.get(), "main") == 1;
}

Result<void> SqliteDatabase::execute(const std::string& sql)
{
    const int result = sqlite3_exec(m_connection.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (result != SQLITE_OK)
        return makeError(m_connection.get(), result, m_path);
    return {};
}

Result<SqliteStatement> SqliteDatabase::prepare(const std::string& sql) const
{
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v2(m_connection.get(), sql.data(),
                                          static_cast<int>(sql.size()), &statement, nullptr);
    if (result != SQLITE_OK)
        return makeError(m_connection.get(), result, m_path);
    return SqliteStatement(statement, m_path);
}

Result<std::int64_t> SqliteDatabase::queryInteger(const std::string& sql) const
{
    auto statement = prepare(sql);
    if (!statement)
        return statement.error();
    const auto hasRow = statement->step();
    if (!hasRow)
        return hasRow.error();
    return *hasRow ? statement->integer(0) : 0;
}

std::int64_t SqliteDatabase::lastInsertedId() const
{
    return sqlite3_last_insert_rowid(m_connection.get());
}

Result<SqliteTransaction> SqliteTransaction::begin(SqliteDatabase& database)
{
    if (const auto begun = database.execute("BEGIN IMMEDIATE"); !begun)
        return begun.error();
    return SqliteTransaction(database);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : m_database(std::exchange(other.m_database, nullptr))
{
}

SqliteTransaction::~SqliteTransaction()
{
    // After some errors SQLite has rolled back by itself; rolling back again then fails harmlessly.
    if (m_database != nullptr)
        (void)m_database->execute("ROLLBACK");
}

Result<void> SqliteTransaction::commit()
{
    if (const auto committed = m_database->execute("COMMIT"); !committed)
        return committed.error(); // the destructor rolls back
    m_database = nullptr;
    return {};
}

} // namespace perilune
