// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace perilune {

/// The environment that a script will see: what it inherits, and what the launch adds, changes or
/// unsets.
class EnvironmentModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column
    {
        NameColumn,
        ValueColumn,
        StateColumn,
        ColumnCount
    };
    enum class State
    {
        Inherited,
        Added,
        Changed,
        Unset
    };
    using Changes = QList<std::pair<QString, std::optional<QString>>>;

    /// `inherited` is the environment of this process as NAME=VALUE.
    explicit EnvironmentModel(const QStringList& inherited, QObject* parent = nullptr);

    void setChanges(const Changes& changes);
    /// Only what differs from what is inherited, in the order of the table.
    Changes changes() const;

    State stateOf(int row) const;
    /// Adds an empty variable to be named; returns its row.
    int addVariable();
    void unset(int row);
    /// Inherits it again; an added variable goes away.
    void reset(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    struct Variable
    {
        QString name;
        std::optional<QString> inherited;
        std::optional<QString> value;
    };

    static QString stateTitle(State state);
    bool rename(Variable& variable, const QString& name) const;
    void announce(int row);

    std::vector<Variable> m_inherited;
    std::vector<Variable> m_variables;
};

} // namespace perilune
