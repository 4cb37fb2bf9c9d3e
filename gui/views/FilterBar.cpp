// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FilterBar.h"

#include "gui/models/FunctionColumns.h"
#include "gui/models/NumberFormat.h"
#include "gui/views/Icons.h"
#include "gui/views/Theme.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace perilune {

namespace {

constexpr int typingPauseMs = 120;

void chooseData(QComboBox* combo, const QVariant& value)
{
    const int index = combo->findData(value);
    combo->setCurrentIndex(std::max(index, 0));
}

} // namespace

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent)
{
    createFields();
    layOut();
    connectFields();
    updateChips();
}

void FilterBar::createFields()
{
    m_text = new QLineEdit(this);
    m_text->setPlaceholderText(tr("Filter: words or /regex/"));
    m_text->setClearButtonEnabled(true);
    m_text->setAccessibleName(tr("Filter functions by text"));
    m_text->setToolTip(
        tr("Keeps functions whose name or location has all these words and matches regular "
           "expressions written /like this/. With not: in front, as in not:[C], it keeps those "
           "without. Upper and lower case are the same."));
    m_text->addAction(themedIcon(QStringLiteral("filter")), QLineEdit::LeadingPosition);

    m_file = new QComboBox(this);
    m_file->setAccessibleName(tr("Filter functions by file"));
    m_file->setToolTip(tr("Keeps functions that are defined in one file."));
    m_file->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_file->setMinimumContentsLength(12);
    setFiles({});

    m_kind = new QComboBox(this);
    m_kind->setAccessibleName(tr("Filter functions by kind"));
    m_kind->setToolTip(tr("Keeps functions of one kind."));
    m_kind->addItem(tr("All kinds"), -1);
    for (const FunctionKind kind : {FunctionKind::Lua, FunctionKind::C, FunctionKind::Main})
        m_kind->addItem(kindTitle(kind), static_cast<int>(kind));

    m_minimumShare = new QDoubleSpinBox(this);
    m_minimumShare->setAccessibleName(tr("Smallest total share"));
    m_minimumShare->setToolTip(
        tr("Keeps functions whose total time is at least this share of the run."));
    m_minimumShare->setRange(0.0, 100.0);
    m_minimumShare->setDecimals(1);
    m_minimumShare->setSingleStep(0.5);
    m_minimumShare->setSuffix(tr(" %"));
    m_minimumShare->setPrefix(tr("≥ "));
    m_minimumShare->setSpecialValueText(tr("Any share"));

    m_problem = new QLabel(this);
    m_problem->hide();
    m_delay = new QTimer(this);
    m_delay->setSingleShot(true);
    m_delay->setInterval(typingPauseMs);
}

void FilterBar::layOut()
{
    m_fields = new QHBoxLayout;
    m_fields->setSpacing(6);
    m_fields->addWidget(m_text, 3);
    m_fields->addWidget(m_file, 1);
    m_fields->addWidget(m_kind);
    m_fields->addWidget(m_minimumShare);

    m_chipRow = new QWidget(this);
    m_chips = new QHBoxLayout(m_chipRow);
    m_chips->setContentsMargins(0, 0, 0, 0);
    m_chips->setSpacing(6);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(m_fields);
    layout->addWidget(m_problem);
    layout->addWidget(m_chipRow);
}

void FilterBar::connectFields()
{
    connect(m_text, &QLineEdit::textChanged, m_delay, qOverload<>(&QTimer::start));
    connect(m_text, &QLineEdit::returnPressed, this, &FilterBar::announce);
    connect(m_delay, &QTimer::timeout, this, &FilterBar::announce);
    connect(m_file, &QComboBox::currentIndexChanged, this, &FilterBar::announce);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &FilterBar::announce);
    connect(m_minimumShare, &QDoubleSpinBox::valueChanged, m_delay, qOverload<>(&QTimer::start));
}

FunctionFilter FilterBar::filter() const
{
    FunctionFilter filter;
    filter.text = m_text->text().trimmed();
    filter.file = m_file->currentData().toString();
    if (m_kind->currentData().toInt() >= 0)
        filter.kind = static_cast<FunctionKind>(m_kind->currentData().toInt());
    filter.minimumShare = m_minimumShare->value() / 100.0;
    return filter;
}

void FilterBar::setFilter(const FunctionFilter& filter)
{
    const QSignalBlocker textBlocker(m_text);
    const QSignalBlocker fileBlocker(m_file);
    const QSignalBlocker kindBlocker(m_kind);
    const QSignalBlocker shareBlocker(m_minimumShare);
    m_text->setText(filter.text);
    if (!filter.file.isEmpty() && m_file->findData(filter.file) < 0)
        m_file->addItem(filter.file, filter.file);
    chooseData(m_file, filter.file);
    chooseData(m_kind, filter.kind ? static_cast<int>(*filter.kind) : -1);
    m_minimumShare->setValue(filter.minimumShare * 100.0);
    announce();
}

void FilterBar::setFiles(const QStringList& labels)
{
    const QSignalBlocker blocker(m_file);
    const QString chosen = m_file->currentData().toString();
    m_file->clear();
    m_file->addItem(tr("All files"), QString());
    for (const QString& label : labels)
        m_file->addItem(label, label);
    if (!chosen.isEmpty() && m_file->findData(chosen) < 0)
        m_file->addItem(chosen, chosen);
    chooseData(m_file, chosen);
}

void FilterBar::addWidget(QWidget* widget)
{
    m_fields->addSpacing(12);
    m_fields->addWidget(widget);
}

void FilterBar::focusText()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void FilterBar::clear()
{
    setFilter({});
}

void FilterBar::announce()
{
    m_delay->stop();
    const FunctionFilter current = filter();
    if (current == m_announced)
        return;
    m_announced = current;
    updateChips();
    Q_EMIT filterChanged(current);
}

void FilterBar::updateChips()
{
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        if (QWidget* chip = item->widget()) {
            chip->hide();
            chip->deleteLater(); // It may be the one that was clicked.
        }
        delete item;
    }
    const FunctionFilter current = filter();
    const auto withChange = [this](void (*change)(FunctionFilter&)) {
        return [this, change] {
            FunctionFilter changed = filter();
            change(changed);
            setFilter(changed);
        };
    };
    if (!current.text.isEmpty())
        addChip(tr("text: %1").arg(current.text),
                withChange([](FunctionFilter& f) { f.text.clear(); }));
    if (!current.file.isEmpty())
        addChip(tr("file: %1").arg(current.file),
                withChange([](FunctionFilter& f) { f.file.clear(); }));
    if (current.kind)
        addChip(tr("kind: %1").arg(kindTitle(*current.kind)),
                withChange([](FunctionFilter& f) { f.kind.reset(); }));
    if (current.minimumShare > 0.0)
        addChip(tr("total ≥ %1").arg(formatPercent(current.minimumShare)),
                withChange([](FunctionFilter& f) { f.minimumShare = 0.0; }));
    m_chips->addStretch(1);
    m_chipRow->setVisible(current.isActive());

    const QString problem = current.problem();
    m_problem->setText(tr("Not a regular expression: %1").arg(problem));
    m_problem->setVisible(!problem.isEmpty());
    QPalette colored = QGuiApplication::palette();
    colored.setColor(QPalette::WindowText, themeColors(colored).error);
    m_problem->setPalette(colored);
}

void FilterBar::addChip(const QString& text, const std::function<void()>& remove)
{
    auto* chip = new QToolButton(m_chipRow);
    chip->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, 320));
    chip->setIcon(themedIcon(QStringLiteral("close")));
    chip->setIconSize(QSize(10, 10));
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setLayoutDirection(Qt::RightToLeft); // The cross stands behind the text.
    chip->setToolTip(tr("Remove this part of the filter"));
    chip->setAccessibleName(tr("Remove the filter %1").arg(text));
    connect(chip, &QToolButton::clicked, this, remove);
    m_chips->addWidget(chip);
}

void FilterBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange && m_chips != nullptr)
        updateChips();
}

} // namespace perilune
