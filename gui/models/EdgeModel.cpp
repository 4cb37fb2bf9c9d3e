// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/EdgeModel.h"

#include "gui/models/ItemRoles.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perilune {

namespace {

struct ColumnSpec
{
    const char* title;
    const char* callersToolTip;
    const char* calleesToolTip;
    CellValue::Kind kind;
};

constexpr std::array<ColumnSpec, EdgeModel::ColumnCount> columns = {{
    {QT_TRANSLATE_NOOP("perilune::EdgeModel", "Function"),
     QT_TRANSLATE_NOOP("perilune::EdgeModel", "A function that calls the selected one."),
     QT_TRANSLATE_NOOP("perilune::EdgeModel", "A function that the selected one calls."),
     CellValue::Kind::Text},
    {QT_TRANSLATE_NOOP("perilune::EdgeModel", "Time"),
     QT_TRANSLATE_NOOP("perilune::EdgeModel",
                       "Total time of the selected function when called from here."),
     QT_TRANSLATE_NOOP("perilune::EdgeModel",
                       "Total time of the callee when called from the selected function."),
     CellValue::Kind::Duration},
    {QT_TRANSLATE_NOOP("perilune::EdgeModel", "Share"),
     QT_TRANSLATE_NOOP("perilune::EdgeModel",
                       "That time as a share of the selected function's total."),
     QT_TRANSLATE_NOOP(
         "perilune::EdgeModel",
         "That time as a share of the selected function's total; with the row “self” the "
         "shares add up to 100 %."),
     CellValue::Kind::Share},
    {QT_TRANSLATE_NOOP("perilune::EdgeModel", "Calls"),
     QT_TRANSLATE_NOOP("perilune::EdgeModel", "Calls of the selected function from here."),
     QT_TRANSLATE_NOOP("perilune::EdgeModel", "Calls from the selected function."),
     CellValue::Kind::Count},
}};

const ColumnSpec& specOf(int column)
{
    return columns[static_cast<std::size_t>(column)];
}

bool isText(int column)
{
    return specOf(column).kind == CellValue::Kind::Text;
}

} // namespace

EdgeModel::EdgeModel(Direction direction, QObject* parent)
    : QAbstractTableModel(parent)
    , m_direction(direction)
{
}

void EdgeModel::setFunction(std::shared_ptr<const Profile> profile,
                            std::shared_ptr<const FunctionTable> table, FunctionId function)
{
    Q_ASSERT(profile && table);
    beginResetModel();
    m_profile = std::move(profile);
    m_function = function;
    m_rows.clear();
    const FunctionCosts* costs = function.isValid() ? table->find(function) : nullptr;
    if (costs != nullptr) {
        const bool isCallers = m_direction == Direction::Callers;
        for (const Edge& edge : isCallers ? table->callersOf(function) : table->calleesOf(function))
            m_rows.push_back(rowFor(edge, *costs));
        if (!isCallers)
            m_rows.push_back(selfRow(*costs));
        sortRows();
    }
    endResetModel();
}

void EdgeModel::setTimeUnit(TimeUnit unit)
{
    if (unit == m_timeUnit)
        return;
    m_timeUnit = unit;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

FunctionId EdgeModel::functionAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].function
                                        : FunctionId();
}

int EdgeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EdgeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EdgeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const CellValue& cell = cellOf(row, index.column());
    switch (role) {
    case Qt::DisplayRole:
        return isText(index.column()) ? row.name : cell.shownText(m_timeUnit);
    case PlainTextRole:
        return isText(index.column()) ? row.name : cell.shownText(m_timeUnit, QLocale::c());
    case ExactTextRole:
        return isText(index.column()) ? row.name : cell.exactText();
    case ShareRole:
        return cell.kind == CellValue::Kind::Share ? QVariant(cell.share) : QVariant();
    case Qt::ToolTipRole:
        return cell.kind == CellValue::Kind::None || isText(index.column()) ? row.note
                                                                            : cell.toolTip();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter
                        | (isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    case FunctionRole:
        return row.function.value();
    default:
        return {};
    }
}

QVariant EdgeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnSpec& spec = specOf(section);
    switch (role) {
    case Qt::DisplayRole:
    case PlainTextRole:
        return tr(spec.title);
    case ExactTextRole:
        return QString(tr(spec.title) + exactUnitSuffix(spec.kind));
    case Qt::ToolTipRole:
        return tr(m_direction == Direction::Callers ? spec.callersToolTip : spec.calleesToolTip);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::InitialSortOrderRole:
        return isText(section) ? Qt::AscendingOrder : Qt::DescendingOrder;
    default:
        return {};
    }
}

void EdgeModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= ColumnCount)
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<FunctionId> functions;
    for (const QModelIndex& old : before)
        functions.push_back(functionAt(old.row()));
    sortRows();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            return row.function == functions[static_cast<std::size_t>(i)];
        });
        after.append(index(static_cast<int>(found - m_rows.begin()), before[i].column()));
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

EdgeModel::Row EdgeModel::rowFor(const Edge& edge, const FunctionCosts& costs) const
{
    Row row;
    row.function = m_direction == Direction::Callers ? edge.caller : edge.callee;
    const Function& function = m_profile->function(row.function);
    row.name = QString::fromStdString(function.name);
    row.note = row.name + QLatin1Char('\n') + QString::fromStdString(m_profile->location(function));
    row.calls = CellValue::ofCount(edge.calls);
    if (edge.hasTotal)
        row.time = CellValue::ofDuration(edge.totalTime());
    else
        row.note =
            tr("These calls were tail calls that came back to a function of their own chain; "
               "their time cannot be told apart.");
    if (edge.caller == edge.callee) {
        row.name = tr("%1 (calls itself)").arg(row.name);
        row.note = tr("Time of the recursive calls is contained in the other rows.");
    } else if (edge.hasTotal) {
        row.share = CellValue::ofShare(edge.totalTime().shareOf(costs.totalTime()));
    }
    return row;
}

EdgeModel::Row EdgeModel::selfRow(const FunctionCosts& costs) const
{
    Row row;
    row.name = tr("self");
    row.note = tr("Time in the selected function itself.");
    row.time = CellValue::ofDuration(costs.selfTime());
    row.share = CellValue::ofShare(costs.selfTime().shareOf(costs.totalTime()));
    return row;
}

void EdgeModel::sortRows()
{
    const bool isAscending = m_sortOrder == Qt::AscendingOrder;
    const auto isBefore = [&](const Row& a, const Row& b) {
        if (isText(m_sortColumn)) {
            const int order = QString::localeAwareCompare(a.name, b.name);
            return isAscending ? order < 0 : order > 0;
        }
        const std::uint64_t first = cellOf(a, m_sortColumn).sortKey();
        const std::uint64_t second = cellOf(b, m_sortColumn).sortKey();
        return isAscending ? first < second : first > second;
    };
    std::stable_sort(m_rows.begin(), m_rows.end(), isBefore);
}

const CellValue& EdgeModel::cellOf(const Row& row, int column)
{
    static const CellValue noCell;
    switch (column) {
    case TimeColumn:
        return row.time;
    case ShareColumn:
        return row.share;
    case CallsColumn:
        return row.calls;
    default:
        return noCell;
    }
}

} // namespace perilune
