// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/FunctionColumns.h"
#include "gui/models/FunctionFilter.h"
#include "gui/models/FunctionOrder.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace perilune {

/// The flat table of functions, sorted and filtered over its own vector of row numbers.
///
/// Sorting keeps persistent indexes; a filter or a new profile resets the model. Rows with equal
/// values keep the order they had before, at first by name. The columns are FunctionColumn's.
class FunctionTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit FunctionTableModel(QObject* parent = nullptr);

    /// `order` belongs to the two; where it is null, it is computed here.
    void setProfile(std::shared_ptr<const Profile> profile,
                    std::shared_ptr<const FunctionTable> table,
                    std::shared_ptr<const FunctionOrder> order = nullptr);
    void setFilter(const FunctionFilter& filter);
    const FunctionFilter& filter() const { return m_filter; }
    void setTimeUnit(TimeUnit unit);
    /// Highlights what a filter of this text would keep; hides nothing.
    void setSearchText(const QString& text);
    /// Of the rows shown, how many match the search; 0 without one.
    int matchCount() const;
    /// The next matching row after (or before) `row`, going round; -1 when there is none.
    int nextMatch(int row, bool isForward) const;

    FunctionId functionAt(int row) const;
    int rowOf(FunctionId function) const; ///< -1 where it is filtered away or unknown.
    int allCount() const { return static_cast<int>(m_order.size()); }
    double shownSelfShare() const; ///< Of the run's time, by self time of the rows shown.

    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    FunctionRow rowAt(std::size_t tableRow) const;
    CellValue valueAt(const QModelIndex& index) const;
    QVariant shareAt(const QModelIndex& index) const;
    QString toolTipAt(const QModelIndex& index) const;
    std::uint64_t sortKey(FunctionColumn column, std::uint32_t tableRow) const;
    std::uint64_t locationKey(std::uint32_t tableRow) const;
    void sortOrderVector();
    void filterOrderVector();
    void movePersistentIndexes(const std::vector<std::uint32_t>& oldVisible);
    void indexVisibleRows();
    void prepareSearchText();
    void updateSearchMatcher();
    bool isMatch(std::size_t tableRow) const;

    std::shared_ptr<const Profile> m_profile = Profile::empty();
    std::shared_ptr<const FunctionTable> m_table = std::make_shared<FunctionTable>();
    std::shared_ptr<const FunctionOrder> m_names = std::make_shared<FunctionOrder>();
    FunctionSearchText m_searchText; ///< Made when it is first needed.
    FunctionFilter m_filter;
    QString m_search;
    std::unique_ptr<FunctionMatcher> m_searchMatcher; ///< Null without a search.
    TimeUnit m_timeUnit = TimeUnit::Automatic;
    int m_sortColumn = static_cast<int>(FunctionColumn::SelfTime);
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;

    std::vector<std::uint32_t> m_order;   ///< All table rows, sorted.
    std::vector<std::uint32_t> m_visible; ///< Those of m_order that pass the filter.
    std::vector<int> m_rowOfTableRow;     ///< The inverse of m_visible; -1: filtered away.
};

} // namespace perilune
