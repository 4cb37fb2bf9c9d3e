// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <QFont>
#include <QFontMetrics>
#include <QHash>
#include <QStaticText>

#include <memory>

namespace perilune {

/// A function's name on one line, for the screen.
QString displayName(const Function& function);

/// The names of functions cut to the width of their frames, kept so that a repaint measures no
/// text.
class FlameLabels
{
public:
    explicit FlameLabels(std::shared_ptr<const Profile> profile, const QFont& font);

    /// The name within `width` pixels: whole, else its last part ("next" of "Parser:next"), else
    /// that part without its beginning. Null when fewer than three characters fit. Stays valid
    /// until the next call.
    const QStaticText* find(FunctionId function, int width);
    int ascent() const { return m_metrics.ascent(); }
    int textHeight() const { return m_metrics.height(); }
    const QFont& font() const { return m_font; }
    int widthOf(const QString& text) const { return m_metrics.horizontalAdvance(text); }

private:
    struct Name
    {
        QString whole;
        QString last;
        int wholeWidth = 0;
        int lastWidth = 0;
    };

    const Name& nameOf(FunctionId function);
    QString cut(const Name& name, int width) const;

    std::shared_ptr<const Profile> m_profile;
    QFont m_font;
    QFontMetrics m_metrics;
    QHash<std::uint32_t, Name> m_names;
    QHash<std::uint64_t, QStaticText> m_texts;
};

} // namespace perilune
