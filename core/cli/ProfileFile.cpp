// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ProfileFile.h"

#include "core/launch/ProcessWatch.h"
#include "core/launch/RecordingStore.h"
#include "core/profile/ProfileBuilder.h"
#include "core/recording/RecordingReader.h"
#include "core/session/Session.h"

#include <QFile>

#include <algorithm>

namespace perilune::cli {

namespace {

/// "1, 2, 5", shortened when there are many.
std::string numbersOf(const std::vector<RunSummary>& runs)
{
    constexpr std::size_t maximumNumbers = 20;
    std::string text;
    for (std::size_t index = 0; index < std::min(runs.size(), maximumNumbers); ++index)
        text += (index == 0 ? "" : ", ") + std::to_string(runs[index].id);
    return runs.size() > maximumNumbers ? text + ", …" : text;
}

Result<std::shared_ptr<const Profile>> loadFromSession(const std::string& path,
                                                       std::optional<qint64> runNumber)
{
    const auto session = Session::open(path);
    if (!session)
        return session.error();
    const auto runs = session->runs();
    if (!runs)
        return runs.error();
    if (runs->empty()) {
        std::string detail = "“" + path + "” has no runs; record one with perilune-cli record -o "
            + path + " SCRIPT.";
        if (!session->problems().empty())
            detail = session->problems().front();
        return Error{Error::Code::CannotRead, detail};
    }
    const std::int64_t id = runNumber.value_or(runs->back().id);
    const bool isThere = std::any_of(runs->begin(), runs->end(),
                                     [&](const RunSummary& run) { return run.id == id; });
    if (!isThere)
        return Error{Error::Code::InvalidArgument,
                     "“" + path + "” has no run " + std::to_string(id) + "; it has "
                         + numbersOf(*runs) + "."};
    return session->loadRun(id);
}

Result<std::shared_ptr<const Profile>> loadFromRecording(const QString& path)
{
    const auto snapshot = readRecording(QFile::encodeName(path).toStdString());
    if (!snapshot)
        return snapshot.error();
    RunInfo run = recordingStore::readNote(path);
    const auto state = static_cast<format::State>(snapshot->header.state);
    const bool hasNoEnd = state == format::State::Starting || state == format::State::Running;
    if (hasNoEnd && processStartTime(snapshot->header.processId) == 0) {
        run.status = RunStatus::Killed;
        run.warnings.push_back("The process died without a word; what it did until then is here.");
    }
    return buildProfile(*snapshot, std::move(run));
}

bool isRecording(const QString& path)
{
    QFile file(path);
    const QByteArrayView magic(format::magic, sizeof format::magic);
    return file.open(QIODevice::ReadOnly) && file.read(magic.size()) == magic;
}

} // namespace

Result<std::shared_ptr<const Profile>> loadProfile(const QString& path,
                                                   std::optional<qint64> runNumber)
{
    if (!isRecording(path))
        return loadFromSession(QFile::encodeName(path).toStdString(), runNumber);
    if (runNumber && *runNumber != 1)
        return Error{Error::Code::InvalidArgument,
                     "“" + path.toStdString() + "” is a recording of one run; leave --run out."};
    return loadFromRecording(path);
}

} // namespace perilune::cli
