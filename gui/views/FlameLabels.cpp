// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameLabels.h"

#include <algorithm>

namespace perilune {

namespace {

/// More than fit on a screen; the cache starts anew rather than growing with every zoom.
constexpr qsizetype textLimit = 20'000;
/// Labels of nearly the same width share a text.
constexpr int widthStep = 4;

QString lastPart(const QString& name)
{
    const auto dot =
        std::max(name.lastIndexOf(QLatin1Char('.')), name.lastIndexOf(QLatin1Char(':')));
    const bool isPath = name.contains(QLatin1Char(' ')) || name.contains(QLatin1Char('/'));
    return dot > 0 && dot + 1 < name.size() && !isPath ? name.mid(dot + 1) : name;
}

} // namespace

QString displayName(const Function& function)
{
    QString name = QString::fromStdString(function.name);
    for (QChar& character : name) {
        if (!character.isPrint() && !character.isSurrogate())
            character = QLatin1Char(' ');
    }
    return name;
}

FlameLabels::FlameLabels(std::shared_ptr<const Profile> profile, const QFont& font)
    : m_profile(std::move(profile))
    , m_font(font)
    , m_metrics(font)
{
}

const QStaticText* FlameLabels::find(FunctionId function, int width)
{
    const Name& name = nameOf(function);
    const int usable = std::min(width / widthStep * widthStep, name.wholeWidth);
    const std::uint64_t key = (std::uint64_t(function.value()) << 32) | std::uint32_t(usable);
    const auto known = m_texts.constFind(key);
    if (known != m_texts.cend())
        return known->text().isEmpty() ? nullptr : &*known;
    if (m_texts.size() > textLimit)
        m_texts.clear();
    QStaticText text(cut(name, usable));
    text.setTextFormat(Qt::PlainText);
    text.setPerformanceHint(QStaticText::AggressiveCaching);
    text.prepare({}, m_font);
    const auto made = m_texts.insert(key, text);
    return made->text().isEmpty() ? nullptr : &*made;
}

QString FlameLabels::cut(const Name& name, int width) const
{
    if (name.wholeWidth <= width)
        return name.whole;
    if (name.lastWidth <= width)
        return name.last;
    const QString text = m_metrics.elidedText(name.last, Qt::ElideLeft, width);
    constexpr int ellipsisAndThree = 4;
    return text.size() >= ellipsisAndThree ? text : QString();
}

const FlameLabels::Name& FlameLabels::nameOf(FunctionId function)
{
    const auto known = m_names.constFind(function.value());
    if (known != m_names.cend())
        return *known;
    Name name;
    if (function.value() < m_profile->functions.size())
        name.whole = displayName(m_profile->function(function));
    name.last = lastPart(name.whole);
    name.wholeWidth = m_metrics.horizontalAdvance(name.whole);
    name.lastWidth = m_metrics.horizontalAdvance(name.last);
    return *m_names.insert(function.value(), name);
}

} // namespace perilune
