// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/SessionController.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QUuid>
#include <QtConcurrentRun>

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

namespace perilune {

namespace {

Error noSession()
{
    return {Error::Code::CannotWrite, "no session is open"};
}

QString lockPath(const QString& path)
{
    return path + QStringLiteral(".lock");
}

void deleteSessionFile(const QString& path)
{
    for (const QString& suffix :
         {QString(), QStringLiteral("-wal"), QStringLiteral("-shm"), QStringLiteral("-journal")})
        QFile::remove(path + suffix);
}

} // namespace

SessionController::SessionController(const QString& unsavedFolder, QObject* parent)
    : QObject(parent)
    , m_unsavedFolder(unsavedFolder)
{
    m_worker.setMaxThreadCount(1);
}

SessionController::~SessionController()
{
    commitRemoval();
    waitForDone();
}

void SessionController::waitForDone()
{
    m_worker.waitForDone();
}

/// Runs `job(store)` on the worker and `answer(result)` here, unless another file has been opened
/// since.
template<typename Job, typename Answer>
void SessionController::enqueue(Job job, Answer answer)
{
    using Outcome = std::invoke_result_t<Job&, Store&>;
    const quint64 file = m_file;
    QtConcurrent::run(&m_worker, [store = m_store, job = std::move(job)]() mutable {
        return job(*store);
    }).then(this, [this, file, answer = std::move(answer)](const Outcome& outcome) {
        if (file == m_file)
            answer(outcome);
    });
}

void SessionController::startNew(bool keepUnsaved)
{
    leaveFile(keepUnsaved);
    m_path.clear();
    m_isUnsaved = true;
    Q_EMIT sessionChanged();
    Q_EMIT runsChanged();
}

void SessionController::leaveFile(bool keepUnsaved)
{
    commitRemoval();
    const bool isDeleted = m_isUnsaved && !m_path.isEmpty() && (!keepUnsaved || m_runs.empty());
    m_worker.start([store = m_store, path = isDeleted ? m_path : QString()] {
        store->session.reset();
        if (!path.isEmpty())
            deleteSessionFile(path);
    });
    m_store = std::make_shared<Store>();
    ++m_file;
    m_lock.reset();
    m_runs.clear();
    m_unstored.clear();
}

void SessionController::open(const QString& path)
{
    auto store = std::make_shared<Store>();
    QtConcurrent::run(&m_worker, [store, path]() -> Result<Opened> {
        Result<Session> session = Session::open(path.toStdString());
        if (!session)
            return session.error();
        Result<std::vector<RunSummary>> runs = session->runs();
        if (!runs)
            return runs.error();
        Opened opened = {std::move(*runs), {}};
        for (const std::string& problem : session->problems())
            opened.problems.append(QString::fromStdString(problem));
        store->session.emplace(std::move(*session));
        return opened;
    }).then(this, [this, store, path](const Result<Opened>& opened) {
        if (!opened) {
            Q_EMIT openFailed(path, opened.error());
            return;
        }
        leaveFile(true);
        m_store = store;
        m_path = path;
        m_isUnsaved =
            QFileInfo(path).absolutePath() == QFileInfo(m_unsavedFolder).absoluteFilePath();
        if (m_isUnsaved)
            lock(path);
        m_runs = opened->runs;
        Q_EMIT sessionChanged();
        Q_EMIT runsChanged();
        Q_EMIT this->opened(path, opened->problems);
    });
}

void SessionController::saveAs(const QString& path)
{
    commitRemoval();
    enqueue(
        [path, unsaved = m_isUnsaved ? m_path : QString(),
         unstored = m_unstored](Store& store) -> Result<std::vector<RunSummary>> {
            Result<Session> session = copyTo(store, path);
            if (!session)
                return session.error();
            for (const auto& profile : unstored) {
                const Result<std::int64_t> added = session->addRun(*profile);
                if (!added)
                    return added.error();
            }
            store.session.emplace(std::move(*session));
            if (!unsaved.isEmpty() && unsaved != path)
                deleteSessionFile(unsaved);
            return store.session->runs();
        },
        [this, path](const Result<std::vector<RunSummary>>& runs) {
            if (runs)
                finishSaving(path, *runs);
            else
                Q_EMIT saveFailed(path, runs.error());
        });
}

/// A session at `path` with everything that has been stored so far.
Result<Session> SessionController::copyTo(const Store& store, const QString& path)
{
    if (!store.session)
        return Session::create(path.toStdString());
    const Result<void> copied = store.session->saveCopy(path.toStdString());
    if (!copied)
        return copied.error();
    return Session::open(path.toStdString());
}

void SessionController::finishSaving(const QString& path, const std::vector<RunSummary>& runs)
{
    m_unstored.clear();
    m_path = path;
    m_isUnsaved = false;
    m_lock.reset();
    refreshRuns(runs);
    Q_EMIT sessionChanged();
    Q_EMIT saved(path);
}

void SessionController::addRun(std::shared_ptr<const Profile> profile, const QString& recording)
{
    if (m_path.isEmpty()) {
        m_path = newUnsavedPath();
        lock(m_path);
    }
    using Added = std::pair<std::int64_t, std::vector<RunSummary>>;
    enqueue(
        [path = m_path, profile](Store& store) -> Result<Added> {
            Added added;
            Result<std::vector<RunSummary>> runs = addTo(store, path, *profile, added.first);
            if (!runs)
                return runs.error();
            added.second = std::move(*runs);
            return added;
        },
        [this, profile, recording](const Result<Added>& added) {
            if (!added) {
                m_unstored.push_back(profile);
                Q_EMIT storeFailed(added.error());
                return;
            }
            refreshRuns(added->second);
            Q_EMIT runAdded(added->first, profile, recording);
            removeSurplus();
        });
}

void SessionController::removeSurplus()
{
    const std::vector<std::int64_t> surplus = surplusRuns();
    if (surplus.empty())
        return;
    removeRuns(surplus);
    commitRemoval();
}

Result<std::vector<RunSummary>> SessionController::addTo(Store& store, const QString& path,
                                                         const Profile& profile, std::int64_t& id)
{
    if (!store.session) {
        QDir().mkpath(QFileInfo(path).absolutePath());
        Result<Session> session = Session::create(path.toStdString());
        if (!session)
            return session.error();
        store.session.emplace(std::move(*session));
    }
    const Result<std::int64_t> added = store.session->addRun(profile);
    if (!added)
        return added.error();
    id = *added;
    return store.session->runs();
}

void SessionController::loadRun(std::int64_t id)
{
    enqueue(
        [id](Store& store) -> Result<LoadedProfile> {
            if (!store.session)
                return noSession();
            const Result<std::shared_ptr<const Profile>> profile = store.session->loadRun(id);
            if (!profile)
                return profile.error();
            return analysed(*profile);
        },
        [this, id](const Result<LoadedProfile>& loaded) {
            if (loaded)
                Q_EMIT runLoaded(id, *loaded);
            else
                Q_EMIT loadFailed(loaded.error());
        });
}

void SessionController::updateRun(const RunSummary& run)
{
    enqueue(
        [run](Store& store) -> Result<std::vector<RunSummary>> {
            if (!store.session)
                return noSession();
            const Result<void> updated = store.session->updateRun(run);
            if (!updated)
                return updated.error();
            return store.session->runs();
        },
        [this](const Result<std::vector<RunSummary>>& runs) {
            if (runs)
                refreshRuns(*runs);
            else
                Q_EMIT storeFailed(runs.error());
        });
}

void SessionController::removeRuns(const std::vector<std::int64_t>& ids)
{
    commitRemoval();
    m_removed = ids;
    refreshRuns(m_runs);
}

void SessionController::undoRemoval()
{
    m_removed.clear();
    enqueue(
        [](Store& store) -> Result<std::vector<RunSummary>> {
            if (!store.session)
                return noSession();
            return store.session->runs();
        },
        [this](const Result<std::vector<RunSummary>>& runs) {
            if (runs)
                refreshRuns(*runs);
        });
}

void SessionController::commitRemoval()
{
    if (m_removed.empty())
        return;
    enqueue(
        [ids = std::exchange(m_removed, {})](Store& store) -> Result<void> {
            if (!store.session)
                return noSession();
            for (const std::int64_t id : ids) {
                Result<void> removed = store.session->removeRun(id);
                if (!removed)
                    return removed;
            }
            return {};
        },
        [this](const Result<void>& result) {
            if (!result)
                Q_EMIT storeFailed(result.error());
        });
}

void SessionController::refreshRuns(std::vector<RunSummary> runs)
{
    const auto isRemoved = [this](const RunSummary& run) {
        return std::find(m_removed.begin(), m_removed.end(), run.id) != m_removed.end();
    };
    runs.erase(std::remove_if(runs.begin(), runs.end(), isRemoved), runs.end());
    m_runs = std::move(runs);
    Q_EMIT runsChanged();
}

QString SessionController::title() const
{
    return m_isUnsaved ? tr("Unsaved session") : QFileInfo(m_path).fileName();
}

std::optional<RunSummary> SessionController::baseline() const
{
    for (const RunSummary& run : m_runs) {
        if (run.isBaseline)
            return run;
    }
    return {};
}

/// The oldest runs of each script beyond the number that is kept.
std::vector<std::int64_t> SessionController::surplusRuns() const
{
    std::vector<std::int64_t> surplus;
    if (m_keptRuns <= 0 || !m_isUnsaved)
        return surplus;
    std::map<std::string, int> counts;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run) {
        if (++counts[run->info.script] > m_keptRuns && !run->isPinned && !run->isBaseline)
            surplus.push_back(run->id);
    }
    return surplus;
}

QString SessionController::newUnsavedPath() const
{
    QDir().mkpath(m_unsavedFolder);
    return QFileInfo(m_unsavedFolder).absoluteFilePath() + QLatin1Char('/')
        + QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-"))
        + QUuid::createUuid().toString(QUuid::WithoutBraces).left(8) + QStringLiteral(".perilune");
}

void SessionController::lock(const QString& path)
{
    m_lock = std::make_unique<QLockFile>(lockPath(path));
    m_lock->setStaleLockTime(0);
    m_lock->tryLock(0);
}

QStringList SessionController::leftSessions() const
{
    QStringList left;
    const QDir folder(m_unsavedFolder);
    for (const QFileInfo& file :
         folder.entryInfoList({QStringLiteral("*.perilune")}, QDir::Files, QDir::Time)) {
        QLockFile lockFile(lockPath(file.absoluteFilePath()));
        lockFile.setStaleLockTime(0);
        if (file.absoluteFilePath() != m_path && lockFile.tryLock(0))
            left.append(file.absoluteFilePath());
    }
    return left;
}

void SessionController::deleteLeftSession(const QString& path) const
{
    if (path != m_path)
        deleteSessionFile(path);
}

} // namespace perilune
