// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FlameLayout.h"
#include "core/profile/Profile.h"
#include "gui/models/NumberFormat.h"

#include <QCoreApplication>
#include <QString>

namespace perilune {

/// Says in words what a frame, or a run of small frames, of a flame graph is and what it costs.
class FlameDescriber
{
    Q_DECLARE_TR_FUNCTIONS(perilune::FlameDescriber)
public:
    FlameDescriber(const Profile& profile, const FlameLayout& layout, TimeUnit unit);

    /// "Parser:next · lib/parser.lua:12 · self 1.2 ms (3.4 %) · total …": one line.
    QString line(const FlameSpan& span) const;
    /// The same as rich text on several lines, with exact values.
    QString toolTip(const FlameSpan& span) const;
    /// What the whole graph shows: "12,345 frames, 45 levels, 1.284 s".
    QString summary() const;

private:
    QString lineOfFrame(NodeId node) const;
    QString lineOfRun(const FlameSpan& span) const;
    QStringList costs(NodeId node) const;
    QString cost(const QString& title, std::uint64_t value) const;
    QString exactText(std::uint64_t value) const;
    QString share(std::uint64_t value) const;

    const Profile& m_profile;
    const FlameLayout& m_layout;
    TimeUnit m_unit;
};

} // namespace perilune
