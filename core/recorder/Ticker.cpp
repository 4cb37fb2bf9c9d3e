// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/Ticker.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace perilune {

namespace {

constexpr long nanosecondsPerSecond = 1000000000;

void addNanoseconds(timespec& time, long nanoseconds)
{
    time.tv_nsec += nanoseconds;
    time.tv_sec += time.tv_nsec / nanosecondsPerSecond;
    time.tv_nsec %= nanosecondsPerSecond;
}

bool isBefore(const timespec& a, const timespec& b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

} // namespace

int Ticker::signalNumber()
{
    // Not one that scripts or libraries use for themselves.
    return SIGRTMIN + 7;
}

bool Ticker::start(std::chrono::nanoseconds interval, Target& target)
{
    m_interval = interval;
    m_target = &target;
    m_sampled = ::pthread_self();
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%ld/stat", ::syscall(SYS_gettid));
    m_stateFile = ::open(path, O_RDONLY | O_CLOEXEC);
    // The thread takes no signals: they are for the program's own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    m_isRunning = ::pthread_create(&m_thread, nullptr, threadMain, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return m_isRunning;
}

void Ticker::stop()
{
    if (m_isRunning) {
        m_isStopping = true;
        ::pthread_join(m_thread, nullptr);
        m_isRunning = false;
    }
    if (m_stateFile >= 0)
        ::close(m_stateFile);
    m_stateFile = -1;
}

void* Ticker::threadMain(void* ticker)
{
    static_cast<Ticker*>(ticker)->loop();
    return nullptr;
}

void Ticker::loop()
{
    timespec next;
    ::clock_gettime(CLOCK_MONOTONIC, &next);
    std::uint32_t random = 2463534242u;
    while (!m_isStopping) {
        // Intervals vary by a quarter each way, so that no rhythm of the program is in step with
        // them.
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        const auto interval = static_cast<double>(m_interval.count());
        addNanoseconds(next, static_cast<long>(interval * (0.75 + 0.5 * random / 4294967296.0)));
        timespec now;
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        if (isBefore(next, now))
            next = now; // ticks that were missed are not made up for
        while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr) != 0) { }
        if (m_isStopping || !m_target->wantsTick())
            continue;
        if (isAsleep())
            m_target->armSleeping();
        else
            ::pthread_kill(m_sampled, signalNumber());
    }
}

bool Ticker::isAsleep() const
{
    char text[128];
    const ssize_t count = m_stateFile >= 0 ? ::pread(m_stateFile, text, sizeof text - 1, 0) : 0;
    if (count <= 0)
        return false;
    text[count] = '\0';
    // "pid (name) state …", where the name may hold anything but is short.
    const char* name = std::strrchr(text, ')');
    return name && name[1] == ' ' && (name[2] == 'S' || name[2] == 'D');
}

} // namespace perilune
