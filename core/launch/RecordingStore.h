// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/RunInfo.h"
#include "core/recording/Result.h"

#include <QList>
#include <QString>

namespace perilune {

/// A recording that nobody looks after any more, because the program that started it has died.
struct OrphanedRecording
{
    QString path;
    RunInfo run; ///< What was known when it started; without a script when nothing was noted down.
};

/// The folder where runs are recorded, private to the user: `perilune/recordings` in the user's
/// folder for data. A recording carries the process that looks after it in its name, and beside it
/// lies a note of what the launcher knows of the run, so that both survive this program.
namespace recordingStore {

/// Makes the folder where it is missing. Errors: CannotWrite, NoSpace.
Result<QString> folder();
/// A path for a new recording of this process, never given twice. Errors as folder().
Result<QString> newPath();
/// Notes down what is known of a run beside its recording.
Result<void> writeNote(const QString& recording, const RunInfo& run);
/// Reads it again; without a script when there is none.
RunInfo readNote(const QString& recording);
/// Recordings whose program is gone, oldest first.
QList<OrphanedRecording> findOrphans();
/// Removes a recording and its note.
void remove(const QString& recording);

} // namespace recordingStore

} // namespace perilune
