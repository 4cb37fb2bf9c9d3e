// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perilune {

/// A run as the list of runs shows it, without its functions and tree.
struct RunSummary
{
    std::int64_t id = 0;
    RunInfo info;
    std::string name;   ///< Given by the user, or empty.
    std::string notes;
    std::vector<std::string> tags;
    bool isPinned = false;
    bool isBaseline = false;
    std::uint32_t functionCount = 0;
    std::uint32_t nodeCount = 0;
};

/// A session file (`*.perilune`): an SQLite database of runs, see resources/help/session-format.md.
///
/// Opened without trusting its content: a damaged row or tree is reported in `problems()` and the
/// rest is shown. Every change is one transaction, so a crash or a full disk leaves the file as it was.
/// Not thread-safe; one object per thread.
class Session
{
public:
    /// Creates a new file, replacing what is there only once the new one is complete.
    static Result<Session> create(const std::string& path);
    /// Opens an existing file. Errors: FileNotFound, NotASession, UnsupportedVersion (written by a newer
    /// program), Damaged, CannotRead.
    static Result<Session> open(const std::string& path);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    const std::string& path() const;
    /// Oldest first.
    Result<std::vector<RunSummary>> runs() const;
    /// Adds a run and returns its id.
    Result<std::int64_t> addRun(const Profile& profile);
    /// Loads a run with its functions, sources and tree.
    Result<std::shared_ptr<const Profile>> loadRun(std::int64_t id) const;
    Result<void> removeRun(std::int64_t id);
    /// Stores name, notes, tags, pin and baseline of a run.
    Result<void> updateRun(const RunSummary& summary);
    /// Writes a whole copy to another file, atomically.
    Result<void> saveCopy(const std::string& path) const;

    const std::vector<std::string>& problems() const;

private:
    struct Private;
    explicit Session(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_d;
};

} // namespace perilune
