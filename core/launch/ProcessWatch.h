// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

/// What the operating system tells about other processes (Linux: /proc). Where it tells nothing,
/// the answers are false and 0. Callable from every thread.
namespace perilune {

/// Whether the main thread of a process is inside read() on its standard input.
bool isReadingStandardInput(qint64 processId);

/// When a process started, in clock ticks since the machine did; with its id this identifies a
/// process for good, as ids are used again. 0 when there is no such process.
quint64 processStartTime(qint64 processId);

/// Kills a process and everything that descends from it.
void killProcessTree(qint64 processId);

} // namespace perilune
