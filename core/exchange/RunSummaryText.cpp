// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/RunSummaryText.h"

#include "core/exchange/Text.h"

#include <array>
#include <ctime>

namespace perilune {

namespace {

std::string statusText(const RunInfo& run)
{
    switch (run.status) {
    case RunStatus::Running:
        return "still running (partial)";
    case RunStatus::Done:
        return "done, exit code " + std::to_string(run.exitCode);
    case RunStatus::ScriptError:
        return "script error (partial)";
    case RunStatus::SyntaxError:
        return "syntax error, nothing ran";
    case RunStatus::Stopped:
        return "stopped by the user (partial)";
    case RunStatus::TimeLimit:
        return "time limit (partial)";
    case RunStatus::Killed:
        return "killed by signal " + std::to_string(run.signal) + " (partial)";
    case RunStatus::CouldNotStart:
        return "could not start";
    }
    return {};
}

std::string modeText(const RunInfo& run)
{
    if (run.mode == ProfilingMode::Exact)
        return "exact, every call counted";
    return "sampling, every "
        + durationText(static_cast<std::uint64_t>(run.samplingInterval.nanoseconds()));
}

std::string timesText(const RunInfo& run, const ExportOptions& options)
{
    if (options.rawTime)
        return "as the clock showed them";
    if (run.correction.method == CorrectionMethod::None)
        return "as measured";
    const auto removed = run.correction.removed.nanoseconds();
    return "corrected for the recorder's own cost, "
        + durationText(static_cast<std::uint64_t>(std::max<std::int64_t>(removed, 0)))
        + " taken out";
}

std::string dateText(std::int64_t unixMs)
{
    const auto seconds = static_cast<std::time_t>(unixMs / 1000);
    std::tm parts = {};
    if (unixMs <= 0 || !gmtime_r(&seconds, &parts))
        return {};
    std::array<char, 40> text;
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
    return std::string(text.data(), length);
}

std::string commandText(const RunInfo& run)
{
    std::string text = run.script;
    for (const std::string& argument : run.arguments)
        text += ' ' + argument;
    return text;
}

} // namespace

std::vector<std::pair<std::string, std::string>> runFacts(const Profile& profile,
                                                          const ExportOptions& options)
{
    const RunInfo& run = profile.run;
    std::vector<std::pair<std::string, std::string>> facts;
    const auto add = [&](const char* title, const std::string& text) {
        if (!text.empty())
            facts.emplace_back(title, singleLine(text));
    };
    add("Script", commandText(run));
    add("Started", dateText(run.startedAtUnixMs));
    add("Status", statusText(run));
    add("Error", run.errorMessage);
    add("Time",
        durationText(
            static_cast<std::uint64_t>(std::max<std::int64_t>(run.wallTime.nanoseconds(), 0))));
    add("Mode", modeText(run));
    add("Times", timesText(run, options));
    add("Interpreter", run.interpreter.empty() ? run.luaVersion : run.interpreter);
    add("Machine", run.machine);
    for (const std::string& warning : run.warnings)
        add("Note", warning);
    return facts;
}

} // namespace perilune
