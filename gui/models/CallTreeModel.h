// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/CallTreeColumns.h"
#include "gui/models/CallTreeRows.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace perilune {

/// A call tree as an item model: top-down, bottom-up or a part, as its rows have it.
///
/// Every answer takes O(1), however large the tree; rows that are made on demand appear by
/// fetchMore(). The columns are CallTreeColumn's.
class CallTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    explicit CallTreeModel(QObject* parent = nullptr);

    /// `rows` may be shared with nobody who changes it.
    void setContent(std::shared_ptr<const Profile> profile, std::shared_ptr<CallTreeRows> rows,
                    Metric weight);
    void setTimeUnit(TimeUnit unit);
    /// By function, other than 0 for those that a search has found; empty for no search.
    void setMatches(std::vector<std::uint8_t> isMatch);

    const Profile& profile() const { return *m_profile; }
    const CallTreeRows& rows() const { return *m_rows; }
    Metric weight() const { return m_weight; }

    CallTreeRows::Row rowAt(const QModelIndex& index) const; ///< The root for an invalid index.
    QModelIndex indexOf(CallTreeRows::Row row, int column = 0) const;
    bool isMatch(CallTreeRows::Row row) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    CallTreeRow rowFor(const QModelIndex& index) const;
    CellValue valueAt(const QModelIndex& index) const;
    QVariant shareAt(const QModelIndex& index) const;
    QString toolTipAt(const QModelIndex& index) const;
    QVariant fontAt(const QModelIndex& index) const;

    std::shared_ptr<const Profile> m_profile = Profile::empty();
    std::shared_ptr<CallTreeRows> m_rows;
    Metric m_weight = Metric::Time;
    TimeUnit m_timeUnit = TimeUnit::Automatic;
    std::vector<std::uint8_t> m_isMatch;
};

} // namespace perilune
