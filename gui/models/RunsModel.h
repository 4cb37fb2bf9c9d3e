// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"

#include <QAbstractItemModel>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace perilune {

/// The runs of a session, grouped by script; within a script oldest first.
class RunsModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column
    {
        RunColumn,
        DurationColumn,
        StatusColumn,
        ColumnCount
    };

    explicit RunsModel(QObject* parent = nullptr);

    void setRuns(std::vector<RunSummary> runs);
    /// The run whose profile is shown; it is set in bold. 0 for none.
    void setLoadedRun(std::int64_t id);
    std::int64_t loadedRun() const { return m_loaded; }

    /// Null for a script's row.
    const RunSummary* runAt(const QModelIndex& index) const;
    QModelIndex indexOf(std::int64_t id) const;
    int runCount() const { return static_cast<int>(m_runs.size()); }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Renaming: emits runEdited(); the session answers with new runs.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    /// How a run is called in lists and messages: its name, else when it began.
    static QString titleOf(const RunSummary& run);

Q_SIGNALS:
    void runEdited(const perilune::RunSummary& run);

private:
    struct Group
    {
        std::string script;
        std::vector<std::size_t> runs; ///< In m_runs.
    };

    QVariant groupData(const Group& group, int column, int role) const;
    QVariant runData(const RunSummary& run, int column, int role) const;
    QString toolTipOf(const RunSummary& run) const;

    std::vector<RunSummary> m_runs;
    std::vector<Group> m_groups;
    std::int64_t m_loaded = 0;
};

} // namespace perilune
