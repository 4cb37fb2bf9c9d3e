// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/CallDetails.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace perilune {

using format::Section;

namespace {

std::size_t depthOf(const ThreadStack& thread)
{
    return static_cast<std::size_t>(thread.top - thread.frames);
}

/// Two buckets an octave, from 1 tick.
std::size_t bucketOf(std::uint64_t ticks)
{
    const auto octave = static_cast<std::size_t>(std::bit_width(ticks | 1) - 1);
    // The upper half begins at the square root of two times the octave's start.
    const bool isUpper = static_cast<double>(ticks)
        >= static_cast<double>(std::uint64_t(1) << octave) * 1.4142135623730951;
    return std::min<std::size_t>(octave * 2 + (isUpper ? 1 : 0),
                                 format::DurationRecord::bucketCount - 1);
}

} // namespace

CallDetails::CallDetails(RecordingWriter& writer, NodeTree& tree, bool lines, bool durations)
    : m_writer(writer)
    , m_tree(tree)
    , m_lines(writer)
    , m_hasLines(lines)
    , m_hasDurations(durations)
{
    writer.setLimit(Section::Durations, std::uint64_t(1) << 30);
    writer.setLimit(Section::SlowCalls, std::uint64_t(1) << 28);
    m_writer.header().options |=
        (lines ? format::OptionLines : 0u) | (durations ? format::OptionDurations : 0u);
}

CallDetails::Thread& CallDetails::threadOf(const ThreadStack& thread)
{
    if (&thread == m_lastThread)
        return *m_lastDetails;
    std::unique_ptr<Thread>& details = m_threads[&thread];
    if (!details)
        details = std::make_unique<Thread>();
    m_lastThread = &thread;
    m_lastDetails = details.get();
    return *details;
}

CallDetails::Detail& CallDetails::topOf(const ThreadStack& thread)
{
    Thread& details = threadOf(thread);
    const std::size_t depth = depthOf(thread);
    if (details.details.size() <= depth)
        details.details.resize(depth + 1);
    return details.details[depth];
}

void CallDetails::charged(std::uint64_t ticks)
{
    const double own = std::max(0.0, static_cast<double>(ticks) - m_eventCost);
    m_clock += own;
    if (m_line)
        m_line->selfTicks += static_cast<std::uint64_t>(own);
}

void CallDetails::called(const ThreadStack& thread)
{
    Detail& detail = topOf(thread);
    detail = {now(threadOf(thread)), m_writer.header().lastTicks, nullptr};
    m_line = nullptr;
}

void CallDetails::ending(const ThreadStack& thread)
{
    finishCall(threadOf(thread), depthOf(thread), *thread.top);
}

void CallDetails::ended(const ThreadStack& thread)
{
    m_line = topOf(thread).line;
}

void CallDetails::tailCalled(const ThreadStack& thread)
{
    // The caller's line below stays; the activation starts anew for the function that replaced it.
    Detail& detail = topOf(thread);
    detail = {now(threadOf(thread)), m_writer.header().lastTicks, nullptr};
    m_line = nullptr;
}

void CallDetails::finishCall(Thread& thread, std::size_t depth, const Frame& frame)
{
    if (depth == 0 || depth >= thread.details.size())
        return;
    const Detail& detail = thread.details[depth];
    const double ticks = std::max(0.0, now(thread) - detail.start);
    if (format::NodeLineRecord* callerLine = thread.details[depth - 1].line)
        callerLine->calleeTicks += static_cast<std::uint64_t>(ticks);
    if (m_hasDurations && frame.node != m_tree.discarded())
        addDuration(frame.node->function & ~format::tailCallBit, m_tree.indexOf(frame.node), ticks,
                    detail.startTicks);
}

void CallDetails::reachedLine(const ThreadStack& thread, int line)
{
    if (!m_hasLines || line <= 0 || thread.top == thread.frames
        || thread.top->node == m_tree.discarded())
        return;
    Detail& detail = topOf(thread);
    detail.line = m_lines.lineOf(m_tree.indexOf(thread.top->node), line);
    m_line = detail.line;
    if (m_line)
        ++m_line->hits;
}

void CallDetails::unwinding(const ThreadStack& thread, const Frame* frame)
{
    Thread& details = threadOf(thread);
    for (const Frame* lost = thread.top; lost > frame; --lost)
        finishCall(details, static_cast<std::size_t>(lost - thread.frames), *lost);
    const auto depth = static_cast<std::size_t>(frame - thread.frames);
    m_line = depth < details.details.size() ? details.details[depth].line : nullptr;
}

void CallDetails::switched(const ThreadStack* from, bool fromIsSuspended, const ThreadStack& to)
{
    if (from && fromIsSuspended) {
        Thread& left = threadOf(*from);
        left.isSuspended = true;
        left.suspendedSince = m_clock;
    }
    Thread& entered = threadOf(to);
    if (entered.isSuspended)
        entered.suspended += m_clock - entered.suspendedSince;
    entered.isSuspended = false;
    m_line = topOf(to).line;
}

void CallDetails::forgotten(const ThreadStack& thread)
{
    m_threads.erase(&thread);
    if (m_lastThread == &thread)
        m_lastThread = nullptr;
}

void CallDetails::addDuration(std::uint32_t function, std::uint32_t node, double ticks,
                              std::uint64_t startTicks)
{
    std::uint64_t count = m_writer.count(Section::Durations);
    if (function >= count) {
        // As long as the list of functions, so that the index is the function's.
        const std::uint64_t wanted = m_writer.count(Section::Functions);
        if (!m_writer.reserve(Section::Durations, wanted)
            || !m_writer.reserve(Section::SlowCalls, wanted * format::slowCallsPerFunction)) {
            m_hasDurations = false;
            m_writer.header().limits |= format::StringLimit;
            return;
        }
        m_writer.publish(Section::SlowCalls, wanted * format::slowCallsPerFunction);
        m_writer.publish(Section::Durations, wanted);
    }
    auto& record = m_writer.data<format::DurationRecord>(Section::Durations)[function];
    const auto whole = static_cast<std::uint64_t>(std::llround(ticks));
    record.minimumTicks = record.count == 0 ? whole : std::min(record.minimumTicks, whole);
    record.maximumTicks = std::max(record.maximumTicks, whole);
    ++record.count;
    ++record.buckets[bucketOf(whole)];
    addSlowCall(function, {node, 0, startTicks, std::max<std::uint64_t>(whole, 1)});
}

void CallDetails::addSlowCall(std::uint32_t function, const format::SlowCallRecord& call)
{
    auto* slowest = m_writer.data<format::SlowCallRecord>(Section::SlowCalls)
        + std::size_t(function) * format::slowCallsPerFunction;
    if (call.durationTicks <= slowest[0].durationTicks)
        return;
    slowest[0] = call;
    for (std::uint32_t slot = 1; slot < format::slowCallsPerFunction; ++slot)
        if (slowest[slot - 1].durationTicks > slowest[slot].durationTicks)
            std::swap(slowest[slot - 1], slowest[slot]);
}

} // namespace perilune
