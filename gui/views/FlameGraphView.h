// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FlameSearch.h"
#include "gui/models/Document.h"
#include "gui/views/FlameColors.h"
#include "gui/views/FlameGeometry.h"

#include <QVariantMap>
#include <QWidget>

#include <memory>

class QAction;
class QComboBox;
class QLabel;
class QStackedLayout;
class QPushButton;

namespace perilune {

class EmptyState;
class FindField;
class FlameActions;
class FlameBreadcrumbs;
class FlameCanvas;
class FlameLegend;

/// The flame graph of the document's profile: where the time (or another weight) goes, path by
/// path.
///
/// Follows the document's selection, weight and search text, and changes the first and the last.
/// Large trees are laid out on another thread; the graph stays as it was until the new one is
/// ready.
class FlameGraphView : public QWidget
{
    Q_OBJECT
public:
    explicit FlameGraphView(Document& document, QWidget* parent = nullptr);
    ~FlameGraphView() override;

    FlameCanvas& canvas() { return *m_canvas; }
    FlameActions& actions() { return *m_actions; }

    void setOrder(FlameOrder order);
    void setDirection(FlameDirection direction);
    void setColors(FlameColorMode mode, FlameColorSet set);
    /// What the user chose of the above, for the settings.
    QVariantMap saveOptions() const;
    void restoreOptions(const QVariantMap& options);

    /// "7 frames, 31.4 % of time", or empty without a search.
    QString searchResult() const;
    QString detailsText() const;

public Q_SLOTS:
    void focusSearch();
    void showNextMatch() { showMatch(true); }
    void showPreviousMatch() { showMatch(false); }

Q_SIGNALS:
    void messageShown(const QString& text);
    /// The user asks for the current frame's place in the call tree.
    void callTreeRequested();
    void optionsChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Content;

    void createWidgets();
    void createOptionWidgets();
    void createMenuButton();
    void layOut();
    void connectWidgets();
    void connectDocument();

    void rebuild();
    void showContent(const Content& content);
    void recolor();
    void showEmptyState();
    void showSelection();
    void showSearch();
    void showMatch(bool forward);
    void showDetails();
    void readOptionWidgets();
    void writeOptionWidgets();
    QString pictureTitle() const;

    Document& m_document;
    FlameOrder m_order = FlameOrder::Weight;
    FlameColorMode m_colorMode = FlameColorMode::File;
    FlameColorSet m_colorSet = FlameColorSet::Many;
    quint64 m_latestRequest = 0;
    FlameMatches m_matches;
    std::size_t m_shownMatch = 0; ///< One more than its index; 0 before the first.
    bool m_isChoosing = false;    ///< The selection comes from the canvas itself.

    FlameCanvas* m_canvas = nullptr;
    FlameActions* m_actions = nullptr;
    FlameBreadcrumbs* m_breadcrumbs = nullptr;
    FlameLegend* m_legend = nullptr;
    QLabel* m_details = nullptr;
    FindField* m_find = nullptr;
    QComboBox* m_orderBox = nullptr;
    QComboBox* m_colorBox = nullptr;
    QAction* m_rootAtBottom = nullptr;
    QAction* m_safeColors = nullptr;
    QPushButton* m_menuButton = nullptr;
    QWidget* m_graph = nullptr; ///< All of the above.
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
};

} // namespace perilune
