// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QModelIndex>
#include <QString>

class QAbstractItemModel;

namespace perilune {

/// How rows of a table become text for other programs.
enum class TableFormat
{
    TabSeparated,      ///< Numbers as shown, with a dot as decimal sign.
    TabSeparatedExact, ///< Whole numbers, units in the header line.
    Csv,               ///< Exact numbers; quoted as RFC 4180 says.
    Markdown,          ///< A table; numbers as shown.
};

/// The given top-level rows and columns of `model` in their order, under a header line, each line
/// ended by "\n". Uses PlainTextRole and ExactTextRole, and DisplayRole where a model has not got
/// them.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows,
                  const QList<int>& columns, TableFormat format);
/// The same for rows of a tree; any column of `rows` will do.
QString treeText(const QAbstractItemModel& model, const QModelIndexList& rows,
                 const QList<int>& columns, TableFormat format);

} // namespace perilune
