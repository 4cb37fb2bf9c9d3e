// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameCanvas.h"

#include "gui/views/FlameAccessible.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

constexpr int toolTipDelay = 400; // ms
constexpr int horizontalSteps = 1'000'000;
constexpr int levelsAboveZoomed = 3;
constexpr double zoomPerStep = 1.25;
constexpr double narrowestWithName = 12.0;
constexpr double narrowestToSee = 4.0;
constexpr std::size_t pastLimit = 200;

/// One neutral colour, for a canvas that has not been given a scheme.
class PlainScheme : public FlameScheme
{
public:
    QRgb colorOf(const FlameLayout&, std::uint32_t) const override { return 0xffb4c2d8; }
    Legend legend() const override { return {}; }
};

std::shared_ptr<const FlameLayout> emptyLayout()
{
    return FlameLayout::build(CallTree::empty(), Metric::Time, FlameOrder::Weight, {});
}

} // namespace

FlameCanvas::FlameCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_layout(emptyLayout())
    , m_profile(Profile::empty())
    , m_scheme(std::make_shared<PlainScheme>())
    , m_labels(std::make_unique<FlameLabels>(m_profile, font()))
{
    FlameAccessible::install();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_toolTipTimer.setSingleShot(true);
    m_toolTipTimer.setInterval(toolTipDelay);
    connect(&m_toolTipTimer, &QTimer::timeout, this, &FlameCanvas::showToolTip);
}

FlameCanvas::~FlameCanvas() = default;

void FlameCanvas::setContent(std::shared_ptr<const FlameLayout> layout,
                             std::shared_ptr<const Profile> profile)
{
    Q_ASSERT(layout && profile);
    m_layout = std::move(layout);
    m_profile = std::move(profile);
    m_labels = std::make_unique<FlameLabels>(m_profile, font());
    m_marks = FlameMarks();
    m_marks.hasFocus = hasFocus();
    m_past.clear();
    m_isFreeZoom = false;
    setHovered({});
    showZoom(zoomOfBar(0));
}

void FlameCanvas::setScheme(std::shared_ptr<const FlameScheme> scheme)
{
    m_scheme = scheme ? std::move(scheme) : std::make_shared<PlainScheme>();
    viewport()->update();
}

void FlameCanvas::setDirection(FlameDirection direction)
{
    m_direction = direction;
    updateScrollBars();
    viewport()->update();
}

void FlameCanvas::setCurrent(std::optional<std::uint32_t> bar, FunctionId function)
{
    const bool isNewBar = bar != m_marks.current;
    m_marks.current = bar;
    m_marks.currentFunction = function;
    viewport()->update();
    if (isNewBar)
        announceCurrent();
}

void FlameCanvas::setMatches(const std::vector<std::uint32_t>& bars, bool isSearching)
{
    m_marks.matchesBefore.clear();
    if (isSearching) {
        std::vector<std::uint32_t>& counts = m_marks.matchesBefore;
        counts.resize(std::size_t(m_layout->barCount()) + 1);
        for (const std::uint32_t bar : bars)
            counts[bar + 1] = 1;
        for (std::size_t i = 1; i < counts.size(); ++i)
            counts[i] += counts[i - 1];
    }
    viewport()->update();
}

void FlameCanvas::setDescriber(std::function<QString(const Hit&)> describer)
{
    m_describer = std::move(describer);
}

QString FlameCanvas::describe(const Hit& hit) const
{
    return m_describer ? m_describer(hit) : QString();
}

// Zoom

bool FlameCanvas::isZoomed() const
{
    return hasBars()
        && (m_zoom.from > 0.0 || m_zoom.to < static_cast<double>(m_layout->wholeWidth()));
}

void FlameCanvas::zoomTo(std::uint32_t bar)
{
    if (bar < m_layout->barCount())
        applyZoom(zoomOfBar(bar), Step::Chosen);
}

void FlameCanvas::zoomToRange(std::uint32_t bar, double from, double to)
{
    if (bar >= m_layout->barCount() || !(from < to))
        return;
    Zoom zoom = zoomOfBar(coveringBar(bar, from, to));
    zoom.from = from;
    zoom.to = to;
    applyZoom(zoom, Step::Chosen);
}

void FlameCanvas::zoomBy(double factor, double fixedX)
{
    if (!hasBars())
        return;
    const double whole = static_cast<double>(m_layout->wholeWidth());
    const double range =
        std::clamp((m_zoom.to - m_zoom.from) / factor, std::min(1.0, whole), whole);
    const FlameGeometry geometry = geometryOfView();
    const double fixed = geometry.positionAt(fixedX);
    const double share = std::clamp(fixedX / geometry.width, 0.0, 1.0);
    Zoom zoom = m_zoom;
    zoom.from = std::clamp(fixed - share * range, 0.0, whole - range);
    zoom.to = zoom.from + range;
    zoom.bar = coveringBar(m_zoom.bar, zoom.from, zoom.to);
    applyZoom(zoom, Step::Free);
}

void FlameCanvas::zoomAtCentre(double factor)
{
    const QRect current = m_marks.current ? rectOfBar(*m_marks.current) : QRect();
    const QRect visible = current.intersected(viewport()->rect());
    zoomBy(factor, visible.isEmpty() ? viewport()->width() / 2.0 : visible.center().x());
}

void FlameCanvas::zoomToParent()
{
    const auto parent = hasBars() ? m_layout->parentOf(m_zoom.bar) : std::nullopt;
    if (parent)
        zoomTo(*parent);
    else
        resetZoom();
}

void FlameCanvas::resetZoom()
{
    if (isZoomed())
        zoomTo(0);
}

void FlameCanvas::goBack()
{
    if (m_past.empty())
        return;
    const Zoom zoom = m_past.back();
    m_past.pop_back();
    m_isFreeZoom = false;
    showZoom(zoom);
}

void FlameCanvas::applyZoom(const Zoom& zoom, Step step)
{
    const bool continuesStep = step == Step::Free && m_isFreeZoom;
    if (!continuesStep) {
        if (m_past.size() == pastLimit)
            m_past.erase(m_past.begin());
        m_past.push_back(m_zoom);
    }
    m_isFreeZoom = step == Step::Free;
    showZoom(zoom);
}

void FlameCanvas::showZoom(const Zoom& zoom)
{
    const bool hasNewBar = zoom.bar != m_marks.zoomed;
    m_zoom = zoom;
    if (!hasBars()) {
        m_zoomHeight = 0;
        m_marks.zoomed.reset();
    } else if (hasNewBar) {
        m_zoomHeight = m_layout->heightOf(zoom.bar);
        m_marks.zoomed = zoom.bar;
    }
    updateScrollBars();
    setHovered({});
    viewport()->update();
    Q_EMIT zoomChanged();
}

FlameCanvas::Zoom FlameCanvas::zoomOfBar(std::uint32_t bar) const
{
    if (bar >= m_layout->barCount())
        return {};
    const FlameBar place = m_layout->bar(bar);
    const int levelsOutside = std::max(static_cast<int>(place.level) - levelsAboveZoomed, 0);
    return {bar, static_cast<double>(place.start), static_cast<double>(place.end()),
            levelsOutside * geometryOfView().rowHeight};
}

/// `bar`, or the nearest of its callers that spans a range.
std::uint32_t FlameCanvas::coveringBar(std::uint32_t bar, double from, double to) const
{
    const auto covers = [&](std::uint32_t index) {
        const auto start = static_cast<double>(m_layout->startOf(index));
        return start <= from && start + static_cast<double>(m_layout->widthOf(index)) >= to;
    };
    while (bar != 0 && !covers(bar))
        bar = m_layout->parentOf(bar).value_or(0);
    return bar;
}

void FlameCanvas::ensureVisible(std::uint32_t bar)
{
    if (bar >= m_layout->barCount())
        return;
    const FlameBar place = m_layout->bar(bar);
    const FlameGeometry before = geometryOfView();
    const double width = static_cast<double>(place.width) / before.unitsPerPixel();
    const bool isOutside = static_cast<double>(place.end()) <= m_zoom.from
        || static_cast<double>(place.start) >= m_zoom.to;
    if (isOutside || width < narrowestToSee) {
        const std::uint32_t parent = m_layout->parentOf(bar).value_or(bar);
        const double share =
            static_cast<double>(place.width) / static_cast<double>(m_layout->widthOf(parent));
        zoomTo(share * before.width >= narrowestWithName ? parent : bar);
    }
    const FlameGeometry geometry = geometryOfView();
    const int top = geometry.yOf(place.level);
    QScrollBar* scrollBar = verticalScrollBar();
    if (top < 0)
        scrollBar->setValue(scrollBar->value() + top);
    else if (top + geometry.rowHeight > geometry.height)
        scrollBar->setValue(scrollBar->value() + top + geometry.rowHeight - geometry.height);
}

// Geometry

std::uint32_t FlameCanvas::levelsOfContent() const
{
    return hasBars() ? m_layout->levelOf(m_zoom.bar) + m_zoomHeight : 0;
}

FlameGeometry FlameCanvas::geometryOfView() const
{
    FlameGeometry geometry;
    geometry.from = m_zoom.from;
    geometry.to = m_zoom.to;
    geometry.width = std::max(viewport()->width(), 1);
    geometry.height = std::max(viewport()->height(), 1);
    geometry.rowHeight = fontMetrics().height() + 5;
    geometry.levelCount = levelsOfContent();
    geometry.direction = m_direction;
    geometry.pixelRatio = devicePixelRatioF();
    const int range = geometry.contentHeight() - geometry.height;
    const int offset = std::clamp(m_zoom.scroll, 0, range);
    geometry.scroll = m_direction == FlameDirection::Icicle ? offset : range - offset;
    return geometry;
}

QRect FlameCanvas::rectOfBar(std::uint32_t bar) const
{
    if (bar >= m_layout->barCount())
        return {};
    const FlameBar place = m_layout->bar(bar);
    return geometryOfView()
        .rectOf(place.level, static_cast<double>(place.start), static_cast<double>(place.end()))
        .toAlignedRect();
}

std::optional<FlameCanvas::Hit> FlameCanvas::hitAt(const QPoint& point) const
{
    const FlameGeometry geometry = geometryOfView();
    const auto level = geometry.levelAt(point.y());
    if (!level || !viewport()->rect().contains(point))
        return {};
    std::vector<FlameSpan> spans;
    m_layout->findSpans(*level, geometry.from, geometry.to, geometry.unitsPerDevicePixel(), spans);
    // Where two share a pixel, the one that is drawn over the other.
    std::optional<Hit> hit;
    for (const FlameSpan& span : spans) {
        const QRectF box =
            geometry.rectOf(*level, static_cast<double>(span.start), static_cast<double>(span.end));
        if (box.left() > point.x())
            break;
        if (point.x() < std::max(box.right(), box.left() + 1.0))
            hit = span;
    }
    return hit;
}

std::vector<std::uint32_t> FlameCanvas::visibleBars(std::size_t limit) const
{
    std::vector<std::uint32_t> bars;
    const FlameGeometry geometry = geometryOfView();
    const auto [first, last] = geometry.levelsBetween(0, geometry.height);
    std::vector<FlameSpan> spans;
    for (std::uint32_t level = first; level < last && bars.size() < limit; ++level) {
        spans.clear();
        m_layout->findSpans(level, geometry.from, geometry.to,
                            narrowestWithName * geometry.unitsPerPixel(), spans);
        for (const FlameSpan& span : spans) {
            if (!span.isMerged && bars.size() < limit)
                bars.push_back(span.firstBar);
        }
    }
    return bars;
}

void FlameCanvas::updateScrollBars()
{
    const QScopedValueRollback guard(m_isUpdatingScrollBars, true);
    const FlameGeometry geometry = geometryOfView();
    verticalScrollBar()->setRange(0, geometry.contentHeight() - geometry.height);
    verticalScrollBar()->setPageStep(geometry.height);
    verticalScrollBar()->setSingleStep(geometry.rowHeight * 3);
    verticalScrollBar()->setValue(geometry.scroll);
    const double whole = std::max(static_cast<double>(m_layout->wholeWidth()), 1.0);
    const auto toSteps = [whole](double position) {
        return static_cast<int>(std::lround(position / whole * horizontalSteps));
    };
    const int page = hasBars() ? std::max(toSteps(m_zoom.to - m_zoom.from), 1) : horizontalSteps;
    horizontalScrollBar()->setRange(0, horizontalSteps - page);
    horizontalScrollBar()->setPageStep(page);
    horizontalScrollBar()->setSingleStep(std::max(page / 20, 1));
    horizontalScrollBar()->setValue(toSteps(m_zoom.from));
}

void FlameCanvas::scrollContentsBy(int dx, int dy)
{
    if (m_isUpdatingScrollBars)
        return;
    if (dy != 0) {
        const QScrollBar* bar = verticalScrollBar();
        m_zoom.scroll =
            m_direction == FlameDirection::Icicle ? bar->value() : bar->maximum() - bar->value();
    }
    if (dx != 0) {
        const double whole = static_cast<double>(m_layout->wholeWidth());
        const double range = m_zoom.to - m_zoom.from;
        const double from = horizontalScrollBar()->value() * whole / horizontalSteps;
        Zoom zoom = m_zoom;
        zoom.from = std::clamp(from, 0.0, whole - range);
        zoom.to = zoom.from + range;
        zoom.bar = coveringBar(zoom.bar, zoom.from, zoom.to);
        applyZoom(zoom, Step::Free);
    }
    setHovered({});
    viewport()->update();
}

void FlameCanvas::panBy(double pixels)
{
    if (!isZoomed())
        return;
    const double whole = static_cast<double>(m_layout->wholeWidth());
    const double range = m_zoom.to - m_zoom.from;
    Zoom zoom = m_zoom;
    zoom.from =
        std::clamp(m_zoom.from + pixels * geometryOfView().unitsPerPixel(), 0.0, whole - range);
    zoom.to = zoom.from + range;
    if (zoom.from == m_zoom.from)
        return;
    zoom.bar = coveringBar(zoom.bar, zoom.from, zoom.to);
    applyZoom(zoom, Step::Free);
}

// Painting

FlamePainter FlameCanvas::makePainter(const FlameMarks& marks) const
{
    return FlamePainter(*m_layout, *m_scheme, *m_labels, marks, palette());
}

FlameMarks FlameCanvas::pictureMarks() const
{
    FlameMarks marks;
    marks.zoomed = m_marks.zoomed;
    marks.matchesBefore = m_marks.matchesBefore;
    return marks;
}

void FlameCanvas::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    if (hasBars())
        makePainter(m_marks).paint(painter, geometryOfView(), event->rect());
}

int FlameCanvas::wholeHeight(int maximumHeight) const
{
    const FlameGeometry geometry = geometryOfView();
    const int levels = static_cast<int>(std::min<std::uint32_t>(
        levelsOfContent(), static_cast<std::uint32_t>(maximumHeight / geometry.rowHeight)));
    return levels * geometry.rowHeight;
}

void FlameCanvas::paintWhole(QPainter& painter, int width, int maximumHeight)
{
    FlameGeometry geometry = geometryOfView();
    geometry.width = width;
    geometry.height = std::max(wholeHeight(maximumHeight), 1);
    geometry.levelCount = static_cast<std::uint32_t>(geometry.height / geometry.rowHeight);
    geometry.scroll = 0;
    geometry.pixelRatio = painter.device()->devicePixelRatioF();
    const QRect all(0, 0, geometry.width, geometry.height);
    painter.fillRect(all, palette().color(QPalette::Base));
    if (hasBars())
        makePainter(pictureMarks()).paint(painter, geometry, all);
}

void FlameCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void FlameCanvas::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        m_labels = std::make_unique<FlameLabels>(m_profile, font());
        updateScrollBars();
    }
    viewport()->update();
}

// Mouse

void FlameCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return event->ignore(); // the window's back and forward buttons
    m_pressed = event->position().toPoint();
    m_lastPan = m_pressed;
    m_toolTipTimer.stop();
}

void FlameCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint point = event->position().toPoint();
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
        setHovered(hitAt(point));
        return;
    }
    if (!m_isPanning && (point - m_pressed).manhattanLength() < QApplication::startDragDistance())
        return;
    m_isPanning = true;
    viewport()->setCursor(Qt::ClosedHandCursor);
    panBy(m_lastPan.x() - point.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + m_lastPan.y() - point.y());
    m_lastPan = point;
}

void FlameCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const bool wasPanning = std::exchange(m_isPanning, false);
    viewport()->unsetCursor();
    const QPoint point = event->position().toPoint();
    if (wasPanning || event->button() != Qt::LeftButton)
        return;
    const auto hit = hitAt(point);
    if (hit && !hit->isMerged)
        choose(hit->firstBar);
    setHovered(hit);
}

void FlameCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto hit = hitAt(event->position().toPoint());
    if (hit && event->button() == Qt::LeftButton)
        zoomToHit(*hit);
}

/// A run of small frames fills the width, so that one can see what it consists of.
void FlameCanvas::zoomToHit(const Hit& hit)
{
    if (!hit.isMerged)
        return zoomTo(hit.firstBar);
    zoomToRange(m_layout->parentOf(hit.firstBar).value_or(0), static_cast<double>(hit.start),
                static_cast<double>(hit.end));
}

void FlameCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        const double steps = angle.y() / 120.0;
        zoomBy(std::pow(zoomPerStep, steps), event->position().x());
    } else if ((event->modifiers() & Qt::ShiftModifier)
               || std::abs(angle.x()) > std::abs(angle.y())) {
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        panBy(-delta / 120.0 * viewport()->width() / 10.0);
    } else {
        QAbstractScrollArea::wheelEvent(event);
        setHovered(hitAt(event->position().toPoint()));
    }
    event->accept();
}

bool FlameCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_toolTipTimer.stop();
        setHovered({});
    }
    if (event->type() == QEvent::ToolTip)
        return true; // shown by our own, shorter timer
    return QAbstractScrollArea::viewportEvent(event);
}

void FlameCanvas::setHovered(std::optional<Hit> hit)
{
    const auto barOf = [](const std::optional<Hit>& some) {
        return some ? std::optional(some->firstBar) : std::nullopt;
    };
    if (barOf(hit) == barOf(m_hovered))
        return;
    m_hovered = hit;
    m_marks.hovered = barOf(hit);
    QToolTip::hideText();
    if (hit)
        m_toolTipTimer.start();
    else
        m_toolTipTimer.stop();
    viewport()->update();
    Q_EMIT hoveredChanged();
}

void FlameCanvas::showToolTip()
{
    const QPoint point = viewport()->mapFromGlobal(QCursor::pos());
    if (m_hovered && viewport()->rect().contains(point))
        QToolTip::showText(QCursor::pos(), describe(*m_hovered), viewport());
}

void FlameCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() != QContextMenuEvent::Mouse) {
        const QRect current = m_marks.current ? rectOfBar(*m_marks.current) : QRect();
        const QPoint below = current.intersected(viewport()->rect()).bottomLeft();
        Q_EMIT menuRequested(viewport()->mapToGlobal(below));
        return;
    }
    const auto hit = hitAt(viewport()->mapFromGlobal(event->globalPos()));
    if (hit && !hit->isMerged)
        choose(hit->firstBar);
    Q_EMIT menuRequested(event->globalPos());
}

// Keyboard

void FlameCanvas::choose(std::optional<std::uint32_t> bar)
{
    if (!bar)
        return;
    ensureVisible(*bar);
    Q_EMIT barChosen(*bar);
}

bool FlameCanvas::isOwnKey(const QKeyEvent& event) const
{
    if (event.matches(QKeySequence::Back) && canGoBack())
        return true;
    if (event.matches(QKeySequence::FindNext) || event.matches(QKeySequence::FindPrevious))
        return m_marks.isSearching();
    if (event.key() == Qt::Key_Escape)
        return isZoomed();
    return !(event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
        && (event.key() == Qt::Key_Plus || event.key() == Qt::Key_Minus
            || event.key() == Qt::Key_Equal || event.key() == Qt::Key_Home
            || event.key() == Qt::Key_End);
}

/// Keys of ours win over shortcuts of the window while the canvas has the focus.
bool FlameCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

void FlameCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!hasBars())
        return QAbstractScrollArea::keyPressEvent(event);
    if (event->matches(QKeySequence::FindNext) || event->matches(QKeySequence::FindPrevious)) {
        Q_EMIT matchRequested(event->matches(QKeySequence::FindNext));
        return;
    }
    if (event->matches(QKeySequence::Back)) {
        goBack();
        return;
    }
    const bool hasCommand = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
    if (!hasCommand && (handleNavigationKey(event->key()) || handleZoomKey(event->key())))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

bool FlameCanvas::handleNavigationKey(int key)
{
    const std::uint32_t current = m_marks.current.value_or(m_zoom.bar);
    const bool isAtStart = !m_marks.current;
    const bool isIcicle = m_direction == FlameDirection::Icicle;
    const int towardsChildren = isIcicle ? Qt::Key_Down : Qt::Key_Up;
    const int towardsRoot = isIcicle ? Qt::Key_Up : Qt::Key_Down;
    if (isAtStart
        && (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_Left
            || key == Qt::Key_Right))
        choose(current);
    else if (key == towardsChildren)
        choose(m_layout->heaviestChildOf(current));
    else if (key == towardsRoot)
        choose(m_layout->parentOf(current));
    else if (key == Qt::Key_Left)
        choose(m_layout->leftOf(current));
    else if (key == Qt::Key_Right)
        choose(m_layout->rightOf(current));
    else if (key == Qt::Key_Home)
        choose(0);
    else if (key == Qt::Key_End)
        choose(m_layout->deepestWithin(current));
    else
        return false;
    return true;
}

bool FlameCanvas::handleZoomKey(int key)
{
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marks.current)
            zoomTo(*m_marks.current);
        return true;
    case Qt::Key_Escape:
        resetZoom();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAtCentre(zoomPerStep * zoomPerStep);
        return true;
    case Qt::Key_Minus:
        zoomAtCentre(1.0 / (zoomPerStep * zoomPerStep));
        return true;
    default:
        return false;
    }
}

void FlameCanvas::focusInEvent(QFocusEvent* event)
{
    m_marks.hasFocus = true;
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void FlameCanvas::focusOutEvent(QFocusEvent* event)
{
    m_marks.hasFocus = false;
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void FlameCanvas::announceCurrent()
{
    if (!QAccessible::isActive() || !m_marks.current || !hasFocus())
        return;
    QAccessibleEvent event(this, QAccessible::Focus);
    FlameAccessible::addressBar(event, *this, *m_marks.current);
    QAccessible::updateAccessibility(&event);
}

} // namespace perilune
