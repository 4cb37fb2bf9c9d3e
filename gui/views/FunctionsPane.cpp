// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FunctionsPane.h"

#include "gui/models/FunctionTableModel.h"
#include "gui/views/DataView.h"
#include "gui/views/EmptyState.h"
#include "gui/views/FilterBar.h"
#include "gui/views/FindField.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace perilune {

FunctionsPane::FunctionsPane(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    createWidgets();
    layOut();
    connectWidgets();
    showProfile();
}

void FunctionsPane::createWidgets()
{
    m_model = new FunctionTableModel(this);
    m_filterBar = new FilterBar(this);
    m_find = new FindField(m_document, this);
    m_find->setMaximumWidth(260);
    m_filterBar->addWidget(m_find);
    m_table = new DataView(this);
    m_table->setAccessibleName(tr("Functions"));
    m_table->setUp(m_model, defaultFunctionColumnCount, static_cast<int>(FunctionColumn::SelfTime),
                   Qt::DescendingOrder);
    m_table->setColumnWidths({34, 11, 10, 11, 10, 12, 11, 26});
    m_noMatch = new EmptyState(this);
    m_noFunctions = new EmptyState(this);
    setReadyScript({});
    m_notice = new QLabel(this);
    m_notice->setForegroundRole(QPalette::PlaceholderText);
    m_clearFilter = new QPushButton(tr("Clear filter"), this);
    m_clearFilter->setFlat(true);
}

void FunctionsPane::layOut()
{
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_noMatch);
    m_stack->addWidget(m_noFunctions);
    auto* noticeRow = new QHBoxLayout;
    noticeRow->setContentsMargins(8, 3, 8, 3);
    noticeRow->addWidget(m_notice);
    noticeRow->addWidget(m_clearFilter);
    noticeRow->addStretch(1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filterBar);
    layout->addLayout(m_stack, 1);
    layout->addLayout(noticeRow);
}

void FunctionsPane::connectWidgets()
{
    connect(&m_document, &Document::profileChanged, this, &FunctionsPane::showProfile);
    connect(&m_document, &Document::currentFunctionChanged, this,
            &FunctionsPane::showCurrentFunction);
    connect(&m_document, &Document::timeUnitChanged, m_model, &FunctionTableModel::setTimeUnit);
    connect(&m_document, &Document::searchTextChanged, this, [this](const QString& text) {
        m_model->setSearchText(text);
        updateMatches();
    });
    connect(m_find, &FindField::nextRequested, this, &FunctionsPane::showNextMatch);
    connect(m_find, &FindField::previousRequested, this, &FunctionsPane::showPreviousMatch);
    connect(m_filterBar, &FilterBar::filterChanged, this, &FunctionsPane::showFilter);
    connect(m_clearFilter, &QPushButton::clicked, m_filterBar, &FilterBar::clear);
    connect(m_noFunctions, &EmptyState::actionTriggered, this, &FunctionsPane::runRequested);
    connect(m_noMatch, &EmptyState::actionTriggered, m_filterBar, &FilterBar::clear);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FunctionsPane::selectFromTable);
    connect(m_model, &FunctionTableModel::layoutChanged, this,
            [this] { m_table->scrollTo(m_table->currentIndex()); });
    connect(m_table, &DataView::rowsCopied, this, &FunctionsPane::rowsCopied);
    connect(m_table, &DataView::rowActivated, this, &FunctionsPane::functionActivated);
}

void FunctionsPane::selectFirst()
{
    if (m_model->rowCount() > 0)
        m_document.setCurrentFunction(m_model->functionAt(0));
}

void FunctionsPane::setReadyScript(const QString& script)
{
    const QString name = QFileInfo(script).fileName();
    const RunStatus status = m_document.profile()->run.status;
    if (script.isEmpty())
        m_noFunctions->setContent(tr("No functions yet"),
                                  tr("They appear here while a script runs."));
    else if (status == RunStatus::SyntaxError || status == RunStatus::CouldNotStart)
        m_noFunctions->setContent(tr("Nothing ran"),
                                  tr("Problems says why %1 could not be run.").arg(name),
                                  tr("Run again"));
    else
        m_noFunctions->setContent(tr("Ready to run %1").arg(name),
                                  tr("Its functions appear here while it runs."), tr("Run"));
}

QString FunctionsPane::notice() const
{
    return m_notice->text();
}

QString FunctionsPane::emptyTitle() const
{
    return (m_model->allCount() == 0 ? m_noFunctions : m_noMatch)->title();
}

void FunctionsPane::focusFilter()
{
    m_filterBar->focusText();
}

void FunctionsPane::showProfile()
{
    const QScopedValueRollback following(m_isFollowing, true);
    const int scrolled = m_table->verticalScrollBar()->value();
    const bool wasInView =
        m_table->viewport()->rect().intersects(m_table->visualRect(m_table->currentIndex()));
    m_model->setProfile(m_document.profile(), m_document.table(), m_document.functionOrder());
    updateFiles();
    updateNotice();
    m_table->verticalScrollBar()->setValue(scrolled);
    selectCurrentFunction(wasInView ? Scrolling::IntoView : Scrolling::None);
}

void FunctionsPane::showFilter()
{
    const QScopedValueRollback following(m_isFollowing, true);
    m_model->setFilter(m_filterBar->filter());
    updateNotice();
    selectCurrentFunction(Scrolling::IntoView);
}

void FunctionsPane::showCurrentFunction()
{
    selectCurrentFunction(Scrolling::IntoView);
}

/// Selects the document's function where it is shown.
void FunctionsPane::selectCurrentFunction(Scrolling scrolling)
{
    const int row = m_model->rowOf(m_document.currentFunction());
    const QScopedValueRollback following(m_isFollowing, true);
    if (row < 0) {
        m_table->selectionModel()->clear();
        return;
    }
    const QModelIndex index = m_model->index(row, 0);
    if (m_table->currentIndex().row() == row && m_table->selectionModel()->isRowSelected(row))
        return;
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (scrolling == Scrolling::IntoView)
        m_table->scrollTo(index);
}

void FunctionsPane::selectFromTable(const QModelIndex& index)
{
    if (m_isFollowing || !index.isValid())
        return;
    m_document.setCurrentFunction(m_model->functionAt(index.row()));
}

void FunctionsPane::updateNotice()
{
    updateMatches();
    const int shown = m_model->rowCount();
    const int all = m_model->allCount();
    const bool isFiltered = m_model->filter().isActive();
    if (all == 0)
        m_stack->setCurrentWidget(m_noFunctions);
    else if (shown == 0)
        m_stack->setCurrentWidget(m_noMatch);
    else
        m_stack->setCurrentWidget(m_table);
    m_clearFilter->setVisible(isFiltered && shown > 0);
    if (all == 0)
        m_notice->clear();
    else if (!isFiltered)
        m_notice->setText(tr("%Ln function(s)", nullptr, all));
    else
        m_notice->setText(tr("Showing %1 of %Ln function(s), %2 of self time", nullptr, all)
                              .arg(formatCount(static_cast<std::uint64_t>(shown)),
                                   formatPercent(m_model->shownSelfShare())));
    const FunctionFilter& filter = m_model->filter();
    m_noMatch->setContent(filter.text.isEmpty() ? tr("No function matches the filter.")
                                                : tr("No function matches “%1”.").arg(filter.text),
                          {}, tr("Clear filter"));
}

void FunctionsPane::updateMatches()
{
    const bool isSearching = !m_document.searchText().trimmed().isEmpty();
    m_find->setResult(isSearching ? tr("%Ln match(es)", nullptr, m_model->matchCount())
                                  : QString());
}

void FunctionsPane::showMatch(bool isForward)
{
    const int row = m_model->nextMatch(m_table->currentIndex().row(), isForward);
    if (row >= 0)
        m_document.setCurrentFunction(m_model->functionAt(row));
}

void FunctionsPane::focusSearch()
{
    m_find->focusText();
}

void FunctionsPane::updateFiles()
{
    QStringList labels;
    for (const Source& source : m_document.profile()->sources)
        labels.append(QString::fromStdString(source.label));
    labels.removeDuplicates();
    labels.sort(Qt::CaseInsensitive);
    m_filterBar->setFiles(labels);
    QList<int> unmeasured;
    for (int column = 0; column < functionColumnCount; ++column) {
        if (!isMeasured(static_cast<FunctionColumn>(column), *m_document.profile()))
            unmeasured.append(column);
    }
    m_table->setUnmeasuredColumns(unmeasured);
}

} // namespace perilune
