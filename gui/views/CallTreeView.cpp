// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CallTreeView.h"

#include "core/analysis/FlameSearch.h"
#include "gui/models/CallTreeModel.h"
#include "gui/models/CallTreeWalk.h"
#include "gui/models/FunctionFilter.h"
#include "gui/models/PlaceTranslator.h"
#include "gui/views/CallTreeExpansion.h"
#include "gui/views/CallTreeTable.h"
#include "gui/views/ElidedLabel.h"
#include "gui/views/EmptyState.h"
#include "gui/views/FindField.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStackedLayout>
#include <QToolButton>
#include <QtConcurrent>

namespace perilune {

namespace {

/// Trees up to this size are prepared at once, in a few milliseconds.
constexpr std::uint32_t immediateLimit = 50'000;

} // namespace

/// All that is needed to show a profile, made on any thread.
struct CallTreeView::Content
{
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<CallTreeRows> rows;
    Metric weight = Metric::Time;
    Shape shape = Shape::TopDown;
};

CallTreeView::CallTreeView(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    createWidgets();
    createActions();
    layOut();
    connectWidgets();
    connectDocument();
    showProfile();
}

CallTreeView::~CallTreeView() = default;

// Building

void CallTreeView::createWidgets()
{
    m_content = new QWidget(this);
    m_model = new CallTreeModel(this);
    m_table = new CallTreeTable(*m_model, m_content);
    m_table->setAccessibleName(tr("Call tree"));
    m_shapeButtons = new QButtonGroup(this);
    const auto addShape = [this](Shape shape, const QString& text, const QString& toolTip) {
        auto* button = new QToolButton(m_content);
        button->setText(text);
        button->setToolTip(toolTip);
        button->setCheckable(true);
        button->setAutoRaise(true);
        m_shapeButtons->addButton(button, static_cast<int>(shape));
    };
    addShape(Shape::TopDown, tr("Top-down"), tr("From callers to what they call"));
    addShape(Shape::BottomUp, tr("Bottom-up"), tr("From functions to who calls them"));
    addShape(Shape::PathsThroughCurrent, tr("Paths through selection"),
             tr("Only what leads to the current function, and what it calls"));
    m_shapeButtons->button(static_cast<int>(m_shape))->setChecked(true);
    m_find = new FindField(m_document, m_content);
    m_find->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
    m_foldBox = new QCheckBox(tr("Fold single-callee chains"), m_content);
    m_foldBox->setToolTip(tr(
        "Show a call that leads to one function only, and costs nearly nothing itself, in one row "
        "with it: a › b › c"));
    m_hotPathButton = new QToolButton(m_content);
    m_hotPathButton->setText(tr("Hot path"));
    m_hotPathButton->setToolTip(tr("Open the heaviest path beneath the current row (H)"));
    m_hotPathButton->setAutoRaise(true);
    m_topLabel = new ElidedLabel(m_content);
    m_wholeTreeButton = new QPushButton(tr("Show whole tree"), m_content);
    m_wholeTreeButton->setFlat(true);
    m_notice = new QLabel(m_content);
    m_notice->setForegroundRole(QPalette::PlaceholderText);
    m_empty = new EmptyState(this);
}

void CallTreeView::createActions()
{
    const auto makeAction = [this](const QString& text, auto slot) {
        auto* action = new QAction(text, this);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    m_table->setRowActions(
        {makeAction(tr("Follow &hot path\tH"), [this] { m_table->followHotPath(); }),
         makeAction(tr("Open all &below\t*"),
                    [this] { m_table->openBelow(m_table->currentIndex()); }),
         makeAction(tr("Show only this b&ranch"),
                    [this] { m_table->setTop(m_table->currentIndex().siblingAtColumn(0)); }),
         makeAction(tr("Show &paths through this function"), [this] { showPathsThroughRow(); }),
         makeAction(tr("Show in &flame graph"), [this] { Q_EMIT flameGraphRequested(); })});
}

void CallTreeView::layOut()
{
    auto* options = new QHBoxLayout;
    options->setContentsMargins(6, 5, 8, 5);
    options->setSpacing(4);
    for (QAbstractButton* button : m_shapeButtons->buttons())
        options->addWidget(button);
    options->addSpacing(12);
    options->addWidget(m_hotPathButton);
    options->addStretch(1);
    options->addWidget(m_foldBox);
    options->addSpacing(8);
    options->addWidget(m_find);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 8, 4);
    top->addWidget(m_topLabel, 1);
    top->addWidget(m_wholeTreeButton);
    auto* noticeRow = new QHBoxLayout;
    noticeRow->setContentsMargins(8, 3, 8, 3);
    noticeRow->addWidget(m_notice, 1);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins({});
    content->setSpacing(0);
    content->addLayout(options);
    content->addLayout(top);
    content->addWidget(m_table, 1);
    content->addLayout(noticeRow);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_content);
    m_stack->addWidget(m_empty);
    showTop();
}

void CallTreeView::connectWidgets()
{
    connect(m_shapeButtons, &QButtonGroup::idClicked, this,
            [this](int id) { setShape(static_cast<Shape>(id)); });
    connect(m_foldBox, &QCheckBox::toggled, this, &CallTreeView::setChainsFolded);
    connect(m_hotPathButton, &QToolButton::clicked, m_table, &CallTreeTable::followHotPath);
    connect(m_wholeTreeButton, &QPushButton::clicked, this, [this] {
        m_table->setTop({});
        m_table->reveal(m_table->currentIndex());
    });
    connect(m_find, &FindField::nextRequested, this, &CallTreeView::showNextMatch);
    connect(m_find, &FindField::previousRequested, this, &CallTreeView::showPreviousMatch);
    connect(m_table, &CallTreeTable::topChanged, this, &CallTreeView::showTop);
    connect(m_table, &CallTreeTable::noticeChanged, this, &CallTreeView::showNotice);
    connect(m_table, &DataView::rowsCopied, this, &CallTreeView::rowsCopied);
    connect(m_table, &DataView::rowActivated, this, &CallTreeView::activateRow);
    // The keyboard selects before it makes current, the mouse the other way round.
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CallTreeView::selectFromTable);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { selectFromTable(m_table->currentIndex()); });
    connect(m_empty, &EmptyState::actionTriggered, this, [this] { setShape(Shape::TopDown); });
}

void CallTreeView::connectDocument()
{
    connect(&m_document, &Document::profileChanged, this, &CallTreeView::showProfile);
    connect(&m_document, &Document::weightChanged, this, &CallTreeView::rebuild);
    connect(&m_document, &Document::timeUnitChanged, m_model, &CallTreeModel::setTimeUnit);
    connect(&m_document, &Document::searchTextChanged, this, &CallTreeView::showSearch);
    connect(&m_document, &Document::currentFunctionChanged, this, &CallTreeView::showSelection);
    connect(&m_document, &Document::currentNodeChanged, this, &CallTreeView::showSelection);
}

// Content

void CallTreeView::setShape(Shape shape)
{
    if (shape == m_shape)
        return;
    m_shape = shape;
    m_pathFunction = m_document.currentFunction();
    m_shapeButtons->button(static_cast<int>(shape))->setChecked(true);
    rebuild();
    Q_EMIT optionsChanged();
}

void CallTreeView::setChainsFolded(bool areFolded)
{
    if (areFolded == m_areChainsFolded)
        return;
    m_areChainsFolded = areFolded;
    m_foldBox->setChecked(areFolded);
    rebuild();
    Q_EMIT optionsChanged();
}

/// What makes the content, with all that it needs from this thread.
std::function<CallTreeView::Content()> CallTreeView::contentMaker() const
{
    const auto profile = m_document.profile();
    const Metric weight = m_document.weight();
    const Shape shape = m_shape;
    const FunctionId through = m_pathFunction;
    const auto chains = m_areChainsFolded ? TopDownRows::Chains::Folded : TopDownRows::Chains::Open;
    return [=]() -> Content {
        const std::shared_ptr<const CallTree>& tree = profile->tree;
        switch (shape) {
        case Shape::BottomUp:
            return {profile, std::make_shared<BottomUpRows>(tree, weight), weight, shape};
        case Shape::PathsThroughCurrent:
            return {
                profile,
                std::make_shared<TopDownRows>(tree, pathsThrough(*tree, through), weight, chains),
                weight, shape};
        case Shape::TopDown:
            break;
        }
        return {profile, std::make_shared<TopDownRows>(tree, weight, chains), weight, shape};
    };
}

/// The function of the paths has another id in another profile.
void CallTreeView::showProfile()
{
    PlaceTranslator translator(*m_profile, *m_document.profile());
    m_pathFunction = translator.translate({m_pathFunction, {}, {}}).function;
    m_profile = m_document.profile();
    rebuild();
}

void CallTreeView::rebuild()
{
    const auto make = contentMaker();
    const quint64 request = ++m_latestRequest;
    if (m_document.profile()->tree->nodeCount() <= immediateLimit)
        return showContent(make());
    QtConcurrent::run(make).then(this, [this, request](const Content& content) {
        if (request == m_latestRequest)
            showContent(content);
    });
}

/// A new run opens what was open; a profile seen for the first time opens its heaviest chain.
void CallTreeView::showContent(const Content& content)
{
    const QScopedValueRollback following(m_isFollowing, true);
    const CallTreeExpansion expansion = CallTreeExpansion::of(*m_table, *m_model);
    const bool keepsState = m_hasShownProfile && content.shape == m_shownShape;
    const int scrolled = m_table->verticalScrollBar()->value();
    m_model->setContent(content.profile, content.rows, content.weight);
    m_shownShape = content.shape;
    m_hasShownProfile = m_model->rowCount() > 0;
    m_foldBox->setEnabled(content.shape != Shape::BottomUp);
    showTop();
    showNotice({});
    hideUnmeasuredColumns();
    showSearch();
    const bool isRestored = keepsState && expansion.applyTo(*m_table, *m_model) > 0;
    if (!isRestored && content.shape != Shape::BottomUp)
        m_table->openHeaviestChain();
    if (keepsState)
        m_table->verticalScrollBar()->setValue(scrolled);
    showEmptyState();
    showSelection();
}

void CallTreeView::showEmptyState()
{
    const bool hasRows = m_model->rowCount() > 0;
    const bool needsFunction = m_shape == Shape::PathsThroughCurrent && !m_pathFunction.isValid();
    m_stack->setCurrentWidget(hasRows ? m_content : static_cast<QWidget*>(m_empty));
    if (hasRows)
        return;
    if (m_document.isEmpty())
        m_empty->setContent(tr("No profile"), tr("Open a script and run it, or open a session."));
    else if (needsFunction)
        m_empty->setContent(tr("No function selected"),
                            tr("Select a function in any view to see the paths through it."),
                            tr("Show the whole tree"));
    else
        m_empty->setContent(tr("Nothing was called"), tr("The run has no calls to show."),
                            m_shape == Shape::TopDown ? QString() : tr("Show the whole tree"));
}

void CallTreeView::hideUnmeasuredColumns()
{
    QList<int> unmeasured;
    for (int column = 0; column < callTreeColumnCount; ++column) {
        if (!isMeasured(static_cast<CallTreeColumn>(column), m_model->profile(), m_model->weight()))
            unmeasured.append(column);
    }
    m_table->setUnmeasuredColumns(unmeasured);
}

// Selection

void CallTreeView::selectFromTable(const QModelIndex& index)
{
    // Qt makes a row current, without selecting it, when the table gets the focus.
    if (m_isFollowing || !m_table->selectionModel()->isSelected(index))
        return;
    const QScopedValueRollback choosing(m_isChoosing, true);
    const CallTreeRows::Row row = m_model->rowAt(index);
    const NodeId node = m_model->rows().node(row);
    if (node.isValid())
        m_document.setCurrentNode(node);
    else
        m_document.setCurrentFunction(m_model->rows().function(row));
}

void CallTreeView::activateRow(const QModelIndex& index)
{
    if (m_shape == Shape::PathsThroughCurrent
        && m_model->rows().function(m_model->rowAt(index)) != m_pathFunction)
        return showPathsThroughRow();
    Q_EMIT functionActivated();
}

void CallTreeView::showPathsThroughRow()
{
    const QModelIndex index = m_table->currentIndex();
    if (!index.isValid())
        return;
    m_pathFunction = m_model->rows().function(m_model->rowAt(index));
    if (m_shape == Shape::PathsThroughCurrent)
        rebuild();
    else
        setShape(Shape::PathsThroughCurrent);
}

/// The row of the document's path; bottom-up, that of its function.
QModelIndex CallTreeView::indexOfSelection() const
{
    if (m_document.profile().get() != &m_model->profile())
        return {};
    if (m_shownShape != Shape::BottomUp)
        return m_model->indexOf(m_model->rows().rowOf(m_document.currentNode()));
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        if (m_model->rows().function(m_model->rowAt(index)) == m_document.currentFunction())
            return index;
    }
    return {};
}

void CallTreeView::showSelection()
{
    if (m_isChoosing)
        return;
    const FunctionId function = m_document.currentFunction();
    const bool isFound = m_document.profile().get() == &m_model->profile();
    if (isFound && m_shape == Shape::PathsThroughCurrent && function != m_pathFunction) {
        m_pathFunction = function;
        return rebuild();
    }
    const QScopedValueRollback following(m_isFollowing, true);
    const QModelIndex index = indexOfSelection();
    if (!index.isValid())
        m_table->selectionModel()->clear();
    else if (m_table->currentIndex().siblingAtColumn(0) != index)
        m_table->reveal(index);
}

void CallTreeView::showTop()
{
    const QModelIndex top = m_table->rootIndex();
    m_topLabel->setVisible(top.isValid());
    m_wholeTreeButton->setVisible(top.isValid());
    if (!top.isValid())
        return;
    const int levels = depthOf(top);
    const QString name = top.data().toString();
    m_topLabel->setText(
        levels == 0
            ? tr("Only beneath %1").arg(name)
            : tr("Only beneath %1, which has %Ln row(s) above it", nullptr, levels).arg(name));
}

QString CallTreeView::notice() const
{
    return m_notice->text();
}

void CallTreeView::showNotice(const QString& text)
{
    m_notice->setText(text.isEmpty() ? countText() : text);
}

QString CallTreeView::countText() const
{
    if (m_shownShape == Shape::BottomUp)
        return tr("%Ln function(s)", nullptr, m_model->rowCount());
    const std::uint32_t paths = m_model->profile().tree->nodeCount() - 1;
    const QString all = tr("%Ln path(s)", nullptr, static_cast<int>(paths));
    if (m_shownShape == Shape::TopDown || !m_pathFunction.isValid())
        return all;
    const QString name = QString::fromStdString(m_profile->function(m_pathFunction).name);
    return tr("Paths through %1, of %2", nullptr).arg(name, all);
}

// Search

void CallTreeView::showSearch()
{
    std::vector<std::uint8_t> isMatch =
        functionsMatching(m_document.searchText(), *m_document.profile(), *m_document.table());
    m_find->setResult(textOfMatches(isMatch));
    m_model->setMatches(std::move(isMatch));
}

QString CallTreeView::textOfMatches(const std::vector<std::uint8_t>& isMatch) const
{
    if (isMatch.empty())
        return {};
    const CallTree& tree = *m_document.profile()->tree;
    const Metric weight = m_document.weight();
    const TreeMatches matches = countTreeMatches(tree, weight, isMatch);
    if (matches.count == 0)
        return tr("No match");
    const double share = static_cast<double>(matches.weight)
        / static_cast<double>(std::max<std::uint64_t>(tree.total(weight, tree.root()), 1));
    return tr("%Ln path(s), %1 of %2", nullptr, static_cast<int>(matches.count))
        .arg(formatPercent(share), metricTitle(weight).toLower());
}

void CallTreeView::focusSearch()
{
    m_find->focusText();
}

void CallTreeView::showMatch(bool forward)
{
    const QModelIndex match = findMatch(*m_model, m_table->currentIndex(), forward);
    if (match.isValid())
        m_table->reveal(match);
}

// Options

QVariantMap CallTreeView::saveOptions() const
{
    return {{QStringLiteral("shape"), static_cast<int>(m_shape)},
            {QStringLiteral("foldChains"), m_areChainsFolded}};
}

void CallTreeView::restoreOptions(const QVariantMap& options)
{
    const int shape = options.value(QStringLiteral("shape")).toInt();
    setChainsFolded(options.value(QStringLiteral("foldChains")).toBool());
    if (m_shapeButtons->button(shape) != nullptr)
        setShape(static_cast<Shape>(shape));
}

} // namespace perilune
