// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/ProfileBuilder.h"

#include "core/profile/FunctionNames.h"
#include "core/profile/OverheadCorrection.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace perilune {

namespace {

/// Turns one snapshot into a profile, a part at a time.
class ProfileBuilder
{
public:
    ProfileBuilder(const RecordingSnapshot& snapshot, RunInfo run)
        : m_snapshot(snapshot)
        , m_header(snapshot.header)
        , m_nanosecondsPerTick(1e9 / snapshot.header.ticksPerSecond)
    {
        m_profile.run = std::move(run);
    }

    std::shared_ptr<const Profile> build()
    {
        addSources();
        addFunctions();
        addTree();
        addTailEdges();
        addLines();
        addDurations();
        addSlowCalls();
        addHeapCurve();
        describeRun();
        addWarnings();
        return std::make_shared<const Profile>(std::move(m_profile));
    }

private:
    std::uint64_t toNanoseconds(double ticks) const
    {
        const double nanoseconds = ticks * m_nanosecondsPerTick;
        return nanoseconds > 0 && nanoseconds < 9e18
            ? static_cast<std::uint64_t>(std::llround(nanoseconds))
            : 0;
    }
    Duration durationOf(std::uint64_t ticks) const
    {
        return Duration::fromNanoseconds(
            static_cast<std::int64_t>(toNanoseconds(static_cast<double>(ticks))));
    }
    Duration sinceStart(std::uint64_t ticks) const
    {
        return ticks > m_header.startTicks ? durationOf(ticks - m_header.startTicks) : Duration();
    }

    void addSources()
    {
        for (const format::SourceRecord& record : m_snapshot.sources) {
            Source source;
            source.chunkName = m_snapshot.string(record.chunkName);
            source.path = m_snapshot.string(record.path);
            source.text = m_snapshot.sourceText(record);
            source.hash = record.hash;
            source.kind = record.kind;
            source.isComplete = record.isComplete != 0;
            source.label = labelOf(source);
            m_profile.sources.push_back(std::move(source));
        }
        m_definitions.resize(m_profile.sources.size());
        m_hasDefinitions.assign(m_profile.sources.size(), false);
    }
    static std::string labelOf(const Source& source)
    {
        const std::string& name = source.chunkName;
        if (!name.empty() && (name.front() == '@' || name.front() == '='))
            return name.substr(name.compare(1, 2, "./") == 0 && name.size() > 3 ? 3 : 1);
        constexpr std::size_t longest = 60;
        const bool isCut = name.size() > longest || source.text.size() > name.size();
        return "[string \"" + name.substr(0, longest) + (isCut ? "…" : "") + "\"]";
    }

    void addFunctions()
    {
        for (const format::FunctionRecord& record : m_snapshot.functions) {
            Function function;
            function.source = SourceId(record.source);
            function.line = record.lineDefined;
            function.lastLine = record.lastLineDefined;
            function.ordinal = record.ordinal;
            function.kind = record.kind;
            function.isStripped = record.isStripped != 0;
            function.name = nameOf(record);
            m_profile.functions.push_back(std::move(function));
        }
    }
    std::string nameOf(const format::FunctionRecord& record)
    {
        const std::string given(m_snapshot.string(record.name));
        const std::string callName(m_snapshot.string(record.callName));
        switch (record.kind) {
        case FunctionKind::Host:
            return "(interpreter)";
        case FunctionKind::Folded:
            return given.empty() ? "(folded calls)" : given;
        case FunctionKind::C:
            return !given.empty() ? given : !callName.empty() ? callName : "C function";
        case FunctionKind::Main:
            return "main chunk " + sourceLabel(record);
        case FunctionKind::Lua:
            break;
        }
        if (const FunctionDefinition* definition = definitionOf(record);
            definition && !definition->name.empty())
            return definition->name;
        if (!callName.empty() && callName != "?")
            return callName;
        return "function <" + sourceLabel(record) + ":" + std::to_string(record.lineDefined) + ">";
    }
    std::string sourceLabel(const format::FunctionRecord& record) const
    {
        return record.source < m_profile.sources.size() ? m_profile.sources[record.source].label
                                                        : std::string("unknown");
    }
    /// The definition in the source text, by its place in the chunk, else by its lines if only one
    /// has them.
    const FunctionDefinition* definitionOf(const format::FunctionRecord& record)
    {
        if (record.source >= m_profile.sources.size())
            return nullptr;
        std::vector<FunctionDefinition>& definitions = m_definitions[record.source];
        if (!m_hasDefinitions[record.source]) {
            m_hasDefinitions[record.source] = true;
            definitions = findFunctionDefinitions(m_profile.sources[record.source].text);
        }
        return findDefinition(definitions, record.ordinal, record.lineDefined,
                              record.lastLineDefined);
    }

    /// Ticks that the node on top has run for since the last event, when the run has no event at
    /// its end.
    std::uint64_t openTicks() const
    {
        return m_header.endTicks > m_header.lastTicks ? m_header.endTicks - m_header.lastTicks : 0;
    }

    void addTree()
    {
        if (m_snapshot.nodes.empty())
            return;
        const std::vector<double> overhead = recordingOverhead(m_snapshot);
        const bool isSampled = !m_snapshot.nodeSamples.empty();
        std::vector<CallTree::Input> nodes(m_snapshot.nodes.size());
        double removed = 0;
        double clamped = 0;
        for (std::uint32_t index = 0; index < nodes.size(); ++index) {
            const format::NodeRecord& record = m_snapshot.nodes[index];
            CallTree::Input& node = nodes[index];
            node.parent = record.parent;
            node.function = FunctionId(record.function & ~format::tailCallBit);
            node.isTailCall = (record.function & format::tailCallBit) != 0;
            double raw = static_cast<double>(record.selfTicks);
            if (index == m_header.currentNode)
                raw += static_cast<double>(openTicks());
            const double corrected = std::max(0.0, raw - overhead[index]);
            removed += raw - corrected;
            clamped += corrected - (raw - overhead[index]);
            node.self[static_cast<std::size_t>(Metric::RawTime)] = toNanoseconds(raw);
            node.self[static_cast<std::size_t>(Metric::Time)] = toNanoseconds(corrected);
            node.self[static_cast<std::size_t>(Metric::Calls)] = record.calls;
            m_rawTicks += raw;
            if (isSampled)
                node.self[static_cast<std::size_t>(Metric::Samples)] =
                    m_snapshot.nodeSamples[index].selfSamples;
            if (!m_snapshot.nodeMemory.empty()) {
                node.self[static_cast<std::size_t>(Metric::Bytes)] =
                    m_snapshot.nodeMemory[index].bytes;
                node.self[static_cast<std::size_t>(Metric::Blocks)] =
                    m_snapshot.nodeMemory[index].blocks;
            }
        }
        m_profile.tree = CallTree::build(nodes, measuredMetrics(), &m_newIndex);
        describeCorrection(removed, clamped);
    }
    std::uint32_t measuredMetrics() const
    {
        const auto bit = [](Metric metric) { return 1u << static_cast<unsigned>(metric); };
        std::uint32_t measured = bit(Metric::Time) | bit(Metric::RawTime);
        if (m_header.mode == static_cast<std::uint32_t>(format::Mode::Exact))
            measured |= bit(Metric::Calls);
        if (!m_snapshot.nodeSamples.empty())
            measured |= bit(Metric::Samples);
        if (!m_snapshot.nodeMemory.empty())
            measured |= bit(Metric::Bytes) | bit(Metric::Blocks);
        return measured;
    }
    void describeCorrection(double removed, double clamped)
    {
        OverheadCorrection& correction = m_profile.run.correction;
        if (removed <= 0)
            return;
        correction.method = CorrectionMethod::Calibrated;
        correction.removed =
            Duration::fromNanoseconds(static_cast<std::int64_t>(toNanoseconds(removed)));
        correction.clamped =
            Duration::fromNanoseconds(static_cast<std::int64_t>(toNanoseconds(clamped)));
        const double corrected = m_rawTicks - removed;
        correction.estimatedSlowdown = corrected > 0 ? m_rawTicks / corrected : 1.0;
        // What is left wrong is a share of what was removed: the spread of the calibration
        // programs.
        correction.residualShare =
            corrected > 0 ? m_header.calibration.spread * removed / corrected : 0.0;
    }

    NodeId nodeAt(std::uint32_t oldIndex) const { return NodeId(m_newIndex[oldIndex]); }

    void addTailEdges()
    {
        for (const format::TailEdgeRecord& edge : m_snapshot.tailEdges)
            if (edge.calls > 0)
                m_profile.tailEdges.push_back({nodeAt(edge.from), nodeAt(edge.to), edge.calls});
    }
    void addLines()
    {
        for (const format::NodeLineRecord& record : m_snapshot.nodeLines) {
            NodeLine line;
            line.node = nodeAt(record.node);
            line.line = record.line;
            line.hits = record.hits;
            line.selfTime = durationOf(record.selfTicks);
            line.calleeTime = durationOf(record.calleeTicks);
            line.calleeSamples = record.calleeSamples;
            m_profile.lines.push_back(line);
        }
    }

    /// Bounds of a duration bucket in ticks: two buckets an octave, from 1 tick.
    static double bucketBound(std::size_t bucket)
    {
        return std::exp2(static_cast<double>(bucket) / 2);
    }
    static Duration quantile(const DurationStatistics& statistics, double share)
    {
        const double wanted = share * static_cast<double>(statistics.count);
        double before = 0;
        for (const DurationStatistics::Bucket& bucket : statistics.buckets) {
            const auto count = static_cast<double>(bucket.count);
            if (before + count >= wanted) {
                const double within = count > 0 ? (wanted - before) / count : 0;
                const auto lower = static_cast<double>(bucket.lower.nanoseconds());
                const auto upper = static_cast<double>(bucket.upper.nanoseconds());
                const auto value =
                    Duration::fromNanoseconds(std::llround(lower + within * (upper - lower)));
                return std::clamp(value, statistics.minimum, statistics.maximum);
            }
            before += count;
        }
        return statistics.maximum;
    }
    void addDurations()
    {
        for (const format::DurationRecord& record : m_snapshot.durations) {
            DurationStatistics statistics;
            statistics.count = record.count;
            statistics.minimum = durationOf(record.minimumTicks);
            statistics.maximum = durationOf(record.maximumTicks);
            for (std::size_t bucket = 0; bucket < format::DurationRecord::bucketCount; ++bucket) {
                if (record.buckets[bucket] == 0)
                    continue;
                const auto bound = [&](std::size_t index) {
                    return Duration::fromNanoseconds(
                        static_cast<std::int64_t>(toNanoseconds(bucketBound(index))));
                };
                statistics.buckets.push_back(
                    {bound(bucket), bound(bucket + 1), record.buckets[bucket]});
            }
            statistics.median = quantile(statistics, 0.5);
            statistics.percentile95 = quantile(statistics, 0.95);
            m_profile.durations.push_back(std::move(statistics));
        }
    }
    void addSlowCalls()
    {
        for (const format::SlowCallRecord& record : m_snapshot.slowCalls)
            m_profile.slowCalls.push_back({nodeAt(record.node), sinceStart(record.startTicks),
                                           durationOf(record.durationTicks)});
    }
    void addHeapCurve()
    {
        for (const format::HeapPointRecord& record : m_snapshot.heapCurve)
            m_profile.heapCurve.push_back({sinceStart(record.ticks), record.bytes});
    }

    void describeRun()
    {
        RunInfo& run = m_profile.run;
        run.mode = m_header.mode == static_cast<std::uint32_t>(format::Mode::Sampling)
            ? ProfilingMode::Sampling
            : ProfilingMode::Exact;
        const auto clock = static_cast<format::Clock>(m_header.clock);
        run.clock = clock == format::Clock::ThreadCpu ? ClockKind::Cpu : ClockKind::Wall;
        run.clockName = clock == format::Clock::TimeStampCounter ? "time-stamp counter"
            : clock == format::Clock::ThreadCpu                  ? "CLOCK_THREAD_CPUTIME_ID"
                                                                 : "CLOCK_MONOTONIC";
        run.samplingInterval =
            Duration::fromNanoseconds(static_cast<std::int64_t>(m_header.samplingIntervalNs));
        run.hasLines = !m_snapshot.nodeLines.empty();
        run.hasMemory = !m_snapshot.nodeMemory.empty();
        run.hasDurations = !m_snapshot.durations.empty();
        run.hasTimeline = !m_snapshot.events.empty();
        run.luaVersion = m_snapshot.string(m_header.luaVersion);
        if (run.interpreter.empty())
            run.interpreter = run.luaVersion;
        if (run.startedAtUnixMs == 0)
            run.startedAtUnixMs = m_header.startedAtUnixNs / 1000000;
        const std::uint64_t end = std::max(m_header.endTicks, m_header.lastTicks);
        run.wallTime = sinceStart(end);
        run.excludedTime = durationOf(m_header.excludedTicks);
        run.calibrationTime = durationOf(m_header.calibrationTicks);
        run.switchCount = m_header.switchCount;
        run.sampleCount = m_header.sampleCount;
        run.limits = m_header.limits;
        run.heapPeakBytes = m_header.heapPeakBytes;
        run.heapFinalBytes = m_header.heapFinalBytes;
        run.collectionCount = m_header.collections;
        describeOutcome(run);
    }
    void describeOutcome(RunInfo& run) const
    {
        if (run.errorMessage.empty())
            run.errorMessage = m_snapshot.string(m_header.errorMessage);
        if (run.traceback.empty())
            run.traceback = m_snapshot.string(m_header.traceback);
        if (run.status != RunStatus::Running)
            return; // the launcher knows better
        const auto state = static_cast<format::State>(m_header.state);
        switch (state) {
        case format::State::Starting:
        case format::State::Running:
            run.status = RunStatus::Running;
            return;
        case format::State::Finished:
        case format::State::Exited:
            run.status = RunStatus::Done;
            break;
        case format::State::ScriptError:
            run.status = RunStatus::ScriptError;
            break;
        case format::State::SyntaxError:
            run.status = RunStatus::SyntaxError;
            break;
        case format::State::Stopped:
            run.status = RunStatus::Stopped;
            break;
        }
        run.exitCode = m_header.exitCode;
    }

    void addWarnings()
    {
        static constexpr std::pair<std::uint32_t, const char*> texts[] = {
            {format::NodeLimit,
             "The call tree reached its limit of nodes; further paths are folded together. Raise "
             "the limit "
             "to see them."},
            {format::DepthLimit,
             "The call tree reached its limit of depth; deeper calls are folded together. Raise "
             "the limit to "
             "see them."},
            {format::StringLimit,
             "Some names or source texts are missing, because their limit was reached. Raise the "
             "limit."},
            {format::DiskFull,
             "The disk is full: recording ended early, the script went on unrecorded. Free some "
             "space and run "
             "again."},
            {format::StackCut,
             "Some sampled stacks were deeper than is recorded; their outer part is missing."},
            {format::EventsLost, "The timeline is full: its oldest events were dropped."},
        };
        for (const auto& [bit, text] : texts)
            if ((m_header.limits & bit) != 0)
                m_profile.run.warnings.emplace_back(text);
        for (const std::string& problem : m_snapshot.problems)
            m_profile.run.warnings.push_back(problem);
    }

    const RecordingSnapshot& m_snapshot;
    const format::Header& m_header;
    double m_nanosecondsPerTick;
    double m_rawTicks = 0;
    Profile m_profile;
    std::vector<std::uint32_t> m_newIndex; ///< NodeId value by index in the recording.
    std::vector<std::vector<FunctionDefinition>> m_definitions; ///< By source, found when needed.
    std::vector<bool> m_hasDefinitions;
};

} // namespace

std::shared_ptr<const Profile> buildProfile(const RecordingSnapshot& snapshot, RunInfo run)
{
    return ProfileBuilder(snapshot, std::move(run)).build();
}

} // namespace perilune
