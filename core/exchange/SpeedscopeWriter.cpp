// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/FunctionLabels.h"
#include "core/exchange/StackTree.h"
#include "core/exchange/Text.h"
#include "core/exchange/Writers.h"

#include <numeric>

namespace perilune {

namespace {

void writeFrame(const FunctionLabel& label, Output& out)
{
    out << R"({"name":)";
    writeJsonString(out, label.name);
    if (!label.file.empty()) {
        out << R"(,"file":)";
        writeJsonString(out, label.file);
    }
    if (label.line > 0)
        out << R"(,"line":)" << label.line;
    out << '}';
}

void writeFrames(const Profile& profile, bool hasCut, Output& out)
{
    const FunctionLabels labels(profile, FileNaming::Label, true);
    for (std::uint32_t index = 0; index < labels.size(); ++index) {
        if (index > 0)
            out << ",\n";
        writeFrame(labels[FunctionId(index)], out);
    }
    if (hasCut)
        writeFrame({std::string(cutFrameName), {}, 0}, out << ",\n");
}

void writeSamples(const StackTree& stacks, const std::vector<std::uint64_t>& weights, Output& out)
{
    std::vector<std::uint32_t> stack;
    bool isFirst = true;
    for (std::uint32_t node = 0; node < weights.size(); ++node) {
        if (weights[node] == 0)
            continue;
        out << (isFirst ? "[" : ",\n[");
        isFirst = false;
        stacks.findStack(node, stack);
        for (std::size_t level = stack.size(); level-- > 1;)
            out << stack[level] << ',';
        out << stack.front() << ']';
    }
}

void writeWeights(const std::vector<std::uint64_t>& weights, Output& out)
{
    bool isFirst = true;
    for (const std::uint64_t weight : weights) {
        if (weight == 0)
            continue;
        if (!isFirst)
            out << ',';
        isFirst = false;
        out << weight;
    }
}

/// One "sampled" profile: each stack once, with what it weighs.
void writeProfile(std::string_view name, std::string_view unit, const StackTree& stacks,
                  const std::vector<std::uint64_t>& column, Output& out)
{
    const auto weights = stacks.sums(column);
    out << R"({"type":"sampled","name":)";
    writeJsonString(out, name);
    out << R"(,"unit":")" << unit << R"(","startValue":0,"endValue":)"
        << std::accumulate(weights.begin(), weights.end(), std::uint64_t(0)) << ",\"samples\":[\n";
    writeSamples(stacks, weights, out);
    out << "],\n\"weights\":[";
    writeWeights(weights, out);
    out << "]}";
}

} // namespace

void writeSpeedscope(const Profile& profile, const ExportOptions& options, Output& out)
{
    const CallTree& tree = *profile.tree;
    const StackTree stacks(tree, static_cast<std::uint32_t>(profile.functions.size()),
                           options.maximumDepth);
    const std::string script = singleLine(profile.run.script);
    out << R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)"
        << R"("exporter":"perilune@)" << PERILUNE_VERSION << R"(","name":)";
    writeJsonString(out, script);
    out << R"(,"activeProfileIndex":0,"shared":{"frames":[)" << '\n';
    writeFrames(profile, stacks.hasCut(), out);
    out << "]},\n\"profiles\":[\n";
    writeProfile(script.empty() ? "time" : script, "nanoseconds", stacks,
                 tree.selfColumn(timeMetric(profile, options)), out);
    if (tree.has(Metric::Bytes)) {
        out << ",\n";
        writeProfile("allocated", "bytes", stacks, tree.selfColumn(Metric::Bytes), out);
    }
    out << "]}\n";
}

} // namespace perilune
