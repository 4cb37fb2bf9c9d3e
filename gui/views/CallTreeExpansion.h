// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

class QTreeView;

namespace perilune {

class CallTreeModel;

/// Which rows of a call tree are open, by the keys of their functions, so that the same rows can be
/// opened in the tree of another run.
class CallTreeExpansion
{
public:
    /// What is open in a view of `model`.
    static CallTreeExpansion of(const QTreeView& view, const CallTreeModel& model);

    /// Opens what is found again, and returns how many rows that are.
    int applyTo(QTreeView& view, CallTreeModel& model) const;

private:
    struct OpenRow
    {
        std::uint32_t parent; ///< Index in m_rows, or UINT32_MAX for the top.
        std::string key;
    };

    std::vector<OpenRow> m_rows; ///< Parents come before their children.
};

} // namespace perilune
