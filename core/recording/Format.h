// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Layout of a recording (`*.plrec`): one header, then the extents of growing arrays ("sections").
///
/// The writer maps the file shared and changes it in place, so whatever was written stays in the
/// file when the process dies. A section's `count` is raised only after the new elements are
/// complete; elements below `count` are always valid. Counters inside them may still grow.
/// All values are in the byte order of the machine that recorded.
namespace perilune::format {

inline constexpr char magic[8] = {'P', 'L', 'R', 'E', 'C', '\r', '\n', '\0'};
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t none = UINT32_MAX; ///< "No such element", in every index field.

enum class Section : std::uint32_t
{
    Strings,    ///< Bytes; a string reference is the offset of a u32 length, followed by the bytes.
    Functions,  ///< FunctionRecord
    Nodes,      ///< NodeRecord; element 0 is the root, the host program itself.
    TailEdges,  ///< TailEdgeRecord
    Sources,    ///< SourceRecord
    SourceText, ///< Bytes of source files and of loaded strings.
    NodeMemory, ///< NodeMemoryRecord, one per node, only with the memory option.
    NodeLines,  ///< NodeLineRecord, with the lines option or in sampling mode.
    Durations,  ///< DurationRecord, one per function, only with the durations option.
    SlowCalls,  ///< SlowCallRecord, only with the durations option.
    HeapCurve,  ///< HeapPointRecord, only with the memory option.
    Events,     ///< EventRecord, a ring, only with the timeline option.
    Threads,    ///< ThreadRecord, only with the timeline option.
    Marks,      ///< MarkRecord, set by the program through the Lua module.
    NodeSamples, ///< NodeSampleRecord, one per node, only in sampling mode.
    Count_ = 20  ///< Room for later sections without moving the header.
};
inline constexpr std::size_t sectionCapacity = static_cast<std::size_t>(Section::Count_);

enum class State : std::uint32_t
{
    Starting = 0, ///< The runner has opened the file and not yet run the script.
    Running,      ///< The script runs, or the process died without a word.
    Finished,     ///< The script came to its end; see exitCode.
    Exited,       ///< The script called os.exit; see exitCode.
    ScriptError,  ///< An error reached the top; see errorMessage and traceback.
    SyntaxError,  ///< The script did not compile, or could not be opened; nothing ran.
    Stopped,      ///< Stopped on request.
};

enum class Mode : std::uint32_t
{
    Exact = 0,
    Sampling = 1
};
enum class Clock : std::uint32_t
{
    TimeStampCounter = 0,
    Monotonic = 1,
    ThreadCpu = 2
};

/// Bits of Header::limits: what was cut short, so that nothing is missing without a sign.
enum Limit : std::uint32_t
{
    NodeLimit = 1u << 0,   ///< Further paths were folded into nodes of function kind Folded.
    DepthLimit = 1u << 1,  ///< Deeper calls were folded likewise.
    StringLimit = 1u << 2, ///< Some names or source texts are missing.
    DiskFull = 1u << 3,    ///< The file could not grow; recording ended there.
    StackCut = 1u << 4,    ///< A sample's stack was deeper than the sampler walks.
    EventsLost = 1u << 5,  ///< The timeline's ring dropped its oldest events.
};

/// Costs of one hook event in ticks, measured at start; what falls before the hook's clock read is
/// charged to the function that ran, what falls behind it to the function that runs next.
struct Calibration
{
    double luaCallBefore;   ///< Call of a Lua function, charged to its caller.
    double luaCallAfter;    ///< Call of a Lua function, charged to itself.
    double luaReturnBefore; ///< Return of a Lua function, charged to itself.
    double luaReturnAfter;  ///< Return of a Lua function, charged to its caller.
    double cCallBefore;
    double cCallAfter;
    double cReturnBefore;
    double cReturnAfter;
    double fromCExtra; ///< Further cost (mostly negative) of a Lua function called by a C function,
                       ///< to itself.
    double switchCost; ///< Extra cost of one change of coroutine.
    double lineEvent;  ///< One line event, charged to the line.
    double spread;     ///< Relative spread between the programs measured, as a share (0.1 is 10 %).
    double reserved[4];
};

struct Extent
{
    std::uint64_t offset; ///< In the file, in bytes; a multiple of the page size.
    std::uint64_t bytes;
};

struct SectionDirectory
{
    std::uint64_t count; ///< Complete elements; written last (release), read first (acquire).
    std::uint32_t elementBytes; ///< sizeof the record, 1 for bytes.
    std::uint32_t extentCount;
    Extent extents[46]; ///< The section's content is their concatenation.
};

/// The first headerBytes of the file.
struct Header
{
    char magic[8];
    std::uint32_t version;
    std::uint32_t headerBytes;
    std::uint32_t state; ///< State
    std::int32_t exitCode;
    std::uint32_t mode;   ///< Mode
    std::uint32_t clock;  ///< Clock
    std::uint32_t limits; ///< Limit bits
    std::uint32_t processId;
    std::uint32_t options;    ///< Option bits
    std::uint32_t layoutPath; ///< 1: function identity through the layout file, 0: public API.
    double ticksPerSecond;
    std::int64_t startedAtUnixNs; ///< Wall clock at the start.
    std::uint64_t startTicks;
    std::uint64_t endTicks;           ///< 0 while running or after a sudden death.
    std::uint64_t samplingIntervalNs; ///< Asked for; 0 in exact mode.

    // The recorder's own running state: it lives here so that a reader can charge the open
    // interval of a process that died or still runs.
    std::uint64_t lastTicks; ///< Up to here all time is charged.
    std::uint64_t
        currentNodeAddress;     ///< Of the node on top since lastTicks, in the writer's memory.
    std::uint64_t nodesAddress; ///< Of node 0, likewise; the reader makes an index of the two.
    std::uint32_t currentNode;  ///< That index; filled in by the reader only.
    std::uint32_t currentLine;
    std::uint64_t excludedTicks; ///< Time of the recorder's own slow paths, charged to no node.
    std::uint64_t eventCount;    ///< Filled in at the end; 0 before.
    std::uint64_t switchCount;   ///< Changes of coroutine.
    std::uint64_t sampleCount;   ///< Samples taken.
    std::uint64_t missedSamples; ///< Timer signals that found no running Lua state.
    Calibration calibration;
    std::uint64_t calibrationTicks; ///< How long calibrating took, before the start.

    std::uint32_t luaVersion; ///< String reference, as all below.
    std::uint32_t errorMessage;
    std::uint32_t traceback;
    std::uint32_t workingDirectory;

    // Memory of the Lua state, with the memory option.
    std::uint64_t heapPeakBytes;
    std::uint64_t heapFinalBytes;
    std::uint64_t collections;
    std::uint64_t allocatedByType[8][2]; ///< [type][0: blocks, 1: bytes]; AllocationType order.

    // CLOCK_MONOTONIC at startTicks and endTicks, to see whether the clock of the recording kept
    // pace: it does not when the machine slept or moved. 0 when not known.
    std::uint64_t startMonotonicNs;
    std::uint64_t endMonotonicNs;

    std::uint64_t reserved[30];
    SectionDirectory sections[sectionCapacity];
};

/// Bits of Header::options.
enum Option : std::uint32_t
{
    OptionLines = 1u << 0,
    OptionMemory = 1u << 1,
    OptionDurations = 1u << 2,
    OptionTimeline = 1u << 3,
};

enum class AllocationType : std::uint32_t
{
    Other,
    String,
    Table,
    Function,
    Userdata,
    Thread
};

enum class FunctionKind : std::uint8_t
{
    Host = 0, ///< The program that runs Lua; the root node only.
    Main = 1, ///< The main function of a chunk: a file or a loaded string.
    Lua = 2,
    C = 3,
    Folded = 4, ///< Stands for calls that a limit folded together.
};

struct FunctionRecord
{
    std::uint32_t name;         ///< C: "string.format"; otherwise none. String reference.
    std::uint32_t callName;     ///< The name its first caller used, or none. String reference.
    std::uint32_t callNameWhat; ///< "global", "method", "field", "for iterator", …, or none.
    std::uint32_t source;       ///< Index in Sources, or none (C).
    std::int32_t lineDefined;   ///< 0 for a main chunk, -1 for C.
    std::int32_t lastLineDefined;
    std::uint32_t ordinal; ///< How many `function` keywords precede it in its chunk, plus one; 0
                           ///< for the main function; none where the layout path is off.
    FunctionKind kind;
    std::uint8_t parameterCount;
    std::uint8_t isVararg;
    std::uint8_t isStripped; ///< Bytecode without debug information.
};

/// One function reached by one path. `calls` and `selfTicks` change while the program runs.
struct NodeRecord
{
    std::uint32_t parent; ///< Node index, smaller than its own; none for the root.
    std::uint32_t
        function; ///< Function index in the low 31 bits; the top bit: reached by a tail call.
    std::uint64_t calls;
    std::uint64_t selfTicks;
    // The recorder's caches and notes; readers ignore them.
    std::uint64_t cacheKey;      ///< Of the function called last from here.
    std::uint32_t cacheChild;    ///< Its node.
    std::uint32_t cacheTailEdge; ///< Index + 1 of its TailEdgeRecord, 0 when it has none.
    std::uint32_t
        depthAndFlags; ///< Depth (0 for the root) times 2, plus 1 for a node of folded calls.
    // Not a cache: read by everyone.
    std::uint32_t lostReturns; ///< Activations that ended without a return event: errors, os.exit.
};
static_assert(sizeof(NodeRecord) == 48);
inline constexpr std::uint32_t tailCallBit = 1u << 31;

/// Tail calls that came back to a function of their own chain and were counted on its node:
/// `to` has `calls` activations that were tail calls made by `from`.
struct TailEdgeRecord
{
    std::uint32_t from; ///< Node
    std::uint32_t to;   ///< Node
    std::uint64_t calls;
};

enum class SourceKind : std::uint32_t
{
    File,
    String,
    None
};

struct SourceRecord
{
    std::uint32_t
        chunkName; ///< As Lua has it: "@dir/a.lua", "=name", or the head of the text. String ref.
    std::uint32_t path;       ///< Absolute path at the time, File only. String reference or none.
    std::uint64_t textOffset; ///< In SourceText.
    std::uint64_t textBytes;  ///< 0 when the text is not known.
    std::uint64_t hash;       ///< FNV-1a 64 of the text; of the chunk name where there is none.
    SourceKind kind;
    std::uint32_t isComplete; ///< 0: the text was cut at a limit or missing.
};

struct NodeMemoryRecord
{
    std::uint64_t bytes; ///< Allocated while the node was on top (frees are not subtracted).
    std::uint64_t blocks;
};

struct NodeSampleRecord
{
    std::uint64_t selfSamples;
};

/// Costs of one line within one node: as self where the node was on top, as total where a callee
/// was.
struct NodeLineRecord
{
    std::uint32_t node;
    std::int32_t line;
    std::uint64_t hits; ///< Exact: line events. Sampling: samples on top.
    std::uint64_t selfTicks;
    std::uint64_t calleeTicks; ///< Time in functions called from this line.
    std::uint64_t calleeSamples;
};

/// Distribution of the total times of one function's calls; suspended time excluded.
struct DurationRecord
{
    static constexpr std::size_t bucketCount = 128; ///< Two buckets an octave, from 1 tick.
    /// The bucket of a duration: 0 for 1 tick or less, 2 for 2, 3 for 3, 4 for 4 and 5, 5 for 6
    /// and 7, and so on; the higher half of the first octave is empty.
    static constexpr std::size_t bucketOf(std::uint64_t ticks)
    {
        if (ticks < 2)
            return 0;
        const auto octave = static_cast<std::size_t>(std::bit_width(ticks)) - 1;
        return 2 * octave + ((ticks >> (octave - 1)) & 1);
    }
    /// The shortest duration in a bucket; that of `bucketCount` is the longest of all.
    static constexpr std::uint64_t bucketStart(std::size_t bucket)
    {
        if (bucket < 2)
            return bucket + 1;
        if (bucket >= bucketCount)
            return UINT64_MAX;
        return (2 + (bucket & 1)) << (bucket / 2 - 1);
    }
    std::uint64_t count;
    std::uint64_t minimumTicks;
    std::uint64_t maximumTicks;
    std::uint64_t buckets[bucketCount];
};

/// One of the slowest calls of its function; each function has slowCallsPerFunction of them, in the
/// order of functions, fastest of them first. Unused ones have a duration of 0.
struct SlowCallRecord
{
    std::uint32_t node;
    std::uint32_t spare;
    std::uint64_t startTicks;
    std::uint64_t durationTicks;
};
inline constexpr std::uint32_t slowCallsPerFunction = 3;

struct HeapPointRecord
{
    std::uint64_t ticks;
    std::uint64_t bytes;
};

enum class EventKind : std::uint32_t
{
    Call,
    Return,
    Resume,
    Mark
};

struct EventRecord
{
    std::uint64_t ticks;
    std::uint32_t node;
    std::uint32_t threadAndKind; ///< thread * 4 + EventKind
};

struct ThreadRecord
{
    std::uint32_t resumedFrom; ///< Node
    std::uint32_t creator;     ///< Thread index or none
    std::uint64_t firstTicks;
    std::uint64_t lastTicks;
};

struct MarkRecord
{
    std::uint64_t ticks;
    std::uint32_t name; ///< String reference
    std::uint32_t node;
};

static_assert(std::is_trivially_copyable_v<Header>);
static_assert(sizeof(Header) < 65536);
inline constexpr std::size_t headerBytes = 65536;

} // namespace perilune::format
