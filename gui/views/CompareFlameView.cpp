// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CompareFlameView.h"

#include "gui/models/CompareText.h"
#include "gui/models/NumberFormat.h"
#include "gui/views/ElidedLabel.h"
#include "gui/views/FlameCanvas.h"
#include "gui/views/FlameLegend.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace perilune {

namespace {

/// The functions of both sides as those of one profile: what a flame graph takes its names from.
std::shared_ptr<const Profile> namesOf(const MatchedRuns& runs)
{
    auto profile = std::make_shared<Profile>();
    for (const MatchedFunction& matched : runs.functions()) {
        Function function;
        function.name = matched.shown().name;
        function.kind = matched.kind;
        profile->functions.push_back(std::move(function));
    }
    return profile;
}

} // namespace

CompareFlameView::CompareFlameView(QWidget* parent)
    : QWidget(parent)
{
    createOptions();
    m_splitter = new QSplitter(Qt::Horizontal, this);
    createGraph(m_graphs[0], tr("Differential flame graph"));
    createGraph(m_graphs[1], tr("Flame graph of B"));
    m_legend = new FlameLegend(this);
    m_details = new ElidedLabel(this);
    m_details->setMargin(6);
    m_details->setAccessibleName(tr("Details of the frame"));
    layOut();
    connectGraph(0);
    connectGraph(1);
    setArrangement(Arrangement::One);
}

CompareFlameView::~CompareFlameView() = default;

void CompareFlameView::createGraph(Graph& graph, const QString& name)
{
    graph.frame = new QWidget(m_splitter);
    graph.title = new QLabel(graph.frame);
    graph.title->setForegroundRole(QPalette::PlaceholderText);
    graph.title->setMargin(4);
    graph.canvas = new FlameCanvas(graph.frame);
    graph.canvas->setAccessibleName(name);
    auto* layout = new QVBoxLayout(graph.frame);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(graph.title);
    layout->addWidget(graph.canvas, 1);
    m_splitter->addWidget(graph.frame);
}

void CompareFlameView::createOptions()
{
    m_widthBox = new QComboBox(this);
    m_widthBox->setAccessibleName(tr("Width of a frame"));
    m_widthBox->setToolTip(tr("What the width of a frame stands for."));
    m_widthBox->addItem(tr("Width: B"), static_cast<int>(UnionWidth::Changed));
    m_widthBox->addItem(tr("Width: A"), static_cast<int>(UnionWidth::Baseline));
    m_widthBox->addItem(tr("Width: the larger of both"), static_cast<int>(UnionWidth::Larger));
    m_widthBox->addItem(tr("Width: size of the change"), static_cast<int>(UnionWidth::Difference));
    m_colorBox = new QComboBox(this);
    m_colorBox->setAccessibleName(tr("Colour of a frame"));
    m_colorBox->setToolTip(tr("Which change the colour of a frame shows."));
    m_colorBox->addItem(tr("Colour: change of total"),
                        static_cast<int>(CompareFlameScheme::Cost::Total));
    m_colorBox->addItem(tr("Colour: change of self"),
                        static_cast<int>(CompareFlameScheme::Cost::Self));
    m_sideBySide = new QToolButton(this);
    m_sideBySide->setText(tr("Side by side"));
    m_sideBySide->setToolTip(tr("A and B next to each other; zoom and pointer are linked."));
    m_sideBySide->setCheckable(true);
    connect(m_widthBox, &QComboBox::currentIndexChanged, this, &CompareFlameView::readOptions);
    connect(m_colorBox, &QComboBox::currentIndexChanged, this, &CompareFlameView::readOptions);
    connect(m_sideBySide, &QToolButton::toggled, this, [this](bool isChecked) {
        setArrangement(isChecked ? Arrangement::SideBySide : Arrangement::One);
    });
}

void CompareFlameView::layOut()
{
    auto* options = new QHBoxLayout;
    options->setContentsMargins(6, 4, 6, 4);
    options->addWidget(m_widthBox);
    options->addWidget(m_colorBox);
    options->addWidget(m_sideBySide);
    options->addWidget(m_legend, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(options);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_details);
}

void CompareFlameView::connectGraph(std::size_t index)
{
    FlameCanvas* canvas = m_graphs[index].canvas;
    connect(canvas, &FlameCanvas::barChosen, this,
            [this, index](std::uint32_t bar) { chooseBar(index, bar); });
    connect(canvas, &FlameCanvas::hoveredChanged, this, [this, index] { showDetails(index); });
    connect(canvas, &FlameCanvas::zoomChanged, this, [this, index] { linkZoom(index); });
    canvas->setDescriber([this, index](const FlameCanvas::Hit& hit) {
        const auto node = hit.isMerged && hit.barCount > 1
            ? std::nullopt
            : unionNodeAt(m_graphs[index], hit.firstBar);
        return node ? describe(*node, QStringLiteral("\n"))
                    : tr("%Ln small frame(s)", nullptr, static_cast<int>(hit.barCount));
    });
}

void CompareFlameView::setComparison(std::shared_ptr<const Comparison> comparison,
                                     std::shared_ptr<const ComparisonTree> tree)
{
    const bool isSameTree = tree == m_tree && m_tree;
    m_comparison = std::move(comparison);
    m_tree = std::move(tree);
    if (isSameTree) {
        recolor();
        return;
    }
    m_currentNode.reset();
    m_currentFunction = SIZE_MAX;
    m_names = m_comparison ? namesOf(m_comparison->runs()) : nullptr;
    rebuild();
}

void CompareFlameView::setWidth(UnionWidth width)
{
    m_widthBox->setCurrentIndex(m_widthBox->findData(static_cast<int>(width)));
}

void CompareFlameView::setArrangement(Arrangement arrangement)
{
    m_arrangement = arrangement;
    const bool isPair = arrangement == Arrangement::SideBySide;
    m_sideBySide->setChecked(isPair);
    m_widthBox->setEnabled(!isPair);
    m_graphs[1].frame->setVisible(isPair);
    for (Graph& graph : m_graphs)
        graph.title->setVisible(isPair);
    m_graphs[0].title->setText(tr("A (baseline)"));
    m_graphs[1].title->setText(tr("B (changed)"));
    rebuild();
}

void CompareFlameView::readOptions()
{
    const auto cost = static_cast<CompareFlameScheme::Cost>(m_colorBox->currentData().toInt());
    const auto width = static_cast<UnionWidth>(m_widthBox->currentData().toInt());
    m_cost = cost;
    if (std::exchange(m_width, width) != width)
        rebuild();
    else
        recolor();
}

void CompareFlameView::rebuild()
{
    if (!m_tree)
        return;
    const QScopedValueRollback linking(m_isLinking, true);
    if (m_arrangement == Arrangement::SideBySide) {
        fill(m_graphs[0], UnionWidth::Baseline);
        fill(m_graphs[1], UnionWidth::Changed);
    } else {
        fill(m_graphs[0], m_width);
    }
    recolor();
    markCurrent();
}

void CompareFlameView::fill(Graph& graph, UnionWidth width)
{
    WidthTree widths = widthTree(*m_tree, width);
    graph.nodeOf.assign(widths.unionNode.size(), 0);
    for (std::uint32_t node = 0; node < widths.unionNode.size(); ++node)
        graph.nodeOf[widths.unionNode[node]] = node;
    graph.unionNodes = std::move(widths.unionNode);
    graph.canvas->setContent(
        FlameLayout::build(std::move(widths.tree), Metric::Time, FlameOrder::Weight, {}), m_names);
}

void CompareFlameView::recolor()
{
    if (!m_tree)
        return;
    for (Graph& graph : m_graphs) {
        if (graph.unionNodes.empty())
            continue;
        const auto scheme = std::make_shared<CompareFlameScheme>(
            m_comparison, m_tree, graph.unionNodes, m_cost, palette());
        graph.canvas->setScheme(scheme);
        m_legend->setScheme(scheme);
    }
}

void CompareFlameView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

std::optional<std::uint32_t> CompareFlameView::unionNodeAt(const Graph& graph,
                                                           std::uint32_t bar) const
{
    if (!graph.canvas->layout() || bar >= graph.canvas->layout()->barCount())
        return std::nullopt;
    return graph.unionNodes[graph.canvas->layout()->node(bar).value()];
}

std::optional<std::uint32_t> CompareFlameView::barOf(const Graph& graph,
                                                     std::uint32_t unionNode) const
{
    if (unionNode >= graph.nodeOf.size())
        return std::nullopt;
    return graph.canvas->layout()->barOf(NodeId(graph.nodeOf[unionNode]));
}

void CompareFlameView::chooseBar(std::size_t index, std::uint32_t bar)
{
    const auto node = unionNodeAt(m_graphs[index], bar);
    if (!node)
        return;
    m_currentNode = node;
    m_currentFunction = m_tree->function(*node);
    markCurrent();
    showDetails(index);
    if (m_currentFunction != SIZE_MAX)
        Q_EMIT functionChosen(m_currentFunction);
}

void CompareFlameView::setCurrentFunction(std::size_t function)
{
    if (function == m_currentFunction)
        return;
    m_currentFunction = function;
    m_currentNode.reset();
    markCurrent();
}

void CompareFlameView::markCurrent()
{
    const FunctionId function = m_currentFunction == SIZE_MAX
        ? FunctionId()
        : FunctionId(static_cast<std::uint32_t>(m_currentFunction));
    for (Graph& graph : m_graphs) {
        if (graph.unionNodes.empty())
            continue;
        graph.canvas->setCurrent(m_currentNode ? barOf(graph, *m_currentNode) : std::nullopt,
                                 function);
    }
}

/// Where one graph zooms to a frame, the other zooms to the same path.
void CompareFlameView::linkZoom(std::size_t from)
{
    if (m_isLinking || m_arrangement != Arrangement::SideBySide)
        return;
    const QScopedValueRollback linking(m_isLinking, true);
    const auto node = unionNodeAt(m_graphs[from], m_graphs[from].canvas->zoomedBar());
    Graph& other = m_graphs[1 - from];
    if (const auto bar = node ? barOf(other, *node) : std::nullopt)
        other.canvas->zoomTo(*bar);
}

void CompareFlameView::showDetails(std::size_t index)
{
    const Graph& graph = m_graphs[index];
    std::optional<std::uint32_t> node = m_currentNode;
    if (const auto hit = graph.canvas->hovered(); hit && !(hit->isMerged && hit->barCount > 1))
        node = unionNodeAt(graph, hit->firstBar);
    m_details->setText(node ? describe(*node, QStringLiteral(" · ")) : QString());
}

QString CompareFlameView::detailsText() const
{
    return m_details->text();
}

QString CompareFlameView::describe(std::uint32_t unionNode, const QString& separator) const
{
    ComparisonOptions options;
    options.metric = m_tree->metric();
    const std::size_t function = m_tree->function(unionNode);
    QStringList parts;
    if (function != SIZE_MAX) {
        const MatchedSide& shown = m_comparison->runs().functions()[function].shown();
        parts << QString::fromStdString(shown.name);
        if (!shown.location.empty())
            parts << QString::fromStdString(shown.location);
    }
    if (!m_tree->isInA(unionNode))
        parts << tr("new");
    else if (!m_tree->isInB(unionNode))
        parts << tr("gone");
    const auto change = [&](const QString& title, double before, double after) {
        QString text = tr("%1 %2 → %3 (%4")
                           .arg(title, formatCost(before, options), formatCost(after, options),
                                formatSignedCost(after - before, options));
        if (before > 0.0 && after > 0.0)
            text += QStringLiteral(", ") + formatSignedPercent(after / before - 1.0);
        return text + u')';
    };
    parts << change(tr("total"), m_tree->totalA(unionNode), m_tree->totalB(unionNode));
    parts << change(tr("self"), m_tree->selfA(unionNode), m_tree->selfB(unionNode));
    parts << tr("calls %1 → %2")
                 .arg(QLocale().toString(m_tree->callsA(unionNode), 'f', 0),
                      QLocale().toString(m_tree->callsB(unionNode), 'f', 0));
    return parts.join(separator);
}

} // namespace perilune
