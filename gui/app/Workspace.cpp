// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/Workspace.h"

#include "gui/app/AppPaths.h"
#include "gui/app/Settings.h"
#include "gui/models/Problems.h"
#include "gui/models/RunText.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtConcurrentRun>

#include <utility>

namespace perilune {

namespace {

enum class FileKind
{
    Script,
    Session,
    Recording
};

/// Known by what a file begins with, so that a wrong suffix does not matter.
FileKind kindOf(const QString& path)
{
    QFile file(path);
    const QByteArray head = file.open(QIODevice::ReadOnly) ? file.read(16) : QByteArray();
    if (head.startsWith(QByteArrayLiteral("SQLite format 3")))
        return FileKind::Session;
    if (head.startsWith(QByteArray(format::magic, sizeof format::magic)))
        return FileKind::Recording;
    if (path.endsWith(QStringLiteral(".perilune")))
        return FileKind::Session;
    return path.endsWith(QStringLiteral(".plrec")) ? FileKind::Recording : FileKind::Script;
}

/// The launch with the script's path as one would type it in the working directory, so that Lua's
/// messages and the names of sources are as short as in a terminal.
LaunchSpec asInTerminal(LaunchSpec spec)
{
    const QString folder = QDir::cleanPath(spec.workingDirectory) + QLatin1Char('/');
    const QString script = QDir::cleanPath(scriptPath(spec));
    if (!spec.workingDirectory.isEmpty() && script.startsWith(folder))
        spec.script = script.mid(folder.size());
    return spec;
}

QString errorText(const Error& error)
{
    return QString::fromStdString(error.detail).toHtmlEscaped();
}

/// "<a href="line">a.lua:3</a>: message", the location being a link when its source is known.
QString problemText(const Problem& problem)
{
    const QString text = problem.text.toHtmlEscaped();
    if (problem.location.isEmpty())
        return text;
    const QString location = problem.location.toHtmlEscaped();
    if (!problem.line.source.isValid())
        return location + QStringLiteral(": ") + text;
    return QStringLiteral("<a href=\"line\">%1</a>: %2").arg(location, text);
}

} // namespace

Workspace::Workspace(Settings& settings, const AppPaths& paths, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_session(paths.unsavedFolder)
{
    m_offersOrphans = paths.ownsRecordings;
    m_document.setTimeUnit(settings.timeUnit());
    m_session.setKeptRuns(settings.keptRuns());
    connect(&settings, &Settings::timeUnitChanged, &m_document, &Document::setTimeUnit);
    connectRunner();
    connectSession();
}

void Workspace::connectRunner()
{
    connect(&m_runner, &RunController::snapshotReady, this, &Workspace::showLoaded);
    connect(&m_runner, &RunController::runFinished, this, &Workspace::takeRun);
    connect(&m_runner, &RunController::finished, this, &Workspace::runFinished);
}

void Workspace::connectSession()
{
    connect(&m_session, &SessionController::runAdded, this, &Workspace::announceStored);
    connect(&m_session, &SessionController::runLoaded, this,
            [this](qint64 id, const LoadedProfile& loaded) {
                if (m_runner.isBusy())
                    return;
                showLoaded(loaded);
                setShownRun(id);
                if (const std::optional<Notice> notice = noticeOf(*loaded.profile))
                    Q_EMIT noticePosted(*notice);
            });
    connect(&m_session, &SessionController::opened, this, &Workspace::announceOpened);
    connect(&m_session, &SessionController::openFailed, this, &Workspace::announceOpenFailure);
    connect(&m_session, &SessionController::storeFailed, this, &Workspace::announceStoreFailure);
    connect(&m_session, &SessionController::saved, &m_settings, &Settings::addRecentFile);
    connect(&m_session, &SessionController::saveFailed, this,
            [this](const QString& path, const Error& error) {
                postError(
                    tr("%1 could not be saved: %2").arg(path.toHtmlEscaped(), errorText(error)),
                    {Notice::Step::SaveElsewhere});
            });
    connect(&m_session, &SessionController::loadFailed, this, [this](const Error& error) {
        postError(tr("The run could not be read: %1").arg(errorText(error)));
    });
}

void Workspace::openFile(const QString& path)
{
    if (!QFileInfo(path).isFile()) {
        postError(tr("%1 does not exist or is not a file.").arg(path.toHtmlEscaped()));
        return;
    }
    switch (kindOf(path)) {
    case FileKind::Script:
        openScript(path);
        break;
    case FileKind::Session:
        m_session.open(path);
        break;
    case FileKind::Recording:
        openRecording(path);
        break;
    }
}

void Workspace::openScript(const QString& path)
{
    LaunchSpec fresh;
    fresh.script = path;
    fresh.workingDirectory = QFileInfo(path).absolutePath(); // Where one would call lua for it.
    m_settings.addRecentFile(path);
    Q_EMIT launchProposed(m_settings.launchOf(path).value_or(fresh));
}

void Workspace::openRecording(const QString& path)
{
    QtConcurrent::run([path] {
        return loadRecording(path);
    }).then(this, [this, path](const Result<LoadedProfile>& loaded) {
        if (loaded) {
            takeRun(*loaded, {});
            Q_EMIT runFinished();
        } else
            announceOpenFailure(path, loaded.error());
    });
}

void Workspace::run(const LaunchSpec& spec, const RepeatPlan& plan)
{
    if (m_runner.isBusy())
        return;
    Q_EMIT noticeWithdrawn();
    const Result<void> checked = checkLaunch(spec);
    if (!checked) {
        postError(errorText(checked.error()), {Notice::Step::LaunchSettings});
        return;
    }
    m_lastSpec = spec;
    m_lastPlan = plan;
    m_settings.addRecentFile(scriptPath(spec));
    m_settings.rememberLaunch(spec);
    setShownRun(0);
    m_runner.start(asInTerminal(spec), plan);
    Q_EMIT runStarted(spec);
}

void Workspace::runAgain()
{
    if (m_lastSpec)
        run(*m_lastSpec, m_lastPlan);
}

void Workspace::showRun(std::int64_t id)
{
    if (id != m_shownRun && !m_runner.isBusy())
        m_session.loadRun(id);
}

void Workspace::closeSession(bool keepUnsaved)
{
    m_session.startNew(keepUnsaved);
    m_document.clear();
    setShownRun(0);
    Q_EMIT noticeWithdrawn();
}

void Workspace::showLoaded(const LoadedProfile& loaded)
{
    m_document.setProfile(loaded.profile, loaded.table, loaded.order);
}

void Workspace::takeRun(const LoadedProfile& loaded, const QString& recording)
{
    setShownRun(0);
    showLoaded(loaded);
    if (hasRun(loaded.profile->run))
        m_session.addRun(loaded.profile, recording);
    else if (!recording.isEmpty())
        recordingStore::remove(recording);
    if (const std::optional<Notice> notice = noticeOf(*loaded.profile))
        Q_EMIT noticePosted(*notice);
}

void Workspace::announceStored(qint64 id, const std::shared_ptr<const Profile>& profile,
                               const QString& recording)
{
    if (!recording.isEmpty())
        recordingStore::remove(recording);
    if (profile == m_document.profile())
        setShownRun(id);
}

void Workspace::announceOpened(const QString& path, const QStringList& problems)
{
    if (!m_session.path().isEmpty())
        m_settings.addRecentFile(path);
    m_document.clear();
    setShownRun(0);
    if (!m_session.runs().empty())
        m_session.loadRun(m_session.runs().back().id);
    if (m_session.path().isEmpty())
        recoverOrphans();
    if (problems.isEmpty()) {
        Q_EMIT noticeWithdrawn();
        return;
    }
    Notice notice;
    notice.kind = MessageStrip::Kind::Warning;
    notice.text = tr("The session is damaged; what is whole is shown. %1")
                      .arg(problems.join(QStringLiteral("; ")).toHtmlEscaped());
    Q_EMIT noticePosted(notice);
}

void Workspace::announceOpenFailure(const QString& path, const Error& error)
{
    postError(tr("%1 could not be opened: %2")
                  .arg(QFileInfo(path).fileName().toHtmlEscaped(), errorText(error)));
}

void Workspace::announceStoreFailure(const Error& error)
{
    postError(tr("The run could not be stored and is only in memory: %1").arg(errorText(error)),
              {Notice::Step::SaveElsewhere});
}

void Workspace::postError(const QString& text, const QList<Notice::Step>& steps)
{
    Q_EMIT noticePosted({MessageStrip::Kind::Error, text, steps});
}

void Workspace::setShownRun(std::int64_t id)
{
    if (id == m_shownRun)
        return;
    m_shownRun = id;
    Q_EMIT shownRunChanged(id);
}

void Workspace::offerLeftSessions()
{
    m_left = m_session.leftSessions();
    if (m_offersOrphans)
        m_orphans = recordingStore::findOrphans();
    const int starts = static_cast<int>(m_left.size()) + (m_orphans.isEmpty() ? 0 : 1);
    if (starts == 0)
        return;
    Notice notice;
    notice.text = tr("There are unsaved runs from %Ln earlier start(s).", nullptr, starts);
    notice.steps = {Notice::Step::OpenLeft, Notice::Step::DiscardLeft};
    Q_EMIT noticePosted(notice);
}

void Workspace::openLeftSession()
{
    if (m_left.isEmpty())
        recoverOrphans();
    else
        m_session.open(m_left.takeFirst());
}

/// Runs that were being recorded when this program died join the session that is open.
void Workspace::recoverOrphans()
{
    for (const OrphanedRecording& orphan : std::exchange(m_orphans, {})) {
        QtConcurrent::run([orphan] {
            return recover(orphan);
        }).then(this, [this, orphan](const LoadedProfile& loaded) {
            takeRun(loaded, orphan.path);
        });
    }
}

void Workspace::discardLeftSessions()
{
    for (const QString& path : std::exchange(m_left, {}))
        m_session.deleteLeftSession(path);
    for (const OrphanedRecording& orphan : std::exchange(m_orphans, {}))
        recordingStore::remove(orphan.path);
}

std::optional<Notice> noticeOf(const Profile& profile)
{
    const RunInfo& run = profile.run;
    if (run.status == RunStatus::Done || run.status == RunStatus::Running)
        return {};
    Notice notice;
    notice.kind = MessageStrip::Kind::Error;
    const QString module = missingModule(run);
    const bool hasMessage =
        run.status == RunStatus::ScriptError || run.status == RunStatus::SyntaxError;
    const std::vector<Problem> problems = problemsOf(profile);
    if (!module.isEmpty()) {
        notice.text =
            Workspace::tr("The module “%1” was not found. Problems lists where it was looked for.")
                .arg(module.toHtmlEscaped());
        notice.steps = {Notice::Step::ShowProblems, Notice::Step::LaunchSettings};
    } else if (hasMessage && !problems.empty()) {
        notice.text = problemText(problems.front());
        notice.text += run.status == RunStatus::SyntaxError
            ? Workspace::tr(" — nothing ran.")
            : Workspace::tr(" — the numbers cover the run up to this error.");
        notice.steps = {Notice::Step::ShowProblems};
    } else {
        notice.text = statusExplanation(run).toHtmlEscaped();
    }
    if (run.status == RunStatus::CouldNotStart)
        notice.steps = {Notice::Step::LaunchSettings};
    if (run.status == RunStatus::Stopped || run.status == RunStatus::TimeLimit)
        notice.kind = MessageStrip::Kind::Warning;
    return notice;
}

} // namespace perilune
