// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/RunsModel.h"

#include "gui/models/NumberFormat.h"
#include "gui/models/RunText.h"

#include <QDateTime>
#include <QFont>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

/// Internal ids: 0 is a script's row, other values are one more than the script's number.
constexpr quintptr groupId = 0;

QDateTime startOf(const RunInfo& run)
{
    return QDateTime::fromMSecsSinceEpoch(run.startedAtUnixMs);
}

QString startText(const RunInfo& run)
{
    const QDateTime start = startOf(run);
    const bool isToday = start.date() == QDate::currentDate();
    return isToday ? QLocale().toString(start.time(), QStringLiteral("HH:mm:ss"))
                   : QLocale().toString(start, QStringLiteral("yyyy-MM-dd HH:mm"));
}

QStringList joined(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list.append(QString::fromStdString(text));
    return list;
}

} // namespace

RunsModel::RunsModel(QObject* parent)
    : QAbstractItemModel(parent)
{
}

void RunsModel::setRuns(std::vector<RunSummary> runs)
{
    beginResetModel();
    m_runs = std::move(runs);
    m_groups.clear();
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
        const std::string script = scriptPath(m_runs[run].info).toStdString();
        auto group = std::find_if(m_groups.begin(), m_groups.end(),
                                  [&](const Group& known) { return known.script == script; });
        if (group == m_groups.end())
            group = m_groups.insert(m_groups.end(), Group{script, {}});
        group->runs.push_back(run);
    }
    endResetModel();
}

void RunsModel::setLoadedRun(std::int64_t id)
{
    const std::int64_t before = std::exchange(m_loaded, id);
    for (const std::int64_t changed : {before, id}) {
        const QModelIndex index = indexOf(changed);
        if (index.isValid())
            Q_EMIT dataChanged(index, index.siblingAtColumn(ColumnCount - 1));
    }
}

const RunSummary* RunsModel::runAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == groupId)
        return nullptr;
    const Group& group = m_groups[index.internalId() - 1];
    return &m_runs[group.runs[static_cast<std::size_t>(index.row())]];
}

QModelIndex RunsModel::indexOf(std::int64_t id) const
{
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const std::vector<std::size_t>& runs = m_groups[group].runs;
        for (std::size_t row = 0; row < runs.size(); ++row) {
            if (m_runs[runs[row]].id == id)
                return createIndex(static_cast<int>(row), 0, static_cast<quintptr>(group + 1));
        }
    }
    return {};
}

QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column,
                       parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : groupId);
}

QModelIndex RunsModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == groupId)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, groupId);
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != groupId || parent.column() != 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].runs.size());
}

int RunsModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (const RunSummary* run = runAt(index))
        return runData(*run, index.column(), role);
    return groupData(m_groups[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant RunsModel::groupData(const Group& group, int column, int role) const
{
    if (column != RunColumn)
        return {};
    if (role == Qt::DisplayRole)
        return scriptName(m_runs[group.runs.front()].info);
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(group.script);
    return {};
}

QVariant RunsModel::runData(const RunSummary& run, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        if (column == RunColumn)
            return (run.isBaseline ? QStringLiteral("★ ") : QString()) + titleOf(run);
        return column == DurationColumn ? formatDuration(run.info.wallTime)
                                        : shortStatusText(run.info);
    case Qt::EditRole:
        return column == RunColumn ? QVariant(QString::fromStdString(run.name)) : QVariant();
    case Qt::ToolTipRole:
        return toolTipOf(run);
    case Qt::FontRole: {
        QFont font;
        font.setBold(run.id == m_loaded);
        return font;
    }
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter
                        | (column == DurationColumn ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QString RunsModel::toolTipOf(const RunSummary& run) const
{
    QStringList lines = {runTitle(run.info),
                         QLocale().toString(startOf(run.info), QLocale::LongFormat),
                         statusText(run.info), measurementText(run.info)};
    if (run.isBaseline)
        lines.append(tr("Baseline"));
    if (!run.tags.empty())
        lines.append(tr("Tags: %1").arg(joined(run.tags).join(QStringLiteral(", "))));
    if (!run.notes.empty())
        lines.append(QString::fromStdString(run.notes));
    return lines.join(QLatin1Char('\n'));
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case RunColumn:
        return tr("Run");
    case DurationColumn:
        return tr("Duration");
    case StatusColumn:
        return tr("Status");
    default:
        return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (runAt(index) != nullptr && index.column() == RunColumn)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const RunSummary* run = runAt(index);
    if (run == nullptr || role != Qt::EditRole || index.column() != RunColumn)
        return false;
    RunSummary changed = *run;
    changed.name = value.toString().trimmed().toStdString();
    if (changed.name == run->name)
        return false;
    Q_EMIT runEdited(changed);
    return true;
}

QString RunsModel::titleOf(const RunSummary& run)
{
    return run.name.empty() ? startText(run.info) : QString::fromStdString(run.name);
}

} // namespace perilune
