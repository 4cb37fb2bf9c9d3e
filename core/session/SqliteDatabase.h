// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Result.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace perilune {

using Blob = std::vector<std::uint8_t>;

/// A prepared statement. Values are bound with 1, 2, … in the order in which they are given.
class SqliteStatement
{
public:
    /// Binds all values anew and starts from the first row. Blobs are not copied: they must live
    /// until the last step. A value that cannot be bound is reported by the next step().
    template<typename... Values>
    void start(const Values&... values)
    {
        reset();
        int index = 0;
        (bind(++index, values), ...);
    }

    template<std::integral Integer>
    void bind(int index, Integer value)
    {
        bindInteger(index, static_cast<std::int64_t>(value));
    }
    void bind(int index, double value);
    void bind(int index, std::string_view text);
    void bind(int index, const std::string& text) { bind(index, std::string_view(text)); }
    void bind(int index, const char* text) { bind(index, std::string_view(text)); }
    void bind(int index, const Blob& blob);
    void bind(int index, std::nullopt_t);
    template<typename Value>
    void bind(int index, const std::optional<Value>& value)
    {
        if (value)
            bind(index, *value);
        else
            bind(index, std::nullopt);
    }

    /// True when there is a row to read, false behind the last one.
    Result<bool> step();

    /// Runs a statement that gives no rows.
    template<typename... Values>
    Result<void> run(const Values&... values)
    {
        start(values...);
        return finish();
    }

    bool isNull(int column) const;
    std::int64_t integer(int column) const; ///< 0 for what is no number.
    double real(int column) const;          ///< 0 for what is no number.
    std::string text(int column) const;
    /// Valid until the next step().
    std::span<const std::uint8_t> blob(int column) const;

    void reset();

private:
    friend class SqliteDatabase;
    struct Finalizer
    {
        void operator()(sqlite3_stmt* statement) const;
    };

    SqliteStatement(sqlite3_stmt* statement, const std::string& path);

    void bindInteger(int index, std::int64_t value);
    void noteBinding(int code);
    Result<void> finish();

    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
    std::string m_path;
    int m_bindingError = 0;
};

/// A connection to one SQLite file whose content and schema are not trusted. Not thread-safe.
class SqliteDatabase
{
public:
    enum class Access
    {
        ReadWrite, ///< Read-only where the file may not be written.
        Recovery,  ///< Read-only, and pages that are missing from a cut file are no obstacle.
    };

    /// Errors: CannotRead, NotASession, Damaged.
    static Result<SqliteDatabase> open(const std::string& path, Access access);

    bool isReadOnly() const;
    const std::string& path() const { return m_path; }
    /// Runs statements without values; stops at the first that fails.
    Result<void> execute(const std::string& sql);
    Result<SqliteStatement> prepare(const std::string& sql) const;
    /// The first column of the first row, 0 without one.
    Result<std::int64_t> queryInteger(const std::string& sql) const;
    std::int64_t lastInsertedId() const;

private:
    struct Closer
    {
        void operator()(sqlite3* connection) const;
    };

    SqliteDatabase(sqlite3* connection, const std::string& path);

    std::unique_ptr<sqlite3, Closer> m_connection;
    std::string m_path;
};

/// Changes that come into the file together or not at all: undone unless committed.
class SqliteTransaction
{
public:
    static Result<SqliteTransaction> begin(SqliteDatabase& database);
    SqliteTransaction(SqliteTransaction&& other) noexcept;
    SqliteTransaction(const SqliteTransaction&) = delete;
    SqliteTransaction& operator=(const SqliteTransaction&) = delete;
    SqliteTransaction& operator=(SqliteTransaction&&) = delete;
    ~SqliteTransaction();

    Result<void> commit();

private:
    explicit SqliteTransaction(SqliteDatabase& database)
        : m_database(&database)
    {
    }
    SqliteDatabase* m_database;
};

} // namespace perilune
