// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/ProfileJobs.h"

#include "core/profile/ProfileBuilder.h"
#include "core/recording/RecordingReader.h"
#include "gui/models/RunText.h"

#include <QFile>

#include <utility>

namespace perilune {

LoadedProfile analysed(std::shared_ptr<const Profile> profile)
{
    auto table = std::make_shared<const FunctionTable>(FunctionTable::compute(*profile));
    return {std::move(profile), std::move(table)};
}

Result<LoadedProfile> loadRecording(const QString& path)
{
    const Result<RecordingSnapshot> snapshot = readRecording(path.toStdString());
    if (!snapshot)
        return snapshot.error();
    return analysed(buildProfile(*snapshot));
}

std::shared_ptr<const Profile> withScriptText(std::shared_ptr<const Profile> profile)
{
    if (!profile->sources.empty())
        return profile;
    const RunInfo& run = profile->run;
    const QString path = scriptPath(run);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return profile;
    auto completed = std::make_shared<Profile>(*profile);
    Source source;
    source.chunkName = '@' + run.script;
    source.path = path.toStdString();
    source.label = run.script;
    source.text = file.readAll().toStdString();
    source.kind = format::SourceKind::File;
    completed->sources.push_back(std::move(source));
    return completed;
}

} // namespace perilune
