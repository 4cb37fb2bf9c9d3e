// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"
#include "gui/models/CellValue.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace perilune {

/// The direct callers or callees of one function, with what each edge carries.
///
/// Among callees the function's own time is a row, so that the shares add up to 100 %. A function
/// that calls itself has a row too, whose time is contained in the others and therefore has no
/// share.
class EdgeModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum class Direction
    {
        Callers,
        Callees
    };
    enum Column
    {
        NameColumn,
        TimeColumn,
        ShareColumn,
        CallsColumn,
        ColumnCount
    };

    explicit EdgeModel(Direction direction, QObject* parent = nullptr);

    void setFunction(std::shared_ptr<const Profile> profile,
                     std::shared_ptr<const FunctionTable> table, FunctionId function);
    void setTimeUnit(TimeUnit unit);
    Direction direction() const { return m_direction; }
    /// The caller or callee in a row; invalid for the row of the function's own time.
    FunctionId functionAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Row
    {
        FunctionId function; ///< Invalid: the selected function itself.
        QString name;
        CellValue time;
        CellValue share;
        CellValue calls;
        QString note; ///< Why something is missing; for the tooltip.
    };

    Row rowFor(const Edge& edge, const FunctionCosts& costs) const;
    Row selfRow(const FunctionCosts& costs) const;
    void sortRows();
    static const CellValue& cellOf(const Row& row, int column);

    Direction m_direction;
    std::shared_ptr<const Profile> m_profile = Profile::empty();
    FunctionId m_function;
    std::vector<Row> m_rows;
    TimeUnit m_timeUnit = TimeUnit::Automatic;
    int m_sortColumn = TimeColumn;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace perilune
