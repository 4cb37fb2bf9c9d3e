// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/FunctionFilter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune {

namespace {

QRegularExpression patternOf(const SearchTerm& term)
{
    return QRegularExpression(QString::fromStdString(term.text),
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
    for (const SearchTerm& term : parseSearchText(text.toStdString())) {
        const QRegularExpression pattern = term.isPattern ? patternOf(term) : QRegularExpression();
        if (!pattern.isValid())
            return pattern.errorString();
    }
    return {};
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
    for (const SearchTerm& term : parseSearchText(filter.text.toStdString()))
        addTerm(term);
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

/// A pattern that is not valid yet keeps everything.
void FunctionMatcher::addTerm(const SearchTerm& term)
{
    if (!term.isPattern) {
        m_words.push_back({caseFolded(term.text), term.isExcluded});
        return;
    }
    QRegularExpression pattern = patternOf(term);
    if (pattern.isValid())
        m_patterns.push_back({std::move(pattern), term.isExcluded});
}

bool FunctionMatcher::matchesText(std::size_t row) const
{
    if (m_words.empty() && m_patterns.empty())
        return true; // then there need be no texts
    const std::string_view text = m_searchText.row(row);
    for (const Word& word : m_words) {
        const bool isFound = text.find(word.text) != std::string_view::npos;
        if (isFound == word.isExcluded)
            return false;
    }
    if (m_patterns.empty())
        return true;
    const QString wideText = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    return std::all_of(m_patterns.begin(), m_patterns.end(), [&](const Pattern& pattern) {
        return pattern.expression.match(wideText).hasMatch() != pattern.isExcluded;
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
