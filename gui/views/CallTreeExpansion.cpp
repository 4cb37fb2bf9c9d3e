// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CallTreeExpansion.h"

#include "gui/models/CallTreeModel.h"

#include <QTreeView>

#include <unordered_map>

namespace perilune {

namespace {

constexpr std::uint32_t top = UINT32_MAX;

std::string keyOf(const CallTreeModel& model, const QModelIndex& index)
{
    return model.profile().key(model.rows().function(model.rowAt(index)));
}

std::unordered_map<std::string, QModelIndex> childrenByKey(CallTreeModel& model,
                                                           const QModelIndex& parent)
{
    if (model.canFetchMore(parent))
        model.fetchMore(parent);
    std::unordered_map<std::string, QModelIndex> children;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex child = model.index(row, 0, parent);
        children.emplace(keyOf(model, child), child);
    }
    return children;
}

} // namespace

CallTreeExpansion CallTreeExpansion::of(const QTreeView& view, const CallTreeModel& model)
{
    CallTreeExpansion expansion;
    const auto addOpenChildren = [&](const QModelIndex& parent, std::uint32_t parentEntry,
                                     std::vector<QModelIndex>& found) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex child = model.index(row, 0, parent);
            if (!view.isExpanded(child))
                continue;
            expansion.m_rows.push_back({parentEntry, keyOf(model, child)});
            found.push_back(child);
        }
    };
    // The list is its own work queue; entry i of m_rows is index i of `open`.
    std::vector<QModelIndex> open;
    addOpenChildren({}, top, open);
    for (std::size_t i = 0; i < open.size(); ++i) {
        const QModelIndex parent = open[i];
        addOpenChildren(parent, static_cast<std::uint32_t>(i), open);
    }
    return expansion;
}

int CallTreeExpansion::applyTo(QTreeView& view, CallTreeModel& model) const
{
    std::vector<QModelIndex> found(m_rows.size());
    std::unordered_map<std::string, QModelIndex> children;
    std::uint32_t childrenOf = top - 1;
    int opened = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const OpenRow& row = m_rows[i];
        const QModelIndex parent = row.parent == top ? QModelIndex() : found[row.parent];
        if (row.parent != top && !parent.isValid())
            continue;
        if (row.parent != childrenOf) {
            children = childrenByKey(model, parent);
            childrenOf = row.parent;
        }
        const auto child = children.find(row.key);
        if (child == children.end())
            continue;
        found[i] = child->second;
        view.expand(found[i]);
        ++opened;
    }
    return opened;
}

} // namespace perilune
