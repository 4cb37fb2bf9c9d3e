// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace perilune {

enum class CompareColumn
{
    Function,
    A,
    B,
    Delta,
    DeltaShare,
    Ratio,
    Calls,
    Verdict,
    Status,
    Location,
    Interval,
    PValue,
};
inline constexpr int compareColumnCount = static_cast<int>(CompareColumn::PValue) + 1;
inline constexpr int defaultCompareColumnCount = static_cast<int>(CompareColumn::Location) + 1;

/// Roles beside those of ItemRoles.h.
enum CompareRole
{
    DeltaBarRole = Qt::UserRole + 100, ///< double, -1 to 1: the length of the bar from the middle.
    ClearRole,                         ///< bool: the change is clear.
};

/// Which rows of a comparison are shown.
struct CompareFilter
{
    QString text; ///< Words that all occur in names or locations of either side, or /regex/.
    bool hidesUnchanged = true;
    friend bool operator==(const CompareFilter&, const CompareFilter&) = default;
};

/// The table of a comparison, sorted and filtered over its own vector of row numbers; largest |Δ|
/// first. Rows are told apart by the index in MatchedRuns::functions().
class ComparisonModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit ComparisonModel(QObject* parent = nullptr);

    /// Null empties the table.
    void setComparison(std::shared_ptr<const Comparison> comparison);
    const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    void setFilter(const CompareFilter& filter);
    const CompareFilter& filter() const { return m_filter; }

    int allCount() const { return static_cast<int>(m_order.size()); }
    int unchangedCount() const { return m_unchangedCount; } ///< Of all rows, whatever the filter.
    /// What is wrong with the regular expression, or empty.
    QString filterProblem() const;

    std::size_t functionAt(int row) const;
    int rowOf(std::size_t function) const; ///< -1 where it is hidden or unknown.
    const ComparisonRow& rowAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    const ComparisonRow& rowOfOrder(std::uint32_t row) const;
    const MatchedFunction& functionOf(const ComparisonRow& row) const;
    QString shownText(const ComparisonRow& row, CompareColumn column, const QLocale& locale) const;
    QString exactText(const ComparisonRow& row, CompareColumn column) const;
    QString toolTip(const ComparisonRow& row, CompareColumn column) const;
    QString deltaShareText(const ComparisonRow& row, const QLocale& locale) const;
    double sortKey(const ComparisonRow& row, CompareColumn column) const;
    QString sortText(const ComparisonRow& row, CompareColumn column) const;
    void rebuild();
    void sortOrder();
    void filterOrder();

    std::shared_ptr<const Comparison> m_comparison;
    CompareFilter m_filter;
    int m_sortColumn = static_cast<int>(CompareColumn::Delta);
    Qt::SortOrder m_sortDirection = Qt::DescendingOrder;
    std::vector<std::string> m_searchText; ///< By row of the comparison, case folded.
    std::vector<std::uint32_t> m_order;    ///< All rows of the comparison, sorted.
    std::vector<std::uint32_t> m_visible;  ///< Those of m_order that pass the filter.
    std::vector<int> m_visibleRowOf; ///< By index in MatchedRuns::functions(); -1 when hidden.
    int m_unchangedCount = 0;
    double m_largestDelta = 0.0; ///< Of the rows shown.
};

} // namespace perilune
