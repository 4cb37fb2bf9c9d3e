// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QString>

#include <vector>

namespace perilune {

/// Something that went wrong in a run, or a step on the way there.
struct Problem
{
    enum class Severity
    {
        Error,
        Warning,
        Detail
    };

    Severity severity = Severity::Error;
    QString text;
    QString location;             ///< "a.lua:12" as Lua wrote it; may be empty.
    SourceLine line;              ///< Where that is, if the profile has the source.
    std::vector<Problem> details; ///< Traceback, or the places where a module was looked for.
};

/// What is wrong with a run, worst first; empty for a clean one.
std::vector<Problem> problemsOf(const Profile& profile);

/// Finds the source that Lua calls `name` in messages: its short name, in which long paths are cut
/// to "...tail".
SourceId findSource(const Profile& profile, const QString& name);

} // namespace perilune
