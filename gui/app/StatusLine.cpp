// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/StatusLine.h"

#include "gui/app/Workspace.h"
#include "gui/models/NumberFormat.h"
#include "gui/models/RunText.h"
#include "gui/views/Icons.h"

#include <QHBoxLayout>
#include <QLabel>

namespace perilune {

namespace {

constexpr int iconSize = 14;

/// " (run 2 of 5, about 0:12 left)" where there is more than one.
QString planText(const RunController& runner)
{
    if (runner.plan().total() <= 1)
        return {};
    const QString number =
        StatusLine::tr("run %1 of %2").arg(runner.runNumber()).arg(runner.plan().total());
    const std::optional<Duration> left = runner.timeLeft();
    if (!left)
        return QStringLiteral(" (%1)").arg(number);
    return QStringLiteral(" (%1, %2)")
        .arg(number, StatusLine::tr("about %1 left").arg(formatClock(*left)));
}

QString busyText(const RunController& runner)
{
    const QString clock = formatClock(runner.elapsed()) + planText(runner);
    switch (runner.state()) {
    case RunController::State::Ready:
        return {};
    case RunController::State::Starting:
        return StatusLine::tr("Starting");
    case RunController::State::Running:
        return runner.isWaitingForInput() ? StatusLine::tr("Waiting for input %1").arg(clock)
                                          : StatusLine::tr("Running %1").arg(clock);
    case RunController::State::Stopping:
        return StatusLine::tr("Stopping");
    case RunController::State::Analysing:
        return StatusLine::tr("Analysing") + planText(runner);
    }
    return {};
}

} // namespace

StatusLine::StatusLine(Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
{
    m_icon = new QLabel(this);
    m_text = new QLabel(this);
    m_measurement = new QLabel(this);
    m_measurement->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->setSpacing(6);
    layout->addWidget(m_icon);
    layout->addWidget(m_text);
    layout->addSpacing(10);
    layout->addWidget(m_measurement);
    connect(&workspace.runner(), &RunController::stateChanged, this, &StatusLine::update);
    connect(&workspace.runner(), &RunController::elapsedChanged, this, &StatusLine::update);
    connect(&workspace.document(), &Document::profileChanged, this, &StatusLine::update);
    update();
}

QString StatusLine::text() const
{
    return m_text->text();
}

void StatusLine::update()
{
    const RunController& runner = m_workspace.runner();
    const RunInfo& run = m_workspace.document().profile()->run;
    if (runner.isBusy()) {
        show(QStringLiteral("busy"), busyText(runner));
        m_measurement->clear();
    } else if (m_workspace.document().isEmpty() && run.status == RunStatus::Running) {
        show(QStringLiteral("ready"), tr("Ready"));
        m_measurement->clear();
    } else {
        const bool hasRun = !m_workspace.document().isEmpty();
        show(statusIcon(run.status),
             hasRun ? statusText(run) + QLatin1Char(' ') + formatDuration(run.wallTime)
                    : statusText(run));
        m_measurement->setText(hasRun ? measurementText(run) : QString());
    }
}

void StatusLine::show(const QString& icon, const QString& text)
{
    if (icon != m_shownIcon) {
        m_shownIcon = icon;
        m_icon->setPixmap(themedIcon(icon).pixmap(iconSize, iconSize));
    }
    m_text->setText(text);
}

} // namespace perilune
