// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/LineTable.h"
#include "core/recorder/NodeTree.h"
#include "core/recorder/ThreadStack.h"
#include "core/recording/RecordingWriter.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace perilune {

/// What exact mode records on demand beyond counts and times: lines, and the durations of calls.
///
/// Kept apart from CallTreeRecorder so that runs without these options pay nothing for them. Each
/// coroutine has a stack of details beside its shadow stack. Durations are measured on a clock that
/// leaves out what recording costs (an average per event) and, per coroutine, the time it was
/// suspended.
class CallDetails
{
public:
    CallDetails(RecordingWriter& writer, NodeTree& tree, bool lines, bool durations);

    /// The average cost of one event in ticks, taken out of durations and lines.
    void setEventCost(double ticks) { m_eventCost = ticks; }
    bool hasLines() const { return m_hasLines; }

    /// `ticks` have been charged to the running node.
    void charged(std::uint64_t ticks);
    void called(const ThreadStack& thread);
    /// The topmost activation is about to be popped or, at a tail call, replaced.
    void ending(const ThreadStack& thread);
    void ended(const ThreadStack& thread);
    void tailCalled(const ThreadStack& thread);
    void reachedLine(const ThreadStack& thread, int line);
    /// Activations above `frame` are about to be popped without events.
    void unwinding(const ThreadStack& thread, const Frame* frame);
    void switched(const ThreadStack* from, bool fromIsSuspended, const ThreadStack& to);
    void forgotten(const ThreadStack& thread);

private:
    struct Detail
    {
        double start = 0; ///< On the thread's own clock.
        std::uint64_t startTicks = 0;
        format::NodeLineRecord* line = nullptr;
    };
    struct Thread
    {
        std::vector<Detail> details{1}; ///< One per frame.
        double suspended = 0;
        double suspendedSince = 0;
        bool isSuspended = false;
    };

    Thread& threadOf(const ThreadStack& thread);
    Detail& topOf(const ThreadStack& thread);
    double now(const Thread& thread) const { return m_clock - thread.suspended; }
    void finishCall(Thread& thread, std::size_t depth, const Frame& frame);
    void addDuration(std::uint32_t function, std::uint32_t node, double ticks,
                     std::uint64_t startTicks);
    void addSlowCall(std::uint32_t function, const format::SlowCallRecord& call);

    RecordingWriter& m_writer;
    NodeTree& m_tree;
    LineTable m_lines;
    bool m_hasLines;
    bool m_hasDurations;
    double m_eventCost = 0;
    double m_clock = 0;                       ///< Ticks charged so far, without the cost of events.
    format::NodeLineRecord* m_line = nullptr; ///< Of the running activation.
    const ThreadStack* m_lastThread = nullptr;
    Thread* m_lastDetails = nullptr;
    std::unordered_map<const ThreadStack*, std::unique_ptr<Thread>> m_threads;
};

} // namespace perilune
