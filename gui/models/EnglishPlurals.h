// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace perilune {

/// Gives the source texts their plural forms, so that English needs no translation file: "%n
/// run(s)" becomes "1 run" or "%n runs", "match(es)" becomes "match" or "matches". To be installed
/// first, so that a real translation comes before it.
class EnglishPlurals : public QTranslator
{
    Q_OBJECT
public:
    using QTranslator::QTranslator;

    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* sourceText, const char* disambiguation,
                      int n) const override;
};

} // namespace perilune
