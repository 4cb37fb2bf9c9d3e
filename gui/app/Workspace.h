// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/app/RunController.h"
#include "gui/app/SessionController.h"
#include "gui/models/Document.h"
#include "gui/views/MessageStrip.h"

#include <QList>
#include <QObject>

#include <optional>

namespace perilune {

struct AppPaths;
class Settings;

/// Something the user should know, with the steps that lead on.
struct Notice
{
    enum class Step
    {
        ShowLine,
        ShowProblems,
        LaunchSettings,
        RunAgain,
        SaveElsewhere,
        OpenLeft,
        DiscardLeft
    };

    MessageStrip::Kind kind = MessageStrip::Kind::Information;
    QString text; ///< HTML; a link "line" leads to the line of the first problem.
    QList<Step> steps;
};

/// What one window works on, without its widgets: the document, the session and the running script,
/// and how they depend on each other.
class Workspace : public QObject
{
    Q_OBJECT
public:
    Workspace(Settings& settings, const AppPaths& paths, QObject* parent = nullptr);

    Document& document() { return m_document; }
    RunController& runner() { return m_runner; }
    SessionController& session() { return m_session; }

    /// Opens whatever it is: a session, a recording, or else a script, which is not run.
    void openFile(const QString& path);
    /// Runs a script; a launch that cannot work is announced and not tried.
    void run(const LaunchSpec& spec, const RepeatPlan& plan = {});
    /// Runs once more exactly as the last time.
    void runAgain();
    bool canRunAgain() const { return m_lastSpec.has_value() && !m_runner.isBusy(); }
    /// Shows a run of the session.
    void showRun(std::int64_t id);
    /// Leaves the session for an empty one.
    void closeSession(bool keepUnsaved);
    /// The run whose profile the document shows; 0 while it is not in the session.
    std::int64_t shownRun() const { return m_shownRun; }
    /// Offers what an earlier start left unsaved.
    void offerLeftSessions();
    void openLeftSession();
    void discardLeftSessions();

Q_SIGNALS:
    /// A script is to be run next; shown in the run bar.
    void launchProposed(const perilune::LaunchSpec& spec);
    void runStarted(const perilune::LaunchSpec& spec);
    /// Its profile is in the document already.
    void runFinished();
    void shownRunChanged(qint64 id);
    void noticePosted(const perilune::Notice& notice);
    void noticeWithdrawn();

private:
    void connectRunner();
    void connectSession();
    void openScript(const QString& path);
    void openRecording(const QString& path);
    void showLoaded(const LoadedProfile& loaded);
    void takeRun(const LoadedProfile& loaded, const QString& recording);
    void announceStored(qint64 id, const std::shared_ptr<const Profile>& profile,
                        const QString& recording);
    void recoverOrphans();
    void announceOpened(const QString& path, const QStringList& problems);
    void announceOpenFailure(const QString& path, const Error& error);
    void announceStoreFailure(const Error& error);
    void postError(const QString& text, const QList<Notice::Step>& steps = {});
    void setShownRun(std::int64_t id);

    Settings& m_settings;
    Document m_document;
    RunController m_runner;
    SessionController m_session;
    std::optional<LaunchSpec> m_lastSpec;
    RepeatPlan m_lastPlan;
    std::int64_t m_shownRun = 0;
    bool m_offersOrphans = true;
    QStringList m_left;
    QList<OrphanedRecording> m_orphans;
};

/// What to say about a run that has ended; nothing for one that simply came to its end.
std::optional<Notice> noticeOf(const Profile& profile);

} // namespace perilune
