// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gui/app/ProfileJobs.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QLockFile;

namespace perilune {

/// The session of one window: the file that keeps its runs, from the first run on.
///
/// Until the user gives it a name it lies in the folder of unsaved sessions, where the next start
/// finds it. All file work is done by one worker thread in the order of the calls; answers come as
/// signals.
class SessionController : public QObject
{
    Q_OBJECT
public:
    explicit SessionController(const QString& unsavedFolder, QObject* parent = nullptr);
    ~SessionController() override; ///< Waits for what is being written.

    /// Leaves the session and begins an empty one, which becomes a file with its first run. An
    /// unsaved session stays in its folder when `keepUnsaved`, else it is deleted.
    void startNew(bool keepUnsaved);
    /// Opens a saved session, or an unsaved one of an earlier start.
    void open(const QString& path);
    /// Writes the session to `path` and goes on there.
    void saveAs(const QString& path);

    /// Stores a run; runAdded() or storeFailed() follows. `recording` is passed on, for whoever
    /// removes it then.
    void addRun(std::shared_ptr<const Profile> profile, const QString& recording = {});
    void loadRun(std::int64_t id);
    void updateRun(const RunSummary& run);
    /// Takes runs from the list; they are deleted for good with the next deletion or when the
    /// session is left.
    void removeRuns(const std::vector<std::int64_t>& ids);
    void undoRemoval();
    bool canUndoRemoval() const { return !m_removed.empty(); }
    /// How many runs of a script an unsaved session keeps; 0: all. Baseline and pinned runs stay.
    void setKeptRuns(int count) { m_keptRuns = count; }

    /// Empty while the session is unsaved.
    QString path() const { return m_isUnsaved ? QString() : m_path; }
    /// "benchmarks.perilune", or "Unsaved session".
    QString title() const;
    const std::vector<RunSummary>& runs() const { return m_runs; }
    /// Whether there is something that has no file of the user's.
    bool hasUnsavedRuns() const { return (m_isUnsaved && !m_runs.empty()) || !m_unstored.empty(); }
    /// How many runs could not be stored anywhere and would be lost with this program.
    int unstoredCount() const { return static_cast<int>(m_unstored.size()); }
    bool isEmpty() const { return m_runs.empty() && m_unstored.empty(); }
    std::optional<RunSummary> baseline() const;

    /// Sessions that an earlier start left unsaved and no other window has open; latest first.
    QStringList leftSessions() const;
    void deleteLeftSession(const QString& path) const;
    /// Blocks until everything asked for is done; for the end of the program.
    void waitForDone();

Q_SIGNALS:
    void sessionChanged(); ///< Another file, or another name for it.
    void runsChanged();
    void runAdded(qint64 id, std::shared_ptr<const perilune::Profile> profile,
                  const QString& recording);
    void runLoaded(qint64 id, const perilune::LoadedProfile& loaded);
    void opened(const QString& path, const QStringList& problems);
    void saved(const QString& path);
    void openFailed(const QString& path, const perilune::Error& error);
    void saveFailed(const QString& path, const perilune::Error& error);
    /// A run could not be stored; it is only in memory.
    void storeFailed(const perilune::Error& error);
    void loadFailed(const perilune::Error& error);

private:
    /// What only the worker touches.
    struct Store
    {
        std::optional<Session> session;
    };
    struct Opened
    {
        std::vector<RunSummary> runs;
        QStringList problems;
    };

    template<typename Job, typename Answer>
    void enqueue(Job job, Answer answer);
    void refreshRuns(std::vector<RunSummary> runs);
    void commitRemoval();
    void leaveFile(bool keepUnsaved);
    QString newUnsavedPath() const;
    void lock(const QString& path);
    std::vector<std::int64_t> surplusRuns() const;
    void removeSurplus();
    static Result<Session> copyTo(const Store& store, const QString& path);
    void finishSaving(const QString& path, const std::vector<RunSummary>& runs);
    static Result<std::vector<RunSummary>> addTo(Store& store, const QString& path,
                                                 const Profile& profile, std::int64_t& id);

    QString m_unsavedFolder;
    QString m_path; ///< Of the file, also while unsaved; empty before the first run.
    bool m_isUnsaved = true;
    int m_keptRuns = 0;
    std::vector<RunSummary> m_runs; ///< Without those removed.
    std::vector<std::int64_t> m_removed;
    std::vector<std::shared_ptr<const Profile>> m_unstored; ///< Runs that no file has taken yet.
    std::shared_ptr<Store> m_store = std::make_shared<Store>();
    std::unique_ptr<QLockFile> m_lock; ///< While unsaved.
    quint64 m_file = 0;                ///< Tells answers about an earlier file.
    QThreadPool m_worker;
};

} // namespace perilune
