// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/recorder/RecordedScript.h"

#include "core/profile/ProfileBuilder.h"

#include <QTemporaryDir>

namespace perilune::test {

std::uint64_t RecordedScript::calls(const std::string& name) const
{
    return self(Metric::Calls, name);
}

std::uint64_t RecordedScript::self(Metric metric, const std::string& name) const
{
    std::uint64_t sum = 0;
    for (const FunctionCosts& row : table.rows())
        if (profile->function(row.function).name == name)
            sum += row.self[static_cast<std::size_t>(metric)];
    return sum;
}

int RecordedScript::functionCount(const std::string& name) const
{
    int count = 0;
    for (const FunctionCosts& row : table.rows())
        if (profile->function(row.function).name == name)
            ++count;
    return count;
}

RecorderOptions quickOptions()
{
    RecorderOptions options;
    options.calibrate = false;
    return options;
}

RecordedScript record(const std::string& code, const RecorderOptions& options,
                      const std::function<void(lua_State*)>& prepare)
{
    RecordedScript result;
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("test.plrec")).toStdString();
    lua_State* state = luaL_newstate();
    luaL_openlibs(state);
    {
        RecordingWriter writer;
        Recorder recorder;
        if (prepare)
            prepare(state);
        if (const auto created = writer.create(path); !created)
            qFatal("%s", created.error().detail.c_str());
        if (luaL_loadbuffer(state, code.data(), code.size(), code.c_str()) != LUA_OK)
            qFatal("%s", lua_tostring(state, -1));
        if (const auto started = recorder.start(state, writer, options); !started)
            qFatal("%s", started.error().detail.c_str());
        if (lua_pcall(state, 0, 0, 0) != LUA_OK)
            result.error = lua_tostring(state, -1);
        recorder.hostContinues();
        recorder.scriptEnded();
        recorder.finish(format::State::Finished, 0);
        recorder.detach();
    }
    lua_close(state);
    auto snapshot = readRecording(path);
    if (!snapshot)
        qFatal("%s", snapshot.error().detail.c_str());
    result.snapshot = std::move(*snapshot);
    result.profile = buildProfile(result.snapshot);
    result.table = FunctionTable::compute(*result.profile);
    return result;
}

} // namespace perilune::test
