// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runner/Arguments.h"
#include "core/runner/ScriptRunner.h"

#include <cstdio>

int main(int argc, char** argv)
{
    using namespace perilune;
    const auto arguments = parseArguments(argc, argv);
    if (!arguments) {
        std::fprintf(stderr, "perilune-runner: %s\n", arguments.error().detail.c_str());
        return 2;
    }
    // Lives until the process ends: exit functions of the script's libraries may still be recorded.
    auto* writer = new RecordingWriter;
    if (const auto created = writer->create(arguments->recording); !created) {
        std::fprintf(stderr, "perilune-runner: cannot record: %s\n",
                     created.error().detail.c_str());
        return 2;
    }
    if (arguments->lineBuffered) {
        std::setvbuf(stdout, nullptr, _IOLBF, 0);
        std::setvbuf(stdin, nullptr, _IOLBF,
                     0); // As in a terminal: reading first shows the prompt.
    }
    return runScript(arguments->script, *writer, arguments->recorder);
}
