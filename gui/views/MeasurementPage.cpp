// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/MeasurementPage.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

enum ClockChoice
{
    BestWallClock,
    MonotonicClock,
    ProcessorClock
};

constexpr std::uint64_t bytesPerMebibyte = 1024 * 1024;

QSpinBox* limitField(QWidget* parent, const QString& name, const QString& suffix,
                     const QString& unset)
{
    auto* field = new QSpinBox(parent);
    field->setAccessibleName(name);
    field->setRange(0, 1000000000);
    field->setSuffix(suffix);
    field->setSpecialValueText(unset);
    field->setGroupSeparatorShown(true);
    return field;
}

} // namespace

MeasurementPage::MeasurementPage(QWidget* parent)
    : QWidget(parent)
{
    createFields();
    layOut();
    connect(m_mode, &QComboBox::currentIndexChanged, this, &MeasurementPage::updateEnabled);
}

void MeasurementPage::createFields()
{
    m_mode = new QComboBox(this);
    m_mode->setAccessibleName(tr("Profiling mode"));
    m_mode->addItem(tr("Exact: every call is counted and timed"),
                    static_cast<int>(ProfilingMode::Exact));
    m_mode->addItem(tr("Sampling: a look at the stack now and then, next to free"),
                    static_cast<int>(ProfilingMode::Sampling));
    m_interval = new QDoubleSpinBox(this);
    m_interval->setAccessibleName(tr("Sampling interval"));
    m_interval->setRange(0.1, 100.0);
    m_interval->setDecimals(1);
    m_interval->setSuffix(tr(" ms"));
    m_clock = new QComboBox(this);
    m_clock->setAccessibleName(tr("Clock"));
    m_clock->addItem(tr("Wall time"), BestWallClock);
    m_clock->addItem(tr("Wall time, by the system's monotonic clock"), MonotonicClock);
    m_clock->addItem(tr("Processor time: waiting does not count"), ProcessorClock);
    m_lines = new QCheckBox(tr("&Lines: hits and time of each line"), this);
    m_memory = new QCheckBox(tr("Me&mory: what is allocated where"), this);
    m_durations = new QCheckBox(tr("&Durations: how long single calls take"), this);
    m_reference = new QCheckBox(tr("&Reference run: fit the correction of times"), this);
    m_reference->setToolTip(
        tr("Runs the script once before without any measurement, its output thrown away, and "
           "corrects the times to what it took. The script runs twice."));
    m_nodes = limitField(this, tr("Limit of call tree nodes"), tr(" thousand nodes"),
                         tr("4,000 thousand nodes"));
    m_depth = limitField(this, tr("Limit of depth"), tr(" levels"), tr("None"));
    m_strings = limitField(this, tr("Limit of names and sources"), tr(" MiB"), tr("256 MiB"));
}

void MeasurementPage::layOut()
{
    auto* options = new QVBoxLayout;
    for (QCheckBox* option : {m_lines, m_memory, m_durations, m_reference})
        options->addWidget(option);
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Mode:"), m_mode);
    form->addRow(tr("&Interval:"), m_interval);
    form->addRow(tr("&Clock:"), m_clock);
    form->addRow(tr("Also measure:"), options);
    form->addRow(tr("Call &tree:"), m_nodes);
    form->addRow(tr("D&epth:"), m_depth);
    form->addRow(tr("&Names and sources:"), m_strings);
}

ProfilingMode MeasurementPage::mode() const
{
    return static_cast<ProfilingMode>(m_mode->currentData().toInt());
}

void MeasurementPage::updateEnabled()
{
    const bool isExact = mode() == ProfilingMode::Exact;
    m_interval->setEnabled(!isExact);
    m_lines->setEnabled(isExact);
    m_lines->setToolTip(isExact ? QString() : tr("Sampling measures lines always."));
    m_durations->setEnabled(isExact);
    m_reference->setEnabled(isExact);
}

void MeasurementPage::show(const LaunchSpec& spec)
{
    m_mode->setCurrentIndex(std::max(m_mode->findData(static_cast<int>(spec.mode)), 0));
    m_interval->setValue(static_cast<double>(spec.samplingInterval.count()) / 1e6);
    const int clock = spec.clock == ClockKind::Cpu        ? ProcessorClock
        : spec.clockSource == QStringLiteral("monotonic") ? MonotonicClock
                                                          : BestWallClock;
    m_clock->setCurrentIndex(m_clock->findData(clock));
    m_lines->setChecked(spec.lines);
    m_memory->setChecked(spec.memory);
    m_durations->setChecked(spec.durations);
    m_reference->setChecked(spec.referenceRun);
    m_nodes->setValue(static_cast<int>((spec.maximumNodes.value_or(0) + 999) / 1000));
    m_depth->setValue(static_cast<int>(spec.maximumDepth.value_or(0)));
    m_strings->setValue(static_cast<int>(spec.maximumStringBytes.value_or(0) / bytesPerMebibyte));
    updateEnabled();
}

void MeasurementPage::apply(LaunchSpec& spec) const
{
    const bool isExact = mode() == ProfilingMode::Exact;
    spec.mode = mode();
    spec.samplingInterval = std::chrono::nanoseconds(std::llround(m_interval->value() * 1e6));
    const int clock = m_clock->currentData().toInt();
    spec.clock = clock == ProcessorClock ? ClockKind::Cpu : ClockKind::Wall;
    spec.clockSource = clock == MonotonicClock ? QStringLiteral("monotonic") : QString();
    spec.lines = isExact && m_lines->isChecked();
    spec.memory = m_memory->isChecked();
    spec.durations = isExact && m_durations->isChecked();
    spec.referenceRun = isExact && m_reference->isChecked();
    spec.maximumNodes.reset();
    spec.maximumDepth.reset();
    spec.maximumStringBytes.reset();
    if (m_nodes->value() > 0)
        spec.maximumNodes = static_cast<std::uint32_t>(m_nodes->value()) * 1000u;
    if (m_depth->value() > 0)
        spec.maximumDepth = static_cast<std::uint32_t>(m_depth->value());
    if (m_strings->value() > 0)
        spec.maximumStringBytes = static_cast<std::uint64_t>(m_strings->value()) * bytesPerMebibyte;
}

} // namespace perilune
