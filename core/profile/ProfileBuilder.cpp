// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/ProfileBuilder.h"

#include "core/profile/CallDurations.h"
#include "core/profile/OverheadCorrection.h"
#include "core/profile/RecordedFunctions.h"
#include "core/profile/RecordedSources.h"
#include "core/profile/RunDescription.h"
#include "core/profile/TickScale.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace perilune {

namespace {

/// A reference run that asks for more than this was disturbed by something else.
constexpr double largestReferenceScale = 2.0;

constexpr std::uint32_t bitOf(Metric metric)
{
    return 1u << static_cast<unsigned>(metric);
}

std::uint64_t& figure(CallTree::Input& node, Metric metric)
{
    return node.self[static_cast<std::size_t>(metric)];
}

/// Turns one snapshot into a profile, a part at a time.
class ProfileBuilder
{
public:
    ProfileBuilder(const RecordingSnapshot& snapshot, RunInfo run)
        : m_snapshot(snapshot)
        , m_header(snapshot.header)
        , m_scale(snapshot.header)
    {
        m_profile.run = std::move(run);
    }

    std::shared_ptr<const Profile> build()
    {
        describeRun(m_snapshot, m_profile.run);
        m_profile.sources = recordedSources(m_snapshot, m_profile.run.workingDirectory);
        m_profile.functions = recordedFunctions(m_snapshot, m_profile.sources);
        if (!m_snapshot.nodes.empty() && !m_profile.functions.empty())
            addTree();
        addTailEdges();
        addLines();
        addDurations();
        addSlowCalls();
        addHeapCurve();
        return std::make_shared<const Profile>(std::move(m_profile));
    }

private:
    void addTree()
    {
        std::vector<CallTree::Input> nodes(m_snapshot.nodes.size());
        for (std::uint32_t index = 0; index < nodes.size(); ++index)
            nodes[index] = nodeFrom(index);
        correctTimes(nodes);
        m_profile.tree = CallTree::build(nodes, measuredMetrics(), &m_newIndex);
    }
    CallTree::Input nodeFrom(std::uint32_t index) const
    {
        const format::NodeRecord& record = m_snapshot.nodes[index];
        CallTree::Input node;
        node.parent = record.parent;
        node.function = FunctionId(record.function & ~format::tailCallBit);
        if (node.function.value() >= m_profile.functions.size())
            node.function = FunctionId(0);
        node.isTailCall = (record.function & format::tailCallBit) != 0;
        figure(node, Metric::RawTime) = m_scale.nanoseconds(rawTicks(index));
        figure(node, Metric::Calls) = record.calls;
        if (index < m_snapshot.nodeSamples.size())
            figure(node, Metric::Samples) = m_snapshot.nodeSamples[index].selfSamples;
        if (index < m_snapshot.nodeMemory.size()) {
            figure(node, Metric::Bytes) = m_snapshot.nodeMemory[index].bytes;
            figure(node, Metric::Blocks) = m_snapshot.nodeMemory[index].blocks;
        }
        return node;
    }
    /// What the clock showed, with the time since the last event on the node that was on top then:
    /// a process that was killed has no event at its end.
    double rawTicks(std::uint32_t index) const
    {
        auto ticks = static_cast<double>(m_snapshot.nodes[index].selfTicks);
        if (index == m_header.currentNode && m_header.endTicks > m_header.lastTicks)
            ticks += static_cast<double>(m_header.endTicks - m_header.lastTicks);
        return ticks;
    }
    std::uint32_t measuredMetrics() const
    {
        std::uint32_t measured = bitOf(Metric::Time) | bitOf(Metric::RawTime);
        if (m_header.mode == static_cast<std::uint32_t>(format::Mode::Exact))
            measured |= bitOf(Metric::Calls);
        if (!m_snapshot.nodeSamples.empty())
            measured |= bitOf(Metric::Samples);
        if (!m_snapshot.nodeMemory.empty())
            measured |= bitOf(Metric::Bytes) | bitOf(Metric::Blocks);
        return measured;
    }

    /// Takes the recorder's own cost out of each node's time, as far as there is any.
    void correctTimes(std::vector<CallTree::Input>& nodes)
    {
        const std::vector<double> overhead =
            isWhole() ? recordingOverhead(m_snapshot) : std::vector<double>(nodes.size(), 0.0);
        const double scale = referenceScale(overhead);
        double rawSum = 0;
        double correctedSum = 0;
        double clamped = 0;
        for (std::uint32_t index = 0; index < nodes.size(); ++index) {
            const double raw = rawTicks(index);
            const double cost = std::isfinite(overhead[index]) ? overhead[index] * scale : 0.0;
            const double corrected = std::max(0.0, raw - cost);
            figure(nodes[index], Metric::Time) = m_scale.nanoseconds(corrected);
            rawSum += raw;
            correctedSum += corrected;
            clamped += corrected - (raw - cost);
        }
        describeCorrection(rawSum, correctedSum, clamped);
    }
    /// What the calibrated costs have to be multiplied with, so that the corrected times add up to
    /// the reference run; 1 without one. A run faster than its reference has nothing to correct.
    double referenceScale(const std::vector<double>& overhead) const
    {
        const auto reference = static_cast<double>(m_profile.run.referenceTime.nanoseconds());
        const double calibrated = std::accumulate(overhead.begin(), overhead.end(), 0.0);
        if (reference <= 0 || !(calibrated > 0) || !std::isfinite(calibrated))
            return 1.0;
        double raw = 0;
        for (std::uint32_t index = 0; index < m_snapshot.nodes.size(); ++index)
            raw += rawTicks(index);
        const double referenceTicks = reference / m_scale.nanosecondsPerTick();
        return std::clamp((raw - referenceTicks) / calibrated, 0.0, largestReferenceScale);
    }
    /// Whether all indices lead inside the arrays, as they do after the reader.
    bool isWhole() const
    {
        const auto& nodes = m_snapshot.nodes;
        for (std::size_t index = 0; index < nodes.size(); ++index)
            if ((index > 0 && nodes[index].parent >= index)
                || (nodes[index].function & ~format::tailCallBit) >= m_snapshot.functions.size())
                return false;
        return std::all_of(m_snapshot.tailEdges.begin(), m_snapshot.tailEdges.end(),
                           [&nodes](const format::TailEdgeRecord& edge) {
                               return edge.from < nodes.size() && edge.to < nodes.size();
                           });
    }
    void describeCorrection(double rawSum, double correctedSum, double clamped)
    {
        const double removed = rawSum - correctedSum;
        if (!(removed > 0) || !(correctedSum > 0))
            return;
        OverheadCorrection& correction = m_profile.run.correction;
        correction.method = m_profile.run.referenceTime > Duration()
            ? CorrectionMethod::ReferenceRun
            : CorrectionMethod::Calibrated;
        correction.removed = m_scale.duration(removed);
        correction.clamped = m_scale.duration(clamped);
        correction.estimatedSlowdown = rawSum / correctedSum;
        // What is left wrong is a share of what was removed, as large as the programs that the
        // calibration ran differ from one another.
        const double spread = m_header.calibration.spread;
        if (std::isfinite(spread) && spread > 0)
            correction.residualShare = spread * removed / correctedSum;
    }

    bool isNode(std::uint32_t index) const { return index < m_newIndex.size(); }
    NodeId nodeAt(std::uint32_t index) const { return NodeId(m_newIndex[index]); }

    void addTailEdges()
    {
        for (const format::TailEdgeRecord& edge : m_snapshot.tailEdges)
            if (edge.calls > 0 && isNode(edge.from) && isNode(edge.to))
                m_profile.tailEdges.push_back({nodeAt(edge.from), nodeAt(edge.to), edge.calls});
    }
    void addLines()
    {
        for (const format::NodeLineRecord& record : m_snapshot.nodeLines) {
            if (!isNode(record.node))
                continue;
            NodeLine line;
            line.node = nodeAt(record.node);
            line.line = record.line;
            line.hits = record.hits;
            line.selfTime = m_scale.duration(record.selfTicks);
            line.calleeTime = m_scale.duration(record.calleeTicks);
            line.calleeSamples = record.calleeSamples;
            m_profile.lines.push_back(line);
        }
    }
    void addDurations()
    {
        for (const format::DurationRecord& record : m_snapshot.durations)
            m_profile.durations.push_back(summarizeDurations(record, m_scale));
        if (!m_profile.durations.empty())
            m_profile.durations.resize(m_profile.functions.size());
    }
    void addSlowCalls()
    {
        for (const format::SlowCallRecord& record : m_snapshot.slowCalls)
            if (isNode(record.node))
                m_profile.slowCalls.push_back({nodeAt(record.node),
                                               m_scale.sinceStart(record.startTicks),
                                               m_scale.duration(record.durationTicks)});
    }
    void addHeapCurve()
    {
        for (const format::HeapPointRecord& record : m_snapshot.heapCurve)
            m_profile.heapCurve.push_back({m_scale.sinceStart(record.ticks), record.bytes});
    }

    const RecordingSnapshot& m_snapshot;
    const format::Header& m_header;
    TickScale m_scale;
    Profile m_profile;
    std::vector<std::uint32_t> m_newIndex; ///< NodeId value by index in the recording.
};

} // namespace

std::shared_ptr<const Profile> buildProfile(const RecordingSnapshot& snapshot, RunInfo run)
{
    return ProfileBuilder(snapshot, std::move(run)).build();
}

} // namespace perilune
