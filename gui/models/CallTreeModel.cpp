// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CallTreeModel.h"

#include "gui/models/ItemRoles.h"

#include <QFont>

#include <algorithm>

namespace perilune {

namespace {

CallTreeColumn columnOf(int section)
{
    return static_cast<CallTreeColumn>(section);
}

bool isText(CallTreeColumn column)
{
    return specOf(column).kind == CellValue::Kind::Text;
}

int alignmentOf(CallTreeColumn column)
{
    return Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight);
}

} // namespace

CallTreeModel::CallTreeModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_rows(
          std::make_shared<TopDownRows>(CallTree::empty(), Metric::Time, TopDownRows::Chains::Open))
{
}

void CallTreeModel::setContent(std::shared_ptr<const Profile> profile,
                               std::shared_ptr<CallTreeRows> rows, Metric weight)
{
    Q_ASSERT(profile && rows);
    beginResetModel();
    m_profile = std::move(profile);
    m_rows = std::move(rows);
    m_weight = weight;
    m_isMatch.clear();
    endResetModel();
}

void CallTreeModel::setTimeUnit(TimeUnit unit)
{
    if (unit == m_timeUnit)
        return;
    m_timeUnit = unit;
    Q_EMIT layoutAboutToBeChanged();
    Q_EMIT layoutChanged();
}

void CallTreeModel::setMatches(std::vector<std::uint8_t> isMatch)
{
    m_isMatch = std::move(isMatch);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::FontRole});
}

CallTreeRows::Row CallTreeModel::rowAt(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<CallTreeRows::Row>(index.internalId())
                           : CallTreeRows::root;
}

QModelIndex CallTreeModel::indexOf(CallTreeRows::Row row, int column) const
{
    if (row == CallTreeRows::root)
        return {};
    return createIndex(static_cast<int>(m_rows->indexInParent(row)), column, quintptr(row));
}

bool CallTreeModel::isMatch(CallTreeRows::Row row) const
{
    if (m_isMatch.empty())
        return false;
    const std::vector<FunctionId> functions = m_rows->functions(row);
    return std::any_of(functions.begin(), functions.end(), [this](FunctionId function) {
        return function.value() < m_isMatch.size() && m_isMatch[function.value()] != 0;
    });
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const CallTreeRows::Row child = m_rows->child(rowAt(parent), static_cast<std::uint32_t>(row));
    return createIndex(row, column, quintptr(child));
}

QModelIndex CallTreeModel::parent(const QModelIndex& child) const
{
    return child.isValid() ? indexOf(m_rows->parent(rowAt(child))) : QModelIndex();
}

int CallTreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(m_rows->childCount(rowAt(parent)));
}

int CallTreeModel::columnCount(const QModelIndex&) const
{
    return callTreeColumnCount;
}

bool CallTreeModel::hasChildren(const QModelIndex& parent) const
{
    return parent.column() <= 0 && m_rows->hasChildren(rowAt(parent));
}

bool CallTreeModel::canFetchMore(const QModelIndex& parent) const
{
    return parent.column() <= 0 && m_rows->canFetch(rowAt(parent));
}

void CallTreeModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent))
        return;
    const CallTreeRows::Row row = rowAt(parent);
    const std::uint32_t count = m_rows->prepare(row);
    beginInsertRows(parent, 0, static_cast<int>(count) - 1);
    m_rows->publish(row);
    endInsertRows();
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return valueAt(index).shownText(m_timeUnit);
    case PlainTextRole:
        return valueAt(index).shownText(m_timeUnit, QLocale::c());
    case ExactTextRole:
        return valueAt(index).exactText();
    case ShareRole:
        return shareAt(index);
    case Qt::ToolTipRole:
        return toolTipAt(index);
    case Qt::TextAlignmentRole:
        return alignmentOf(columnOf(index.column()));
    case Qt::FontRole:
        return fontAt(index);
    case FunctionRole:
        return m_rows->function(rowAt(index)).value();
    default:
        return {};
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= callTreeColumnCount)
        return {};
    const CallTreeColumn column = columnOf(section);
    switch (role) {
    case Qt::DisplayRole:
    case PlainTextRole:
        return titleOf(column, m_weight);
    case ExactTextRole:
        return titleOf(column, m_weight) + exactUnitSuffix(kindOf(column, m_weight));
    case Qt::ToolTipRole:
        return toolTipOf(column);
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    default:
        return {};
    }
}

CallTreeRow CallTreeModel::rowFor(const QModelIndex& index) const
{
    return {*m_profile, *m_rows, rowAt(index), m_weight};
}

CellValue CallTreeModel::valueAt(const QModelIndex& index) const
{
    return specOf(columnOf(index.column())).value(rowFor(index));
}

QVariant CallTreeModel::shareAt(const QModelIndex& index) const
{
    const CellValue value = valueAt(index);
    return value.kind == CellValue::Kind::Share ? QVariant(value.share) : QVariant();
}

QString CallTreeModel::toolTipAt(const QModelIndex& index) const
{
    if (!isText(columnOf(index.column())))
        return valueAt(index).toolTip();
    const CallTreeRow row = rowFor(index);
    QString text = nameOf(row) + QLatin1Char('\n')
        + QString::fromStdString(m_profile->location(row.function()));
    if (m_rows->isTailCall(row.row))
        text += QLatin1Char('\n') + tr("Reached by a tail call");
    return text;
}

QVariant CallTreeModel::fontAt(const QModelIndex& index) const
{
    if (index.column() != 0 || !isMatch(rowAt(index)))
        return {};
    QFont font;
    font.setBold(true);
    return font;
}

} // namespace perilune
