// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionMatch.h"
#include "core/profile/Profile.h"
#include "core/recording/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// A run as the list of runs shows it, without its functions and tree.
struct RunSummary
{
    std::int64_t id = 0;
    RunInfo info;
    std::string name; ///< Given by the user, or empty.
    std::string notes;
    std::vector<std::string> tags;
    bool isPinned = false;
    bool isBaseline = false;
    bool isLeftOut = false; ///< Of the judgement of runs over time.
    std::uint32_t functionCount = 0;
    std::uint32_t nodeCount = 0;
};

/// What one function cost in one run.
struct FunctionResult
{
    std::int64_t runId = 0;
    std::string key; ///< Profile::key() in that run: its line may differ from run to run.
    int line = -1;
    std::optional<std::uint64_t> calls;     ///< Nothing where only samples were taken.
    std::optional<std::uint64_t> tailCalls; ///< Of `calls`.
    Duration selfTime;
    Duration totalTime;
    std::optional<std::uint64_t> selfBytes; ///< Only where memory was measured, as totalBytes.
    std::optional<std::uint64_t> totalBytes;
};

/// What identifies a session file: its first bytes say SQLite and Perilune. False for everything
/// else, also for a file that cannot be read.
bool isSessionFile(const std::string& path);

/// A session file (`*.perilune`): an SQLite database of runs, see resources/help/session-format.md.
///
/// Opened without trusting its content: a damaged row or tree is reported in `problems()` and the
/// rest is shown. Every change is one transaction, so a crash or a full disk leaves the file as it
/// was. Not thread-safe; one object per thread.
class Session
{
public:
    /// Creates a new file, replacing what is there only once the new one is complete.
    static Result<Session> create(const std::string& path);
    /// Opens an existing file. Errors: FileNotFound, NotASession, UnsupportedVersion (written by a
    /// newer program), Damaged, CannotRead.
    static Result<Session> open(const std::string& path);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    const std::string& path() const;
    /// Whether runs can be added and changed: not in a file that is write-protected or cut.
    bool isWritable() const;
    /// Oldest first.
    Result<std::vector<RunSummary>> runs() const;
    /// Adds a run and returns its id.
    Result<std::int64_t> addRun(const Profile& profile);
    /// Adds a run with the name, notes, tags, pin and baseline of `summary`, and under its id when
    /// that is free: brings a removed run back, or takes one over from another session. Returns the
    /// id.
    Result<std::int64_t> addRun(const Profile& profile, const RunSummary& summary);
    /// Loads a run with its functions, sources and tree. What is damaged is left out and named both
    /// in problems() and in the warnings of the run. Error InvalidArgument when there is no such
    /// run.
    Result<std::shared_ptr<const Profile>> loadRun(std::int64_t id) const;
    Result<void> removeRun(std::int64_t id);
    /// Stores name, notes, tags, pin and baseline of a run.
    Result<void> updateRun(const RunSummary& summary);
    /// What the functions of this name in the source of this label cost, over all runs and without
    /// loading any, by run. More than one for a run in which a source has several of the name.
    Result<std::vector<FunctionResult>> functionHistory(const std::string& name,
                                                        const std::string& sourceLabel) const;

    /// Corrections of how functions of different runs are matched, kept for all comparisons.
    Result<std::vector<ManualMatch>> manualMatches() const;
    /// Replaces them.
    Result<void> setManualMatches(const std::vector<ManualMatch>& matches);

    /// Writes a whole copy to another file, atomically; of a damaged session, what can be read.
    Result<void> saveCopy(const std::string& path) const;

    /// What was found damaged so far, in sentences.
    const std::vector<std::string>& problems() const;

private:
    struct Private;
    explicit Session(std::unique_ptr<Private> d);
    Result<void> copyRuns(const std::string& path) const;

    std::unique_ptr<Private> m_d;
};

} // namespace perilune
