// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/DetailsPane.h"

#include "gui/models/FunctionColumns.h"
#include "gui/views/EmptyState.h"

#include <QFormLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>

namespace perilune {

namespace {

/// What is said of a function, from the columns of the functions table; the shares follow their
/// times.
constexpr std::array factColumns = {
    FunctionColumn::SelfTime,  FunctionColumn::TotalTime,    FunctionColumn::Calls,
    FunctionColumn::MeanTime,  FunctionColumn::SelfMean,     FunctionColumn::TailCalls,
    FunctionColumn::Callers,   FunctionColumn::Callees,      FunctionColumn::Minimum,
    FunctionColumn::Median,    FunctionColumn::Percentile95, FunctionColumn::Maximum,
    FunctionColumn::SelfBytes, FunctionColumn::TotalBytes,   FunctionColumn::RawSelf,
    FunctionColumn::RawTotal,  FunctionColumn::Samples,      FunctionColumn::Kind,
};

QString shareAfter(FunctionColumn column, const FunctionRow& row)
{
    if (column != FunctionColumn::SelfTime && column != FunctionColumn::TotalTime)
        return {};
    const FunctionColumn share =
        column == FunctionColumn::SelfTime ? FunctionColumn::SelfShare : FunctionColumn::TotalShare;
    return QStringLiteral("   ") + specOf(share).value(row).shownText(TimeUnit::Automatic);
}

QLabel* createSelectableLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

/// Lets a long path wrap behind its separators.
QString breakable(const QString& text)
{
    QString result = text.toHtmlEscaped();
    return result.replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
}

} // namespace

DetailsPane::DetailsPane(Document& document, QWidget* parent)
    : QScrollArea(parent)
    , m_document(document)
{
    createWidgets();
    connectWidgets();
    showFunction();
}

void DetailsPane::createWidgets()
{
    m_empty = new EmptyState;
    m_empty->setContent(tr("No function selected"), tr("Select one in any view."));
    m_content = new QWidget;
    m_name = createSelectableLabel(m_content);
    QFont bold = m_name->font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    m_name->setFont(bold);
    m_location = createSelectableLabel(m_content);
    m_facts = new QFormLayout;
    m_facts->setHorizontalSpacing(14);
    m_facts->setVerticalSpacing(4);
    m_facts->setLabelAlignment(Qt::AlignLeft);

    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->addWidget(m_name);
    layout->addWidget(m_location);
    layout->addSpacing(6);
    layout->addLayout(m_facts);
    layout->addStretch(1);

    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    setWidget(m_stack);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Details of the selected function"));
}

void DetailsPane::connectWidgets()
{
    connect(&m_document, &Document::currentFunctionChanged, this, &DetailsPane::showFunction);
    connect(&m_document, &Document::timeUnitChanged, this, &DetailsPane::showFunction);
    connect(m_location, &QLabel::linkActivated, this, &DetailsPane::locationActivated);
}

void DetailsPane::showFunction()
{
    const FunctionId id = m_document.currentFunction();
    const FunctionCosts* costs = id.isValid() ? m_document.table()->find(id) : nullptr;
    if (costs == nullptr) {
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    const Function& function = m_document.profile()->function(id);
    const QString location =
        breakable(QString::fromStdString(m_document.profile()->location(function)));
    m_name->setText(QString::fromStdString(function.name).toHtmlEscaped());
    m_location->setText(function.source.isValid()
                            ? QStringLiteral("<a href=\"source\">%1</a>").arg(location)
                            : location);
    fillFacts(*costs);
    m_stack->setCurrentWidget(m_content);
}

void DetailsPane::fillFacts(const FunctionCosts& costs)
{
    setUpdatesEnabled(false);
    clearFacts();
    const FunctionRow row = {*m_document.profile(), *m_document.table(), costs};
    for (const FunctionColumn column : factColumns) {
        const CellValue value = specOf(column).value(row);
        if (!isMeasured(column, row.profile) || value.kind == CellValue::Kind::None)
            continue;
        addFact(titleOf(column), value.shownText(m_document.timeUnit()) + shareAfter(column, row),
                value.toolTip());
    }
    setUpdatesEnabled(true);
}

void DetailsPane::addFact(const QString& title, const QString& text, const QString& toolTip)
{
    auto* label = new QLabel(title, m_content);
    label->setForegroundRole(QPalette::PlaceholderText);
    auto* value = new QLabel(text, m_content);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setToolTip(toolTip);
    value->setAccessibleName(title);
    m_facts->addRow(label, value);
}

void DetailsPane::clearFacts()
{
    while (m_facts->rowCount() > 0)
        m_facts->removeRow(0);
}

} // namespace perilune
