// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/FlameSvg.h"

#include "core/analysis/FlameLayout.h"
#include "core/exchange/Text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace perilune {

namespace {

constexpr double pictureWidth = 1200;
constexpr std::uint32_t rowHeight = 18;
constexpr std::uint32_t levelLimit = 120;
constexpr double narrowest = 1.0;      ///< In pixels of the picture; narrower frames are merged.
constexpr double characterWidth = 6.7; ///< Of the monospaced text of 11 pixels.

/// FNV-1a: the same file has the same colour in every report.
std::uint32_t hashOf(std::string_view text)
{
    std::uint32_t hash = 2166136261u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

std::string pixels(double value)
{
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

/// The first `count` characters of valid UTF-8, the last of them an ellipsis when there were more;
/// nothing when fewer than three fit.
std::string elided(std::string_view text, std::size_t count)
{
    const auto beginsCharacter = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    };
    const auto length = static_cast<std::size_t>(std::ranges::count_if(text, beginsCharacter));
    if (length <= count)
        return std::string(text);
    if (count < 3)
        return {};
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end) {
        if (beginsCharacter(text[end]) && ++seen == count)
            break;
    }
    return std::string(text.substr(0, end)) + "…";
}

/// Draws one level after the other.
class FlamePicture
{
public:
    FlamePicture(const Profile& profile, Metric metric, Output& out)
        : m_profile(profile)
        , m_layout(FlameLayout::build(profile.tree, metric, FlameOrder::Weight, {}))
        , m_out(out)
    {
    }

    void write()
    {
        const std::uint32_t levels = std::min(m_layout->levelCount(), levelLimit);
        const bool isCut = m_layout->levelCount() > levels;
        const std::uint32_t height = (levels + (isCut ? 1 : 0)) * rowHeight;
        m_out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << pixels(pictureWidth)
              << ' ' << height << R"(" role="img" aria-label="Flame graph" font-size="11" )"
              << R"(font-family="DejaVu Sans Mono,Menlo,Consolas,monospace">)" << '\n';
        for (std::uint32_t level = 0; level < levels; ++level)
            writeLevel(level);
        if (isCut)
            writeCutNote(levels);
        m_out << "</svg>\n";
    }

private:
    double scale() const { return pictureWidth / static_cast<double>(m_layout->wholeWidth()); }

    void writeLevel(std::uint32_t level)
    {
        m_spans.clear();
        m_layout->findSpans(level, 0, static_cast<double>(m_layout->wholeWidth()),
                            narrowest / scale(), m_spans);
        for (const FlameSpan& span : m_spans) {
            if (span.isMerged)
                writeRun(level, span);
            else
                writeFrame(level, span);
        }
    }

    void openFrame(std::uint32_t level, const FlameSpan& span, std::string_view fill)
    {
        const double width = static_cast<double>(span.end - span.start) * scale();
        m_out << R"(<g><rect x=")" << pixels(static_cast<double>(span.start) * scale())
              << R"(" y=")" << level * rowHeight << R"(" width=")"
              << pixels(std::max(width - 0.5, 0.3)) << R"(" height=")" << rowHeight - 1
              << R"(" fill=")" << fill << R"("/>)";
    }

    void writeRun(std::uint32_t level, const FlameSpan& span)
    {
        openFrame(level, span, "#b8b8b8");
        m_out << "<title>" << countText(span.barCount) << " small frames</title></g>\n";
    }

    void writeFrame(std::uint32_t level, const FlameSpan& span)
    {
        const NodeId node = m_layout->node(span.firstBar);
        const FunctionId id = m_profile.tree->function(node);
        const Function& function = m_profile.function(id);
        const std::string name = singleLine(function.name);
        openFrame(level, span, fillOf(function));
        writeTitle(function, name, node);
        const double width = static_cast<double>(span.end - span.start) * scale();
        const double room = std::max(width - 6, 0.0) / characterWidth;
        const std::string shown = elided(name, static_cast<std::size_t>(room));
        if (!shown.empty()) {
            m_out << R"(<text x=")" << pixels(static_cast<double>(span.start) * scale() + 3)
                  << R"(" y=")" << level * rowHeight + 13 << R"(" fill="#1c1c1c">)";
            writeMarkup(m_out, shown);
            m_out << "</text>";
        }
        m_out << "</g>\n";
    }

    void writeTitle(const Function& function, const std::string& name, NodeId node)
    {
        const CallTree& tree = *m_profile.tree;
        const std::uint64_t total = tree.total(m_layout->metric(), node);
        m_out << "<title>";
        writeMarkup(m_out, name);
        m_out << " — ";
        writeMarkup(m_out, singleLine(m_profile.location(function)));
        m_out << "\ntotal " << durationText(total) << " (";
        writeMarkup(m_out, shareText(total, m_layout->wholeWidth()));
        m_out << "), self " << durationText(tree.self(m_layout->metric(), node));
        if (tree.has(Metric::Calls))
            m_out << ", " << countText(tree.callCount(node)) << " calls";
        m_out << "</title>";
    }

    std::string fillOf(const Function& function) const
    {
        const Source* source = m_profile.sourceOf(function);
        if (!source)
            return "#d5d9e0"; // C functions and the host
        const std::uint32_t hash = hashOf(source->label);
        return "hsl(" + std::to_string(hash % 360) + "," + std::to_string(45 + hash / 360 % 20)
            + "%,74%)";
    }

    void writeCutNote(std::uint32_t levels)
    {
        m_out << R"(<text x="3" y=")" << levels * rowHeight + 13 << R"(" fill="#808080">)"
              << countText(m_layout->levelCount() - levels)
              << " deeper levels are not drawn</text>\n";
    }

    const Profile& m_profile;
    std::shared_ptr<const FlameLayout> m_layout;
    Output& m_out;
    std::vector<FlameSpan> m_spans;
};

} // namespace

void writeFlameSvg(const Profile& profile, Metric metric, Output& out)
{
    FlamePicture(profile, metric, out).write();
}

} // namespace perilune
