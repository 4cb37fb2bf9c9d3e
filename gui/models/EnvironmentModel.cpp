// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/EnvironmentModel.h"

#include <QFont>

#include <algorithm>

namespace perilune {

EnvironmentModel::EnvironmentModel(const QStringList& inherited, QObject* parent)
    : QAbstractTableModel(parent)
{
    for (const QString& entry : inherited) {
        const qsizetype separator = entry.indexOf(QLatin1Char('='), 1);
        if (separator > 0)
            m_inherited.push_back(
                {entry.left(separator), entry.mid(separator + 1), entry.mid(separator + 1)});
    }
    std::sort(m_inherited.begin(), m_inherited.end(),
              [](const Variable& a, const Variable& b) { return a.name < b.name; });
    m_variables = m_inherited;
}

void EnvironmentModel::setChanges(const Changes& changes)
{
    beginResetModel();
    m_variables = m_inherited;
    for (const auto& [name, value] : changes) {
        const auto known =
            std::find_if(m_variables.begin(), m_variables.end(),
                         [&](const Variable& variable) { return variable.name == name; });
        if (known != m_variables.end())
            known->value = value;
        else
            m_variables.insert(m_variables.begin(), {name, std::nullopt, value});
    }
    endResetModel();
}

EnvironmentModel::Changes EnvironmentModel::changes() const
{
    Changes changes;
    for (const Variable& variable : m_variables) {
        if (variable.value != variable.inherited && !variable.name.isEmpty())
            changes.append({variable.name, variable.value});
    }
    return changes;
}

EnvironmentModel::State EnvironmentModel::stateOf(int row) const
{
    const Variable& variable = m_variables[static_cast<std::size_t>(row)];
    if (!variable.inherited)
        return State::Added;
    if (!variable.value)
        return State::Unset;
    return variable.value == variable.inherited ? State::Inherited : State::Changed;
}

int EnvironmentModel::addVariable()
{
    beginInsertRows({}, 0, 0);
    m_variables.insert(m_variables.begin(), {QString(), std::nullopt, QString()});
    endInsertRows();
    return 0;
}

void EnvironmentModel::unset(int row)
{
    if (stateOf(row) == State::Added) {
        reset(row);
        return;
    }
    m_variables[static_cast<std::size_t>(row)].value.reset();
    announce(row);
}

void EnvironmentModel::reset(int row)
{
    if (stateOf(row) == State::Added) {
        beginRemoveRows({}, row, row);
        m_variables.erase(m_variables.begin() + row);
        endRemoveRows();
        return;
    }
    Variable& variable = m_variables[static_cast<std::size_t>(row)];
    variable.value = variable.inherited;
    announce(row);
}

int EnvironmentModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_variables.size());
}

int EnvironmentModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EnvironmentModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Variable& variable = m_variables[static_cast<std::size_t>(index.row())];
    const State state = stateOf(index.row());
    if (role == Qt::FontRole) {
        QFont font;
        font.setBold(state != State::Inherited);
        font.setStrikeOut(state == State::Unset && index.column() != StateColumn);
        return font;
    }
    if (role == Qt::ToolTipRole && index.column() == ValueColumn)
        return variable.value.value_or(variable.inherited.value_or(QString()));
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    if (index.column() == NameColumn)
        return variable.name;
    if (index.column() == ValueColumn)
        return variable.value.value_or(role == Qt::DisplayRole ? *variable.inherited : QString());
    return stateTitle(state);
}

QVariant EnvironmentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Variable");
    case ValueColumn:
        return tr("Value");
    case StateColumn:
        return tr("State");
    default:
        return {};
    }
}

Qt::ItemFlags EnvironmentModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags;
    const bool isNameOfAdded = index.column() == NameColumn && stateOf(index.row()) == State::Added;
    if (isNameOfAdded || index.column() == ValueColumn)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool EnvironmentModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    Variable& variable = m_variables[static_cast<std::size_t>(index.row())];
    if (index.column() == NameColumn && !rename(variable, value.toString().trimmed()))
        return false;
    if (index.column() == ValueColumn)
        variable.value = value.toString();
    announce(index.row());
    return true;
}

/// Names have no '=' and occur once.
bool EnvironmentModel::rename(Variable& variable, const QString& name) const
{
    if (name.isEmpty() || name.contains(QLatin1Char('=')))
        return false;
    const bool isTaken =
        std::any_of(m_variables.begin(), m_variables.end(), [&](const Variable& other) {
            return &other != &variable && other.name == name;
        });
    if (isTaken)
        return false;
    variable.name = name;
    return true;
}

QString EnvironmentModel::stateTitle(State state)
{
    switch (state) {
    case State::Inherited:
        return tr("Inherited");
    case State::Added:
        return tr("Added");
    case State::Changed:
        return tr("Changed");
    case State::Unset:
        return tr("Unset");
    }
    return {};
}

void EnvironmentModel::announce(int row)
{
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

} // namespace perilune
