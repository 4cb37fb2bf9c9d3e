// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/FunctionFilter.h"

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

std::optional<QRegularExpression> patternIn(const QString& text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.size() < 3 || !trimmed.startsWith(QLatin1Char('/'))
        || !trimmed.endsWith(QLatin1Char('/')))
        return {};
    return QRegularExpression(trimmed.mid(1, trimmed.size() - 2),
                              QRegularExpression::CaseInsensitiveOption
                                  | QRegularExpression::UseUnicodePropertiesOption);
}

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

SourceId sourceLabelled(const Profile& profile, const std::string& label)
{
    for (std::uint32_t index = 0; index < profile.sources.size(); ++index) {
        if (profile.sources[index].label == label)
            return SourceId(index);
    }
    return {};
}

} // namespace

bool FunctionFilter::isActive() const
{
    return *this != FunctionFilter();
}

QString FunctionFilter::problem() const
{
    const std::optional<QRegularExpression> pattern = patternIn(text);
    return pattern && !pattern->isValid() ? pattern->errorString() : QString();
}

std::string caseFolded(std::string_view text)
{
    if (!isAscii(text))
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))
            .toCaseFolded()
            .toStdString();
    std::string folded(text);
    for (char& c : folded) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return folded;
}

FunctionSearchText::FunctionSearchText(const Profile& profile, const FunctionTable& table)
{
    m_ends.reserve(table.rows().size());
    for (const FunctionCosts& costs : table.rows()) {
        const Function& function = profile.function(costs.function);
        m_text += caseFolded(function.name);
        m_text += ' ';
        m_text += caseFolded(profile.location(function));
        m_ends.push_back(m_text.size());
    }
}

std::string_view FunctionSearchText::row(std::size_t index) const
{
    const std::size_t begin = index == 0 ? 0 : m_ends[index - 1];
    return std::string_view(m_text).substr(begin, m_ends[index] - begin);
}

FunctionMatcher::FunctionMatcher(const FunctionFilter& filter, const Profile& profile,
                                 const FunctionTable& table, const FunctionSearchText& searchText)
    : m_profile(profile)
    , m_table(table)
    , m_searchText(searchText)
    , m_kind(filter.kind)
{
    m_pattern = patternIn(filter.text);
    if (m_pattern && !m_pattern->isValid())
        m_pattern.reset();
    else if (!m_pattern) {
        const QStringList words =
            filter.text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const QString& word : words)
            m_words.push_back(caseFolded(word.toStdString()));
    }
    if (!filter.file.isEmpty())
        m_source = sourceLabelled(profile, filter.file.toStdString());
    m_minimumTotal = static_cast<std::uint64_t>(std::ceil(
        std::max(filter.minimumShare, 0.0) * static_cast<double>(table.sum(Metric::Time))));
}

bool FunctionMatcher::matches(std::size_t row) const
{
    const FunctionCosts& costs = m_table.rows()[row];
    if (costs.total[static_cast<std::size_t>(Metric::Time)] < m_minimumTotal)
        return false;
    const Function& function = m_profile.function(costs.function);
    if (m_kind && function.kind != *m_kind)
        return false;
    if (m_source && (!m_source->isValid() || function.source != *m_source))
        return false;
    return matchesText(row);
}

bool FunctionMatcher::matchesText(std::size_t row) const
{
    if (m_words.empty() && !m_pattern)
        return true;
    const std::string_view text = m_searchText.row(row);
    if (m_pattern)
        return m_pattern->match(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())))
            .hasMatch();
    return std::all_of(m_words.begin(), m_words.end(), [text](const std::string& word) {
        return text.find(word) != std::string_view::npos;
    });
}

std::vector<std::uint8_t> functionsMatching(const QString& text, const Profile& profile,
                                            const FunctionTable& table)
{
    FunctionFilter filter;
    filter.text = text.trimmed();
    if (filter.text.isEmpty() || !filter.problem().isEmpty())
        return {};
    const FunctionSearchText searchText(profile, table);
    const FunctionMatcher matcher(filter, profile, table, searchText);
    std::vector<std::uint8_t> isMatch(profile.functions.size());
    for (std::size_t row = 0; row < table.rows().size(); ++row)
        isMatch[table.rows()[row].function.value()] = matcher.matches(row);
    return isMatch;
}

} // namespace perilune
