// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FlameLayout.h"
#include "core/profile/Profile.h"
#include "gui/views/FlameColors.h"
#include "gui/views/FlameGeometry.h"
#include "gui/views/FlameLabels.h"
#include "gui/views/FlamePainter.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace perilune {

/// The painted flame graph with its mouse and keyboard: zoom, pan, a current frame, a hovered
/// frame.
///
/// It shows a layout and knows no document; whoever owns it says what is current and what matches a
/// search, and listens. Zooming has a history of its own. Bars are those of `layout()`.
class FlameCanvas : public QAbstractScrollArea
{
    Q_OBJECT
public:
    /// What lies under a point: a frame, or a run of frames too narrow to be told apart.
    using Hit = FlameSpan;

    explicit FlameCanvas(QWidget* parent = nullptr);
    ~FlameCanvas() override;

    /// Shows another layout from the root. `profile` holds the functions of the layout's tree.
    void setContent(std::shared_ptr<const FlameLayout> layout,
                    std::shared_ptr<const Profile> profile);
    /// Null paints every frame in one neutral colour.
    void setScheme(std::shared_ptr<const FlameScheme> scheme);
    void setDirection(FlameDirection direction);
    FlameDirection direction() const { return m_direction; }
    const std::shared_ptr<const FlameLayout>& layout() const { return m_layout; }
    const std::shared_ptr<const Profile>& profile() const { return m_profile; }
    const std::shared_ptr<const FlameScheme>& scheme() const { return m_scheme; }

    /// Marks a frame, and every frame of a function.
    void setCurrent(std::optional<std::uint32_t> bar, FunctionId function);
    std::optional<std::uint32_t> currentBar() const { return m_marks.current; }
    /// Dims what is not among `bars`; nothing is dimmed when `isSearching` is false.
    void setMatches(const std::vector<std::uint32_t>& bars, bool isSearching);

    /// Gives `bar` the whole width.
    void zoomTo(std::uint32_t bar);
    /// Shows a part of `bar`, as a free zoom does.
    void zoomToRange(std::uint32_t bar, double from, double to);
    void zoomBy(double factor, double fixedX); ///< Larger than 1 zooms in.
    void zoomAtCentre(double factor);
    void zoomToParent();
    void resetZoom();
    void goBack();
    bool canGoBack() const { return !m_past.empty(); }
    bool isZoomed() const;
    /// The bar that the last zoom chose; the root's when nothing is zoomed.
    std::uint32_t zoomedBar() const { return m_zoom.bar; }
    double visibleFrom() const { return m_zoom.from; }
    double visibleTo() const { return m_zoom.to; }

    /// Scrolls and, where needed, pans and zooms so that a frame can be seen.
    void ensureVisible(std::uint32_t bar);

    std::optional<Hit> hitAt(const QPoint& point) const;
    std::optional<Hit> hovered() const { return m_hovered; }
    FlameGeometry geometryOfView() const;
    /// Where a bar is drawn, in the viewport.
    QRect rectOfBar(std::uint32_t bar) const;
    /// The frames on the screen that are wide enough for a name, at most `limit`, by level and from
    /// left to right.
    std::vector<std::uint32_t> visibleBars(std::size_t limit) const;
    /// What a screen reader says of a bar, and what a tooltip says of a hit; empty without one.
    void setDescriber(std::function<QString(const Hit&)> describer);
    QString describe(const Hit& hit) const;

    /// What is emphasised in a picture: what was searched for, but no current or hovered frame.
    FlameMarks pictureMarks() const;
    /// Draws everything between visibleFrom() and visibleTo(), all levels up to `maximumHeight`.
    void paintWhole(QPainter& painter, int width, int maximumHeight);
    int wholeHeight(int maximumHeight) const;

    QSize sizeHint() const override { return {900, 500}; }

Q_SIGNALS:
    /// The user chose a frame.
    void barChosen(std::uint32_t bar);
    void hoveredChanged();
    void zoomChanged();
    /// Beneath the pointer or, by keyboard, beneath the current frame.
    void menuRequested(const QPoint& globalPosition);
    /// The user asked for the next (or the previous) match.
    void matchRequested(bool forward);

protected:
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Zoom
    {
        std::uint32_t bar = 0;
        double from = 0.0;
        double to = 1.0;
        int scroll = 0; ///< Pixels between the root's outer edge and the view's.
    };
    enum class Step
    {
        Chosen, ///< One step back undoes it.
        Free    ///< Many of them in a row are one step.
    };

    bool hasBars() const { return m_layout->barCount() > 0; }
    void applyZoom(const Zoom& zoom, Step step);
    void showZoom(const Zoom& zoom);
    Zoom zoomOfBar(std::uint32_t bar) const;
    std::uint32_t coveringBar(std::uint32_t bar, double from, double to) const;
    int scrollForLevel(std::uint32_t level, std::uint32_t levelCount) const;
    std::uint32_t levelsOfContent() const;
    void updateScrollBars();
    void panBy(double pixels);
    void setHovered(std::optional<Hit> hit);
    void choose(std::optional<std::uint32_t> bar);
    void zoomToHit(const Hit& hit);
    bool handleNavigationKey(int key);
    bool handleZoomKey(int key);
    bool isOwnKey(const QKeyEvent& event) const;
    void showToolTip();
    void announceCurrent();
    FlamePainter makePainter(const FlameMarks& marks) const;

    std::shared_ptr<const FlameLayout> m_layout;
    std::shared_ptr<const Profile> m_profile;
    std::shared_ptr<const FlameScheme> m_scheme;
    std::unique_ptr<FlameLabels> m_labels;
    std::function<QString(const Hit&)> m_describer;
    FlameDirection m_direction = FlameDirection::Icicle;
    FlameMarks m_marks;
    Zoom m_zoom;
    std::uint32_t m_zoomHeight = 0; ///< Levels beneath and including m_zoom.bar.
    std::vector<Zoom> m_past;
    bool m_isFreeZoom = false; ///< The last step was a free one.
    std::optional<Hit> m_hovered;
    QTimer m_toolTipTimer;
    QPoint m_pressed;
    QPoint m_lastPan;
    bool m_isPanning = false;
    bool m_isUpdatingScrollBars = false;
};

} // namespace perilune
