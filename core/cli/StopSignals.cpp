// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/StopSignals.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace perilune::cli {

namespace {

/// Where the handler writes; a handler can reach nothing but globals.
volatile sig_atomic_t s_requestEnd = -1;

void requestStop(int)
{
    const int savedError = errno;
    const char byte = 0;
    (void)!::write(s_requestEnd, &byte, 1);
    errno = savedError;
}

/// A handler, unlike SIG_IGN, is not inherited by the script.
void leaveToScript(int) { }

void setHandler(int signal, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

/// A signal that we were started to ignore, as nohup does, stays ignored for the script too.
bool isIgnored(int signal)
{
    struct sigaction action = {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

StopSignals::StopSignals(QObject* parent)
    : QObject(parent)
{
    if (::pipe2(m_pipe.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
        s_requestEnd = m_pipe[1];
        m_notifier = std::make_unique<QSocketNotifier>(m_pipe[0], QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &StopSignals::takeRequest);
        for (const int signal : {SIGTERM, SIGHUP}) {
            if (!isIgnored(signal))
                setHandler(signal, requestStop);
        }
    }
    for (const int signal : {SIGINT, SIGQUIT}) {
        if (!isIgnored(signal))
            setHandler(signal, leaveToScript);
    }
}

StopSignals::~StopSignals()
{
    for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) {
        if (!isIgnored(signal))
            setHandler(signal, SIG_DFL);
    }
    m_notifier.reset();
    s_requestEnd = -1;
    for (const int end : m_pipe) {
        if (end >= 0)
            ::close(end);
    }
}

void StopSignals::takeRequest()
{
    char byte = 0;
    (void)!::read(m_pipe[0], &byte, 1);
    Q_EMIT stopRequested();
}

} // namespace perilune::cli
