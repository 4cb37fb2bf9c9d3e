// SPDX-License-Identifier: GPL-3.0-or-later

// What recording costs and how true its times are, as ratios within one run:
//
//   bench_overhead [--repeat N] [--api] [PROGRAM…]
//
// Each program runs in turn without a hook, with an empty hook, with a hook that reads the clock,
// and under the recorder, all in this process; this is repeated and medians are shown. --api adds
// the recorder's path through Lua's public API.

#include "tests/bench/OverheadReport.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace perilune::bench {

namespace {

struct Arguments
{
    int repetitions = 7;
    bool withApi = false;
    std::vector<std::string> programs; ///< Names; empty means all.
    bool isValid = true;
};

Arguments parse(int count, char** values)
{
    Arguments result;
    for (int index = 1; index < count; ++index) {
        if (std::strcmp(values[index], "--repeat") == 0 && index + 1 < count)
            result.repetitions = std::atoi(values[++index]);
        else if (std::strcmp(values[index], "--api") == 0)
            result.withApi = true;
        else if (values[index][0] == '-')
            result.isValid = false;
        else
            result.programs.emplace_back(values[index]);
    }
    result.isValid = result.isValid && result.repetitions > 0;
    return result;
}

std::vector<Program> allPrograms()
{
    static const char* const names[] = {"fib",        "towers",      "richards", "deltablue",
                                        "json",       "permute",     "list",     "nbody",
                                        "generators", "pcall_error", "c_calls",  "queens",
                                        "callbacks",  "varargs",     "trees"};
    const std::string folder = BENCH_PROGRAMS_DIR;
    std::vector<Program> result;
    for (const char* name : names)
        result.push_back({name, folder + "/" + name + ".lua", ""});
    // The argument is the length of the other function's loop.
    result.push_back({"split 20/80", folder + "/split8020.lua", "16500000"});
    result.push_back({"split 80/20", folder + "/split8020.lua", "1030000"});
    return result;
}

std::vector<Program> chosenPrograms(const std::vector<std::string>& names)
{
    std::vector<Program> result;
    for (const Program& program : allPrograms())
        if (names.empty() || std::find(names.begin(), names.end(), program.name) != names.end())
            result.push_back(program);
    return result;
}

MeasuredRun runOrExit(const Program& program, Watcher watcher, const std::string& recording)
{
    const auto result = run(program, watcher, recording);
    if (result)
        return *result;
    std::fprintf(stderr, "%s: %s\n", program.name.c_str(), result.error().detail.c_str());
    std::exit(EXIT_FAILURE);
}

ProgramRuns measure(const Program& program, const std::vector<Watcher>& watchers, int repetitions,
                    const std::string& recording)
{
    ProgramRuns result;
    result.program = program;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        result.runs[Watcher::Nothing].push_back(runOrExit(program, Watcher::Nothing, recording));
        for (const Watcher watcher : watchers)
            result.runs[watcher].push_back(runOrExit(program, watcher, recording));
    }
    return result;
}

/// A folder that is removed with everything in it.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
        if (const char* made = ::mkdtemp(pattern.data()))
            m_path = made;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

void showProgress(const std::string& name)
{
    if (::isatty(STDERR_FILENO) != 0)
        std::fprintf(stderr, "\r%-20s\r", name.c_str());
}

int measureAll(const Arguments& arguments)
{
    std::vector<Watcher> watchers = {Watcher::EmptyHook, Watcher::ClockHook, Watcher::Exact,
                                     Watcher::Sampling};
    if (arguments.withApi)
        watchers.push_back(Watcher::ExactByApi);
    const TemporaryFolder folder;
    std::vector<ProgramRuns> programs, splits;
    for (const Program& program : chosenPrograms(arguments.programs)) {
        showProgress(program.name);
        (isSplit(program) ? splits : programs)
            .push_back(
                measure(program, watchers, arguments.repetitions, folder.path() + "/bench.plrec"));
    }
    showProgress("");
    printSlowdowns(programs, watchers);
    printResiduals(programs, Watcher::Exact);
    if (!splits.empty())
        printSplits(splits, Watcher::Exact);
    return EXIT_SUCCESS;
}

} // namespace

} // namespace perilune::bench

int main(int argc, char** argv)
{
    const auto arguments = perilune::bench::parse(argc, argv);
    if (!arguments.isValid) {
        std::fprintf(stderr, "usage: bench_overhead [--repeat N] [--api] [PROGRAM...]\n");
        return 2;
    }
    return perilune::bench::measureAll(arguments);
}
