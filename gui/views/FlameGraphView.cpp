// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameGraphView.h"

#include "gui/models/FunctionFilter.h"
#include "gui/models/PlaceTranslator.h"
#include "gui/views/ElidedLabel.h"
#include "gui/views/EmptyState.h"
#include "gui/views/FindField.h"
#include "gui/views/FlameActions.h"
#include "gui/views/FlameBreadcrumbs.h"
#include "gui/views/FlameCanvas.h"
#include "gui/views/FlameDescriber.h"
#include "gui/views/FlameLegend.h"
#include "gui/views/Icons.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QtConcurrent>

#include <algorithm>
#include <numeric>

namespace perilune {

namespace {

/// Trees up to this size are laid out at once, in a few milliseconds.
constexpr std::uint32_t immediateLimit = 50'000;

std::vector<std::uint32_t> nameRanks(const Profile& profile)
{
    std::vector<std::uint32_t> byName(profile.functions.size());
    std::iota(byName.begin(), byName.end(), 0u);
    std::stable_sort(byName.begin(), byName.end(), [&](std::uint32_t a, std::uint32_t b) {
        return profile.functions[a].name < profile.functions[b].name;
    });
    std::vector<std::uint32_t> ranks(byName.size());
    for (std::uint32_t rank = 0; rank < byName.size(); ++rank)
        ranks[byName[rank]] = rank;
    return ranks;
}

struct ColorChoice
{
    FlameColorMode mode;
    const char* title;
};

constexpr ColorChoice colorChoices[] = {
    {FlameColorMode::File, QT_TRANSLATE_NOOP("perilune::FlameGraphView", "Colour by file")},
    {FlameColorMode::Function, QT_TRANSLATE_NOOP("perilune::FlameGraphView", "Colour by function")},
    {FlameColorMode::Package, QT_TRANSLATE_NOOP("perilune::FlameGraphView", "Colour by package")},
    {FlameColorMode::Kind, QT_TRANSLATE_NOOP("perilune::FlameGraphView", "Colour by kind")},
    {FlameColorMode::SelfShare,
     QT_TRANSLATE_NOOP("perilune::FlameGraphView", "Colour by self share")},
};

} // namespace

/// All that is needed to show a profile, made on any thread.
struct FlameGraphView::Content
{
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const FlameLayout> layout;
    std::shared_ptr<const FlameScheme> scheme;
};

FlameGraphView::FlameGraphView(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    createWidgets();
    layOut();
    connectWidgets();
    connectDocument();
    rebuild();
}

FlameGraphView::~FlameGraphView() = default;

// Building

void FlameGraphView::createWidgets()
{
    m_graph = new QWidget(this);
    m_canvas = new FlameCanvas(m_graph);
    m_canvas->setAccessibleName(tr("Flame graph"));
    m_actions = new FlameActions(*m_canvas, *this);
    m_breadcrumbs = new FlameBreadcrumbs(*m_canvas, m_graph);
    m_legend = new FlameLegend(m_graph);
    m_details = new ElidedLabel(m_graph);
    m_details->setMargin(8);
    m_details->setAccessibleName(tr("Details of the frame"));
    m_empty = new EmptyState(this);
    m_find = new FindField(m_document, m_graph);
    m_find->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
    createOptionWidgets();
    createMenuButton();
}

void FlameGraphView::createOptionWidgets()
{
    const auto makeBox = [this](const QString& name, const QString& toolTip) {
        auto* box = new QComboBox(m_graph);
        box->setAccessibleName(name);
        box->setToolTip(toolTip);
        return box;
    };
    m_orderBox = makeBox(tr("Order"), tr("The order of frames from left to right"));
    m_orderBox->addItem(tr("By weight"), static_cast<int>(FlameOrder::Weight));
    m_orderBox->addItem(tr("By name"), static_cast<int>(FlameOrder::Name));
    m_colorBox = makeBox(tr("Colours"), tr("What the colour of a frame tells"));
    for (const ColorChoice& choice : colorChoices)
        m_colorBox->addItem(tr(choice.title), static_cast<int>(choice.mode));
}

void FlameGraphView::createMenuButton()
{
    m_rootAtBottom = new QAction(tr("Root at the &bottom"), this);
    m_rootAtBottom->setCheckable(true);
    m_safeColors = new QAction(tr("Colours safe for colour &blindness"), this);
    m_safeColors->setCheckable(true);
    m_menuButton = new QPushButton(tr("More"), m_graph);
    m_menuButton->setToolTip(tr("Direction, colours, copy and export"));
    auto* menu = new QMenu(m_menuButton);
    menu->addActions({m_rootAtBottom, m_safeColors});
    menu->addSeparator();
    m_actions->addCopyActions(*menu);
    menu->addSeparator();
    m_actions->addExportActions(*menu);
    m_menuButton->setMenu(menu);
}

void FlameGraphView::layOut()
{
    auto* options = new QHBoxLayout;
    options->setContentsMargins(6, 5, 8, 5);
    options->setSpacing(6);
    options->addWidget(m_breadcrumbs, 1);
    options->addWidget(m_find);
    options->addWidget(m_orderBox);
    options->addWidget(m_colorBox);
    options->addWidget(m_menuButton);
    auto* graph = new QVBoxLayout(m_graph);
    graph->setContentsMargins({});
    graph->setSpacing(0);
    graph->addLayout(options);
    graph->addWidget(m_canvas, 1);
    graph->addWidget(m_legend);
    graph->addWidget(m_details);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_graph);
    m_stack->addWidget(m_empty);
}

void FlameGraphView::connectWidgets()
{
    connect(m_canvas, &FlameCanvas::barChosen, this, [this](std::uint32_t bar) {
        const QScopedValueRollback guard(m_isChoosing, true);
        m_document.setCurrentNode(m_canvas->layout()->node(bar));
    });
    connect(m_canvas, &FlameCanvas::hoveredChanged, this, &FlameGraphView::showDetails);
    connect(m_canvas, &FlameCanvas::zoomChanged, this, &FlameGraphView::showDetails);
    connect(m_canvas, &FlameCanvas::matchRequested, this, &FlameGraphView::showMatch);
    connect(m_actions, &FlameActions::messageShown, this, &FlameGraphView::messageShown);
    connect(m_actions, &FlameActions::callTreeRequested, this, &FlameGraphView::callTreeRequested);
    connect(m_find, &FindField::nextRequested, this, &FlameGraphView::showNextMatch);
    connect(m_find, &FindField::previousRequested, this, &FlameGraphView::showPreviousMatch);
    for (QComboBox* box : {m_orderBox, m_colorBox})
        connect(box, &QComboBox::activated, this, &FlameGraphView::readOptionWidgets);
    for (QAction* action : {m_rootAtBottom, m_safeColors})
        connect(action, &QAction::triggered, this, &FlameGraphView::readOptionWidgets);
}

void FlameGraphView::connectDocument()
{
    connect(&m_document, &Document::profileChanged, this, &FlameGraphView::rebuild);
    connect(&m_document, &Document::weightChanged, this, &FlameGraphView::rebuild);
    connect(&m_document, &Document::timeUnitChanged, this, &FlameGraphView::showDetails);
    connect(&m_document, &Document::searchTextChanged, this, &FlameGraphView::showSearch);
    connect(&m_document, &Document::currentFunctionChanged, this, &FlameGraphView::showSelection);
    connect(&m_document, &Document::currentNodeChanged, this, &FlameGraphView::showSelection);
    m_canvas->setDescriber([this](const FlameSpan& span) {
        return FlameDescriber(*m_canvas->profile(), *m_canvas->layout(), m_document.timeUnit())
            .toolTip(span);
    });
}

// Content

void FlameGraphView::rebuild()
{
    const auto make = [profile = m_document.profile(), table = m_document.table(),
                       weight = m_document.weight(), order = m_order, mode = m_colorMode,
                       set = m_colorSet, colors = palette()] {
        const std::vector<std::uint32_t> ranks =
            order == FlameOrder::Name ? nameRanks(*profile) : std::vector<std::uint32_t>();
        return Content{profile, FlameLayout::build(profile->tree, weight, order, ranks),
                       std::make_shared<FlameColors>(profile, *table, weight, mode, set, colors)};
    };
    const quint64 request = ++m_latestRequest;
    if (m_document.profile()->tree->nodeCount() <= immediateLimit)
        return showContent(make());
    QtConcurrent::run(make).then(this, [this, request](const Content& content) {
        if (request == m_latestRequest)
            showContent(content);
    });
}

/// The zoom survives: a new order or weight keeps its frame, a new run the same path.
void FlameGraphView::showContent(const Content& content)
{
    NodeId zoomed;
    if (m_canvas->isZoomed()) {
        const FlameLayout& before = *m_canvas->layout();
        zoomed = before.node(m_canvas->zoomedBar());
        if (content.profile != m_canvas->profile()) {
            const Document::Place place{before.tree().function(zoomed), zoomed, {}};
            zoomed = PlaceTranslator(*m_canvas->profile(), *content.profile).translate(place).node;
        }
    }
    m_canvas->setContent(content.layout, content.profile);
    m_canvas->setScheme(content.scheme);
    m_legend->setScheme(content.scheme);
    m_actions->setPictureTitle(pictureTitle());
    if (const auto bar = content.layout->barOf(zoomed))
        m_canvas->zoomTo(*bar);
    showEmptyState();
    showSearch();
    showSelection();
}

void FlameGraphView::recolor()
{
    const auto scheme =
        std::make_shared<FlameColors>(m_document.profile(), *m_document.table(),
                                      m_document.weight(), m_colorMode, m_colorSet, palette());
    m_canvas->setScheme(scheme);
    m_legend->setScheme(scheme);
}

void FlameGraphView::showEmptyState()
{
    const bool hasFrames = m_canvas->layout()->barCount() > 0;
    m_stack->setCurrentWidget(hasFrames ? m_graph : static_cast<QWidget*>(m_empty));
    if (hasFrames)
        return;
    if (m_document.isEmpty())
        m_empty->setContent(tr("No profile"), tr("Open a script and run it, or open a session."));
    else
        m_empty->setContent(tr("Nothing to draw"),
                            tr("This run has no values for “%1”. Choose another weight.")
                                .arg(metricTitle(m_document.weight())));
}

void FlameGraphView::showSelection()
{
    const auto bar = m_canvas->profile() == m_document.profile()
        ? m_canvas->layout()->barOf(m_document.currentNode())
        : std::nullopt;
    const bool isNew = bar && bar != m_canvas->currentBar();
    m_canvas->setCurrent(bar, m_document.currentFunction());
    if (isNew && !m_isChoosing)
        m_canvas->ensureVisible(*bar);
    showDetails();
}

// Search

void FlameGraphView::focusSearch()
{
    m_find->focusText();
}

void FlameGraphView::showSearch()
{
    const QString text = m_document.searchText().trimmed();
    const std::vector<std::uint8_t> isMatch =
        functionsMatching(text, *m_canvas->profile(), *m_document.table());
    const bool isSearching = !isMatch.empty();
    m_matches = isSearching ? findFlameMatches(*m_canvas->layout(), isMatch) : FlameMatches();
    m_shownMatch = 0;
    m_canvas->setMatches(m_matches.bars, isSearching);
    FunctionFilter filter;
    filter.text = text;
    const QString problem = filter.problem();
    m_find->setResult(problem.isEmpty() ? searchResult() : problem);
}

QString FlameGraphView::searchResult() const
{
    if (m_document.searchText().trimmed().isEmpty())
        return {};
    if (m_matches.bars.empty())
        return tr("No match");
    const FlameLayout& layout = *m_canvas->layout();
    const double share =
        static_cast<double>(m_matches.weight) / static_cast<double>(layout.wholeWidth());
    const QString text =
        tr("%Ln frame(s), %1 of %2", nullptr, static_cast<int>(m_matches.bars.size()))
            .arg(formatPercent(share), metricTitle(layout.metric()).toLower());
    return m_shownMatch == 0 ? text : tr("%1 of %2").arg(formatCount(m_shownMatch), text);
}

void FlameGraphView::showMatch(bool forward)
{
    const std::size_t count = m_matches.bars.size();
    if (count == 0)
        return;
    if (forward)
        m_shownMatch = m_shownMatch % count + 1;
    else
        m_shownMatch = m_shownMatch <= 1 ? count : m_shownMatch - 1;
    const std::uint32_t bar = m_matches.bars[m_shownMatch - 1];
    m_canvas->ensureVisible(bar);
    m_document.setCurrentNode(m_canvas->layout()->node(bar));
    m_find->setResult(searchResult());
}

// Details

QString FlameGraphView::detailsText() const
{
    const FlameLayout& layout = *m_canvas->layout();
    const FlameDescriber describer(*m_canvas->profile(), layout, m_document.timeUnit());
    if (const auto hit = m_canvas->hovered())
        return describer.line(*hit);
    if (const auto current = m_canvas->currentBar()) {
        const FlameBar bar = layout.bar(*current);
        return describer.line({*current, 1, bar.start, bar.end(), false});
    }
    return describer.summary();
}

void FlameGraphView::showDetails()
{
    m_details->setText(detailsText());
}

QString FlameGraphView::pictureTitle() const
{
    const FlameLayout& layout = *m_canvas->layout();
    return tr("%1 · %2 %3")
        .arg(QString::fromStdString(m_canvas->profile()->run.script), metricTitle(layout.metric()),
             formatMetric(layout.metric(), layout.wholeWidth(), m_document.timeUnit()));
}

// Options

void FlameGraphView::setOrder(FlameOrder order)
{
    if (order == m_order)
        return;
    m_order = order;
    writeOptionWidgets();
    rebuild();
    Q_EMIT optionsChanged();
}

void FlameGraphView::setDirection(FlameDirection direction)
{
    if (direction == m_canvas->direction())
        return;
    m_canvas->setDirection(direction);
    writeOptionWidgets();
    Q_EMIT optionsChanged();
}

void FlameGraphView::setColors(FlameColorMode mode, FlameColorSet set)
{
    if (mode == m_colorMode && set == m_colorSet)
        return;
    m_colorMode = mode;
    m_colorSet = set;
    writeOptionWidgets();
    recolor();
    Q_EMIT optionsChanged();
}

/// Reads all before it sets any: each setter writes the widgets again.
void FlameGraphView::readOptionWidgets()
{
    const auto order = static_cast<FlameOrder>(m_orderBox->currentData().toInt());
    const auto mode = static_cast<FlameColorMode>(m_colorBox->currentData().toInt());
    const bool isFlame = m_rootAtBottom->isChecked();
    const bool isSafe = m_safeColors->isChecked();
    setOrder(order);
    setDirection(isFlame ? FlameDirection::Flame : FlameDirection::Icicle);
    setColors(mode, isSafe ? FlameColorSet::ColorBlindSafe : FlameColorSet::Many);
}

void FlameGraphView::writeOptionWidgets()
{
    m_orderBox->setCurrentIndex(m_orderBox->findData(static_cast<int>(m_order)));
    m_colorBox->setCurrentIndex(m_colorBox->findData(static_cast<int>(m_colorMode)));
    m_rootAtBottom->setChecked(m_canvas->direction() == FlameDirection::Flame);
    m_safeColors->setChecked(m_colorSet == FlameColorSet::ColorBlindSafe);
}

QVariantMap FlameGraphView::saveOptions() const
{
    return {{QStringLiteral("order"), static_cast<int>(m_order)},
            {QStringLiteral("rootAtBottom"), m_rootAtBottom->isChecked()},
            {QStringLiteral("colors"), static_cast<int>(m_colorMode)},
            {QStringLiteral("safeColors"), m_safeColors->isChecked()}};
}

void FlameGraphView::restoreOptions(const QVariantMap& options)
{
    const auto restore = [&options](QComboBox* box, const QString& key) {
        const int index = box->findData(options.value(key).toInt());
        box->setCurrentIndex(std::max(index, 0));
    };
    restore(m_orderBox, QStringLiteral("order"));
    restore(m_colorBox, QStringLiteral("colors"));
    m_rootAtBottom->setChecked(options.value(QStringLiteral("rootAtBottom")).toBool());
    m_safeColors->setChecked(options.value(QStringLiteral("safeColors")).toBool());
    readOptionWidgets();
}

void FlameGraphView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_canvas)
        recolor();
}

} // namespace perilune
