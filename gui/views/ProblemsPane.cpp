// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/ProblemsPane.h"

#include "gui/models/Problems.h"
#include "gui/views/EmptyState.h"
#include "gui/views/Icons.h"
#include "gui/views/Theme.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStackedLayout>
#include <QTreeWidget>

namespace perilune {

namespace {

constexpr int textColumn = 0;
constexpr int locationColumn = 1;
constexpr int sourceRole = Qt::UserRole;
constexpr int lineRole = Qt::UserRole + 1;

QIcon iconOf(Problem::Severity severity, const QPalette& palette)
{
    const ThemeColors colors = themeColors(palette);
    switch (severity) {
    case Problem::Severity::Error:
        return tintedIcon(QStringLiteral("error"), colors.error);
    case Problem::Severity::Warning:
        return tintedIcon(QStringLiteral("warning"), colors.warning);
    case Problem::Severity::Detail:
        break;
    }
    return {};
}

} // namespace

ProblemsPane::ProblemsPane(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    createWidgets();
    connectWidgets();
    showProblems();
}

void ProblemsPane::createWidgets()
{
    m_list = new QTreeWidget(this);
    m_list->setAccessibleName(tr("Problems"));
    m_list->setHeaderLabels({tr("Problem"), tr("Location")});
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(textColumn, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(locationColumn, QHeaderView::Interactive);
    m_list->header()->resizeSection(locationColumn, 30 * fontMetrics().averageCharWidth());
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setFrameShape(QFrame::NoFrame);
    auto* copy = new QAction(tr("&Copy"), m_list);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &ProblemsPane::copySelection);
    m_list->addAction(copy);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);

    m_empty = new EmptyState(this);
    m_empty->setContent(tr("No problems"),
                        tr("Errors of the script and warnings about the measurement "
                           "are listed here."));
    m_stack = new QStackedLayout(this);
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_empty);
}

void ProblemsPane::connectWidgets()
{
    connect(&m_document, &Document::profileChanged, this, &ProblemsPane::showProblems);
    connect(m_list, &QTreeWidget::itemClicked, this, &ProblemsPane::activate);
    connect(m_list, &QTreeWidget::itemActivated, this, &ProblemsPane::activate);
}

void ProblemsPane::showProblems()
{
    m_list->clear();
    const std::vector<Problem> problems = problemsOf(*m_document.profile());
    for (const Problem& problem : problems)
        addProblem(problem, nullptr);
    m_stack->setCurrentWidget(problems.empty() ? static_cast<QWidget*>(m_empty) : m_list);
    if (m_problemCount != static_cast<int>(problems.size())) {
        m_problemCount = static_cast<int>(problems.size());
        Q_EMIT problemCountChanged(m_problemCount);
    }
}

void ProblemsPane::addProblem(const Problem& problem, QTreeWidgetItem* parent)
{
    auto* item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_list);
    item->setText(textColumn, problem.text);
    item->setToolTip(textColumn, problem.text);
    item->setText(locationColumn, problem.location);
    item->setToolTip(locationColumn, problem.location);
    item->setIcon(textColumn, iconOf(problem.severity, palette()));
    if (problem.line.source.isValid()) {
        item->setData(textColumn, sourceRole, problem.line.source.value());
        item->setData(textColumn, lineRole, problem.line.line);
        item->setForeground(locationColumn, palette().brush(QPalette::Link));
        QFont underlined = font();
        underlined.setUnderline(true);
        item->setFont(locationColumn, underlined);
    }
    for (const Problem& detail : problem.details)
        addProblem(detail, item);
    item->setExpanded(problem.severity == Problem::Severity::Error);
}

void ProblemsPane::activate(QTreeWidgetItem* item)
{
    const QVariant source = item->data(textColumn, sourceRole);
    if (!source.isValid())
        return;
    m_document.setCurrentLine(
        {SourceId(source.toUInt()), item->data(textColumn, lineRole).toInt()});
    Q_EMIT lineActivated();
}

bool ProblemsPane::showFirstLine()
{
    for (QTreeWidgetItemIterator item(m_list); *item; ++item) {
        if ((*item)->data(textColumn, sourceRole).isValid()) {
            activate(*item);
            return true;
        }
    }
    return false;
}

void ProblemsPane::copySelection()
{
    QStringList lines;
    for (const QTreeWidgetItem* item : m_list->selectedItems())
        lines.append(item->text(locationColumn) + QLatin1Char('\t') + item->text(textColumn));
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace perilune
