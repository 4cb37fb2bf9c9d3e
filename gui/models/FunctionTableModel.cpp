// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/FunctionTableModel.h"

#include "gui/models/ItemRoles.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perilune {

namespace {

struct KeyedRow
{
    std::uint64_t key;
    std::uint32_t row;
};

FunctionColumn columnOf(int section)
{
    return static_cast<FunctionColumn>(section);
}

bool isText(FunctionColumn column)
{
    return specOf(column).kind == CellValue::Kind::Text;
}

} // namespace

FunctionTableModel::FunctionTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void FunctionTableModel::setProfile(std::shared_ptr<const Profile> profile,
                                    std::shared_ptr<const FunctionTable> table,
                                    std::shared_ptr<const FunctionOrder> order)
{
    Q_ASSERT(profile && table);
    beginResetModel();
    m_profile = std::move(profile);
    m_table = std::move(table);
    m_names = order
        ? std::move(order)
        : std::make_shared<const FunctionOrder>(FunctionOrder::compute(*m_profile, *m_table));
    m_searchMatcher.reset();
    m_searchText = FunctionSearchText();
    m_order = m_names->rowsByName;
    sortOrderVector();
    filterOrderVector();
    updateSearchMatcher();
    endResetModel();
}

void FunctionTableModel::setFilter(const FunctionFilter& filter)
{
    if (filter == m_filter)
        return;
    beginResetModel();
    m_filter = filter;
    filterOrderVector();
    endResetModel();
}

void FunctionTableModel::setTimeUnit(TimeUnit unit)
{
    if (unit == m_timeUnit)
        return;
    m_timeUnit = unit;
    if (!m_visible.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void FunctionTableModel::setSearchText(const QString& text)
{
    if (text == m_search)
        return;
    m_search = text;
    updateSearchMatcher();
    if (!m_visible.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {MatchRole});
}

void FunctionTableModel::updateSearchMatcher()
{
    m_searchMatcher.reset();
    if (m_search.trimmed().isEmpty())
        return;
    prepareSearchText();
    FunctionFilter search;
    search.text = m_search;
    m_searchMatcher = std::make_unique<FunctionMatcher>(search, *m_profile, *m_table, m_searchText);
}

bool FunctionTableModel::isMatch(std::size_t tableRow) const
{
    return m_searchMatcher && m_searchMatcher->matches(tableRow);
}

int FunctionTableModel::matchCount() const
{
    return static_cast<int>(std::count_if(m_visible.begin(), m_visible.end(),
                                          [this](std::uint32_t row) { return isMatch(row); }));
}

int FunctionTableModel::nextMatch(int row, bool isForward) const
{
    const int count = rowCount();
    for (int step = 1; step <= count; ++step) {
        const int candidate = ((isForward ? row + step : row - step) % count + count) % count;
        if (isMatch(m_visible[static_cast<std::size_t>(candidate)]))
            return candidate;
    }
    return -1;
}

FunctionId FunctionTableModel::functionAt(int row) const
{
    if (row < 0 || row >= rowCount())
        return {};
    return m_table->rows()[m_visible[static_cast<std::size_t>(row)]].function;
}

int FunctionTableModel::rowOf(FunctionId function) const
{
    const FunctionCosts* costs = function.isValid() ? m_table->find(function) : nullptr;
    if (costs == nullptr)
        return -1;
    return m_rowOfTableRow[static_cast<std::size_t>(costs - m_table->rows().data())];
}

double FunctionTableModel::shownSelfShare() const
{
    std::uint64_t sum = 0;
    for (const std::uint32_t row : m_visible)
        sum += m_table->rows()[row].self[static_cast<std::size_t>(Metric::Time)];
    const std::uint64_t whole = m_table->sum(Metric::Time);
    return whole == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(whole);
}

int FunctionTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_visible.size());
}

int FunctionTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : functionColumnCount;
}

QVariant FunctionTableModel::data(const QModelIndex& index, int role) const
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
        return QVariant(Qt::AlignVCenter
                        | (isText(columnOf(index.column())) ? Qt::AlignLeft : Qt::AlignRight));
    case MatchRole:
        return index.column() == 0 && isMatch(m_visible[static_cast<std::size_t>(index.row())]);
    case FunctionRole:
        return functionAt(index.row()).value();
    default:
        return {};
    }
}

QVariant FunctionTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= functionColumnCount)
        return {};
    const FunctionColumn column = columnOf(section);
    switch (role) {
    case Qt::DisplayRole:
    case PlainTextRole:
        return titleOf(column);
    case ExactTextRole:
        return titleOf(column) + exactUnitSuffix(specOf(column).kind);
    case Qt::ToolTipRole:
        return toolTipOf(column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::InitialSortOrderRole:
        return isText(column) ? Qt::AscendingOrder : Qt::DescendingOrder;
    default:
        return {};
    }
}

void FunctionTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= functionColumnCount)
        return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    m_sortColumn = column;
    m_sortOrder = order;
    const std::vector<std::uint32_t> oldVisible = m_visible;
    sortOrderVector();
    filterOrderVector();
    movePersistentIndexes(oldVisible);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

FunctionRow FunctionTableModel::rowAt(std::size_t tableRow) const
{
    return {*m_profile, *m_table, m_table->rows()[tableRow]};
}

CellValue FunctionTableModel::valueAt(const QModelIndex& index) const
{
    return specOf(columnOf(index.column()))
        .value(rowAt(m_visible[static_cast<std::size_t>(index.row())]));
}

QVariant FunctionTableModel::shareAt(const QModelIndex& index) const
{
    const CellValue value = valueAt(index);
    return value.kind == CellValue::Kind::Share ? QVariant(value.share) : QVariant();
}

QString FunctionTableModel::toolTipAt(const QModelIndex& index) const
{
    if (!isText(columnOf(index.column())))
        return valueAt(index).toolTip();
    const FunctionRow row = rowAt(m_visible[static_cast<std::size_t>(index.row())]);
    return QString::fromStdString(row.function().name + "\n"
                                  + row.profile.location(row.function()));
}

std::uint64_t FunctionTableModel::sortKey(FunctionColumn column, std::uint32_t tableRow) const
{
    if (column == FunctionColumn::Name)
        return m_names->nameRank[tableRow];
    if (column == FunctionColumn::Location)
        return locationKey(tableRow);
    if (column == FunctionColumn::Kind)
        return static_cast<std::uint64_t>(rowAt(tableRow).function().kind);
    return specOf(column).value(rowAt(tableRow)).sortKey();
}

/// By file, then by line as a number; functions without a file come last.
std::uint64_t FunctionTableModel::locationKey(std::uint32_t tableRow) const
{
    const Function& function = rowAt(tableRow).function();
    if (!function.source.isValid())
        return std::uint64_t(UINT32_MAX) << 32;
    const std::uint64_t file = m_names->sourceRank[function.source.value()];
    return file << 32 | static_cast<std::uint32_t>(std::max(function.line, 0));
}

/// Sorts m_order stably, so that equal rows keep their earlier order.
void FunctionTableModel::sortOrderVector()
{
    const FunctionColumn column = columnOf(m_sortColumn);
    // Keys are read in the order of memory, which is several times faster than in that of m_order.
    std::vector<std::uint64_t> keys(m_order.size());
    for (std::uint32_t row = 0; row < keys.size(); ++row)
        keys[row] = sortKey(column, row);
    std::vector<KeyedRow> keyed;
    keyed.reserve(m_order.size());
    for (const std::uint32_t row : m_order)
        keyed.push_back({keys[row], row});
    if (m_sortOrder == Qt::AscendingOrder) {
        std::stable_sort(keyed.begin(), keyed.end(),
                         [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
    } else {
        std::stable_sort(keyed.begin(), keyed.end(),
                         [](const KeyedRow& a, const KeyedRow& b) { return a.key > b.key; });
    }
    std::transform(keyed.begin(), keyed.end(), m_order.begin(),
                   [](const KeyedRow& entry) { return entry.row; });
}

void FunctionTableModel::filterOrderVector()
{
    m_visible.clear();
    if (!m_filter.isActive()) {
        m_visible = m_order;
    } else {
        if (!m_filter.text.isEmpty())
            prepareSearchText();
        const FunctionMatcher matcher(m_filter, *m_profile, *m_table, m_searchText);
        std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(m_visible),
                     [&](std::uint32_t row) { return matcher.matches(row); });
    }
    indexVisibleRows();
}

void FunctionTableModel::prepareSearchText()
{
    if (m_searchText.isEmpty())
        m_searchText = FunctionSearchText(*m_profile, *m_table);
}

void FunctionTableModel::indexVisibleRows()
{
    m_rowOfTableRow.assign(m_table->rows().size(), -1);
    for (std::size_t row = 0; row < m_visible.size(); ++row)
        m_rowOfTableRow[m_visible[row]] = static_cast<int>(row);
}

void FunctionTableModel::movePersistentIndexes(const std::vector<std::uint32_t>& oldVisible)
{
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& old : before) {
        const std::uint32_t tableRow = oldVisible[static_cast<std::size_t>(old.row())];
        after.append(index(m_rowOfTableRow[tableRow], old.column()));
    }
    changePersistentIndexList(before, after);
}

} // namespace perilune
