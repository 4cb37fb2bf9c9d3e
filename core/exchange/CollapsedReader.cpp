// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/ProfileAssembler.h"
#include "core/exchange/Readers.h"

#include <charconv>
#include <optional>

namespace perilune {

namespace {

/// "a;b;c 12" in its parts.
struct Line
{
    std::string_view stack;
    std::uint64_t weight = 0;
};

std::string_view withoutTrailingBlanks(std::string_view text)
{
    const std::size_t end = text.find_last_not_of(" \t\r");
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

/// Takes the next line off `content`.
std::string_view takeLine(std::string_view& content)
{
    const std::size_t end = content.find('\n');
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    return withoutTrailingBlanks(line);
}

std::optional<Line> parseLine(std::string_view text)
{
    const std::size_t blank = text.find_last_of(" \t");
    if (blank == std::string_view::npos)
        return {};
    Line line;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + blank + 1, end, line.weight);
    line.stack = withoutTrailingBlanks(text.substr(0, blank));
    if (error != std::errc() || stop != end || line.stack.empty())
        return {};
    return line;
}

bool isSkipped(std::string_view text)
{
    return text.empty() || text.front() == '#';
}

/// Adds stacks to a profile. Neighbouring lines share most of their stacks, so what is the same as
/// in the line before is not looked up again.
class CollapsedStacks
{
public:
    explicit CollapsedStacks(ProfileAssembler& assembler)
        : m_assembler(assembler)
    {
    }

    /// The node of a stack, whose text has to outlive this object.
    std::uint32_t nodeOf(std::string_view stack)
    {
        std::size_t depth = 0;
        bool isKnown = true;
        for (std::size_t begin = 0; begin <= stack.size();) {
            const std::size_t end = std::min(stack.find(';', begin), stack.size());
            const std::string_view frame = stack.substr(begin, end - begin);
            begin = end + 1;
            if (frame.empty())
                continue; // some tools end a stack with a semicolon
            isKnown = isKnown && depth < m_last.size() && m_last[depth].text == frame;
            if (!isKnown)
                enter(depth, frame);
            ++depth;
        }
        m_last.resize(depth);
        return depth == 0 ? ProfileAssembler::root : m_last.back().node;
    }

private:
    struct Frame
    {
        std::string_view text;
        std::uint32_t node = 0;
    };

    void enter(std::size_t depth, std::string_view frame)
    {
        const std::uint32_t parent = depth == 0 ? ProfileAssembler::root : m_last[depth - 1].node;
        m_last.resize(depth);
        m_last.push_back({frame, m_assembler.child(parent, functionOf(frame))});
    }

    FunctionId functionOf(std::string_view frame)
    {
        const auto [place, isNew] = m_functions.try_emplace(frame);
        if (isNew) {
            const ParsedFrame parsed = parseFrameText(frame);
            place->second = m_assembler.function(parsed.label, parsed.kind);
        }
        return place->second;
    }

    ProfileAssembler& m_assembler;
    std::vector<Frame> m_last;
    std::unordered_map<std::string_view, FunctionId> m_functions;
};

/// Nanoseconds in the unit that a file name tells, or 0.
std::uint64_t unitOfFileName(std::string_view name)
{
    for (const std::string_view unit : {"ns", "us", "ms"}) {
        if (name.find('.' + std::string(unit) + '.') != std::string_view::npos)
            return nanosecondsIn(unit);
    }
    return 0;
}

/// Differential tools take "stack count count"; no single profile is in there.
bool isTwoProfileForm(std::string_view content)
{
    std::size_t lines = 0;
    while (!content.empty()) {
        const std::string_view text = takeLine(content);
        if (isSkipped(text))
            continue;
        const auto line = parseLine(text);
        if (!line || !parseLine(line->stack))
            return false;
        ++lines;
    }
    return lines > 0;
}

} // namespace

bool looksLikeCollapsed(std::string_view content)
{
    while (!content.empty()) {
        const std::string_view text = takeLine(content);
        if (!isSkipped(text))
            return parseLine(text).has_value();
    }
    return false;
}

ImportResult readCollapsed(std::string_view content, std::string_view fileName)
{
    if (isTwoProfileForm(content))
        return damaged("each line has two counts; import the two profiles one by one");
    constexpr std::uint64_t assumedInterval = 1000000;
    const std::uint64_t unit = unitOfFileName(fileName);
    ProfileAssembler assembler;
    CollapsedStacks stacks(assembler);
    std::uint64_t badLines = 0;
    while (!content.empty() && !assembler.isFull()) {
        const std::string_view text = takeLine(content);
        if (isSkipped(text))
            continue;
        const auto line = parseLine(text);
        if (!line) {
            ++badLines;
            continue;
        }
        const std::uint32_t node = stacks.nodeOf(line->stack);
        assembler.add(node, Metric::Time,
                      saturatingProduct(line->weight, unit > 0 ? unit : assumedInterval));
        if (unit == 0)
            assembler.add(node, Metric::Samples, line->weight);
    }
    if (assembler.isFull())
        return damaged("has too many different stacks");
    if (badLines > 0)
        assembler.warn(std::to_string(badLines)
                       + " lines are no stacks with a count and were left out");
    if (unit == 0) {
        assembler.run().samplingInterval = Duration::fromMilliseconds(1);
        assembler.warn("The file does not say its unit: each count is taken for a sample of 1 ms");
    }
    assembler.run().interpreter = "imported collapsed stacks";
    return assembler.finish();
}

} // namespace perilune
