// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// qcustomplot.h is written with Qt's keywords, which we build without, and is heavy: include this
// in few .cpp files only.
#include <QObject>

// clang-format off
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef foreach
#undef slots
#undef signals
// clang-format on
