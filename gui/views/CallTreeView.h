// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/PathsThrough.h"
#include "gui/models/CallTreeRows.h"
#include "gui/models/Document.h"

#include <QVariantMap>
#include <QWidget>

#include <functional>
#include <memory>

class QButtonGroup;
class QCheckBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace perilune {

class CallTreeModel;
class CallTreeTable;
class ElidedLabel;
class EmptyState;
class FindField;

/// The call tree of the document's profile: from callers to callees, from functions to their
/// callers, or the paths through the current function only.
///
/// What is open and current stays over a new run of the same program. Large trees are prepared on
/// another thread; the view stays as it was until they are ready.
class CallTreeView : public QWidget
{
    Q_OBJECT
public:
    enum class Shape
    {
        TopDown,
        BottomUp,
        PathsThroughCurrent
    };

    explicit CallTreeView(Document& document, QWidget* parent = nullptr);
    ~CallTreeView() override;

    CallTreeTable& table() { return *m_table; }
    CallTreeModel& model() { return *m_model; }
    Shape shape() const { return m_shape; }
    void setShape(Shape shape);
    void setChainsFolded(bool areFolded);
    QString notice() const;
    /// What the user chose of the above, for the settings.
    QVariantMap saveOptions() const;
    void restoreOptions(const QVariantMap& options);

public Q_SLOTS:
    void focusSearch();
    void showNextMatch() { showMatch(true); }
    void showPreviousMatch() { showMatch(false); }

Q_SIGNALS:
    void rowsCopied(int count);
    /// Enter or a double click on a row: show the function's source.
    void functionActivated();
    /// The user asks for the current row's place in the flame graph.
    void flameGraphRequested();
    void optionsChanged();

private:
    struct Content;

    void createWidgets();
    void createActions();
    void layOut();
    void connectWidgets();
    void connectDocument();

    void showProfile();
    void rebuild();
    std::function<Content()> contentMaker() const;
    void showContent(const Content& content);
    void showEmptyState();
    void showSelection();
    void showSearch();
    QString textOfMatches(const std::vector<std::uint8_t>& isMatch) const;
    void showMatch(bool forward);
    void showTop();
    void showNotice(const QString& text);
    QString countText() const;
    void hideUnmeasuredColumns();
    void selectFromTable(const QModelIndex& index);
    void activateRow(const QModelIndex& index);
    void showPathsThroughRow();
    QModelIndex indexOfSelection() const;

    Document& m_document;
    Shape m_shape = Shape::TopDown;
    bool m_areChainsFolded = false;
    std::shared_ptr<const Profile> m_profile =
        Profile::empty();      ///< That m_pathFunction belongs to.
    FunctionId m_pathFunction; ///< What the paths go through.
    quint64 m_latestRequest = 0;
    Shape m_shownShape = Shape::TopDown;
    bool m_hasShownProfile = false;
    bool m_isFollowing = false; ///< The document's selection is being shown, not changed.
    bool m_isChoosing = false;  ///< The selection is changed by this view.

    CallTreeModel* m_model = nullptr;
    CallTreeTable* m_table = nullptr;
    QButtonGroup* m_shapeButtons = nullptr;
    FindField* m_find = nullptr;
    QCheckBox* m_foldBox = nullptr;
    QToolButton* m_hotPathButton = nullptr;
    ElidedLabel* m_topLabel = nullptr;
    QPushButton* m_wholeTreeButton = nullptr;
    QLabel* m_notice = nullptr;
    QWidget* m_content = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
};

} // namespace perilune
