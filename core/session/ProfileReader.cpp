// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/ProfileReader.h"

#include "core/session/Names.h"
#include "core/session/ProfileBlocks.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace perilune::rows {

namespace {

/// More functions than this in a run are taken for damage: a wrong number must not exhaust the
/// memory.
constexpr std::int64_t maximumFunctions = std::int64_t(1) << 22;

Error damaged(const char* what)
{
    return {Error::Code::Damaged, what};
}

/// Takes a value out of a result, or passes its error on.
template<typename T>
Result<void> moveInto(T& target, Result<T> result)
{
    if (!result)
        return result.error();
    target = std::move(*result);
    return {};
}

/// A query for the rows of one run in the order of their table's key, so that they come page by
/// page. Its first two columns are what the order goes by; the second one is the position of the
/// row.
struct RowQuery
{
    const char* select;
    const char* order;
    const char* reverseOrder;
};
using RowKey = std::pair<std::int64_t, std::int64_t>;

constexpr RowQuery sourceRows = {
    "SELECT 0, position, label, chunk_name, path, kind, hash, is_complete, text_hash FROM source",
    "position", "position DESC"};
constexpr RowQuery resultRows = {
    "SELECT function_id, position, source_position, calls, self_ns, raw_self_ns FROM result",
    "function_id, position", "function_id DESC, position DESC"};
constexpr RowQuery durationRows = {
    "SELECT 0, position, calls, minimum_ns, median_ns, percentile95_ns, maximum_ns FROM duration",
    "position", "position DESC"};

/// Reads what belongs to one run, and goes on past what is damaged.
class ProfileReader
{
public:
    ProfileReader(const SqliteDatabase& database, const RunSummary& summary,
                  std::vector<std::string>& problems)
        : m_database(database)
        , m_summary(summary)
        , m_problems(problems)
        , m_profile(std::make_shared<Profile>())
    {
        m_profile->run = summary.info;
    }

    std::shared_ptr<Profile> read()
    {
        readSources();
        readTexts();
        readResults();
        readFunctions();
        readTree();
        readDurations();
        return m_profile;
    }

private:
    /// What a function has in the table `result`: who it is, and its costs for when there is no
    /// tree.
    struct FunctionResult
    {
        std::int64_t functionId = 0;
        std::uint64_t calls = 0;
        std::uint64_t self = 0;
        std::uint64_t rawSelf = 0;
    };

    void readSources();
    void readTexts();
    void readText(SqliteStatement& statement, Source& source, const std::string& hash);
    void readResults();
    void readFunctions();
    Result<void> readFunction(SqliteStatement& statement, std::int64_t id, Function& function);
    void readTree();
    void readTreeParts(const std::vector<std::uint32_t>& newIndex);
    void makeFlatTree();
    void readDurations();
    Result<blocks::Bytes> block(const char* kind) const;
    template<typename Unpack>
    void readBlock(const char* kind, const std::string& what, Unpack unpack);
    template<typename Take>
    void scan(const RowQuery& query, const std::string& what, std::int64_t maximum, Take take);
    template<typename Take>
    Result<void> scanUp(const RowQuery& query, std::int64_t maximum, RowKey& last, Take take);
    template<typename Take>
    void scanDown(const RowQuery& query, std::int64_t maximum, RowKey last, Take take);
    void note(const std::string& what, const Error& error);

    const SqliteDatabase& m_database;
    const RunSummary& m_summary;
    std::vector<std::string>& m_problems;
    std::shared_ptr<Profile> m_profile;
    std::vector<std::string> m_textHashes; ///< As long as the sources.
    std::vector<FunctionResult> m_results; ///< As long as the functions.
    bool m_hasCalls = false;
};

void ProfileReader::note(const std::string& what, const Error& error)
{
    m_problems.push_back("Run " + std::to_string(m_summary.id) + ": " + what + " (" + error.detail
                         + ").");
}

/// Calls `take(row, position)` for every row of the run that can be read; what lies behind a
/// damaged page is read from the other end.
template<typename Take>
void ProfileReader::scan(const RowQuery& query, const std::string& what, std::int64_t maximum,
                         Take take)
{
    RowKey last(-1, -1);
    const auto scanned = scanUp(query, maximum, last, take);
    if (scanned)
        return;
    note(what, scanned.error());
    scanDown(query, maximum, last, take);
}

template<typename Take>
Result<void> ProfileReader::scanUp(const RowQuery& query, std::int64_t maximum, RowKey& last,
                                   Take take)
{
    auto statement =
        m_database.prepare(std::string(query.select) + " WHERE run_id = ? ORDER BY " + query.order);
    if (!statement)
        return statement.error();
    statement->start(m_summary.id);
    for (;;) {
        const auto hasRow = statement->step();
        if (!hasRow)
            return hasRow.error();
        if (!*hasRow)
            return {};
        const RowKey key(statement->integer(0), statement->integer(1));
        // A file whose pages form a loop shows itself by breaking the order.
        if (key <= last || key.second < 0 || key.second >= maximum)
            return damaged("the rows are out of order");
        last = key;
        take(*statement, static_cast<std::size_t>(key.second));
    }
}

/// From the end down to the row `last`, which has been read, or to a damaged one.
template<typename Take>
void ProfileReader::scanDown(const RowQuery& query, std::int64_t maximum, RowKey last, Take take)
{
    auto statement = m_database.prepare(std::string(query.select) + " WHERE run_id = ? ORDER BY "
                                        + query.reverseOrder);
    if (!statement)
        return;
    statement->start(m_summary.id);
    RowKey previous(std::numeric_limits<std::int64_t>::max(), 0);
    for (;;) {
        const auto hasRow = statement->step();
        if (!hasRow || !*hasRow)
            return;
        const RowKey key(statement->integer(0), statement->integer(1));
        if (key <= last || key >= previous || key.second < 0 || key.second >= maximum)
            return;
        previous = key;
        take(*statement, static_cast<std::size_t>(key.second));
    }
}

void ProfileReader::readSources()
{
    const Source missing = {{}, {}, "damaged source", {}, 0, format::SourceKind::None, false};
    auto& sources = m_profile->sources;
    scan(sourceRows, "some sources cannot be read", maximumFunctions,
         [&](const SqliteStatement& row, std::size_t position) {
             const std::size_t count = std::max(sources.size(), position + 1);
             sources.resize(count, missing);
             m_textHashes.resize(count);
             Source& source = sources[position];
             source.label = row.text(2);
             source.chunkName = row.text(3);
             source.path = row.text(4);
             (void)findByName(row.text(5), source.kind);
             const std::string hash = row.text(6);
             std::from_chars(hash.data(), hash.data() + hash.size(), source.hash, 16);
             source.isComplete = row.integer(7) != 0;
             m_textHashes[position] = row.text(8);
         });
}

void ProfileReader::readTexts()
{
    auto statement = m_database.prepare("SELECT text FROM source_text WHERE hash = ?");
    if (!statement) {
        note("the source texts cannot be read", statement.error());
        return;
    }
    for (std::size_t position = 0; position < m_textHashes.size(); ++position) {
        if (!m_textHashes[position].empty())
            readText(*statement, m_profile->sources[position], m_textHashes[position]);
    }
}

void ProfileReader::readText(SqliteStatement& statement, Source& source, const std::string& hash)
{
    const auto unpack = [&]() -> Result<blocks::Bytes> {
        statement.start(hash);
        const auto hasRow = statement.step();
        if (!hasRow)
            return hasRow.error();
        if (!*hasRow)
            return damaged("it is missing");
        auto text = unpackBytes(statement.blob(0));
        if (text && hashText(fnv1a(*text)) != hash)
            return damaged("it is another text");
        return text;
    };
    const auto text = unpack();
    if (text) {
        source.text.assign(text->begin(), text->end());
        return;
    }
    source.isComplete = false;
    note("the text of " + source.label + " cannot be read", text.error());
}

void ProfileReader::readResults()
{
    Function missing;
    missing.name = "damaged function";
    auto& functions = m_profile->functions;
    const auto expected = std::min<std::int64_t>(m_summary.functionCount, maximumFunctions);
    functions.resize(static_cast<std::size_t>(expected), missing);
    m_results.resize(functions.size());
    scan(resultRows, "some functions cannot be read", maximumFunctions,
         [&](const SqliteStatement& row, std::size_t position) {
             const std::size_t count = std::max(functions.size(), position + 1);
             functions.resize(count, missing);
             m_results.resize(count);
             m_hasCalls = m_hasCalls || !row.isNull(3);
             m_results[position] = {row.integer(0), static_cast<std::uint64_t>(row.integer(3)),
                                    static_cast<std::uint64_t>(row.integer(4)),
                                    static_cast<std::uint64_t>(row.integer(5))};
             const std::int64_t source = row.isNull(2) ? -1 : row.integer(2);
             if (source >= 0 && static_cast<std::size_t>(source) < m_profile->sources.size())
                 functions[position].source = SourceId(static_cast<std::uint32_t>(source));
         });
}

void ProfileReader::readFunctions()
{
    auto statement = m_database.prepare("SELECT name, line, last_line, ordinal, kind, is_stripped"
                                        " FROM function WHERE id = ?");
    if (!statement) {
        note("the functions cannot be read", statement.error());
        return;
    }
    std::size_t damagedCount = 0;
    Error firstError;
    for (std::size_t position = 0; position < m_results.size(); ++position) {
        const auto read = readFunction(*statement, m_results[position].functionId,
                                       m_profile->functions[position]);
        if (!read && damagedCount++ == 0)
            firstError = read.error();
    }
    if (damagedCount > 0)
        note(std::to_string(damagedCount) + " functions have lost their names", firstError);
}

Result<void> ProfileReader::readFunction(SqliteStatement& statement, std::int64_t id,
                                         Function& function)
{
    statement.start(id);
    const auto hasRow = statement.step();
    if (!hasRow)
        return hasRow.error();
    if (!*hasRow)
        return damaged("a row is missing");
    function.name = statement.text(0);
    function.line = static_cast<int>(statement.integer(1));
    function.lastLine = static_cast<int>(statement.integer(2));
    if (!statement.isNull(3))
        function.ordinal = static_cast<std::uint32_t>(statement.integer(3));
    (void)findByName(statement.text(4), function.kind);
    function.isStripped = statement.integer(5) != 0;
    return {};
}

Result<blocks::Bytes> ProfileReader::block(const char* kind) const
{
    auto statement = m_database.prepare("SELECT data FROM block WHERE run_id = ? AND kind = ?");
    if (!statement)
        return statement.error();
    statement->start(m_summary.id, kind);
    const auto hasRow = statement->step();
    if (!hasRow)
        return hasRow.error();
    if (!*hasRow)
        return blocks::Bytes();
    const auto data = statement->blob(0);
    return blocks::Bytes(data.begin(), data.end());
}

void ProfileReader::readTree()
{
    const auto packed = block("tree");
    auto tree = packed ? blocks::unpackTree(*packed, m_profile->functions.size())
                       : Result<blocks::UnpackedTree>(packed.error());
    if (!tree) {
        note("the call tree is damaged: totals, callers and callees are not known", tree.error());
        makeFlatTree();
        return;
    }
    m_profile->tree = tree->tree;
    readTreeParts(tree->newIndex);
}

/// A root with every function beneath it, each with its own costs.
void ProfileReader::makeFlatTree()
{
    if (m_results.empty())
        return;
    std::vector<CallTree::Input> nodes(m_results.size());
    for (std::uint32_t function = 0; function < nodes.size(); ++function) {
        CallTree::Input& node = nodes[function];
        node.parent = function == 0 ? UINT32_MAX : 0;
        node.function = FunctionId(function);
        node.self[static_cast<std::size_t>(Metric::Time)] = m_results[function].self;
        node.self[static_cast<std::size_t>(Metric::RawTime)] = m_results[function].rawSelf;
        node.self[static_cast<std::size_t>(Metric::Calls)] = m_results[function].calls;
    }
    const auto bit = [](Metric metric) { return 1u << static_cast<unsigned>(metric); };
    m_profile->tree = CallTree::build(
        nodes, bit(Metric::Time) | bit(Metric::RawTime) | (m_hasCalls ? bit(Metric::Calls) : 0));
}

/// Unpacks a block, when the run has it, with `unpack`, which returns a Result.
template<typename Unpack>
void ProfileReader::readBlock(const char* kind, const std::string& what, Unpack unpack)
{
    const auto packed = block(kind);
    if (!packed) {
        note(what, packed.error());
        return;
    }
    if (packed->empty())
        return;
    if (const auto unpacked = unpack(*packed); !unpacked)
        note(what, unpacked.error());
}

void ProfileReader::readTreeParts(const std::vector<std::uint32_t>& newIndex)
{
    readBlock("tail_edges", "the tail calls are damaged", [&](const blocks::Bytes& packed) {
        return moveInto(m_profile->tailEdges, blocks::unpackTailEdges(packed, newIndex));
    });
    readBlock("node_lines", "the costs of lines are damaged", [&](const blocks::Bytes& packed) {
        return moveInto(m_profile->lines, blocks::unpackNodeLines(packed, newIndex));
    });
    readBlock("slow_calls", "the slowest calls are damaged", [&](const blocks::Bytes& packed) {
        return moveInto(m_profile->slowCalls, blocks::unpackSlowCalls(packed, newIndex));
    });
    readBlock("heap_curve", "the curve of the heap is damaged", [&](const blocks::Bytes& packed) {
        return moveInto(m_profile->heapCurve, blocks::unpackHeapCurve(packed));
    });
}

void ProfileReader::readDurations()
{
    if (!m_profile->run.hasDurations)
        return;
    auto& durations = m_profile->durations;
    durations.resize(m_profile->functions.size());
    scan(durationRows, "some durations cannot be read", static_cast<std::int64_t>(durations.size()),
         [&](const SqliteStatement& row, std::size_t position) {
             DurationStatistics& duration = durations[position];
             duration.count = static_cast<std::uint64_t>(row.integer(2));
             duration.minimum = Duration::fromNanoseconds(row.integer(3));
             duration.median = Duration::fromNanoseconds(row.integer(4));
             duration.percentile95 = Duration::fromNanoseconds(row.integer(5));
             duration.maximum = Duration::fromNanoseconds(row.integer(6));
         });
    readBlock(
        "duration_buckets", "the distributions of durations are damaged",
        [&](const blocks::Bytes& packed) { return blocks::unpackBuckets(packed, durations); });
}

} // namespace

std::shared_ptr<Profile> readProfile(const SqliteDatabase& database, const RunSummary& summary,
                                     std::vector<std::string>& problems)
{
    return ProfileReader(database, summary, problems).read();
}

} // namespace perilune::rows
