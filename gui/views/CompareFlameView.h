// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"
#include "core/analysis/ComparisonTree.h"
#include "core/analysis/FlameLayout.h"
#include "gui/views/CompareFlameScheme.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace perilune {

class ElidedLabel;
class FlameCanvas;
class FlameLegend;

/// The differential flame graph over the union of both call trees: one graph whose widths are
/// chosen, or A and B side by side with linked zoom and hover.
class CompareFlameView : public QWidget
{
    Q_OBJECT
public:
    enum class Arrangement
    {
        One,
        SideBySide
    };

    explicit CompareFlameView(QWidget* parent = nullptr);
    ~CompareFlameView() override;

    /// Both null for nothing.
    void setComparison(std::shared_ptr<const Comparison> comparison,
                       std::shared_ptr<const ComparisonTree> tree);
    void setWidth(UnionWidth width);
    void setArrangement(Arrangement arrangement);
    /// Marks the frames of a function, by its index in MatchedRuns::functions().
    void setCurrentFunction(std::size_t function);
    FlameCanvas& canvas() { return *m_graphs[0].canvas; }
    FlameCanvas& secondCanvas() { return *m_graphs[1].canvas; }
    QString detailsText() const;

Q_SIGNALS:
    void functionChosen(std::size_t function);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// One of the two graphs: the only one and A's, or B's.
    struct Graph
    {
        QWidget* frame = nullptr;
        QLabel* title = nullptr;
        FlameCanvas* canvas = nullptr;
        std::vector<std::uint32_t> unionNodes; ///< By NodeId.
        std::vector<std::uint32_t> nodeOf;     ///< The inverse.
        std::optional<std::uint32_t> hovered;  ///< Node of the union tree.
    };

    void createGraph(Graph& graph, const QString& name);
    void createOptions();
    void layOut();
    void connectGraph(std::size_t index);
    void rebuild();
    void fill(Graph& graph, UnionWidth width);
    void recolor();
    void readOptions();
    void chooseBar(std::size_t index, std::uint32_t bar);
    void markCurrent();
    void linkZoom(std::size_t from);
    void showDetails(std::size_t index);
    std::optional<std::uint32_t> unionNodeAt(const Graph& graph, std::uint32_t bar) const;
    std::optional<std::uint32_t> barOf(const Graph& graph, std::uint32_t unionNode) const;
    QString describe(std::uint32_t unionNode, const QString& separator) const;

    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const ComparisonTree> m_tree;
    std::shared_ptr<const Profile>
        m_names; ///< The functions of the union as a profile, for labels.
    Arrangement m_arrangement = Arrangement::One;
    UnionWidth m_width = UnionWidth::Changed;
    CompareFlameScheme::Cost m_cost = CompareFlameScheme::Cost::Total;
    std::size_t m_currentFunction = SIZE_MAX;
    std::optional<std::uint32_t> m_currentNode; ///< Of the union tree.
    bool m_isLinking = false;
    std::array<Graph, 2> m_graphs;
    QSplitter* m_splitter = nullptr;
    QComboBox* m_widthBox = nullptr;
    QComboBox* m_colorBox = nullptr;
    QToolButton* m_sideBySide = nullptr;
    FlameLegend* m_legend = nullptr;
    ElidedLabel* m_details = nullptr;
};

} // namespace perilune
