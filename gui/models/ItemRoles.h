// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qnamespace.h>

namespace perilune {

/// Roles that our item models answer beside Qt's own.
enum ItemRole
{
    PlainTextRole =
        Qt::UserRole + 1, ///< The shown text with a dot as decimal sign and no grouping.
    ExactTextRole, ///< Whole numbers in the smallest unit; in a header the title with that unit.
    ShareRole,     ///< double, 0 to 1: the length of the bar behind the text; invalid for none.
    FunctionRole,  ///< uint: the FunctionId of the row.
    MatchRole,     ///< bool: the cell is highlighted by the search.
};

} // namespace perilune
