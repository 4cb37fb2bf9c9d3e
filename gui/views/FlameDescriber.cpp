// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameDescriber.h"

#include "gui/views/FlameLabels.h"

namespace perilune {

namespace {

const QString separator = QStringLiteral("  ·  ");

} // namespace

FlameDescriber::FlameDescriber(const Profile& profile, const FlameLayout& layout, TimeUnit unit)
    : m_profile(profile)
    , m_layout(layout)
    , m_unit(unit)
{
}

QString FlameDescriber::line(const FlameSpan& span) const
{
    return span.isMerged && span.barCount > 1 ? lineOfRun(span)
                                              : lineOfFrame(m_layout.node(span.firstBar));
}

QString FlameDescriber::lineOfRun(const FlameSpan& span) const
{
    std::uint64_t weight = 0;
    for (std::uint32_t bar = span.firstBar; bar < span.firstBar + span.barCount; ++bar)
        weight += m_layout.widthOf(bar);
    return tr("%Ln small frame(s)", nullptr, static_cast<int>(span.barCount)) + separator
        + cost(tr("together"), weight) + separator + tr("double-click to zoom in");
}

QString FlameDescriber::lineOfFrame(NodeId node) const
{
    const FunctionId id = m_layout.tree().function(node);
    if (id.value() >= m_profile.functions.size())
        return costs(node).join(separator);
    const Function& function = m_profile.function(id);
    QStringList parts{displayName(function)};
    const QString location = QString::fromStdString(m_profile.location(function));
    if (!location.isEmpty())
        parts << location;
    return (parts + costs(node)).join(separator);
}

QStringList FlameDescriber::costs(NodeId node) const
{
    const CallTree& tree = m_layout.tree();
    const Metric metric = m_layout.metric();
    QStringList parts{cost(tr("self"), tree.self(metric, node)),
                      cost(tr("total"), tree.total(metric, node))};
    const std::uint64_t calls = tree.callCount(node);
    if (metric == Metric::Calls || calls == 0)
        return parts;
    parts << tr("%Ln call(s)", nullptr, static_cast<int>(std::min<std::uint64_t>(calls, INT_MAX)));
    const bool isTime = metric == Metric::Time || metric == Metric::RawTime;
    if (isTime)
        parts << tr("mean %1").arg(formatMetric(metric, tree.total(metric, node) / calls, m_unit));
    return parts;
}

QString FlameDescriber::cost(const QString& title, std::uint64_t value) const
{
    return tr("%1 %2 (%3)")
        .arg(title, formatMetric(m_layout.metric(), value, m_unit), share(value));
}

QString FlameDescriber::share(std::uint64_t value) const
{
    return formatPercent(static_cast<double>(value) / static_cast<double>(m_layout.wholeWidth()));
}

QString FlameDescriber::exactText(std::uint64_t value) const
{
    switch (m_layout.metric()) {
    case Metric::Time:
    case Metric::RawTime:
        return formatExactDuration(Duration::fromNanoseconds(static_cast<std::int64_t>(value)));
    case Metric::Bytes:
        return tr("%1 bytes").arg(formatCount(value));
    default:
        return formatCount(value);
    }
}

QString FlameDescriber::toolTip(const FlameSpan& span) const
{
    if (span.isMerged && span.barCount > 1)
        return lineOfRun(span).toHtmlEscaped();
    const NodeId node = m_layout.node(span.firstBar);
    const CallTree& tree = m_layout.tree();
    const QStringList parts = lineOfFrame(node).split(separator);
    const Metric metric = m_layout.metric();
    QString text =
        QStringLiteral("<p style=\"white-space:pre\"><b>%1</b>").arg(parts[0].toHtmlEscaped());
    for (qsizetype i = 1; i < parts.size(); ++i)
        text += QStringLiteral("<br>") + parts[i].toHtmlEscaped();
    text += QStringLiteral("<br>")
        + tr("exactly: self %1, total %2")
              .arg(exactText(tree.self(metric, node)), exactText(tree.total(metric, node)))
              .toHtmlEscaped();
    if (tree.isTailCall(node))
        text += QStringLiteral("<br>") + tr("reached by a tail call");
    return text + QStringLiteral("</p>");
}

QString FlameDescriber::summary() const
{
    if (m_layout.barCount() == 0)
        return {};
    QString text = tr("%Ln frame(s)", nullptr, static_cast<int>(m_layout.barCount())) + separator
        + tr("%Ln level(s)", nullptr, static_cast<int>(m_layout.levelCount())) + separator
        + metricTitle(m_layout.metric()) + QLatin1Char(' ')
        + formatMetric(m_layout.metric(), m_layout.wholeWidth(), m_unit);
    if (m_layout.leftOutCount() > 0) {
        text += separator
            + tr("%Ln path(s) that weigh nothing are not drawn", nullptr,
                 static_cast<int>(m_layout.leftOutCount()));
    }
    return text;
}

} // namespace perilune
