// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/Session.h"

#include "core/session/AtomicFile.h"
#include "core/session/ProfileReader.h"
#include "core/session/ProfileWriter.h"
#include "core/session/RunRows.h"
#include "core/session/Schema.h"
#include "core/session/SqliteDatabase.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace perilune {

namespace {

/// The beginning of an SQLite file; its numbers are big-endian (The SQLite Database File
/// Format, 1.3).
class FileHeader
{
public:
    static Result<FileHeader> read(const std::string& path);

    bool isSqlite() const { return text(0, magic.size()) == magic; }
    std::uint32_t applicationId() const { return number(68, 4); }
    /// Whether the file has another size than the header says. Not known of a file that was last
    /// written by a very old SQLite.
    bool isCut() const
    {
        const std::uint64_t size = std::uint64_t(number(28, 4)) * pageBytes();
        return number(24, 4) == number(92, 4) && size > m_fileBytes;
    }

private:
    static constexpr std::string_view magic = {"SQLite format 3\0", 16};

    std::string_view text(std::size_t offset, std::size_t size) const
    {
        return std::string_view(m_bytes.data(), m_bytes.size()).substr(offset, size);
    }
    std::uint32_t number(std::size_t offset, std::size_t size) const
    {
        std::uint32_t value = 0;
        for (const char byte : text(offset, size))
            value = value << 8 | static_cast<unsigned char>(byte);
        return value;
    }
    std::uint32_t pageBytes() const { return number(16, 2) == 1 ? 65536 : number(16, 2); }

    std::array<char, 100> m_bytes = {};
    std::uint64_t m_fileBytes = 0;
};

Result<FileHeader> FileHeader::read(const std::string& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return Error{Error::Code::FileNotFound, "“" + path + "” does not exist; check the path."};
    if (std::filesystem::is_directory(status))
        return Error{Error::Code::NotASession, "“" + path + "” is a directory, no session."};
    std::ifstream file(path, std::ios::binary);
    if (error || !file)
        return Error{Error::Code::CannotRead,
                     "“" + path + "” cannot be opened: "
                         + (error ? error.message() : std::strerror(errno)) + "."};
    FileHeader header;
    header.m_fileBytes = std::filesystem::file_size(path, error);
    file.read(header.m_bytes.data(), static_cast<std::streamsize>(header.m_bytes.size()));
    return header;
}

/// The header of a session; other files are an error.
Result<FileHeader> sessionHeader(const std::string& path)
{
    auto header = FileHeader::read(path);
    if (!header)
        return header;
    if (!header->isSqlite())
        return Error{Error::Code::NotASession, "“" + path + "” is no Perilune session."};
    if (header->applicationId() != schema::applicationId)
        return Error{Error::Code::NotASession,
                     "“" + path + "” is an SQLite database of another program, no session."};
    return header;
}

bool hasJournal(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path + "-journal", ignored);
}

/// A file next to `path` that SQLite keeps during a change, left over when its writer was killed,
/// would be applied to the file that replaces `path`: lets SQLite finish that change first.
void settleJournal(const std::string& path)
{
    if (!hasJournal(path))
        return;
    if (const auto database = SqliteDatabase::open(path, SqliteDatabase::Access::ReadWrite);
        database)
        (void)database->queryInteger("PRAGMA user_version");
    std::error_code ignored;
    std::filesystem::remove(path + "-journal", ignored);
}

/// The error of a write to a temporary file, in the words of the file that was meant.
Error withoutTemporaryPath(const Error& error, const std::string& path)
{
    return error.code == Error::Code::NoSpace ? noSpaceError(path) : error;
}

/// A row of functionHistory().
FunctionResult functionResultFrom(const SqliteStatement& row)
{
    const auto optionalNumber = [&](int column) -> std::optional<std::uint64_t> {
        if (row.isNull(column))
            return std::nullopt;
        return static_cast<std::uint64_t>(row.integer(column));
    };
    FunctionResult result;
    result.runId = row.integer(0);
    result.key = row.text(1);
    result.line = static_cast<int>(row.integer(2));
    result.calls = optionalNumber(3);
    result.tailCalls = optionalNumber(4);
    result.selfTime = Duration::fromNanoseconds(row.integer(5));
    result.totalTime = Duration::fromNanoseconds(row.integer(6));
    result.selfBytes = optionalNumber(7);
    result.totalBytes = optionalNumber(8);
    return result;
}

RunSummary summaryOf(const Profile& profile, const RunSummary& given)
{
    RunSummary summary = given;
    summary.info = profile.run;
    summary.functionCount = static_cast<std::uint32_t>(profile.functions.size());
    summary.nodeCount = profile.tree->nodeCount();
    return summary;
}

} // namespace

struct Session::Private
{
    Private(SqliteDatabase opened, SqliteDatabase::Access openedFor)
        : database(std::move(opened))
        , access(openedFor)
    {
    }

    /// Problems that reading has found, each kept once.
    void note(const std::vector<std::string>& found)
    {
        for (const std::string& problem : found) {
            if (std::find(problems.begin(), problems.end(), problem) == problems.end())
                problems.push_back(problem);
        }
    }

    Result<void> checkWritable() const
    {
        if (access == SqliteDatabase::Access::Recovery)
            return Error{Error::Code::CannotWrite,
                         "“" + database.path()
                             + "” is damaged and stays as it is; save a copy and go on with that."};
        if (database.isReadOnly())
            return Error{Error::Code::CannotWrite,
                         "“" + database.path() + "” is write-protected; save a copy elsewhere."};
        return {};
    }

    /// Runs `change` in a transaction.
    template<typename Change>
    Result<void> change(Change change)
    {
        if (const auto writable = checkWritable(); !writable)
            return writable;
        auto transaction = SqliteTransaction::begin(database);
        if (!transaction)
            return transaction.error();
        if (const Result<void> changed = change(); !changed)
            return changed;
        return transaction->commit();
    }

    Result<void> copyPages(const std::string& path) const;

    SqliteDatabase database;
    SqliteDatabase::Access access;
    std::vector<std::string> problems;
};

bool isSessionFile(const std::string& path)
{
    return static_cast<bool>(sessionHeader(path));
}

Session::Session(std::unique_ptr<Private> d)
    : m_d(std::move(d))
{
}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::create(const std::string& path)
{
    auto file = AtomicFile::begin(path);
    if (!file)
        return file.error();
    {
        auto database =
            SqliteDatabase::open(file->temporaryPath(), SqliteDatabase::Access::ReadWrite);
        if (!database)
            return database.error();
        if (const auto made = schema::create(*database); !made)
            return withoutTemporaryPath(made.error(), path);
    }
    settleJournal(path);
    if (const auto committed = file->commit(); !committed)
        return committed.error();
    return open(path);
}

Result<Session> Session::open(const std::string& path)
{
    const auto header = sessionHeader(path);
    if (!header)
        return header.error();
    const auto openFor = [&](SqliteDatabase::Access access) -> Result<Session> {
        auto database = SqliteDatabase::open(path, access);
        if (!database)
            return database.error();
        if (const auto migrated = schema::migrate(*database); !migrated)
            return migrated.error();
        if (const auto run = database->prepare("SELECT id FROM run"); !run)
            return run.error();
        return Session(std::make_unique<Private>(std::move(*database), access));
    };
    // A journal is from a change that was interrupted; SQLite undoes it, sizes included.
    const bool isCut = header->isCut() && !hasJournal(path);
    Result<Session> session = Error{Error::Code::Damaged, "its end is missing"};
    if (!isCut)
        session = openFor(SqliteDatabase::Access::ReadWrite);
    if (session || session.error().code != Error::Code::Damaged)
        return session;
    auto recovered = openFor(SqliteDatabase::Access::Recovery);
    if (!recovered)
        return Error{Error::Code::Damaged,
                     "“" + path + "” is so damaged that no run could be found in it ("
                         + recovered.error().detail + ")."};
    recovered->m_d->note({"“" + path + "” is cut or damaged (" + session.error().detail
                          + "). What could be read is shown; save a copy of it."});
    return recovered;
}

const std::string& Session::path() const
{
    return m_d->database.path();
}

bool Session::isWritable() const
{
    return static_cast<bool>(m_d->checkWritable());
}

Result<std::vector<RunSummary>> Session::runs() const
{
    std::vector<std::string> found;
    auto runs = rows::readRuns(m_d->database, found);
    m_d->note(found);
    return runs;
}

Result<std::int64_t> Session::addRun(const Profile& profile)
{
    return addRun(profile, RunSummary());
}

Result<std::int64_t> Session::addRun(const Profile& profile, const RunSummary& summary)
{
    RunSummary added = summaryOf(profile, summary);
    const auto changed = m_d->change([&]() -> Result<void> {
        const auto isTaken = rows::hasRun(m_d->database, added.id);
        if (!isTaken)
            return isTaken.error();
        if (*isTaken)
            added.id = 0;
        const auto id = rows::insertRun(m_d->database, added);
        if (!id)
            return id.error();
        added.id = *id;
        return rows::insertProfile(m_d->database, *id, profile);
    });
    if (!changed)
        return changed.error();
    return added.id;
}

Result<std::shared_ptr<const Profile>> Session::loadRun(std::int64_t id) const
{
    std::vector<std::string> found;
    const auto summary = rows::readRun(m_d->database, id, found);
    if (!summary)
        return summary.error();
    const auto profile = rows::readProfile(m_d->database, *summary, found);
    profile->run.warnings.insert(profile->run.warnings.end(), found.begin(), found.end());
    m_d->note(found);
    return std::shared_ptr<const Profile>(profile);
}

Result<void> Session::removeRun(std::int64_t id)
{
    return m_d->change([&] { return rows::removeRun(m_d->database, id); });
}

Result<void> Session::updateRun(const RunSummary& summary)
{
    return m_d->change([&] { return rows::updateRun(m_d->database, summary); });
}

Result<std::vector<FunctionResult>> Session::functionHistory(const std::string& name,
                                                             const std::string& sourceLabel) const
{
    auto statement = m_d->database.prepare(
        "SELECT run_id, key, line, calls, tail_calls, self_ns, total_ns, self_bytes, total_bytes"
        " FROM function CROSS JOIN run CROSS JOIN result"
        " ON result.run_id = run.id AND result.function_id = function.id"
        " WHERE function.name = ? AND function.source = ? ORDER BY run_id, position");
    if (!statement)
        return statement.error();
    statement->start(name, sourceLabel);
    std::vector<FunctionResult> results;
    for (;;) {
        const auto hasRow = statement->step();
        if (!hasRow)
            return hasRow.error();
        if (!*hasRow)
            return results;
        results.push_back(functionResultFrom(*statement));
    }
}

Result<std::vector<ManualMatch>> Session::manualMatches() const
{
    auto statement = m_d->database.prepare("SELECT key_a, key_b FROM manual_match");
    if (!statement)
        return statement.error();
    std::vector<ManualMatch> matches;
    for (;;) {
        const auto hasRow = statement->step();
        if (!hasRow)
            return hasRow.error();
        if (!*hasRow)
            return matches;
        matches.push_back({statement->text(0), statement->text(1)});
    }
}

Result<void> Session::setManualMatches(const std::vector<ManualMatch>& matches)
{
    return m_d->change([&]() -> Result<void> {
        if (const auto cleared = m_d->database.execute("DELETE FROM manual_match"); !cleared)
            return cleared;
        auto statement = m_d->database.prepare("INSERT OR IGNORE INTO manual_match VALUES (?, ?)");
        if (!statement)
            return statement.error();
        for (const ManualMatch& match : matches) {
            if (const auto inserted = statement->run(match.keyA, match.keyB); !inserted)
                return inserted;
        }
        return {};
    });
}

Result<void> Session::saveCopy(const std::string& path) const
{
    std::error_code ignored;
    if (std::filesystem::equivalent(path, this->path(), ignored))
        return {}; // every change is in the file already
    auto file = AtomicFile::begin(path);
    if (!file)
        return file.error();
    auto copied = m_d->copyPages(file->temporaryPath());
    if (!copied && copied.error().code == Error::Code::Damaged)
        copied = copyRuns(file->temporaryPath());
    if (!copied)
        return withoutTemporaryPath(copied.error(), path);
    settleJournal(path);
    return file->commit();
}

/// Copies all tables without their gaps. Fails where a page is damaged.
Result<void> Session::Private::copyPages(const std::string& path) const
{
    if (access == SqliteDatabase::Access::Recovery)
        return Error{Error::Code::Damaged, {}};
    auto statement = database.prepare("VACUUM INTO ?");
    if (!statement)
        return statement.error();
    return statement->run(path.starts_with('/') ? path : "./" + path);
}

/// Makes a new session at `path` and adds every run that can be read.
Result<void> Session::copyRuns(const std::string& path) const
{
    auto copy = create(path);
    if (!copy)
        return copy.error();
    const auto summaries = runs();
    if (!summaries)
        return summaries.error();
    for (const RunSummary& summary : *summaries) {
        const auto profile = loadRun(summary.id);
        if (!profile)
            continue; // noted in problems()
        if (const auto added = copy->addRun(**profile, summary); !added)
            return added.error();
    }
    const auto matches = manualMatches();
    return matches ? copy->setManualMatches(*matches) : Result<void>();
}

const std::vector<std::string>& Session::problems() const
{
    return m_d->problems;
}

} // namespace perilune
