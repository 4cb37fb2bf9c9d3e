// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/ProfileJobs.h"

#include "core/launch/RunAnalysis.h"
#include "core/profile/ProfileBuilder.h"
#include "core/recording/RecordingReader.h"
#include "gui/models/RunText.h"

#include <QFile>

#include <csignal>
#include <utility>

namespace perilune {

namespace {

void addScriptText(Profile& profile)
{
    const QString path = scriptPath(profile.run);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return;
    Source source;
    source.chunkName = '@' + profile.run.script;
    source.path = path.toStdString();
    source.label = profile.run.script;
    source.text = file.readAll().toStdString();
    source.kind = format::SourceKind::File;
    profile.sources.push_back(std::move(source));
}

} // namespace

LoadedProfile analysed(std::shared_ptr<const Profile> profile)
{
    auto table = std::make_shared<const FunctionTable>(FunctionTable::compute(*profile));
    auto order = std::make_shared<const FunctionOrder>(FunctionOrder::compute(*profile, *table));
    return {std::move(profile), std::move(table), std::move(order)};
}

Result<LoadedProfile> loadRecording(const QString& path)
{
    const Result<RecordingSnapshot> snapshot = readRecording(path.toStdString());
    if (!snapshot)
        return snapshot.error();
    return analysed(buildProfile(*snapshot));
}

LoadedProfile recover(const OrphanedRecording& orphan)
{
    ProcessEnd end;
    end.signal = SIGKILL; // The system kills the script when the program that started it dies.
    return analysed(analyseRun(orphan.path, orphan.run, end));
}

bool hasRun(const RunInfo& run)
{
    return run.status != RunStatus::SyntaxError && run.status != RunStatus::CouldNotStart;
}

std::shared_ptr<const Profile> withoutIdleParts(std::shared_ptr<const Profile> profile)
{
    if (hasRun(profile->run))
        return profile;
    auto reduced = std::make_shared<Profile>();
    reduced->run = profile->run;
    reduced->sources = profile->sources;
    if (reduced->sources.empty())
        addScriptText(*reduced);
    return reduced;
}

} // namespace perilune
