// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cases/OracleCounts.h"

#include <QFile>

#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

namespace perilune::test {

namespace {

using format::FunctionKind;

constexpr const char* rootName = "<root>";
constexpr const char* coroutineName = "<coroutine>";
constexpr const char* unknownName = "<unknown>";

void add(CallCount& count, const CallCount& more)
{
    count.calls += more.calls;
    count.tailCalls += more.tailCalls;
}

/// Names of C functions that no table holds, and methods, are spelt differently by the two.
std::string commonCName(std::string name)
{
    static const std::map<std::string, std::string> known = {
        {"ipairs_aux", "ipairs iterator"},
        {"string.gmatch_aux", "string.gmatch iterator"},
        {"coroutine.wrap_aux", "coroutine.wrap resumer"},
        {"io.lines_aux", "io.lines iterator"},
    };
    if (const auto found = known.find(name); found != known.end())
        return found->second;
    // Names of metatables in the registry end in '*' by custom.
    if (const auto mark = name.find("*."); mark != std::string::npos)
        name.replace(mark, 2, "*:");
    const std::string_view file = "FILE*:";
    if (name.starts_with(file))
        name = "file:" + name.substr(file.size());
    const std::string_view index = "__index.";
    if (const auto at = name.find(index); at != std::string::npos)
        name = name.substr(0, at == 0 ? 0 : at - 1) + ":" + name.substr(at + index.size());
    return name;
}

/// Whether a function belongs to a chunk that is loaded many times, by the names that
/// random_programs.lua gives to such chunks.
bool isLoadedAgain(const std::string& name)
{
    return name.starts_with("=again");
}

/// The oracle's name of a function in a form that does not depend on how a text is abbreviated.
std::string commonName(const std::string& oracleName)
{
    const std::string_view c = "[C] ";
    if (oracleName.starts_with(c)) {
        std::string name = oracleName.substr(c.size());
        if (name.starts_with("?")) // `?site<library+offset>`: no table holds it
            return "[C] ?" + name.substr(1, name.find('<') - 1);
        return "[C] " + commonCName(name);
    }
    std::string name = oracleName;
    // With -p each loading of a chunk makes other functions; here they are the same.
    if (const auto place = name.rfind('#'); place != std::string::npos
        && (isLoadedAgain(name) || name.find(":0#") != std::string::npos))
        name.resize(place);
    // `[string "text..."]~hash:line`
    const auto mark = name.rfind("]~");
    if (name.starts_with("[string") && mark != std::string::npos)
        return "string~" + name.substr(mark + 2);
    return name;
}

/// What the oracle escapes in names.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char character : text) {
        switch (character) {
        case '\\':
            result += "\\\\";
            break;
        case '\t':
            result += "\\t";
            break;
        case '\n':
            result += "\\n";
            break;
        case '\r':
            result += "\\r";
            break;
        default:
            if (static_cast<unsigned char>(character) < 32) {
                char code[8];
                std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(character));
                result += code;
            } else {
                result += character;
            }
        }
    }
    return result;
}

std::string textHash(std::string_view text)
{
    std::uint32_t hash = 2166136261u;
    for (const char character : text)
        hash = (hash ^ static_cast<unsigned char>(character)) * 16777619u;
    char result[16];
    std::snprintf(result, sizeof result, "%08x", hash);
    return result;
}

/// Names the functions of a recording as commonName() does.
class RecordedNames
{
public:
    RecordedNames(const RecordedCalls& calls, OracleNames names)
        : m_snapshot(calls.snapshot())
        , m_names(m_snapshot.functions.size())
    {
        // The oracle numbers the prototypes of one line in the order in which they were entered.
        std::map<std::string, int> entered;
        for (const std::uint32_t function : calls.entryOrder()) {
            std::string name = nameOf(m_snapshot.functions[function]);
            const bool isNumbered =
                m_snapshot.functions[function].kind == FunctionKind::Lua && !isLoadedAgain(name);
            const int place = isNumbered ? ++entered[name] : 1;
            if (names == OracleNames::ByPrototype && place > 1)
                name += "#" + std::to_string(place);
            m_names[function] = name;
        }
    }

    const std::string& operator[](std::uint32_t function) const { return m_names[function]; }

private:
    std::string nameOf(const format::FunctionRecord& function) const
    {
        switch (function.kind) {
        case FunctionKind::Host:
            return rootName;
        case FunctionKind::C:
            return nameOfC(function);
        case FunctionKind::Folded:
            return "(folded)";
        default:
            break;
        }
        return nameOfSource(function) + ":" + std::to_string(function.lineDefined);
    }

    std::string nameOfC(const format::FunctionRecord& function) const
    {
        const std::string name(m_snapshot.string(function.name));
        if (name.empty() || name.starts_with("C function "))
            return "[C] ?"
                + (function.callName == format::none
                       ? "?"
                       : escaped(m_snapshot.string(function.callName)));
        return "[C] " + commonCName(name);
    }

    std::string nameOfSource(const format::FunctionRecord& function) const
    {
        if (function.source >= m_snapshot.sources.size())
            return "(no source)";
        const format::SourceRecord& source = m_snapshot.sources[function.source];
        const std::string_view name = m_snapshot.string(source.chunkName);
        if (name.starts_with("@"))
            return escaped(name.substr(1));
        if (name.starts_with("="))
            return escaped(name);
        return "string~" + textHash(m_snapshot.sourceText(source));
    }

    const RecordingSnapshot& m_snapshot;
    std::vector<std::string> m_names;
};

/// One row of the oracle's table.
struct Row
{
    std::string kind;
    std::string caller;
    std::string callee;
    CallCount count;
};

/// Whether a C function can start a coroutine, or run the handlers of one that it closes. The
/// oracle takes the last function called for that, which may also be one whose error ended the
/// coroutine.
bool startsCoroutines(const std::string& name)
{
    return name == "[C] coroutine.resume" || name == "[C] coroutine.wrap resumer"
        || name == "[C] coroutine.close";
}

void takeRow(const Row& row, NamedCalls& result)
{
    if (row.kind == "fn") {
        add(result.functions[row.callee], row.count);
    } else if (row.kind == "edge" || row.kind == "coedge") {
        if (row.caller == unknownName || (row.kind == "coedge" && !startsCoroutines(row.caller)))
            result.unknownCallers[row.callee] += row.count.calls;
        else if (row.caller != coroutineName)
            add(result.edges[{row.caller, row.callee}], row.count);
    } else if (row.kind == "meta") {
        // The oracle checks itself; these have to be 0.
        const bool isSelfCheck = row.callee == "record_mismatch" || row.callee == "edge_sum_wrong"
            || row.callee == "tail_maker_unknown";
        if (isSelfCheck && row.count.calls != 0)
            result.problems.append(QString::fromStdString("oracle: " + row.callee));
    }
}

template<typename Key>
void collectDifferences(
    const std::map<Key, CallCount>& expected, const std::map<Key, CallCount>& actual,
    const std::function<void(const Key&, const CallCount&, const CallCount&)>& report)
{
    for (const auto& [key, count] : expected) {
        const auto found = actual.find(key);
        const CallCount other = found != actual.end() ? found->second : CallCount();
        if (!(other == count))
            report(key, count, other);
    }
    for (const auto& [key, count] : actual)
        if (!expected.contains(key) && !(count == CallCount()))
            report(key, {}, count);
}

QString describe(const std::string& what, const CallCount& oracle, const CallCount& recorded)
{
    return QStringLiteral("%1: oracle %2 (%3 tail), recorded %4 (%5 tail)")
        .arg(QString::fromStdString(what))
        .arg(oracle.calls)
        .arg(oracle.tailCalls)
        .arg(recorded.calls)
        .arg(recorded.tailCalls);
}

} // namespace

std::uint64_t NamedCalls::totalCalls() const
{
    std::uint64_t result = 0;
    for (const auto& [name, count] : functions)
        result += count.calls;
    return result;
}

NamedCalls readOracle(const QString& path)
{
    NamedCalls result;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        result.problems.append(path + QStringLiteral(": ") + file.errorString());
        return result;
    }
    file.readLine(); // the titles
    while (!file.atEnd()) {
        QByteArray line = file.readLine();
        line.chop(1);
        const QList<QByteArray> fields = line.split('\t');
        if (fields.size() != 5) {
            result.problems.append(QStringLiteral("oracle: ") + QString::fromUtf8(line));
            continue;
        }
        takeRow({fields[0].toStdString(),
                 commonName(fields[1].toStdString()),
                 commonName(fields[2].toStdString()),
                 {fields[3].toULongLong(), fields[4].toULongLong()}},
                result);
    }
    return result;
}

NamedCalls namedCalls(const RecordedCalls& calls, OracleNames names)
{
    NamedCalls result;
    const RecordedNames nameOf(calls, names);
    for (const std::uint32_t function : calls.entryOrder())
        if (calls.function(function).calls > 0)
            add(result.functions[nameOf[function]], calls.function(function));
    for (const auto& [edge, count] : calls.edges())
        add(result.edges[{nameOf[edge.first], nameOf[edge.second]}], count);
    return result;
}

QStringList differences(const NamedCalls& oracle, const NamedCalls& recorded, int limit)
{
    QStringList result = oracle.problems + recorded.problems;
    const auto report = [&](const std::string& what, const CallCount& expected,
                            const CallCount& actual) {
        if (result.size() < limit)
            result.append(describe(what, expected, actual));
    };
    collectDifferences<std::string>(oracle.functions, recorded.functions, report);
    auto unknown = oracle.unknownCallers;
    collectDifferences<NamedCalls::Edge>(
        oracle.edges, recorded.edges,
        [&](const NamedCalls::Edge& edge, const CallCount& expected, const CallCount& actual) {
            std::uint64_t& open = unknown[edge.second];
            if (expected.tailCalls == actual.tailCalls && actual.calls > expected.calls
                && actual.calls - expected.calls <= open) {
                open -= actual.calls - expected.calls;
                return;
            }
            report(edge.first + " -> " + edge.second, expected, actual);
        });
    return result;
}

} // namespace perilune::test
