// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

// QScintilla's headers are written with Qt's lower-case keywords, which we compile without.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexerlua.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#undef signals
#undef slots
