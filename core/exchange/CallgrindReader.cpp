// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/CallGraph.h"
#include "core/exchange/ProfileAssembler.h"
#include "core/exchange/Readers.h"

#include <charconv>
#include <unordered_map>

namespace perilune {

namespace {

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Takes the next word off `text`.
std::string_view takeWord(std::string_view& text)
{
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

bool parseWhole(std::string_view text, std::uint64_t& value)
{
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16)
        text.remove_prefix(2);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc() && stop == text.data() + text.size();
}

/// Names of one kind with their compression: "(3) name" defines, "(3)" refers, all else is plain.
class NameTable
{
public:
    std::string_view resolve(std::string_view text)
    {
        text = trimmed(text);
        const std::size_t close = text.find(')');
        std::uint64_t id = 0;
        if (!text.starts_with('(') || close == std::string_view::npos
            || !parseWhole(text.substr(1, close - 1), id))
            return text;
        const std::string_view name = trimmed(text.substr(close + 1));
        if (!name.empty())
            m_names[id] = name;
        return m_names[id];
    }

private:
    std::unordered_map<std::uint64_t, std::string_view> m_names;
};

/// Reads the lines of one or more parts into a call graph.
class CallgrindFile
{
public:
    explicit CallgrindFile(std::string_view content)
        : m_rest(content)
    {
    }

    ImportResult read()
    {
        while (m_error.empty() && !m_rest.empty()) {
            ++m_lineNumber;
            readLine(takeLine());
        }
        if (!m_error.empty())
            return damaged("line " + std::to_string(m_lineNumber) + ": " + m_error);
        if (m_graph.functionCount() == 0)
            return damaged("has no functions");
        ProfileAssembler assembler;
        assembler.run().script = m_command;
        assembler.run().interpreter = "imported callgrind profile";
        assembler.warn(
            "A call graph has no call paths: the call tree is an estimate, self times and "
            "calls are exact");
        if (m_unit == 0)
            assembler.warn("The costs are counts of " + m_event + ": one is shown as 1 ns");
        m_graph.expandInto(assembler, std::max<std::uint64_t>(m_unit, 1));
        return assembler.finish();
    }

private:
    std::string_view takeLine()
    {
        const std::size_t end = m_rest.find('\n');
        const std::string_view line = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        return trimmed(line);
    }

    void readLine(std::string_view line)
    {
        if (line.empty() || line.front() == '#')
            return;
        const char first = line.front();
        if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*')
            return readCosts(line);
        const std::size_t separator = line.find_first_of(":=");
        if (separator == std::string_view::npos)
            return fail("neither a header, nor a position, nor costs");
        const std::string_view key = trimmed(line.substr(0, separator));
        const std::string_view value = line.substr(separator + 1);
        if (line[separator] == '=')
            readPosition(key, value);
        else
            readHeader(key, trimmed(value));
    }

    void readHeader(std::string_view key, std::string_view value)
    {
        if (key == "cmd") {
            m_command = value;
        } else if (key == "positions") {
            m_positionCount = 0;
            for (std::string_view rest = value; !takeWord(rest).empty();)
                ++m_positionCount;
            // Lines come last: "instr line".
            m_positionCount = std::max<std::size_t>(m_positionCount, 1);
        } else if (key == "events") {
            readEvents(value);
        }
    }

    /// The first event is the one that is imported.
    void readEvents(std::string_view names)
    {
        m_event = takeWord(names);
        const std::size_t end = m_event.rfind('_');
        m_unit = end == std::string::npos ? 0 : nanosecondsIn(m_event.substr(end + 1));
        if (m_event == "ns" || m_event == "us" || m_event == "ms")
            m_unit = nanosecondsIn(m_event);
    }

    void readPosition(std::string_view key, std::string_view value)
    {
        if (key == "fl") {
            m_file = m_files.resolve(value);
            m_calleeFile = {};
        } else if (key == "fi" || key == "fe") {
            m_files.resolve(value); // costs of inlined lines stay with their function
        } else if (key == "fn") {
            m_function = m_graph.function(m_functions.resolve(value), m_file);
            m_hasFunction = true;
            m_calleeFile = m_file;
        } else if (key == "cfi" || key == "cfl") {
            m_calleeFile = m_files.resolve(value);
        } else if (key == "cfn") {
            m_callee = m_graph.function(m_functions.resolve(value), m_calleeFile);
            m_hasCallee = true;
            m_calleeFile = m_file;
        } else if (key == "calls") {
            readCalls(value);
        }
        // Objects (ob, cob) and jumps (jump, jcnd) say nothing about functions; a jump's own line
        // of costs follows it and holds no cost.
        if (key == "jump" || key == "jcnd")
            m_isJump = true;
    }

    void readCalls(std::string_view value)
    {
        if (!m_hasFunction || !m_hasCallee)
            return fail("calls without a caller and a callee");
        if (!parseWhole(takeWord(value), m_calls))
            return fail("no count of calls");
        // Relative positions are those of costs; a callee's first line is only taken if it is
        // plain.
        std::string_view position;
        for (std::size_t index = 0; index < m_positionCount; ++index)
            position = takeWord(value);
        std::uint64_t line = 0;
        if (!position.empty() && position.front() != '+' && position.front() != '-'
            && parseWhole(position, line))
            m_graph.setLine(m_callee, line);
        m_isCall = true;
    }

    void readCosts(std::string_view line)
    {
        for (std::size_t index = 0; index < m_positionCount; ++index)
            readPositionValue(takeWord(line), index + 1 == m_positionCount);
        std::uint64_t cost = 0;
        const std::string_view word = takeWord(line);
        if (std::exchange(m_isJump, false))
            return;
        if (!word.empty() && !parseWhole(word, cost))
            return fail("a cost is not a whole number");
        if (!m_hasFunction)
            return fail("costs without a function");
        if (std::exchange(m_isCall, false)) {
            m_graph.addCalls(m_function, m_callee, m_calls, cost);
        } else {
            m_graph.addSelf(m_function, cost);
            m_graph.setLineIfUnknown(m_function, m_line);
        }
    }

    /// Positions may be relative to those of the line before; only source lines are of use.
    void readPositionValue(std::string_view word, bool isLine)
    {
        if (!isLine || word.empty() || word == "*")
            return;
        const bool isForward = word.front() == '+';
        const bool isBackward = word.front() == '-';
        std::uint64_t number = 0;
        if (!parseWhole(isForward || isBackward ? word.substr(1) : word, number))
            return fail("a position is not a number");
        if (isForward)
            m_line += number;
        else if (isBackward)
            m_line -= std::min(number, m_line);
        else
            m_line = number;
    }

    void fail(const char* error)
    {
        if (m_error.empty())
            m_error = error;
    }

    std::string_view m_rest;
    std::size_t m_lineNumber = 0;
    std::string m_error;
    CallGraph m_graph;
    NameTable m_files;
    NameTable m_functions;
    std::string m_command;
    std::string m_event = "an unnamed event";
    std::uint64_t m_unit = 0; ///< Nanoseconds, or 0 where costs are no time.
    std::size_t m_positionCount = 1;

    std::string_view m_file;
    std::string_view m_calleeFile;
    std::uint32_t m_function = 0;
    std::uint32_t m_callee = 0;
    bool m_hasFunction = false;
    bool m_hasCallee = false;
    bool m_isCall = false; ///< The next line of costs is that of m_calls calls.
    bool m_isJump = false;
    std::uint64_t m_calls = 0;
    std::uint64_t m_line = 0;
};

} // namespace

bool looksLikeCallgrind(std::string_view content)
{
    const std::string_view head = content.substr(0, 4096);
    return head.starts_with("# callgrind format") || head.starts_with("events:")
        || head.find("\nevents:") != std::string_view::npos;
}

ImportResult readCallgrind(std::string_view content)
{
    return CallgrindFile(content).read();
}

} // namespace perilune
