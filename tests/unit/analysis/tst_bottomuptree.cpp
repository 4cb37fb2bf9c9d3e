// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/BottomUpTree.h"
#include "core/analysis/FunctionTable.h"
#include "core/analysis/PathsThrough.h"
#include "tests/support/TestProfiles.h"

#include <QTest>

#include <map>

using namespace perilune;

namespace {

using Row = BottomUpTree::Row;

FunctionId functionNamed(const Profile& profile, const std::string& name)
{
    for (std::uint32_t index = 0; index < profile.functions.size(); ++index) {
        if (profile.functions[index].name == name)
            return FunctionId(index);
    }
    return {};
}

/// All rows, in reading order and indented: "f self=3 total=4" in µs.
QStringList textOf(const Profile& profile, BottomUpTree& tree)
{
    QStringList lines;
    std::vector<std::pair<Row, int>> open;
    const auto openChildren = [&](Row row, int depth) {
        tree.expand(row);
        for (std::uint32_t i = tree.childCount(row); i-- > 0;)
            open.emplace_back(tree.child(row, i), depth);
    };
    openChildren(BottomUpTree::root, 0);
    while (!open.empty()) {
        const auto [row, depth] = open.back();
        open.pop_back();
        lines << QStringLiteral("%1%2 self=%3 total=%4")
                     .arg(QString(depth * 2, QLatin1Char(' ')),
                          QString::fromStdString(profile.function(tree.function(row)).name))
                     .arg(static_cast<double>(tree.self(Metric::Time, row)) / 1000)
                     .arg(static_cast<double>(tree.total(Metric::Time, row)) / 1000);
        openChildren(row, depth + 1);
    }
    return lines;
}

QStringList textOf(const Profile& profile, const PartialTree& part)
{
    Profile shown = profile;
    shown.tree = part.tree;
    QStringList lines;
    for (const std::string& line : test::textOf(shown))
        lines << QString::fromStdString(line);
    return lines;
}

QStringList list(std::initializer_list<const char*> lines)
{
    QStringList result;
    for (const char* line : lines)
        result << QString::fromUtf8(line);
    return result;
}

} // namespace

class BottomUpTreeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void showsCallers();
    void countsRecursionOnce();
    void canBeOfOneFunction();
    void makesRowsOnDemand();
    void agreesWithTheFunctionTable();
    void callersAddUp();
    void followsDeepPaths();
    void keepsPathsThroughAFunction();
    void mergesWhatIsBeneathAFunction();
    void partsAgreeWithTheFunctionTable();
};

void BottomUpTreeTest::showsCallers()
{
    const auto profile = test::profileFrom({"main 1", "main;a;f 10", "main;b;f 20", "main;b 5"});
    BottomUpTree tree(profile->tree, Metric::Time);
    QCOMPARE(textOf(*profile, tree),
             list({"f self=30 total=30", "  b self=20 total=20", "    main self=20 total=20",
                   "  a self=10 total=10", "    main self=10 total=10", "b self=5 total=25",
                   "  main self=5 total=25", "main self=1 total=36", "a self=0 total=10",
                   "  main self=0 total=10"}));
}

void BottomUpTreeTest::countsRecursionOnce()
{
    const auto profile = test::profileFrom({"f 1", "f;f 2", "f;f;f 4"});
    BottomUpTree tree(profile->tree, Metric::Time);
    QCOMPARE(textOf(*profile, tree),
             list({"f self=7 total=7", "  f self=6 total=0", "    f self=4 total=0"}));
}

void BottomUpTreeTest::canBeOfOneFunction()
{
    const auto profile = test::profileFrom({"main;a;f 10", "main;b;f 20"});
    BottomUpTree tree(profile->tree, Metric::Time, functionNamed(*profile, "a"));
    QCOMPARE(textOf(*profile, tree), list({"a self=0 total=10", "  main self=0 total=10"}));
}

void BottomUpTreeTest::makesRowsOnDemand()
{
    const auto profile = test::profileFrom({"main;a;f 10"});
    BottomUpTree tree(profile->tree, Metric::Time);
    QCOMPARE(tree.rowCount(), 4u);
    const Row f = tree.child(BottomUpTree::root, 0);
    QVERIFY(tree.hasChildren(f));
    QVERIFY(!tree.isExpanded(f));
    QCOMPARE(tree.childCount(f), 0u);
    tree.expand(f);
    QCOMPARE(tree.childCount(f), 1u);
    tree.expand(f);
    QCOMPARE(tree.rowCount(), 5u);
    QCOMPARE(tree.parent(tree.child(f, 0)), f);
    QCOMPARE(tree.rowInParent(tree.child(f, 0)), 0u);
    for (std::uint32_t i = 0; i < tree.childCount(BottomUpTree::root); ++i) {
        const Row row = tree.child(BottomUpTree::root, i);
        const bool isMain = tree.function(row) == functionNamed(*profile, "main");
        QCOMPARE(tree.hasChildren(row), !isMain);
    }
    BottomUpTree empty(CallTree::empty(), Metric::Time);
    QVERIFY(!empty.hasChildren(BottomUpTree::root));
}

void BottomUpTreeTest::agreesWithTheFunctionTable()
{
    const auto profile = test::largeProfile(20'000, 60, 5);
    const FunctionTable table = FunctionTable::compute(*profile);
    BottomUpTree tree(profile->tree, Metric::Time);
    for (std::uint32_t i = 0; i < tree.childCount(BottomUpTree::root); ++i) {
        const Row row = tree.child(BottomUpTree::root, i);
        const FunctionCosts* costs = table.find(tree.function(row));
        QVERIFY(costs);
        for (const Metric metric : {Metric::Time, Metric::Calls})
            QCOMPARE(tree.self(metric, row), costs->self[static_cast<std::size_t>(metric)]);
        QCOMPARE(tree.total(Metric::Time, row), costs->total[0]);
        if (i > 0) {
            const Row before = tree.child(BottomUpTree::root, i - 1);
            QVERIFY(tree.self(Metric::Time, before) >= tree.self(Metric::Time, row));
        }
    }
}

void BottomUpTreeTest::callersAddUp()
{
    const auto profile = test::largeProfile(5'000, 40, 9, 20);
    const CallTree& callTree = *profile->tree;
    BottomUpTree tree(profile->tree, Metric::Time);
    for (std::uint32_t i = 0; i < tree.childCount(BottomUpTree::root); ++i) {
        const Row row = tree.child(BottomUpTree::root, i);
        std::uint64_t fromHost = 0;
        for (std::uint32_t node = 1; node < callTree.nodeCount(); ++node) {
            if (callTree.function(NodeId(node)) == tree.function(row)
                && callTree.parent(NodeId(node)) == callTree.root())
                fromHost += callTree.self(Metric::Time, NodeId(node));
        }
        tree.expand(row);
        std::uint64_t fromCallers = 0;
        for (std::uint32_t child = 0; child < tree.childCount(row); ++child)
            fromCallers += tree.self(Metric::Time, tree.child(row, child));
        QCOMPARE(fromHost + fromCallers, tree.self(Metric::Time, row));
    }
}

void BottomUpTreeTest::followsDeepPaths()
{
    constexpr std::uint32_t depth = 200'000;
    const auto profile = test::deepProfile(depth, depth + 1);
    const FunctionId deepest = profile->tree->function(NodeId(depth));
    BottomUpTree tree(profile->tree, Metric::Time, deepest);
    Row row = tree.child(BottomUpTree::root, 0);
    std::uint32_t count = 1;
    for (tree.expand(row); tree.childCount(row) > 0; tree.expand(row)) {
        row = tree.child(row, 0);
        ++count;
    }
    QCOMPARE(count, depth);
}

void BottomUpTreeTest::keepsPathsThroughAFunction()
{
    const auto profile =
        test::profileFrom({"main 1", "main;a;f 10", "main;a;f;g 3", "main;a 7", "main;b 5", "f 2"});
    const PartialTree part = pathsThrough(*profile->tree, functionNamed(*profile, "f"));
    QCOMPARE(textOf(*profile, part),
             list({"main self=0 total=13 calls=0", "  a self=0 total=13 calls=0",
                   "    f self=10 total=13 calls=1", "      g self=3 total=3 calls=1",
                   "f self=2 total=2 calls=1"}));
    for (std::uint32_t node = 0; node < part.tree->nodeCount(); ++node)
        QCOMPARE(profile->tree->function(part.original[node]), part.tree->function(NodeId(node)));
    const PartialTree nothing = pathsThrough(*profile->tree, FunctionId(999));
    QCOMPARE(nothing.tree->nodeCount(), 1u);
}

void BottomUpTreeTest::mergesWhatIsBeneathAFunction()
{
    const auto profile = test::profileFrom({"main;a;f 10", "main;a;f;g 3", "main;b;f 5",
                                            "main;b;f;g 4", "main;b;f;h 1", "main;f;f 2"});
    const PartialTree part = calleesBeneath(*profile->tree, functionNamed(*profile, "f"));
    QCOMPARE(part.tree->function(part.tree->root()), functionNamed(*profile, "f"));
    QCOMPARE(part.tree->total(Metric::Time, part.tree->root()), 25'000u);
    QCOMPARE(part.tree->self(Metric::Time, part.tree->root()), 15'000u);
    QCOMPARE(
        textOf(*profile, part),
        list({"g self=7 total=7 calls=2", "f self=2 total=2 calls=1", "h self=1 total=1 calls=1"}));
}

void BottomUpTreeTest::partsAgreeWithTheFunctionTable()
{
    const auto profile = test::largeProfile(20'000, 50, 3);
    const FunctionTable table = FunctionTable::compute(*profile);
    for (const FunctionCosts& costs : table.rows()) {
        if (costs.function == FunctionId(0))
            continue;
        const PartialTree paths = pathsThrough(*profile->tree, costs.function);
        const PartialTree beneath = calleesBeneath(*profile->tree, costs.function);
        QCOMPARE(paths.tree->total(Metric::Time, paths.tree->root()), costs.total[0]);
        QCOMPARE(beneath.tree->total(Metric::Time, beneath.tree->root()), costs.total[0]);
    }
}

QTEST_APPLESS_MAIN(BottomUpTreeTest)
#include "tst_bottomuptree.moc"
