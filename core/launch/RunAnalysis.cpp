// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/RunAnalysis.h"

#include "core/profile/ProfileBuilder.h"
#include "core/recording/RecordingReader.h"

#include <QFile>

namespace perilune {

namespace {

RunStatus statusOfStopped(StopReason reason)
{
    return reason == StopReason::TimeLimit ? RunStatus::TimeLimit : RunStatus::Stopped;
}

/// What the end of the process and the last state in the recording say together.
RunStatus statusOf(format::State state, const ProcessEnd& end)
{
    switch (state) {
    case format::State::Finished:
    case format::State::Exited:
        return RunStatus::Done;
    case format::State::ScriptError:
        return RunStatus::ScriptError;
    case format::State::SyntaxError:
        return RunStatus::SyntaxError;
    case format::State::Stopped:
        // Stopped by SIGTERM, ours or anybody's.
        return end.stopReason == StopReason::None ? RunStatus::Killed
                                                  : statusOfStopped(end.stopReason);
    case format::State::Starting:
    case format::State::Running:
        break;
    }
    if (end.stopReason != StopReason::None)
        return statusOfStopped(end.stopReason);
    if (end.signal != 0)
        return RunStatus::Killed;
    return state == format::State::Starting ? RunStatus::CouldNotStart : RunStatus::Done;
}

/// "ended with code 2: no space left", with what the runner said last.
std::string describe(const ProcessEnd& end)
{
    std::string text = end.signal != 0 ? "was killed by signal " + std::to_string(end.signal)
                                       : "ended with code " + std::to_string(end.exitCode);
    if (end.errorTail.empty())
        text += "; its own message says why.";
    else
        text += ": " + end.errorTail.substr(0, end.errorTail.find_last_not_of('\n') + 1);
    return text;
}

void addEnd(RunInfo& run, const RecordingSnapshot& snapshot, const ProcessEnd& end)
{
    const auto state = static_cast<format::State>(snapshot.header.state);
    run.status = statusOf(state, end);
    run.exitCode = end.exitCode;
    run.signal = end.signal;
    if (run.status == RunStatus::CouldNotStart)
        run.errorMessage = "Before the script began, perilune-runner " + describe(end);
    if (run.status == RunStatus::Done && state == format::State::Running)
        run.warnings.push_back("The process ended without a word, as by _exit() in a C module; the "
                               "time up to its end is counted.");
}

} // namespace

std::shared_ptr<const Profile> failedRun(RunInfo run, const std::string& message)
{
    auto profile = std::make_shared<Profile>();
    profile->run = std::move(run);
    profile->run.status = RunStatus::CouldNotStart;
    profile->run.errorMessage = message;
    return profile;
}

std::shared_ptr<const Profile> analyseRun(const QString& recording, RunInfo run,
                                          const ProcessEnd& end)
{
    const std::string path = QFile::encodeName(recording).toStdString();
    // Failure shows again, with the same reason, when the recording is read.
    (void)closeRecording(
        path, end.stopReason == StopReason::None ? format::State::Running : format::State::Stopped);
    const auto snapshot = readRecording(path);
    if (!snapshot) {
        run.exitCode = end.exitCode;
        run.signal = end.signal;
        return failedRun(std::move(run), "Nothing was recorded: perilune-runner " + describe(end));
    }
    addEnd(run, *snapshot, end);
    return buildProfile(*snapshot, std::move(run));
}

Duration referenceTime(const QString& recording)
{
    const auto snapshot = readRecording(QFile::encodeName(recording).toStdString());
    if (!snapshot)
        return {};
    const auto state = static_cast<format::State>(snapshot->header.state);
    const bool hasEnded = state == format::State::Finished || state == format::State::Exited;
    return hasEnded ? buildProfile(*snapshot)->run.wallTime : Duration();
}

std::shared_ptr<const Profile> analyseSnapshot(const QString& recording, RunInfo run)
{
    const auto snapshot = readRecording(QFile::encodeName(recording).toStdString());
    if (!snapshot)
        return nullptr;
    run.status = RunStatus::Running;
    return buildProfile(*snapshot, std::move(run));
}

} // namespace perilune
