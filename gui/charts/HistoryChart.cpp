// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/charts/HistoryChart.h"

#include "gui/charts/HistoryPlot.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

namespace perilune {

/// Keeps QCustomPlot out of the header, which many would otherwise compile.
class HistoryChart::Private
{
public:
    explicit Private(QWidget* parent)
        : plot(parent)
    {
    }
    HistoryPlot plot;
    std::optional<std::size_t> pressed;
    QPoint pressPosition;
};

HistoryChart::HistoryChart(QWidget* parent)
    : QWidget(parent)
    , m_d(std::make_unique<Private>(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_d->plot.widget());
    setFocusPolicy(Qt::StrongFocus);
    m_d->plot.widget()->setFocusPolicy(Qt::NoFocus);
    m_d->plot.widget()->setMouseTracking(true);
    m_d->plot.widget()->installEventFilter(this);
    setAccessibleName(tr("Run history"));
    setWhatsThis(tr("Each point is a run, or the repeats of one run. The band is where a run was "
                    "expected from the runs before it."));
}

HistoryChart::~HistoryChart() = default;

void HistoryChart::setSeries(std::shared_ptr<const HistorySeries> series)
{
    m_d->plot.setSeries(std::move(series));
    setAccessibleDescription(tr("%Ln run(s), %1", nullptr, static_cast<int>(this->series().size()))
                                 .arg(this->series().quantity()));
}

const HistorySeries& HistoryChart::series() const
{
    return m_d->plot.series();
}

void HistoryChart::setLook(const HistoryLook& look)
{
    m_d->plot.setLook(look);
}

const HistoryLook& HistoryChart::look() const
{
    return m_d->plot.look();
}

std::optional<std::size_t> HistoryChart::current() const
{
    return m_d->plot.current();
}

void HistoryChart::setCurrent(std::optional<std::size_t> index)
{
    m_d->plot.setCurrent(index);
}

void HistoryChart::resetZoom()
{
    m_d->plot.resetZoom();
}

QString HistoryChart::writePicture(const QString& path)
{
    return m_d->plot.write(path);
}

QPoint HistoryChart::positionOf(std::size_t index) const
{
    return m_d->plot.positionOf(index).toPoint();
}

std::optional<std::size_t> HistoryChart::indexAt(const QPoint& position) const
{
    return m_d->plot.indexAt(position);
}

void HistoryChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_d->plot.rebuild();
}

void HistoryChart::choose(std::size_t index)
{
    if (m_d->plot.current() == index)
        return;
    m_d->plot.setCurrent(index);
    Q_EMIT currentChanged(index);
}

void HistoryChart::step(int by)
{
    if (series().isEmpty())
        return;
    const auto last = static_cast<std::ptrdiff_t>(series().size()) - 1;
    const auto from =
        current() ? static_cast<std::ptrdiff_t>(*current()) : (by > 0 ? -1 : last + 1);
    choose(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from + by, 0, last)));
}

void HistoryChart::keyPressEvent(QKeyEvent* event)
{
    const auto count = static_cast<int>(series().size());
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Home:
        return step(-count);
    case Qt::Key_End:
        return step(count);
    case Qt::Key_0:
        if (event->modifiers().testFlag(Qt::ControlModifier))
            return resetZoom();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!current())
            break;
        if (event->modifiers().testFlag(Qt::ShiftModifier))
            Q_EMIT comparisonRequested(*current());
        else
            Q_EMIT opened(*current());
        return;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

bool HistoryChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_d->plot.widget() && handleMouse(event))
        return true;
    return QWidget::eventFilter(watched, event);
}

bool HistoryChart::handleMouse(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto index = indexAt(help->pos()))
            QToolTip::showText(help->globalPos(), series().describe(*index), this);
        else
            QToolTip::hideText();
        return true;
    }
    case QEvent::MouseMove:
        m_d->plot.setHovered(indexAt(static_cast<QMouseEvent*>(event)->position().toPoint()));
        return false;
    case QEvent::Leave:
        m_d->plot.setHovered(std::nullopt);
        return false;
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        m_d->pressPosition = mouse->position().toPoint();
        m_d->pressed = indexAt(m_d->pressPosition);
        return false;
    }
    case QEvent::MouseButtonRelease: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QPoint moved = mouse->position().toPoint() - m_d->pressPosition;
        if (mouse->button() != Qt::LeftButton || !m_d->pressed || moved.manhattanLength() > 4)
            return false;
        choose(*m_d->pressed);
        if (mouse->modifiers().testFlag(Qt::ShiftModifier))
            Q_EMIT comparisonRequested(*m_d->pressed);
        return false;
    }
    case QEvent::MouseButtonDblClick:
        if (const auto index = indexAt(static_cast<QMouseEvent*>(event)->position().toPoint()))
            Q_EMIT opened(*index);
        else
            resetZoom();
        return true;
    case QEvent::ContextMenu: {
        const auto* menu = static_cast<QContextMenuEvent*>(event);
        if (const auto index = indexAt(menu->pos())) {
            choose(*index);
            Q_EMIT menuRequested(*index, menu->globalPos());
        }
        return true;
    }
    default:
        return false;
    }
}

} // namespace perilune
