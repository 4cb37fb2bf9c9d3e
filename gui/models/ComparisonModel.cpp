// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/ComparisonModel.h"

#include "gui/models/CompareText.h"
#include "gui/models/FunctionFilter.h"
#include "gui/models/ItemRoles.h"
#include "gui/models/NumberFormat.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace perilune {

namespace {

struct ColumnSpec
{
    const char* title;
    const char* toolTip;
    bool isText;
    bool hasUnit; ///< Values are in the unit of what is compared.
};

constexpr std::array<ColumnSpec, compareColumnCount> columns = {{
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Function"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel",
                       "The function as B calls it, or as A does where it is gone."),
     true, false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "A"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel", "The baseline: the median of its runs."), false,
     true},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "B"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel", "The changed side: the median of its runs."),
     false, true},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Δ"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel",
                       "B minus A: plus means slower. Sorted by its size."),
     false, true},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Δ %"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel", "The difference as a share of A."), false,
     false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Ratio"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel", "B over A: 2× is twice as slow."), false,
     false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Calls A → B"),
     QT_TRANSLATE_NOOP(
         "perilune::ComparisonModel",
         "Calls on both sides, one number where they are equal. Sorted by the difference."),
     false, false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Clear?"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel",
                       "Whether the runs show that the change is real."),
     true, false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Status"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel",
                       "How the function was found on the other side; empty where nothing moved."),
     true, false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Location"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Where it is defined."), true, false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Interval"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel",
                       "95 % interval of the change of the median, by bootstrap."),
     false, false},
    {QT_TRANSLATE_NOOP("perilune::ComparisonModel", "p"),
     QT_TRANSLATE_NOOP("perilune::ComparisonModel", "Corrected for the number of functions."),
     false, false},
}};

const ColumnSpec& specOf(int column)
{
    return columns[static_cast<std::size_t>(column)];
}

/// A filter's text made ready: a pattern or words.
class RowMatcher
{
public:
    explicit RowMatcher(const QString& text)
    {
        if (text.size() > 2 && text.startsWith(u'/') && text.endsWith(u'/')) {
            m_pattern.emplace(text.mid(1, text.size() - 2),
                              QRegularExpression::CaseInsensitiveOption);
            return;
        }
        const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
        for (const QString& word : words)
            m_words.push_back(caseFolded(word.toStdString()));
    }

    bool matches(const std::string& row) const
    {
        if (m_pattern)
            return m_pattern->isValid() && m_pattern->match(QString::fromStdString(row)).hasMatch();
        return std::all_of(m_words.begin(), m_words.end(), [&row](const std::string& word) {
            return row.find(word) != std::string::npos;
        });
    }

private:
    std::optional<QRegularExpression> m_pattern;
    std::vector<std::string> m_words;
};

std::string searchTextOf(const MatchedFunction& function)
{
    std::string text;
    for (const std::optional<MatchedSide>* side : {&function.a, &function.b})
        if (*side)
            text += (*side)->name + ' ' + (*side)->location + ' ';
    return caseFolded(text);
}

QString callsText(const ComparisonRow& row, const QLocale& locale)
{
    const auto text = [&locale](double calls) {
        return formatCount(static_cast<std::uint64_t>(std::llround(calls)), locale);
    };
    if (row.callsA == row.callsB)
        return text(row.callsA);
    return text(row.callsA) + QStringLiteral(" → ") + text(row.callsB);
}

QString ratioText(const ComparisonRow& row, const QLocale& locale)
{
    if (!row.change.ratio)
        return noValue();
    return locale.toString(*row.change.ratio, 'f', *row.change.ratio < 10.0 ? 3 : 1)
        + QChar(0x00d7);
}

QString intervalText(const ComparisonRow& row)
{
    if (!row.change.interval)
        return noValue();
    return formatSignedPercent(row.change.interval->lower - 1.0) + QStringLiteral(" … ")
        + formatSignedPercent(row.change.interval->upper - 1.0);
}

} // namespace

ComparisonModel::ComparisonModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void ComparisonModel::setComparison(std::shared_ptr<const Comparison> comparison)
{
    beginResetModel();
    m_comparison = std::move(comparison);
    rebuild();
    endResetModel();
}

void ComparisonModel::rebuild()
{
    m_searchText.clear();
    m_order.clear();
    m_unchangedCount = 0;
    if (m_comparison) {
        m_order.resize(m_comparison->rows().size());
        std::iota(m_order.begin(), m_order.end(), 0u);
        for (const ComparisonRow& row : m_comparison->rows()) {
            m_searchText.push_back(searchTextOf(functionOf(row)));
            m_unchangedCount += m_comparison->isUnchanged(row) ? 1 : 0;
        }
    }
    sortOrder();
    filterOrder();
}

void ComparisonModel::setFilter(const CompareFilter& filter)
{
    if (filter == m_filter)
        return;
    beginResetModel();
    m_filter = filter;
    filterOrder();
    endResetModel();
}

QString ComparisonModel::filterProblem() const
{
    FunctionFilter filter;
    filter.text = m_filter.text;
    return filter.problem();
}

void ComparisonModel::filterOrder()
{
    m_visible.clear();
    m_largestDelta = 0.0;
    m_visibleRowOf.assign(m_comparison ? m_comparison->runs().functions().size() : 0, -1);
    const RowMatcher matcher(m_filter.text);
    for (const std::uint32_t row : m_order) {
        const ComparisonRow& entry = rowOfOrder(row);
        if (m_filter.hidesUnchanged && m_comparison->isUnchanged(entry))
            continue;
        if (!matcher.matches(m_searchText[row]))
            continue;
        m_visibleRowOf[entry.function] = static_cast<int>(m_visible.size());
        m_visible.push_back(row);
        m_largestDelta = std::max(m_largestDelta, std::abs(entry.delta()));
    }
}

void ComparisonModel::sortOrder()
{
    const auto column = static_cast<CompareColumn>(m_sortColumn);
    const bool isAscending = m_sortDirection == Qt::AscendingOrder;
    if (specOf(m_sortColumn).isText) {
        std::vector<QString> keys;
        for (std::uint32_t row = 0; row < m_order.size(); ++row)
            keys.push_back(sortText(rowOfOrder(row), column));
        std::stable_sort(m_order.begin(), m_order.end(),
                         [&](std::uint32_t left, std::uint32_t right) {
                             const int order = keys[left].localeAwareCompare(keys[right]);
                             return isAscending ? order < 0 : order > 0;
                         });
        return;
    }
    std::vector<double> keys;
    for (std::uint32_t row = 0; row < m_order.size(); ++row)
        keys.push_back(sortKey(rowOfOrder(row), column));
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t left, std::uint32_t right) {
        return isAscending ? keys[left] < keys[right] : keys[left] > keys[right];
    });
}

double ComparisonModel::sortKey(const ComparisonRow& row, CompareColumn column) const
{
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    switch (column) {
    case CompareColumn::A:
        return row.change.medianA;
    case CompareColumn::B:
        return row.change.medianB;
    case CompareColumn::Delta:
        return std::abs(row.delta());
    case CompareColumn::DeltaShare:
        // What is new has grown more than anything that was there before.
        return row.deltaShare().value_or(row.delta() > 0.0 ? std::numeric_limits<double>::max()
                                                           : nothing);
    case CompareColumn::Ratio:
        return row.change.ratio.value_or(nothing);
    case CompareColumn::Calls:
        return std::abs(row.callsB - row.callsA);
    case CompareColumn::Interval:
        return row.change.interval ? row.change.interval->lower : nothing;
    case CompareColumn::PValue:
        return row.change.verdict == Verdict::TooFewRuns ? 2.0 : row.change.adjustedP;
    case CompareColumn::Function:
    case CompareColumn::Verdict:
    case CompareColumn::Status:
    case CompareColumn::Location:
        break;
    }
    return 0.0;
}

QString ComparisonModel::sortText(const ComparisonRow& row, CompareColumn column) const
{
    return shownText(row, column, QLocale::c());
}

std::size_t ComparisonModel::functionAt(int row) const
{
    return row >= 0 && row < rowCount() ? rowAt(row).function : SIZE_MAX;
}

int ComparisonModel::rowOf(std::size_t function) const
{
    return function < m_visibleRowOf.size() ? m_visibleRowOf[function] : -1;
}

const ComparisonRow& ComparisonModel::rowOfOrder(std::uint32_t row) const
{
    return m_comparison->rows()[row];
}

const ComparisonRow& ComparisonModel::rowAt(int row) const
{
    return rowOfOrder(m_visible[static_cast<std::size_t>(row)]);
}

const MatchedFunction& ComparisonModel::functionOf(const ComparisonRow& row) const
{
    return m_comparison->functionOf(row);
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_visible.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : compareColumnCount;
}

QString ComparisonModel::deltaShareText(const ComparisonRow& row, const QLocale& locale) const
{
    const MatchStatus status = functionOf(row).status;
    if (status == MatchStatus::New)
        return tr("new");
    if (status == MatchStatus::Gone)
        return tr("gone");
    const auto share = row.deltaShare();
    if (!share)
        return noValue();
    if (locale == QLocale::c())
        return QString::number(*share * 100.0, 'f', 1);
    return formatSignedPercent(*share);
}

QString ComparisonModel::shownText(const ComparisonRow& row, CompareColumn column,
                                   const QLocale& locale) const
{
    const ComparisonOptions& options = m_comparison->options();
    const MatchedFunction& function = functionOf(row);
    switch (column) {
    case CompareColumn::Function:
        return QString::fromStdString(function.shown().name);
    case CompareColumn::A:
        return function.a ? formatCost(row.change.medianA, options, locale) : noValue();
    case CompareColumn::B:
        return function.b ? formatCost(row.change.medianB, options, locale) : noValue();
    case CompareColumn::Delta:
        return formatSignedCost(row.delta(), options, locale);
    case CompareColumn::DeltaShare:
        return deltaShareText(row, locale);
    case CompareColumn::Ratio:
        return ratioText(row, locale);
    case CompareColumn::Calls:
        return callsText(row, locale);
    case CompareColumn::Verdict:
        return verdictTitle(row.change.verdict, options);
    case CompareColumn::Status:
        return statusTitle(function);
    case CompareColumn::Location:
        return QString::fromStdString(function.shown().location);
    case CompareColumn::Interval:
        return intervalText(row);
    case CompareColumn::PValue:
        return row.change.verdict == Verdict::TooFewRuns
            ? noValue()
            : locale.toString(row.change.adjustedP, 'f', 4);
    }
    return {};
}

QString ComparisonModel::exactText(const ComparisonRow& row, CompareColumn column) const
{
    const MatchedFunction& function = functionOf(row);
    switch (column) {
    case CompareColumn::A:
        return function.a ? exactCost(row.change.medianA) : QString();
    case CompareColumn::B:
        return function.b ? exactCost(row.change.medianB) : QString();
    case CompareColumn::Delta:
        return exactCost(row.delta());
    case CompareColumn::DeltaShare: {
        const auto share = row.deltaShare();
        return share ? QString::number(*share * 100.0, 'f', 6) : QString();
    }
    case CompareColumn::Ratio:
        return exactCost(row.change.ratio);
    case CompareColumn::PValue:
        return row.change.verdict == Verdict::TooFewRuns
            ? QString()
            : QString::number(row.change.adjustedP, 'g', 6);
    default:
        return shownText(row, column, QLocale::c());
    }
}

QString ComparisonModel::toolTip(const ComparisonRow& row, CompareColumn column) const
{
    const ComparisonOptions& options = m_comparison->options();
    switch (column) {
    case CompareColumn::Function:
    case CompareColumn::Status:
    case CompareColumn::Location:
        return statusDetails(functionOf(row));
    default:
        return verdictDetails(row.change, options);
    }
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ComparisonRow& row = rowAt(index.row());
    const auto column = static_cast<CompareColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return shownText(row, column, QLocale());
    case PlainTextRole:
        return shownText(row, column, QLocale::c());
    case ExactTextRole:
        return exactText(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter
                        | (specOf(index.column()).isText ? Qt::AlignLeft : Qt::AlignRight));
    case ClearRole:
        return isClear(row.change.verdict);
    case DeltaBarRole:
        if (column != CompareColumn::Delta || m_largestDelta == 0.0)
            return {};
        return row.delta() / m_largestDelta;
    default:
        return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= compareColumnCount)
        return {};
    const ColumnSpec& spec = specOf(section);
    switch (role) {
    case Qt::DisplayRole:
    case PlainTextRole:
        return tr(spec.title);
    case ExactTextRole:
        if (static_cast<CompareColumn>(section) == CompareColumn::DeltaShare || !spec.hasUnit
            || !m_comparison)
            return tr(spec.title);
        return QString(tr(spec.title) + costUnitSuffix(m_comparison->options()));
    case Qt::ToolTipRole:
        return tr(spec.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (spec.isText ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::InitialSortOrderRole:
        return spec.isText ? Qt::AscendingOrder : Qt::DescendingOrder;
    default:
        return {};
    }
}

void ComparisonModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= compareColumnCount)
        return;
    m_sortColumn = column;
    m_sortDirection = order;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> functions;
    for (const QModelIndex& old : before)
        functions.push_back(functionAt(old.row()));
    sortOrder();
    filterOrder();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(rowOf(functions[static_cast<std::size_t>(i)]), before[i].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

} // namespace perilune
