// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <sys/types.h>

namespace perilune {

/// Wakes up once an interval and makes one thread of the process take a sample.
///
/// A running thread gets a signal. One that sleeps in a system call does not, since the call could
/// fail with EINTR: instead `armSleeping` is called in the ticker's own thread. A thread of ours
/// that sleeps and signals was measured to cost the sampled thread about half of what a POSIX timer
/// costs.
class Ticker
{
public:
    /// The signal that is sent; its handler is the caller's.
    static int signalNumber();

    /// What the ticker calls; both run in its own thread.
    class Target
    {
    public:
        virtual ~Target() = default;
        /// Whether a sample is wanted and not already on its way.
        virtual bool wantsTick() = 0;
        /// The thread sleeps in a system call, as far as can be told.
        virtual void armSleeping() = 0;
    };

    Ticker() = default;
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;
    ~Ticker() { stop(); }

    /// Starts ticking for the calling thread. False when no thread could be started.
    bool start(std::chrono::nanoseconds interval, Target& target);
    void stop();

private:
    static void* threadMain(void* ticker);
    void loop();
    bool isAsleep() const;

    std::atomic<bool> m_isStopping = false;
    bool m_isRunning = false;
    std::chrono::nanoseconds m_interval{};
    Target* m_target = nullptr;
    pthread_t m_thread{};
    pthread_t m_sampled{};
    int m_stateFile = -1; ///< /proc/self/task/TID/stat of the sampled thread.
};

} // namespace perilune
