// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/HeaviestFunctions.h"
#include "core/exchange/Text.h"
#include "core/exchange/Writers.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace perilune {

namespace {

/// Spreadsheets run cells that begin like this as formulas.
bool looksLikeFormula(std::string_view text)
{
    return !text.empty()
        && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

/// Writes rows as RFC 4180 has them, with line feeds at their ends.
class CsvRows
{
public:
    CsvRows(const ExportOptions& options, Output& out)
        : m_options(options)
        , m_out(out)
    {
        if (options.byteOrderMark)
            out << "\xEF\xBB\xBF";
    }

    CsvRows& text(std::string_view raw)
    {
        separate();
        std::string value = validUtf8(raw);
        if (m_options.guardFormulas && looksLikeFormula(value))
            value.insert(0, 1, '\'');
        if (value.find_first_of("\",\r\n") == std::string::npos) {
            m_out << value;
            return *this;
        }
        m_out << '"';
        for (const char c : value) {
            if (c == '"')
                m_out << '"';
            m_out << c;
        }
        m_out << '"';
        return *this;
    }

    CsvRows& number(std::uint64_t value)
    {
        separate();
        m_out << value;
        return *this;
    }

    /// A cell without content: not measured, or not known.
    CsvRows& nothing()
    {
        separate();
        return *this;
    }

    void end()
    {
        m_out << '\n';
        m_isFirst = true;
    }

private:
    void separate()
    {
        if (!m_isFirst)
            m_out << ',';
        m_isFirst = false;
    }

    const ExportOptions& m_options;
    Output& m_out;
    bool m_isFirst = true;
};

std::string_view kindName(FunctionKind kind)
{
    switch (kind) {
    case FunctionKind::Host:
        return "host";
    case FunctionKind::Main:
        return "main";
    case FunctionKind::Lua:
        return "lua";
    case FunctionKind::C:
        return "c";
    case FunctionKind::Folded:
        return "folded";
    }
    return "lua";
}

void putFunction(const Profile& profile, FunctionId id, CsvRows& rows)
{
    const Function& function = profile.function(id);
    const Source* source = profile.sourceOf(function);
    rows.text(function.name).text(source ? source->label : std::string());
    if (function.line >= 0 && source)
        rows.number(static_cast<std::uint64_t>(function.line));
    else
        rows.nothing();
}

void putMetric(const CallTree& tree, Metric metric,
               const std::array<std::uint64_t, metricCount>& values, CsvRows& rows)
{
    if (tree.has(metric))
        rows.number(values[static_cast<std::size_t>(metric)]);
    else
        rows.nothing();
}

/// The costs of lines summed over all nodes of a function, by function and line.
std::map<std::pair<std::uint32_t, int>, NodeLine> costsByLine(const Profile& profile)
{
    std::map<std::pair<std::uint32_t, int>, NodeLine> costs;
    for (const NodeLine& line : profile.lines) {
        NodeLine& sum = costs[{profile.tree->function(line.node).value(), line.line}];
        sum.hits += line.hits;
        sum.selfTime += line.selfTime;
        sum.calleeTime += line.calleeTime;
        sum.calleeSamples += line.calleeSamples;
    }
    return costs;
}

} // namespace

void writeCsvFunctions(const Profile& profile, const ExportOptions& options, Output& out)
{
    const CallTree& tree = *profile.tree;
    CsvRows rows(options, out);
    for (const char* title : {"function", "file", "line", "kind", "calls", "tail_calls", "samples",
                              "self_ns", "total_ns", "raw_self_ns", "raw_total_ns", "self_bytes",
                              "total_bytes", "self_blocks", "callers", "callees"})
        rows.text(title);
    rows.end();
    const HeaviestFunctions functions(profile, timeMetric(profile, options), 0);
    for (const FunctionCosts& costs : functions.rows()) {
        putFunction(profile, costs.function, rows);
        rows.text(kindName(profile.function(costs.function).kind));
        tree.has(Metric::Calls) ? rows.number(costs.calls).number(costs.tailCalls)
                                : rows.nothing().nothing();
        putMetric(tree, Metric::Samples, costs.self, rows);
        putMetric(tree, Metric::Time, costs.self, rows);
        putMetric(tree, Metric::Time, costs.total, rows);
        putMetric(tree, Metric::RawTime, costs.self, rows);
        putMetric(tree, Metric::RawTime, costs.total, rows);
        putMetric(tree, Metric::Bytes, costs.self, rows);
        putMetric(tree, Metric::Bytes, costs.total, rows);
        putMetric(tree, Metric::Blocks, costs.self, rows);
        rows.number(costs.callerCount).number(costs.calleeCount);
        rows.end();
    }
}

void writeCsvEdges(const Profile& profile, const ExportOptions& options, Output& out)
{
    CsvRows rows(options, out);
    for (const char* title : {"caller", "caller_file", "caller_line", "callee", "callee_file",
                              "callee_line", "calls", "tail_calls", "total_ns", "raw_total_ns"})
        rows.text(title);
    rows.end();
    const CallTree& tree = *profile.tree;
    const FunctionTable table = FunctionTable::compute(profile);
    for (const Edge& edge : table.edges()) {
        putFunction(profile, edge.caller, rows);
        putFunction(profile, edge.callee, rows);
        tree.has(Metric::Calls) ? rows.number(edge.calls).number(edge.tailCalls)
                                : rows.nothing().nothing();
        if (edge.hasTotal) {
            putMetric(tree, Metric::Time, edge.total, rows);
            putMetric(tree, Metric::RawTime, edge.total, rows);
        } else {
            rows.nothing().nothing();
        }
        rows.end();
    }
}

void writeCsvLines(const Profile& profile, const ExportOptions& options, Output& out)
{
    CsvRows rows(options, out);
    for (const char* title : {"function", "file", "function_line", "line", "hits", "self_ns",
                              "callee_ns", "callee_samples"})
        rows.text(title);
    rows.end();
    for (const auto& [place, costs] : costsByLine(profile)) {
        putFunction(profile, FunctionId(place.first), rows);
        rows.number(static_cast<std::uint64_t>(std::max(place.second, 0)));
        rows.number(costs.hits);
        rows.number(static_cast<std::uint64_t>(costs.selfTime.nanoseconds()));
        rows.number(static_cast<std::uint64_t>(costs.calleeTime.nanoseconds()));
        rows.number(costs.calleeSamples);
        rows.end();
    }
}

} // namespace perilune
