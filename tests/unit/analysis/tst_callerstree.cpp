// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/BottomUpTree.h"
#include "core/analysis/CallersTree.h"
#include "tests/support/TestProfiles.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace perilune;

namespace {

using Figures = std::array<std::uint64_t, metricCount>;
/// By path, from a function up to one of its callers: self and total of the function.
using Paths = std::map<std::vector<FunctionId>, std::pair<Figures, Figures>>;

constexpr auto callsMetric = static_cast<std::size_t>(Metric::Calls);

FunctionId idOf(const Profile& profile, const char* name)
{
    for (std::uint32_t index = 0; index < profile.functions.size(); ++index)
        if (profile.functions[index].name == name)
            return FunctionId(index);
    return {};
}

std::shared_ptr<const CallTree> randomTree(std::uint32_t nodeCount, std::uint32_t functionCount,
                                           std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<CallTree::Input> nodes(nodeCount);
    for (std::uint32_t index = 0; index < nodeCount; ++index) {
        nodes[index].parent = index == 0 ? UINT32_MAX : random() % index;
        nodes[index].function = FunctionId(index == 0 ? 0 : 1 + random() % (functionCount - 1));
        for (std::uint64_t& value : nodes[index].self)
            value = random() % 100;
    }
    return CallTree::build(nodes, (1u << metricCount) - 1);
}

bool isOutermost(const CallTree& tree, NodeId node)
{
    for (NodeId above = tree.parent(node); above.isValid(); above = tree.parent(above))
        if (tree.function(above) == tree.function(node))
            return false;
    return true;
}

/// The slow way: each node gives what it has to every part of its own stack.
Paths slowPaths(const CallTree& tree)
{
    Paths paths;
    for (std::uint32_t index = 1; index < tree.nodeCount(); ++index) {
        const NodeId node(index);
        std::vector<FunctionId> path;
        for (NodeId step = node; step != tree.root(); step = tree.parent(step)) {
            path.push_back(tree.function(step));
            auto& [self, total] = paths[path];
            for (std::size_t metric = 0; metric < metricCount; ++metric) {
                self[metric] += tree.self(static_cast<Metric>(metric), node);
                if (isOutermost(tree, node))
                    total[metric] += tree.total(static_cast<Metric>(metric), node);
            }
        }
    }
    return paths;
}

Paths pathsOf(BottomUpTree& tree)
{
    Paths paths;
    for (BottomUpTree::Row row = 1; row < tree.rowCount(); ++row) {
        tree.expand(row);
        std::vector<FunctionId> path;
        for (BottomUpTree::Row step = row; step != BottomUpTree::root; step = tree.parent(step))
            path.push_back(tree.function(step));
        std::reverse(path.begin(), path.end());
        auto& [self, total] = paths[path];
        for (std::size_t metric = 0; metric < metricCount; ++metric) {
            self[metric] = tree.self(static_cast<Metric>(metric), row);
            total[metric] = tree.total(static_cast<Metric>(metric), row);
        }
    }
    return paths;
}

} // namespace

class CallersTreeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsNodesOfFunctions();
    void bottomUpEqualsSlowReference();
    void showsCallersOfOneFunction();
    void equalsSlowReference();
    void isBounded();
    void survivesDepth();
    void ofNothing();
};

void CallersTreeTest::findsNodesOfFunctions()
{
    const auto tree = randomTree(300, 9, 5);
    const auto nodes = FunctionNodes::compute(tree);
    QCOMPARE(nodes->functionCount(), 9u);
    std::uint32_t found = 0;
    for (std::uint32_t function = 0; function < 9; ++function) {
        const auto own = nodes->nodesOf(FunctionId(function));
        QVERIFY(std::is_sorted(own.begin(), own.end()));
        found += static_cast<std::uint32_t>(own.size());
        for (const std::uint32_t node : own) {
            QCOMPARE(tree->function(NodeId(node)), FunctionId(function));
            QCOMPARE(nodes->isOutermost(node), isOutermost(*tree, NodeId(node)));
        }
    }
    QCOMPARE(found, tree->nodeCount());
    QVERIFY(nodes->nodesOf(FunctionId(9)).empty());
    QVERIFY(nodes->nodesOf(FunctionId()).empty());
}

void CallersTreeTest::bottomUpEqualsSlowReference()
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const auto tree = randomTree(80, 2 + seed % 12, seed);
        BottomUpTree bottomUp(tree, Metric::Time);
        QVERIFY(pathsOf(bottomUp) == slowPaths(*tree));
        for (BottomUpTree::Row row = 1; row < bottomUp.rowCount(); ++row)
            QCOMPARE(bottomUp.hasChildren(row), bottomUp.childCount(row) > 0);
    }
}

void CallersTreeTest::showsCallersOfOneFunction()
{
    auto profile =
        *test::profileFrom({"main;f;g 4", "main;g 8", "main;g;g 16", "main;g;h 32", "other;g 1"});
    const FunctionId g = idOf(profile, "g");
    const CallersTree callers = computeCallersTree(FunctionNodes::compute(profile.tree), g);
    QVERIFY(!callers.isCut);
    QCOMPARE(callers.tree->function(callers.tree->root()), g);
    QCOMPARE(callers.tree->total(Metric::Time, callers.tree->root()), std::uint64_t(61000));
    profile.tree = callers.tree;
    QStringList lines;
    for (const std::string& line : test::textOf(profile))
        lines.append(QString::fromStdString(line));
    QCOMPARE(
        lines,
        (QStringList{u"main self=56 total=56 calls=1"_qs, u"f self=0 total=4 calls=0"_qs,
                     u"  main self=4 total=4 calls=1"_qs, u"other self=1 total=1 calls=1"_qs}));
}

void CallersTreeTest::equalsSlowReference()
{
    for (std::uint32_t seed = 100; seed < 130; ++seed) {
        const auto tree = randomTree(80, 2 + seed % 7, seed);
        const Paths paths = slowPaths(*tree);
        const CallersTree callers = computeCallersTree(FunctionNodes::compute(tree), FunctionId(1));
        for (std::uint32_t index = 0; index < callers.tree->nodeCount(); ++index) {
            std::vector<FunctionId> path;
            for (NodeId step(index); step.isValid(); step = callers.tree->parent(step))
                path.push_back(callers.tree->function(step));
            std::reverse(path.begin(), path.end());
            const auto found = paths.find(path);
            QVERIFY(found != paths.end());
            for (std::size_t metric = 0; metric < metricCount; ++metric)
                if (metric != callsMetric)
                    QCOMPARE(callers.tree->total(static_cast<Metric>(metric), NodeId(index)),
                             found->second.second[metric]);
        }
    }
}

void CallersTreeTest::isBounded()
{
    const auto profile = test::largeProfile(30000, 40, 3, 30);
    const auto nodes = FunctionNodes::compute(profile->tree);
    const CallersTree whole = computeCallersTree(nodes, FunctionId(5), 1000000);
    QVERIFY(!whole.isCut);
    const CallersTree cut = computeCallersTree(nodes, FunctionId(5), 500);
    QVERIFY(cut.isCut);
    QVERIFY(cut.tree->nodeCount() >= 500 && cut.tree->nodeCount() < 600);
    QCOMPARE(cut.tree->totalTime(cut.tree->root()), whole.tree->totalTime(whole.tree->root()));
}

void CallersTreeTest::survivesDepth()
{
    constexpr std::uint32_t depth = 200000;
    const auto profile = test::deepProfile(depth, depth + 2);
    const CallersTree callers = computeCallersTree(FunctionNodes::compute(profile->tree),
                                                   FunctionId(depth + 1), UINT32_MAX);
    QCOMPARE(callers.tree->nodeCount(), depth);
}

void CallersTreeTest::ofNothing()
{
    const auto nodes = FunctionNodes::compute(test::treeFrom({"a 1"}));
    QCOMPARE(computeCallersTree(nodes, FunctionId()).tree, CallTree::empty());
    QCOMPARE(computeCallersTree(nodes, FunctionId(0)).tree, CallTree::empty());
    QCOMPARE(computeCallersTree(nodes, FunctionId(99)).tree, CallTree::empty());
    const auto empty = FunctionNodes::compute(CallTree::empty());
    QCOMPARE(computeCallersTree(empty, FunctionId(1)).tree, CallTree::empty());
    BottomUpTree tree(CallTree::empty(), Metric::Time);
    QVERIFY(!tree.hasChildren(BottomUpTree::root));
    QCOMPARE(tree.childCount(BottomUpTree::root), 0u);
}

QTEST_APPLESS_MAIN(CallersTreeTest)
#include "tst_callerstree.moc"
