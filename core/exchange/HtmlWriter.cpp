// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/FlameSvg.h"
#include "core/exchange/HeaviestFunctions.h"
#include "core/exchange/RunSummaryText.h"
#include "core/exchange/Text.h"
#include "core/exchange/Writers.h"

#include <array>
#include <cstdio>

namespace perilune {

namespace {

// The page loads nothing: its policy forbids it, so that not even a hostile name could.
constexpr std::string_view head = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
:root{color-scheme:light dark;--text:#1d2030;--dim:#5d6275;--page:#fff;--line:#dfe2ea;--bar:#c9d6ff;--accent:#3a54c4}
@media(prefers-color-scheme:dark){:root{color-scheme:light dark;--text:#e6e8f0;--dim:#9aa0b4;--page:#171923;--line:#313545;--bar:#3a4780;--accent:#9db0ff}}
body{font:14px/1.45 "DejaVu Sans",system-ui,sans-serif;color:var(--text);background:var(--page);margin:2rem auto;max-width:1240px;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.1rem;margin:1.8rem 0 .5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{padding:.22rem .6rem;border-bottom:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th{position:sticky;top:0;background:var(--page)}td:first-child,td:last-child,th:first-child,th:last-child{text-align:left;white-space:normal;overflow-wrap:anywhere}
td.share{background:linear-gradient(to right,var(--bar) var(--w),transparent var(--w))}
th button{all:unset;cursor:pointer;font-weight:bold}th button:focus-visible{outline:2px solid var(--accent)}
th[aria-sort=descending] button::after{content:" ▼"}th[aria-sort=ascending] button::after{content:" ▲"}
p.note{color:var(--dim)}svg{width:100%;height:auto;display:block}rect:hover{stroke:#000;stroke-width:1}
input{font:inherit;padding:.2rem .5rem;margin:0 0 .6rem;width:20rem;max-width:100%}
</style>
)";

// Sorts by the exact numbers in data-v, and keeps the earlier order of equal rows.
constexpr std::string_view script = R"(<script>
"use strict";
const body = document.querySelector("tbody"), heads = [...document.querySelectorAll("th")];
const valueOf = (row, column) => {
  const cell = row.cells[column];
  return "v" in cell.dataset ? Number(cell.dataset.v) : cell.textContent.toLowerCase();
};
function sortBy(column) {
  const isText = column === 0 || column === heads.length - 1;
  const was = heads[column].getAttribute("aria-sort");
  const up = was ? was === "descending" : isText;
  const order = (a, b) => {
    const x = valueOf(a, column), y = valueOf(b, column);
    return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
  };
  heads.forEach(head => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
  body.append(...[...body.rows].sort(order));
}
heads.forEach((head, column) => {
  const button = document.createElement("button");
  button.textContent = head.textContent;
  button.onclick = () => sortBy(column);
  head.replaceChildren(button);
});
const field = document.createElement("input");
field.type = "search";
field.placeholder = "Show only rows that contain…";
field.setAttribute("aria-label", field.placeholder);
field.oninput = () => {
  const wanted = field.value.toLowerCase();
  for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
};
document.querySelector("table").before(field);
</script>
)";

class HtmlReport
{
public:
    HtmlReport(const Profile& profile, const ExportOptions& options, Output& out)
        : m_profile(profile)
        , m_options(options)
        , m_metric(timeMetric(profile, options))
        , m_functions(profile, m_metric, options.rowLimit.value_or(1000))
        , m_out(out)
    {
    }

    void write()
    {
        const std::string title = singleLine(m_profile.run.script);
        m_out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n" << head << "<title>";
        writeMarkup(m_out, title.empty() ? "Profile" : title);
        m_out << " — Perilune</title>\n</head>\n<body>\n<h1>";
        writeMarkup(m_out, title.empty() ? "Profile" : title);
        m_out << "</h1>\n";
        writeFacts();
        writeFlameGraph();
        writeTable();
        m_out << "<p class=\"note\">Written by Perilune " << PERILUNE_VERSION << ".</p>\n"
              << script << "</body>\n</html>\n";
    }

private:
    void writeFacts()
    {
        m_out << "<dl>\n";
        for (const auto& [title, text] : runFacts(m_profile, m_options)) {
            m_out << "<dt>" << title << "</dt><dd>";
            writeMarkup(m_out, text);
            m_out << "</dd>\n";
        }
        m_out << "</dl>\n";
    }

    void writeFlameGraph()
    {
        m_out
            << "<h2>Flame graph</h2>\n<p class=\"note\">Each frame is as wide as its total time; "
               "what it calls lies beneath it. Same colour, same file; grey is C. Point at a frame "
               "to see its numbers.</p>\n";
        writeFlameSvg(m_profile, m_metric, m_out);
    }

    void writeTable()
    {
        m_out << "<h2>Functions</h2>\n<p class=\"note\">Self: time in the function itself, without "
                 "the functions it called. Total: time while it was running or waiting for them, "
                 "recursion counted once.</p>\n<table>\n<thead><tr><th>Function</th>"
                 "<th aria-sort=\"descending\">Self</th><th>Self %</th><th>Total</th>"
                 "<th>Total %</th><th>Calls</th><th>Mean/call</th><th>Location</th></tr></thead>\n"
                 "<tbody>\n";
        for (const FunctionCosts& costs : m_functions.rows())
            writeRow(costs);
        m_out << "</tbody>\n</table>\n<p class=\"note\">";
        writeMarkup(m_out, m_functions.countsText());
        m_out << "</p>\n";
    }

    void writeRow(const FunctionCosts& costs)
    {
        const Function& function = m_profile.function(costs.function);
        m_out << "<tr><td>";
        writeMarkup(m_out, singleLine(function.name));
        m_out << "</td>";
        writeTime(m_functions.self(costs));
        writeTime(m_functions.total(costs));
        writeCalls(costs);
        m_out << "<td>";
        writeMarkup(m_out, singleLine(m_profile.location(function)));
        m_out << "</td></tr>\n";
    }

    /// A time and its share of the run.
    void writeTime(std::uint64_t time)
    {
        const std::uint64_t sum = m_functions.sum();
        const double percent =
            sum == 0 ? 0.0 : 100.0 * static_cast<double>(time) / static_cast<double>(sum);
        std::array<char, 32> width;
        std::snprintf(width.data(), width.size(), "%.1f%%", percent);
        m_out << "<td data-v=\"" << time << "\">" << durationText(time)
              << "</td><td class=\"share\" "
              << "data-v=\"" << time << "\" style=\"--w:" << width.data() << "\">";
        writeMarkup(m_out, shareText(time, sum));
        m_out << "</td>";
    }

    void writeCalls(const FunctionCosts& costs)
    {
        if (!m_profile.tree->has(Metric::Calls) || costs.calls == 0) {
            m_out << "<td data-v=\"0\">–</td><td data-v=\"0\">–</td>";
            return;
        }
        const std::uint64_t mean = m_functions.total(costs) / costs.calls;
        m_out << "<td data-v=\"" << costs.calls << "\">" << countText(costs.calls)
              << "</td><td data-v=\"" << mean << "\">" << durationText(mean) << "</td>";
    }

    const Profile& m_profile;
    const ExportOptions& m_options;
    Metric m_metric;
    HeaviestFunctions m_functions;
    Output& m_out;
};

} // namespace

void writeHtml(const Profile& profile, const ExportOptions& options, Output& out)
{
    HtmlReport(profile, options, out).write();
}

} // namespace perilune
