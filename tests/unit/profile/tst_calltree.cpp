// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/CallTree.h"
#include "tests/support/TestProfiles.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace perilune;

namespace {

constexpr std::uint32_t bitOf(Metric metric)
{
    return 1u << static_cast<unsigned>(metric);
}

std::vector<std::string> linesOf(const QStringList& texts)
{
    std::vector<std::string> lines;
    for (const QString& text : texts)
        lines.push_back(text.toStdString());
    return lines;
}

QStringList listOf(const std::vector<std::string>& lines)
{
    QStringList list;
    for (const std::string& line : lines)
        list.append(QString::fromStdString(line));
    return list;
}

std::vector<CallTree::Input> randomNodes(std::uint32_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<CallTree::Input> nodes(count);
    for (std::uint32_t index = 0; index < count; ++index) {
        if (index > 0)
            nodes[index].parent = random() % index;
        nodes[index].function = FunctionId(index);
        for (std::uint64_t& value : nodes[index].self)
            value = random() % 1000;
    }
    return nodes;
}

/// The total of an input node, by looking at every other node's path.
std::uint64_t slowTotal(const std::vector<CallTree::Input>& nodes, std::uint32_t top,
                        std::size_t metric)
{
    std::uint64_t total = 0;
    for (std::uint32_t index = 0; index < nodes.size(); ++index) {
        std::uint32_t step = index;
        while (step != top && step != 0)
            step = nodes[step].parent;
        if (step == top)
            total += nodes[index].self[metric];
    }
    return total;
}

} // namespace

class CallTreeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void emptyTreeHasARootOnly();
    void showsStacks_data();
    void showsStacks();
    void keepsTailCalls();
    void readsFiguresOfAStack();
    void numbersBreadthFirst();
    void totalsEqualSlowReference();
    void sortsByFirstMetricWhereTimeIsMissing();
    void equalWeightsKeepTheirOrder();
    void mapsInputToNodes();
    void unmeasuredMetricsReadAsZero();
    void survivesDamagedParents();
    void survivesDepth();
    void largeProfilesAreReproducible();
};

void CallTreeTest::emptyTreeHasARootOnly()
{
    const auto tree = CallTree::empty();
    QCOMPARE(tree->nodeCount(), 1u);
    QCOMPARE(tree->childCount(tree->root()), 0u);
    QVERIFY(!tree->parent(tree->root()).isValid());
    QVERIFY(!tree->function(tree->root()).isValid());
    QVERIFY(!tree->has(Metric::Time));
    QCOMPARE(CallTree::build({}, bitOf(Metric::Time))->nodeCount(), 1u);
}

void CallTreeTest::showsStacks_data()
{
    QTest::addColumn<QStringList>("stacks");
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("nothing") << QStringList{} << QStringList{};
    QTest::newRow("self and total differ")
        << QStringList{u"main 10"_qs, u"main;work 30"_qs}
        << QStringList{u"main self=10 total=40 calls=1"_qs, u"  work self=30 total=30 calls=1"_qs};
    QTest::newRow("heaviest first, by total")
        << QStringList{u"a 5"_qs, u"b;c 7 calls=3"_qs, u"d 6.5"_qs}
        << QStringList{u"b self=0 total=7 calls=1"_qs, u"  c self=7 total=7 calls=3"_qs,
                       u"d self=6.5 total=6.5 calls=1"_qs, u"a self=5 total=5 calls=1"_qs};
    QTest::newRow("recursion is a path")
        << QStringList{u"f 1"_qs, u"f;f 2"_qs, u"f;f;f 4"_qs}
        << QStringList{u"f self=1 total=7 calls=1"_qs, u"  f self=2 total=6 calls=1"_qs,
                       u"    f self=4 total=4 calls=1"_qs};
    QTest::newRow("names with spaces")
        << QStringList{u"[main] a.lua;[C] string.format 3"_qs, u"function <a.lua:3> 1"_qs}
        << QStringList{u"main chunk a.lua self=0 total=3 calls=1"_qs,
                       u"  string.format self=3 total=3 calls=1"_qs,
                       u"function <a.lua:3> self=1 total=1 calls=1"_qs};
}

void CallTreeTest::showsStacks()
{
    QFETCH(QStringList, stacks);
    QFETCH(QStringList, rows);
    const auto profile = test::profileFrom(linesOf(stacks));
    QCOMPARE(listOf(test::textOf(*profile)), rows);
}

void CallTreeTest::keepsTailCalls()
{
    const auto profile = test::profileFrom({"a 1", "a;>b 9 calls=5", "a;b 2", "a;>b => a calls=4"});
    const CallTree& tree = *profile->tree;
    const NodeId a = tree.child(tree.root(), 0);
    QCOMPARE(tree.childCount(a), 2u);
    QVERIFY(tree.isTailCall(tree.child(a, 0)));
    QVERIFY(!tree.isTailCall(tree.child(a, 1)));
    QCOMPARE(tree.function(tree.child(a, 0)), tree.function(tree.child(a, 1)));
    QCOMPARE(profile->tailEdges.size(), std::size_t(1));
    QCOMPARE(profile->tailEdges[0].from, tree.child(a, 0));
    QCOMPARE(profile->tailEdges[0].to, a);
    QCOMPARE(profile->tailEdges[0].calls, std::uint64_t(4));
}

void CallTreeTest::readsFiguresOfAStack()
{
    const auto profile = test::profileFrom({"f 10 raw=12 calls=2 bytes=640 blocks=4 samples=7"});
    const CallTree& tree = *profile->tree;
    const NodeId f = tree.child(tree.root(), 0);
    QCOMPARE(tree.self(Metric::Time, f), std::uint64_t(10000));
    QCOMPARE(tree.self(Metric::RawTime, f), std::uint64_t(12000));
    QCOMPARE(tree.callCount(f), std::uint64_t(2));
    QCOMPARE(tree.self(Metric::Bytes, f), std::uint64_t(640));
    QCOMPARE(tree.total(Metric::Blocks, tree.root()), std::uint64_t(4));
    QCOMPARE(tree.self(Metric::Samples, f), std::uint64_t(7));
    QCOMPARE(tree.selfTime(f), Duration::fromNanoseconds(10000));
    QCOMPARE(tree.totalTime(tree.root()), Duration::fromNanoseconds(10000));
    QVERIFY(profile->run.hasMemory);
}

void CallTreeTest::numbersBreadthFirst()
{
    const auto tree = CallTree::build(randomNodes(2000, 1), bitOf(Metric::Time));
    std::uint32_t nextChild = 1;
    for (std::uint32_t index = 0; index < tree->nodeCount(); ++index) {
        const NodeId node(index);
        for (std::uint32_t row = 0; row < tree->childCount(node); ++row) {
            const NodeId child = tree->child(node, row);
            QCOMPARE(child.value(), nextChild++);
            QCOMPARE(tree->parent(child), node);
            QCOMPARE(tree->rowInParent(child), row);
            QCOMPARE(tree->depth(child), tree->depth(node) + 1);
            if (row > 0)
                QVERIFY(tree->total(Metric::Time, tree->child(node, row - 1))
                        >= tree->total(Metric::Time, child));
        }
    }
    QCOMPARE(nextChild, tree->nodeCount());
}

void CallTreeTest::totalsEqualSlowReference()
{
    const auto nodes = randomNodes(300, 2);
    std::vector<std::uint32_t> newIndex;
    const auto tree = CallTree::build(nodes, (1u << metricCount) - 1, &newIndex);
    for (std::uint32_t index = 0; index < nodes.size(); ++index) {
        for (std::size_t metric = 0; metric < metricCount; ++metric) {
            const NodeId node(newIndex[index]);
            QCOMPARE(tree->self(static_cast<Metric>(metric), node), nodes[index].self[metric]);
            QCOMPARE(tree->total(static_cast<Metric>(metric), node),
                     slowTotal(nodes, index, metric));
        }
    }
}

void CallTreeTest::sortsByFirstMetricWhereTimeIsMissing()
{
    std::vector<CallTree::Input> nodes(3);
    nodes[1].parent = nodes[2].parent = 0;
    nodes[1].self = {900, 0, 0, 1, 0, 0};
    nodes[2].self = {100, 0, 0, 2, 0, 0};
    std::vector<std::uint32_t> newIndex;
    const auto tree = CallTree::build(nodes, bitOf(Metric::Samples), &newIndex);
    QCOMPARE(newIndex, (std::vector<std::uint32_t>{0, 2, 1}));
}

void CallTreeTest::equalWeightsKeepTheirOrder()
{
    std::vector<CallTree::Input> nodes(40);
    for (std::uint32_t index = 1; index < nodes.size(); ++index) {
        nodes[index].parent = 0;
        nodes[index].function = FunctionId(index);
        nodes[index].self[0] = 7;
    }
    const auto tree = CallTree::build(nodes, bitOf(Metric::Time));
    for (std::uint32_t index = 1; index < nodes.size(); ++index)
        QCOMPARE(tree->function(NodeId(index)), FunctionId(index));
}

void CallTreeTest::mapsInputToNodes()
{
    const auto nodes = randomNodes(500, 3);
    std::vector<std::uint32_t> newIndex{7, 7, 7}; // what it held before does not matter
    const auto tree = CallTree::build(nodes, bitOf(Metric::Time), &newIndex);
    QCOMPARE(newIndex.size(), nodes.size());
    for (std::uint32_t index = 0; index < nodes.size(); ++index) {
        const NodeId node(newIndex[index]);
        QCOMPARE(tree->function(node), nodes[index].function);
        if (index > 0)
            QCOMPARE(tree->parent(node), NodeId(newIndex[nodes[index].parent]));
    }
}

void CallTreeTest::unmeasuredMetricsReadAsZero()
{
    const auto tree = CallTree::build(randomNodes(10, 4), bitOf(Metric::Calls));
    QVERIFY(tree->has(Metric::Calls));
    QVERIFY(!tree->has(Metric::Time));
    QVERIFY(tree->selfColumn(Metric::Time).empty());
    QVERIFY(tree->totalColumn(Metric::Bytes).empty());
    QCOMPARE(tree->selfColumn(Metric::Calls).size(), std::size_t(10));
    QCOMPARE(tree->selfTime(NodeId(3)), Duration());
}

void CallTreeTest::survivesDamagedParents()
{
    std::vector<CallTree::Input> nodes(4);
    nodes[1].parent = 3;          // a later one
    nodes[2].parent = UINT32_MAX; // a second root
    nodes[3].parent = 3;          // itself
    for (CallTree::Input& node : nodes)
        node.self[0] = 1;
    const auto tree = CallTree::build(nodes, bitOf(Metric::Time));
    QCOMPARE(tree->childCount(tree->root()), 3u);
    QCOMPARE(tree->total(Metric::Time, tree->root()), std::uint64_t(4));
}

void CallTreeTest::survivesDepth()
{
    constexpr std::uint32_t depth = 200000;
    const auto profile = test::deepProfile(depth);
    const CallTree& tree = *profile->tree;
    QCOMPARE(tree.nodeCount(), depth + 1);
    QCOMPARE(tree.depth(NodeId(depth)), depth);
    QCOMPARE(tree.total(Metric::Time, tree.root()), std::uint64_t(depth) * 1000);
}

void CallTreeTest::largeProfilesAreReproducible()
{
    const auto one = test::largeProfile(20000, 500, 7, 30);
    const auto two = test::largeProfile(20000, 500, 7, 30);
    const auto other = test::largeProfile(20000, 500, 8, 30);
    QCOMPARE(one->tree->nodeCount(), 20000u);
    QCOMPARE(one->functions.size(), std::size_t(500));
    QCOMPARE(one->tree->selfColumn(Metric::Time), two->tree->selfColumn(Metric::Time));
    QVERIFY(one->tree->selfColumn(Metric::Time) != other->tree->selfColumn(Metric::Time));
    std::uint32_t deepest = 0;
    for (std::uint32_t index = 0; index < one->tree->nodeCount(); ++index)
        deepest = std::max(deepest, one->tree->depth(NodeId(index)));
    QCOMPARE(deepest, 30u);
}

QTEST_APPLESS_MAIN(CallTreeTest)
#include "tst_calltree.moc"
