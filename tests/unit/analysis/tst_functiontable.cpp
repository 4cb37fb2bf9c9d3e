// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"
#include "tests/support/TestProfiles.h"

#include <QStringList>
#include <QTest>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace perilune;

namespace {

std::vector<std::string> linesOf(const QStringList& texts)
{
    std::vector<std::string> lines;
    for (const QString& text : texts)
        lines.push_back(text.toStdString());
    return lines;
}

QString nameOf(const Profile& profile, FunctionId function)
{
    return QString::fromStdString(profile.function(function).name);
}

/// "f self=1 total=2 calls=3 tail=0 callers=1 callees=2", times in µs.
QStringList rowsAsText(const Profile& profile, const FunctionTable& table)
{
    QStringList rows;
    for (const FunctionCosts& costs : table.rows())
        rows.append(QStringLiteral("%1 self=%2 total=%3 calls=%4 tail=%5 callers=%6 callees=%7")
                        .arg(nameOf(profile, costs.function))
                        .arg(static_cast<double>(costs.selfTime().nanoseconds()) / 1000)
                        .arg(static_cast<double>(costs.totalTime().nanoseconds()) / 1000)
                        .arg(costs.calls)
                        .arg(costs.tailCalls)
                        .arg(costs.callerCount)
                        .arg(costs.calleeCount));
    return rows;
}

/// "f -> g total=2 calls=3 tail=0", without a total where it has none.
QStringList edgesAsText(const Profile& profile, const std::vector<Edge>& edges)
{
    QStringList lines;
    for (const Edge& edge : edges) {
        QString line =
            nameOf(profile, edge.caller) + QStringLiteral(" -> ") + nameOf(profile, edge.callee);
        if (edge.hasTotal)
            line += QStringLiteral(" total=%1")
                        .arg(static_cast<double>(edge.totalTime().nanoseconds()) / 1000);
        line += QStringLiteral(" calls=%1 tail=%2").arg(edge.calls).arg(edge.tailCalls);
        lines.append(line);
    }
    return lines;
}

/// A random tree of few functions, so that recursion is everywhere, with folded tail calls.
Profile randomProfile(std::uint32_t nodeCount, std::uint32_t functionCount, std::uint32_t seed)
{
    std::mt19937 random(seed);
    Profile profile;
    profile.functions.resize(functionCount);
    for (std::uint32_t index = 0; index < functionCount; ++index)
        profile.functions[index].name = "f" + std::to_string(index);
    std::vector<CallTree::Input> nodes(nodeCount);
    for (std::uint32_t index = 0; index < nodeCount; ++index) {
        CallTree::Input& node = nodes[index];
        node.parent = index == 0 ? UINT32_MAX : random() % index;
        node.function = FunctionId(index == 0 ? 0 : random() % functionCount);
        node.isTailCall = random() % 4 == 0;
        for (std::uint64_t& value : node.self)
            value = random() % 100;
    }
    profile.tree = CallTree::build(nodes, (1u << metricCount) - 1);
    for (std::uint32_t left = random() % 10; left > 0; --left)
        profile.tailEdges.push_back({NodeId(1 + random() % (nodeCount - 1)),
                                     NodeId(1 + random() % (nodeCount - 1)), random() % 5});
    return profile;
}

/// The slow way: every node looks at its whole path.
class Reference
{
public:
    explicit Reference(const Profile& profile)
    {
        const CallTree& tree = *profile.tree;
        std::map<NodeId, std::uint64_t> folded;
        for (const TailEdge& edge : profile.tailEdges)
            addTailEdge(tree, edge, folded);
        for (std::uint32_t index = 0; index < tree.nodeCount(); ++index)
            addNode(tree, NodeId(index), folded);
        for (const auto& [functions, edge] : edges) {
            ++rows[functions.first].calleeCount;
            ++rows[functions.second].callerCount;
        }
    }

    std::map<FunctionId, FunctionCosts> rows;
    std::map<std::pair<FunctionId, FunctionId>, Edge> edges;

private:
    void addTailEdge(const CallTree& tree, const TailEdge& tailEdge,
                     std::map<NodeId, std::uint64_t>& folded)
    {
        folded[tailEdge.to] += tailEdge.calls;
        Edge& edge = edgeOf(tree.function(tailEdge.from), tree.function(tailEdge.to));
        edge.calls += tailEdge.calls;
        edge.tailCalls += tailEdge.calls;
        rows[edge.callee].tailCalls += tailEdge.calls;
    }
    Edge& edgeOf(FunctionId caller, FunctionId callee)
    {
        const auto [entry, isNew] = edges.try_emplace({caller, callee});
        if (isNew)
            entry->second.hasTotal = false;
        entry->second.caller = caller;
        entry->second.callee = callee;
        return entry->second;
    }
    void addNode(const CallTree& tree, NodeId node, std::map<NodeId, std::uint64_t>& folded)
    {
        const FunctionId function = tree.function(node);
        const NodeId parent = tree.parent(node);
        FunctionCosts& row = rows[function];
        row.calls += tree.callCount(node);
        bool isOutermost = true;
        bool isOutermostEdge = true;
        for (NodeId above = parent; above.isValid(); above = tree.parent(above)) {
            const bool isSame = tree.function(above) == function;
            isOutermost = isOutermost && !isSame;
            const NodeId next = tree.parent(above);
            isOutermostEdge = isOutermostEdge
                && !(isSame && next.isValid() && tree.function(next) == tree.function(parent));
        }
        for (std::size_t metric = 0; metric < metricCount; ++metric) {
            row.self[metric] += tree.self(static_cast<Metric>(metric), node);
            row.total[metric] += isOutermost ? tree.total(static_cast<Metric>(metric), node) : 0;
        }
        if (!parent.isValid())
            return;
        Edge& edge = edgeOf(tree.function(parent), function);
        const std::uint64_t calls =
            tree.callCount(node) - std::min(tree.callCount(node), folded[node]);
        edge.hasTotal = true;
        edge.calls += calls;
        edge.tailCalls += tree.isTailCall(node) ? calls : 0;
        row.tailCalls += tree.isTailCall(node) ? calls : 0;
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            edge.total[metric] +=
                isOutermostEdge ? tree.total(static_cast<Metric>(metric), node) : 0;
    }
};

} // namespace

class FunctionTableTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void addsUpStacks_data();
    void addsUpStacks();
    void equalsSlowReference_data();
    void equalsSlowReference();
    void findsNeighboursHeaviestFirst();
    void meanIsTotalOverCalls();
    void sumsAreTheWholeRun();
    void emptyProfiles();
    void survivesDepth();
    void survivesUnknownFunctions();
};

void FunctionTableTest::addsUpStacks_data()
{
    QTest::addColumn<QStringList>("stacks");
    QTest::addColumn<QStringList>("rows");
    QTest::addColumn<QStringList>("edges");
    QTest::newRow("a chain") << QStringList{u"main 1"_qs, u"main;work 2 calls=4"_qs}
                             << QStringList{u"(interpreter) self=0 total=3 calls=1 tail=0 "
                                            "callers=0 callees=1"_qs,
                                            u"main self=1 total=3 calls=1 tail=0 callers=1 "
                                            "callees=1"_qs,
                                            u"work self=2 total=2 calls=4 tail=0 callers=1 "
                                            "callees=0"_qs}
                             << QStringList{u"(interpreter) -> main total=3 calls=1 tail=0"_qs,
                                            u"main -> work total=2 calls=4 tail=0"_qs};
    QTest::newRow("recursion counts once")
        << QStringList{u"f 1"_qs, u"f;f 2"_qs, u"f;f;f 4"_qs}
        << QStringList{u"(interpreter) self=0 total=7 calls=1 tail=0 callers=0 callees=1"_qs,
                       u"f self=7 total=7 calls=3 tail=0 callers=2 callees=1"_qs}
        << QStringList{u"(interpreter) -> f total=7 calls=1 tail=0"_qs,
                       u"f -> f total=6 calls=2 tail=0"_qs};
    QTest::newRow("mutual recursion")
        << QStringList{u"a 1"_qs, u"a;b 2"_qs, u"a;b;a 4"_qs, u"a;b;a;b 8"_qs}
        << QStringList{u"(interpreter) self=0 total=15 calls=1 tail=0 callers=0 callees=1"_qs,
                       u"a self=5 total=15 calls=2 tail=0 callers=2 callees=1"_qs,
                       u"b self=10 total=14 calls=2 tail=0 callers=1 callees=1"_qs}
        << QStringList{u"(interpreter) -> a total=15 calls=1 tail=0"_qs,
                       u"a -> b total=14 calls=2 tail=0"_qs, u"b -> a total=12 calls=1 tail=0"_qs};
    QTest::newRow("one function by two paths")
        << QStringList{u"a;c 1 calls=2"_qs, u"b;c 5 calls=3"_qs}
        << QStringList{u"(interpreter) self=0 total=6 calls=1 tail=0 callers=0 callees=2"_qs,
                       u"a self=0 total=1 calls=1 tail=0 callers=1 callees=1"_qs,
                       u"c self=6 total=6 calls=5 tail=0 callers=2 callees=0"_qs,
                       u"b self=0 total=5 calls=1 tail=0 callers=1 callees=1"_qs}
        << QStringList{u"(interpreter) -> a total=1 calls=1 tail=0"_qs,
                       u"(interpreter) -> b total=5 calls=1 tail=0"_qs,
                       u"a -> c total=1 calls=2 tail=0"_qs, u"b -> c total=5 calls=3 tail=0"_qs};
    QTest::newRow("tail calls that fold")
        << QStringList{u"loop 9 calls=1000"_qs, u"loop;>step 4 calls=5"_qs,
                       u"loop => loop calls=994"_qs, u"loop;>step => loop calls=5"_qs}
        << QStringList{u"(interpreter) self=0 total=13 calls=1 tail=0 callers=0 callees=1"_qs,
                       u"loop self=9 total=13 calls=1000 tail=999 callers=3 callees=2"_qs,
                       u"step self=4 total=4 calls=5 tail=5 callers=1 callees=1"_qs}
        << QStringList{u"(interpreter) -> loop total=13 calls=1 tail=0"_qs,
                       u"loop -> loop calls=994 tail=994"_qs,
                       u"loop -> step total=4 calls=5 tail=5"_qs,
                       u"step -> loop calls=5 tail=5"_qs};
}

void FunctionTableTest::addsUpStacks()
{
    QFETCH(QStringList, stacks);
    QFETCH(QStringList, rows);
    QFETCH(QStringList, edges);
    const auto profile = test::profileFrom(linesOf(stacks));
    const FunctionTable table = FunctionTable::compute(*profile);
    QCOMPARE(rowsAsText(*profile, table), rows);
    QStringList sorted = edgesAsText(*profile, table.edges());
    sorted.sort();
    QCOMPARE(sorted, edges);
}

void FunctionTableTest::equalsSlowReference_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("functions");
    QTest::newRow("one function") << 60 << 1;
    QTest::newRow("two functions") << 120 << 2;
    QTest::newRow("few functions") << 300 << 5;
    QTest::newRow("many functions") << 300 << 150;
}

void FunctionTableTest::equalsSlowReference()
{
    QFETCH(int, nodes);
    QFETCH(int, functions);
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
        const Profile profile = randomProfile(static_cast<std::uint32_t>(nodes),
                                              static_cast<std::uint32_t>(functions), seed);
        const FunctionTable table = FunctionTable::compute(profile);
        const Reference reference(profile);
        QCOMPARE(table.rows().size(), reference.rows.size());
        for (const auto& [function, wanted] : reference.rows) {
            const FunctionCosts* row = table.find(function);
            QVERIFY(row);
            QCOMPARE(row->function, function);
            QCOMPARE(row->calls, wanted.calls);
            QCOMPARE(row->tailCalls, wanted.tailCalls);
            QVERIFY(row->self == wanted.self);
            QVERIFY(row->total == wanted.total);
            QCOMPARE(row->callerCount, wanted.callerCount);
            QCOMPARE(row->calleeCount, wanted.calleeCount);
        }
        QCOMPARE(table.edges().size(), reference.edges.size());
        auto wanted = reference.edges.begin();
        for (const Edge& edge : table.edges()) {
            QCOMPARE(std::pair(edge.caller, edge.callee), wanted->first);
            QCOMPARE(edge.calls, wanted->second.calls);
            QCOMPARE(edge.tailCalls, wanted->second.tailCalls);
            QCOMPARE(edge.hasTotal, wanted->second.hasTotal);
            QVERIFY(edge.total == wanted->second.total);
            ++wanted;
        }
    }
}

void FunctionTableTest::findsNeighboursHeaviestFirst()
{
    const auto profile = test::profileFrom(
        {"a;x 1 calls=9", "b;x 5 calls=2", "c;x 3", "a;y 2", "a;z 2 calls=4", "a;w 4"});
    const FunctionTable table = FunctionTable::compute(*profile);
    const auto idOf = [&](const char* name) {
        for (std::uint32_t index = 0; index < profile->functions.size(); ++index)
            if (profile->functions[index].name == name)
                return FunctionId(index);
        return FunctionId();
    };
    QCOMPARE(edgesAsText(*profile, table.callersOf(idOf("x"))),
             (QStringList{u"b -> x total=5 calls=2 tail=0"_qs, u"c -> x total=3 calls=1 tail=0"_qs,
                          u"a -> x total=1 calls=9 tail=0"_qs}));
    QCOMPARE(
        edgesAsText(*profile, table.calleesOf(idOf("a"))),
        (QStringList{u"a -> w total=4 calls=1 tail=0"_qs, u"a -> z total=2 calls=4 tail=0"_qs,
                     u"a -> y total=2 calls=1 tail=0"_qs, u"a -> x total=1 calls=9 tail=0"_qs}));
    QVERIFY(table.callersOf(FunctionId(0)).empty());
    QVERIFY(table.calleesOf(idOf("w")).empty());
    QVERIFY(table.callersOf(FunctionId()).empty());
}

void FunctionTableTest::meanIsTotalOverCalls()
{
    FunctionCosts costs;
    QVERIFY(!costs.meanTime());
    costs.calls = 4;
    costs.total[0] = 10;
    QCOMPARE(costs.meanTime()->nanoseconds(), 2);
}

void FunctionTableTest::sumsAreTheWholeRun()
{
    const Profile profile = randomProfile(500, 20, 99);
    const FunctionTable table = FunctionTable::compute(profile);
    for (std::size_t metric = 0; metric < metricCount; ++metric)
        QCOMPARE(table.sum(static_cast<Metric>(metric)),
                 profile.tree->total(static_cast<Metric>(metric), profile.tree->root()));
}

void FunctionTableTest::emptyProfiles()
{
    const FunctionTable nothing = FunctionTable::compute(*Profile::empty());
    QVERIFY(nothing.rows().empty());
    QVERIFY(nothing.edges().empty());
    QVERIFY(!nothing.find(FunctionId(0)));
    QVERIFY(nothing.callersOf(FunctionId(0)).empty());
    // Functions are known, but none ran: only the host has a node.
    Profile profile;
    profile.functions.resize(3);
    const FunctionTable host = FunctionTable::compute(profile);
    QCOMPARE(host.rows().size(), std::size_t(1));
    QVERIFY(host.find(FunctionId(0)));
    QVERIFY(!host.find(FunctionId(2)));
    QVERIFY(!host.find(FunctionId(3)));
}

void FunctionTableTest::survivesDepth()
{
    constexpr std::uint32_t depth = 200000;
    const auto profile = test::deepProfile(depth, 10);
    const FunctionTable table = FunctionTable::compute(*profile);
    QCOMPARE(table.rows().size(), std::size_t(10));
    QCOMPARE(table.sum(Metric::Time), std::uint64_t(depth) * 1000);
    QCOMPARE(table.find(FunctionId(2))->totalTime(), profile->run.wallTime);
}

void FunctionTableTest::survivesUnknownFunctions()
{
    Profile profile;
    profile.functions.resize(2);
    std::vector<CallTree::Input> nodes(3);
    nodes[1].parent = nodes[2].parent = 0;
    nodes[1].function = FunctionId(1);
    nodes[2].function = FunctionId(7); // there is no such function
    nodes[2].self[0] = 5;
    profile.tree = CallTree::build(nodes, 1u);
    const FunctionTable table = FunctionTable::compute(profile);
    QCOMPARE(table.rows().size(), std::size_t(2));
    QCOMPARE(table.sum(Metric::Time), std::uint64_t(5));
}

QTEST_APPLESS_MAIN(FunctionTableTest)
#include "tst_functiontable.moc"
