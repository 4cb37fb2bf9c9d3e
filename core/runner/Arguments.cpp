// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runner/Arguments.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace perilune {

namespace {

Error wrong(std::string_view option, std::string_view what)
{
    return {Error::Code::InvalidArgument, std::string(option) + ": " + std::string(what)};
}

template<typename Number>
Result<void> parseNumber(std::string_view option, std::string_view text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return wrong(option, "needs a whole number, not '" + std::string(text) + "'");
    return {};
}

Result<void> parseMode(std::string_view text, RunnerArguments& result)
{
    if (text == "none")
        result.recorder.setHook = false;
    else if (text == "sampling")
        result.recorder.mode = format::Mode::Sampling;
    else if (text != "exact")
        return wrong("--mode", "knows exact, sampling and none, not '" + std::string(text) + "'");
    return {};
}

Result<void> parseClock(std::string_view text, RunnerArguments& result)
{
    if (text == "tsc")
        result.recorder.clock = format::Clock::TimeStampCounter;
    else if (text == "monotonic")
        result.recorder.clock = format::Clock::Monotonic;
    else if (text == "cpu")
        result.recorder.clock = format::Clock::ThreadCpu;
    else
        return wrong("--clock", "knows tsc, monotonic and cpu, not '" + std::string(text) + "'");
    return {};
}

Result<void> parseInterval(std::string_view text, RunnerArguments& result)
{
    std::int64_t nanoseconds = 0;
    if (const auto parsed = parseNumber("--interval", text, nanoseconds); !parsed)
        return parsed.error();
    if (nanoseconds < 100000 || nanoseconds > 100000000)
        return wrong("--interval", "is in nanoseconds, from 100000 to 100000000");
    result.recorder.samplingInterval = std::chrono::nanoseconds(nanoseconds);
    return {};
}

/// An option without a value; false when it is none of them.
bool parseFlag(std::string_view option, RunnerArguments& result)
{
    if (option == "--line-buffered")
        result.lineBuffered = true;
    else if (option == "--lines")
        result.recorder.lines = true;
    else if (option == "--durations")
        result.recorder.durations = true;
    else if (option == "--memory")
        result.recorder.memory = true;
    else
        return false;
    return true;
}

/// One option that takes a value.
Result<void> parseValue(std::string_view option, const char* value, RunnerArguments& result)
{
    if (option == "--recording") {
        result.recording = value;
        return {};
    }
    if (option == "--mode")
        return parseMode(value, result);
    if (option == "--interval")
        return parseInterval(value, result);
    if (option == "--clock")
        return parseClock(value, result);
    if (option == "--max-nodes")
        return parseNumber(option, value, result.recorder.limits.nodes);
    if (option == "--max-depth")
        return parseNumber(option, value, result.recorder.limits.depth);
    if (option == "--max-string-bytes")
        return parseNumber(option, value, result.recorder.limits.stringBytes);
    return wrong(option, "is no option of the runner");
}

} // namespace

Result<RunnerArguments> parseArguments(int count, char** arguments)
{
    RunnerArguments result;
    result.recorder.useLayout = std::getenv("PERILUNE_NO_LAYOUT") == nullptr;
    int index = 1;
    for (; index < count && std::strcmp(arguments[index], "--") != 0; ++index) {
        const std::string_view option = arguments[index];
        if (parseFlag(option, result))
            continue;
        if (index + 1 >= count)
            return wrong(option, "needs a value");
        if (const auto parsed = parseValue(option, arguments[++index], result); !parsed)
            return parsed.error();
    }
    if (index + 1 >= count)
        return wrong("SCRIPT", "is missing; the script follows --");
    if (result.recording.empty())
        return wrong("--recording", "is missing");
    result.script.assign(arguments + index + 1, arguments + count);
    return result;
}

} // namespace perilune
