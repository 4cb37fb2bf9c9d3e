// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/analysis/SearchText.h"
#include "core/profile/Profile.h"

#include <QRegularExpression>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// Which functions a table keeps. Every part that is set has to hold.
struct FunctionFilter
{
    /// Words that all have to occur in the name or location, regular expressions written /like
    /// this/, and either with "not:" in front, see parseSearchText(); upper and lower case are the
    /// same.
    QString text;
    QString file; ///< A source's label, or empty.
    std::optional<FunctionKind> kind;
    double minimumShare = 0.0; ///< Of the run's time, by total time.

    bool isActive() const;
    /// What is wrong with the regular expression, or empty.
    QString problem() const;
    friend bool operator==(const FunctionFilter&, const FunctionFilter&) = default;
};

/// The names and locations of a table's rows, folded to one case, in one block of memory.
class FunctionSearchText
{
public:
    FunctionSearchText() = default;
    FunctionSearchText(const Profile& profile, const FunctionTable& table);
    /// "name location" of a row, in UTF-8 and case folded.
    std::string_view row(std::size_t index) const;
    bool isEmpty() const { return m_ends.empty(); }

private:
    std::string m_text;
    std::vector<std::size_t> m_ends;
};

/// Lower case where a text is ASCII, Unicode case folding otherwise; UTF-8 in and out.
std::string caseFolded(std::string_view text);

/// A filter made ready for one table. All three references must outlive it.
class FunctionMatcher
{
public:
    FunctionMatcher(const FunctionFilter& filter, const Profile& profile,
                    const FunctionTable& table, const FunctionSearchText& searchText);
    bool matches(std::size_t row) const;

private:
    struct Word
    {
        std::string text; ///< Case folded.
        bool isExcluded = false;
    };
    struct Pattern
    {
        QRegularExpression expression;
        bool isExcluded = false;
    };

    void addTerm(const SearchTerm& term);
    bool matchesText(std::size_t row) const;

    const Profile& m_profile;
    const FunctionTable& m_table;
    const FunctionSearchText& m_searchText;
    std::vector<Word> m_words;
    std::vector<Pattern> m_patterns;
    /// Set when a file is asked for; invalid when there is none of that name.
    std::optional<SourceId> m_source;
    std::optional<FunctionKind> m_kind;
    std::uint64_t m_minimumTotal = 0;
};

/// By function, other than 0 for those that `text` (see FunctionFilter::text) finds; empty when
/// there is nothing to search for or the expression is not valid.
std::vector<std::uint8_t> functionsMatching(const QString& text, const Profile& profile,
                                            const FunctionTable& table);

} // namespace perilune
