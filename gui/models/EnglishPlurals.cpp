// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/EnglishPlurals.h"

#include <QRegularExpression>

namespace perilune {

QString EnglishPlurals::translate(const char*, const char* sourceText, const char*, int n) const
{
    if (n < 0)
        return {}; // Not a text with a number.
    static const QRegularExpression ending(QStringLiteral("\\((e?s)\\)"));
    QString text = QString::fromUtf8(sourceText);
    return text.replace(ending, n == 1 ? QString() : QStringLiteral("\\1"));
}

} // namespace perilune
