// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QStringList>

namespace perilune::test {

/// The rows of a table as text: the given columns joined by " | ".
inline QStringList rowsOf(const QAbstractItemModel& model, const QList<int>& columns)
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (const int column : columns)
            cells.append(model.index(row, column).data().toString());
        rows.append(cells.join(QStringLiteral(" | ")));
    }
    return rows;
}

} // namespace perilune::test
