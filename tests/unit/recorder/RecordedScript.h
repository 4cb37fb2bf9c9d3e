// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"
#include "core/recorder/Recorder.h"
#include "core/recording/RecordingReader.h"

#include <QString>

#include <functional>
#include <memory>
#include <string>

namespace perilune::test {

/// A piece of Lua that was run in this process under a recorder.
struct RecordedScript
{
    RecordingSnapshot snapshot;
    std::shared_ptr<const Profile> profile;
    FunctionTable table;
    std::string error; ///< Of the script; empty when it ended well.

    /// Calls of all functions of this name together.
    std::uint64_t calls(const std::string& name) const;
    /// How many functions of this name were entered.
    int functionCount(const std::string& name) const;
    /// Self of all functions of this name together.
    std::uint64_t self(Metric metric, const std::string& name) const;
};

/// Options that leave calibration out, which these tests do not need.
RecorderOptions quickOptions();
RecordedScript record(const std::string& code, const RecorderOptions& options = quickOptions(),
                      const std::function<void(lua_State*)>& prepare = {});

} // namespace perilune::test
