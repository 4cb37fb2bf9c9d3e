// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"
#include "core/exchange/FunctionLabels.h"
#include "core/exchange/Text.h"
#include "core/exchange/Writers.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace perilune {

namespace {

/// Writes one call graph. Names are always written as "(id) name" and "(id)" after that: readers
/// take a plain name that begins with a bracketed digit for an id.
class CallgrindFile
{
public:
    CallgrindFile(const Profile& profile, const ExportOptions& options, Output& out)
        : m_profile(profile)
        , m_metric(timeMetric(profile, options))
        , m_labels(profile, FileNaming::Path, false)
        , m_table(FunctionTable::compute(profile))
        , m_out(out)
        , m_isFunctionNamed(profile.functions.size())
    {
        collectLines();
    }

    void write()
    {
        writeHeader();
        std::size_t firstEdge = 0;
        for (const FunctionCosts& costs : m_table.rows()) {
            const auto& edges = m_table.edges();
            while (firstEdge < edges.size() && edges[firstEdge].caller < costs.function)
                ++firstEdge;
            writeFunction(costs);
            for (std::size_t edge = firstEdge;
                 edge < edges.size() && edges[edge].caller == costs.function; ++edge)
                writeCall(edges[edge]);
        }
        m_out << "\ntotals: " << m_table.sum(m_metric) << '\n';
    }

private:
    const FunctionLabel& label(FunctionId function) const { return m_labels[function]; }

    void collectLines()
    {
        if (m_metric != Metric::Time)
            return; // lines are known in corrected time only
        for (const NodeLine& line : m_profile.lines) {
            const FunctionId function = m_profile.tree->function(line.node);
            if (line.line > 0 && line.selfTime > Duration())
                m_lines[function.value()][line.line] +=
                    static_cast<std::uint64_t>(line.selfTime.nanoseconds());
        }
    }

    void writeHeader()
    {
        const RunInfo& run = m_profile.run;
        m_out << "# callgrind format\nversion: 1\ncreator: perilune " << PERILUNE_VERSION << '\n';
        m_out << "cmd: " << singleLine(run.script);
        for (const std::string& argument : run.arguments)
            m_out << ' ' << singleLine(argument);
        m_out << "\npart: 1\n";
        if (!m_profile.tree->has(Metric::Calls))
            m_out << "desc: Note: a sampled run; calls were not counted and are written as 0\n";
        if (run.isPartial())
            m_out << "desc: Note: the run did not come to its end\n";
        m_out << "event: Wall_ns : Time in nanoseconds\n"
              << "positions: line\nsummary: " << m_table.sum(m_metric) << "\nevents: Wall_ns\n";
    }

    void writeName(std::string_view kind, std::uint32_t id, const std::string& name, bool isFirst)
    {
        m_out << kind << "=(" << id << ')';
        if (isFirst)
            m_out << ' ' << name;
        m_out << '\n';
    }

    void writeFile(std::string_view kind, const std::string& file)
    {
        const std::string name = file.empty() || file == cFile ? "???" : file;
        const auto [place, isFirst] = m_fileIds.try_emplace(name, m_fileIds.size() + 1);
        writeName(kind, static_cast<std::uint32_t>(place->second), name, isFirst);
    }

    void writeFunctionName(std::string_view kind, FunctionId function)
    {
        const bool isFirst = !m_isFunctionNamed[function.value()];
        m_isFunctionNamed[function.value()] = true;
        writeName(kind, function.value() + 1, label(function).name, isFirst);
    }

    void writeFunction(const FunctionCosts& costs)
    {
        m_out << '\n';
        writeFile("fl", label(costs.function).file);
        writeFunctionName("fn", costs.function);
        std::uint64_t rest = costs.self[static_cast<std::size_t>(m_metric)];
        const auto lines = m_lines.find(costs.function.value());
        if (lines != m_lines.end()) {
            for (const auto& [line, cost] : lines->second) {
                const std::uint64_t part = std::min(cost, rest);
                m_out << line << ' ' << part << '\n';
                rest -= part;
            }
        }
        // A function needs one line of cost to be known to readers, even if it is 0.
        if (rest > 0 || lines == m_lines.end())
            m_out << label(costs.function).line << ' ' << rest << '\n';
    }

    void writeCall(const Edge& edge)
    {
        const FunctionLabel& caller = label(edge.caller);
        const FunctionLabel& callee = label(edge.callee);
        if (callee.file != caller.file)
            writeFile("cfi", callee.file);
        writeFunctionName("cfn", edge.callee);
        m_out << "calls=" << edge.calls << ' ' << callee.line << '\n'
              << caller.line << ' ' << edge.total[static_cast<std::size_t>(m_metric)] << '\n';
    }

    const Profile& m_profile;
    Metric m_metric;
    FunctionLabels m_labels;
    FunctionTable m_table;
    Output& m_out;
    std::unordered_map<std::string, std::size_t> m_fileIds;
    std::vector<bool> m_isFunctionNamed;
    std::unordered_map<std::uint32_t, std::map<int, std::uint64_t>> m_lines; ///< By function.
};

} // namespace

void writeCallgrind(const Profile& profile, const ExportOptions& options, Output& out)
{
    CallgrindFile(profile, options, out).write();
}

} // namespace perilune
