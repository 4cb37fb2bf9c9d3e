// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CompareOptionsBar.h"

#include "gui/models/NumberFormat.h"
#include "gui/views/Icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTimer>

namespace perilune {

namespace {

constexpr int typingPauseMs = 120;

template<typename Value>
void addItem(QComboBox& box, const QString& text, Value value, const QString& toolTip = {})
{
    box.addItem(text, static_cast<int>(value));
    box.setItemData(box.count() - 1, toolTip, Qt::ToolTipRole);
}

template<typename Value>
void choose(QComboBox& box, Value value)
{
    const QSignalBlocker blocker(box);
    box.setCurrentIndex(std::max(0, box.findData(static_cast<int>(value))));
}

} // namespace

CompareOptionsBar::CompareOptionsBar(QWidget* parent)
    : QWidget(parent)
{
    createOptions();
    createFilter();
    layOut();
    connectFields();
    setOptions({});
    setFilter({});
}

void CompareOptionsBar::createOptions()
{
    m_cost = new QComboBox(this);
    m_cost->setAccessibleName(tr("What is compared"));
    m_cost->setToolTip(tr("Which cost of a function is compared."));
    addItem(*m_cost, tr("Self"), CostKind::Self, tr("In the function itself."));
    addItem(*m_cost, tr("Total"), CostKind::Total, tr("With everything that it calls."));
    addItem(*m_cost, tr("Calls"), CostKind::Calls);
    addItem(*m_cost, tr("Mean per call"), CostKind::Mean, tr("Total over calls."));
    m_metric = new QComboBox(this);
    m_metric->setAccessibleName(tr("Measured quantity"));
    setMetrics({Metric::Time});
    m_normalisation = new QComboBox(this);
    m_normalisation->setAccessibleName(tr("Normalise"));
    m_normalisation->setToolTip(tr("What costs are divided by before they are compared."));
    addItem(*m_normalisation, tr("Absolute"), Normalisation::Absolute);
    addItem(*m_normalisation, tr("Per call"), Normalisation::PerCall,
            tr("Divided by the function's calls."));
    addItem(*m_normalisation, tr("Share of the run"), Normalisation::ShareOfRun,
            tr("Divided by the whole run, so that a slower machine cancels out."));
    m_threshold = new QDoubleSpinBox(this);
    m_threshold->setAccessibleName(tr("Smallest change that counts"));
    m_threshold->setToolTip(tr("A change that is not larger than this is never called clear."));
    m_threshold->setRange(0.0, 1000.0);
    m_threshold->setDecimals(1);
    m_threshold->setSingleStep(0.5);
    m_threshold->setPrefix(tr("> "));
    m_threshold->setSuffix(tr(" %"));
}

void CompareOptionsBar::createFilter()
{
    m_hideUnchanged = new QCheckBox(tr("Hide unchanged"), this);
    m_hideUnchanged->setToolTip(tr("Leaves out functions that may well have stayed the same."));
    m_text = new QLineEdit(this);
    m_text->setPlaceholderText(tr("Filter: words or /regex/"));
    m_text->setClearButtonEnabled(true);
    m_text->setAccessibleName(tr("Filter compared functions by text"));
    m_text->setToolTip(
        tr("Keeps functions whose name or location on either side has all these words, or "
           "matches a regular expression written /like this/."));
    m_text->addAction(themedIcon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    m_delay = new QTimer(this);
    m_delay->setSingleShot(true);
    m_delay->setInterval(typingPauseMs);
}

void CompareOptionsBar::layOut()
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(6);
    layout->addWidget(m_cost);
    layout->addWidget(m_metric);
    layout->addWidget(m_normalisation);
    layout->addWidget(m_threshold);
    layout->addSpacing(8);
    layout->addWidget(m_hideUnchanged);
    layout->addWidget(m_text, 1);
}

void CompareOptionsBar::connectFields()
{
    for (QComboBox* box : {m_cost, m_metric, m_normalisation})
        connect(box, &QComboBox::currentIndexChanged, this, &CompareOptionsBar::optionsChanged);
    connect(m_threshold, &QDoubleSpinBox::editingFinished, this,
            &CompareOptionsBar::optionsChanged);
    connect(m_hideUnchanged, &QCheckBox::toggled, this, &CompareOptionsBar::filterChanged);
    connect(m_text, &QLineEdit::textChanged, m_delay, qOverload<>(&QTimer::start));
    connect(m_delay, &QTimer::timeout, this, &CompareOptionsBar::filterChanged);
}

ComparisonOptions CompareOptionsBar::options() const
{
    ComparisonOptions options;
    options.cost = static_cast<CostKind>(m_cost->currentData().toInt());
    options.metric = static_cast<Metric>(m_metric->currentData().toInt());
    options.normalisation = static_cast<Normalisation>(m_normalisation->currentData().toInt());
    options.rules = m_rules;
    options.rules.threshold = m_threshold->value() / 100.0;
    return options;
}

void CompareOptionsBar::setOptions(const ComparisonOptions& options)
{
    m_rules = options.rules;
    choose(*m_cost, options.cost);
    choose(*m_metric, options.metric);
    choose(*m_normalisation, options.normalisation);
    const QSignalBlocker blocker(m_threshold);
    m_threshold->setValue(options.rules.threshold * 100.0);
}

CompareFilter CompareOptionsBar::filter() const
{
    return {m_text->text().trimmed(), m_hideUnchanged->isChecked()};
}

void CompareOptionsBar::setFilter(const CompareFilter& filter)
{
    const QSignalBlocker textBlocker(m_text);
    const QSignalBlocker boxBlocker(m_hideUnchanged);
    m_text->setText(filter.text);
    m_hideUnchanged->setChecked(filter.hidesUnchanged);
}

void CompareOptionsBar::setMetrics(const std::vector<Metric>& metrics)
{
    const QSignalBlocker blocker(m_metric);
    const QVariant chosen = m_metric->currentData();
    m_metric->clear();
    for (const Metric metric : metrics)
        addItem(*m_metric, metricTitle(metric), metric);
    m_metric->setCurrentIndex(std::max(0, m_metric->findData(chosen)));
    m_metric->setVisible(metrics.size() > 1);
}

void CompareOptionsBar::focusFilter()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void CompareOptionsBar::clearFilter()
{
    setFilter({QString(), false});
    Q_EMIT filterChanged();
}

} // namespace perilune
