// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FlameLayout.h"
#include "core/analysis/FlameSearch.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace perilune;

namespace {

/// Functions are single letters: 'a' is function 1, 'b' function 2; the root is function 0.
struct LetterTree
{
    std::vector<CallTree::Input> nodes{CallTree::Input{UINT32_MAX, FunctionId(0), false, {}}};

    std::uint32_t childOf(std::uint32_t parent, FunctionId function)
    {
        for (std::uint32_t i = parent + 1; i < nodes.size(); ++i) {
            if (nodes[i].parent == parent && nodes[i].function == function)
                return i;
        }
        nodes.push_back({parent, function, false, {}});
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }

    /// "ab 30": 30 ns in b, called by a.
    void add(const QString& line)
    {
        const QStringList parts = line.split(QLatin1Char(' '));
        std::uint32_t node = 0;
        for (const QChar letter : parts[0])
            node = childOf(node, FunctionId(letter.unicode() - u'a' + 1u));
        nodes[node].self[0] += parts[1].toULongLong();
    }
};

constexpr std::uint32_t onlyTime = 1u << static_cast<unsigned>(Metric::Time);

std::shared_ptr<const CallTree> treeFrom(const QStringList& lines)
{
    LetterTree tree;
    for (const QString& line : lines)
        tree.add(line);
    return CallTree::build(tree.nodes, onlyTime);
}

std::vector<std::uint32_t> ranks(std::size_t count)
{
    std::vector<std::uint32_t> result(count);
    std::iota(result.begin(), result.end(), 0u);
    return result;
}

std::shared_ptr<const FlameLayout> layoutOf(std::shared_ptr<const CallTree> tree,
                                            FlameOrder order = FlameOrder::Weight)
{
    return FlameLayout::build(std::move(tree), Metric::Time, order, ranks(27));
}

QString letterOf(const FlameLayout& layout, std::uint32_t bar)
{
    const std::uint32_t function = layout.tree().function(layout.node(bar)).value();
    return function == 0 ? QStringLiteral("root") : QString(QChar(u'a' + function - 1u));
}

/// A line for each level: "a 0+40 | b 40+10".
QStringList textOf(const FlameLayout& layout)
{
    QStringList lines;
    for (std::uint32_t level = 0; level < layout.levelCount(); ++level) {
        QStringList bars;
        for (auto bar = layout.levelBegin(level); bar < layout.levelBegin(level + 1); ++bar) {
            bars << QStringLiteral("%1 %2+%3")
                        .arg(letterOf(layout, bar))
                        .arg(layout.startOf(bar))
                        .arg(layout.widthOf(bar));
        }
        lines << bars.join(QStringLiteral(" | "));
    }
    return lines;
}

QString textOf(const std::vector<FlameSpan>& spans)
{
    QStringList texts;
    for (const FlameSpan& span : spans) {
        const QString range = QStringLiteral("%1-%2").arg(span.start).arg(span.end);
        texts << (span.isMerged ? QStringLiteral("%1 in %2").arg(span.barCount).arg(range) : range);
    }
    return texts.join(QStringLiteral(" | "));
}

std::shared_ptr<const CallTree> randomTree(std::uint32_t seed, std::uint32_t nodeCount)
{
    std::mt19937 random(seed);
    std::vector<CallTree::Input> nodes{CallTree::Input{UINT32_MAX, FunctionId(0), false, {}}};
    while (nodes.size() < nodeCount) {
        const auto parent = static_cast<std::uint32_t>(random() % nodes.size());
        CallTree::Input node{parent, FunctionId(1 + random() % 26), false, {}};
        node.self[0] = random() % 4 == 0 ? random() % 1000 : random() % 3;
        nodes.push_back(node);
    }
    return CallTree::build(nodes, onlyTime);
}

} // namespace

class FlameLayoutTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void placesFrames_data();
    void placesFrames();
    void leavesOutWhatWeighsNothing();
    void hasNoBarsForAMetricThatWasNotMeasured();
    void mergesNarrowFrames_data();
    void mergesNarrowFrames();
    void coversEveryFrameOnce();
    void findsFramesByPosition();
    void walksByKeyboard();
    void layoutOfRandomTreesNests();
    void isAsDeepAsTheTree();
    void countsMatchesOncePerStack();
};

void FlameLayoutTest::placesFrames_data()
{
    QTest::addColumn<QStringList>("stacks");
    QTest::addColumn<FlameOrder>("order");
    QTest::addColumn<QStringList>("levels");
    const auto list = [](const char* text) {
        return QString::fromLatin1(text).split(QStringLiteral(", "));
    };
    QTest::newRow("one frame") << list("a 5") << FlameOrder::Weight << list("root 0+5, a 0+5");
    QTest::newRow("self is left at the end")
        << list("a 10, ab 30") << FlameOrder::Weight << list("root 0+40, a 0+40, b 0+30");
    QTest::newRow("heaviest first") << list("a 10, b 30, c 20") << FlameOrder::Weight
                                    << list("root 0+60, b 0+30 | c 30+20 | a 50+10");
    QTest::newRow("by name") << list("c 20, a 10, b 30") << FlameOrder::Name
                             << list("root 0+60, a 0+10 | b 10+30 | c 40+20");
    QTest::newRow("children of several parents")
        << list("ac 10, bd 30, be 5, a 1") << FlameOrder::Weight
        << list("root 0+46, b 0+35 | a 35+11, d 0+30 | e 30+5 | c 35+10");
}

void FlameLayoutTest::placesFrames()
{
    QFETCH(QStringList, stacks);
    QFETCH(FlameOrder, order);
    QFETCH(QStringList, levels);
    QCOMPARE(textOf(*layoutOf(treeFrom(stacks), order)), levels);
}

void FlameLayoutTest::leavesOutWhatWeighsNothing()
{
    const auto tree =
        treeFrom({QStringLiteral("a 5"), QStringLiteral("ab 0"), QStringLiteral("c 0")});
    const auto layout = layoutOf(tree);
    QCOMPARE(layout->barCount(), 2u);
    QCOMPARE(layout->leftOutCount(), 2u);
    for (std::uint32_t node = 0; node < tree->nodeCount(); ++node)
        QCOMPARE(layout->barOf(NodeId(node)).has_value(),
                 tree->total(Metric::Time, NodeId(node)) > 0);
}

void FlameLayoutTest::hasNoBarsForAMetricThatWasNotMeasured()
{
    const auto tree = treeFrom({QStringLiteral("a 5")});
    const auto layout = FlameLayout::build(tree, Metric::Bytes, FlameOrder::Weight, ranks(27));
    QCOMPARE(layout->barCount(), 0u);
    QCOMPARE(layout->levelCount(), 0u);
    QCOMPARE(layout->wholeWidth(), 0u);
    QVERIFY(!layout->barOf(NodeId(0)));
    QVERIFY(!layout->barAt(0, 0.0));
    const auto empty = layoutOf(CallTree::empty());
    QCOMPARE(empty->barCount(), 0u);
}

void FlameLayoutTest::mergesNarrowFrames_data()
{
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<double>("minimumWidth");
    QTest::addColumn<QString>("spans");
    const auto row = [](const char* name, double from, double to, double minimum,
                        const char* spans) {
        QTest::newRow(name) << from << to << minimum << QString::fromLatin1(spans);
    };
    // The level is: 0-50, 50-80, 80-84, 84-87, 87-89, 89-90.
    row("nothing narrow", 0, 90, 1, "0-50 | 50-80 | 80-84 | 84-87 | 87-89 | 89-90");
    row("two narrow", 0, 90, 3, "0-50 | 50-80 | 80-84 | 84-87 | 2 in 87-90");
    row("four narrow", 0, 90, 5, "0-50 | 50-80 | 4 in 80-90");
    row("all narrow", 0, 90, 100, "6 in 0-90");
    row("a part", 60, 85, 1, "50-80 | 80-84 | 84-87");
    row("a merged part", 60, 85, 5, "50-80 | 2 in 80-87");
    row("borders are outside", 50, 80, 1, "50-80");
    row("behind the end", 95, 100, 1, "");
    row("a single narrow frame", 0, 90, 1.5, "0-50 | 50-80 | 80-84 | 84-87 | 87-89 | 1 in 89-90");
}

void FlameLayoutTest::mergesNarrowFrames()
{
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(double, minimumWidth);
    QFETCH(QString, spans);
    const auto layout =
        layoutOf(treeFrom({QStringLiteral("a 50"), QStringLiteral("b 30"), QStringLiteral("c 4"),
                           QStringLiteral("d 3"), QStringLiteral("e 2"), QStringLiteral("f 1")}));
    std::vector<FlameSpan> found;
    layout->findSpans(1, from, to, minimumWidth, found);
    QCOMPARE(textOf(found), spans);
}

/// The galloping search against a look at every bar.
void FlameLayoutTest::coversEveryFrameOnce()
{
    const auto layout = layoutOf(randomTree(7, 5000));
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        const auto level = static_cast<std::uint32_t>(random() % layout->levelCount());
        const double from = random() % layout->wholeWidth();
        const double to = from + 1 + random() % layout->wholeWidth();
        const double minimumWidth = 0.5 + random() % 300;
        std::vector<FlameSpan> spans;
        layout->findSpans(level, from, to, minimumWidth, spans);
        std::vector<std::uint32_t> seen;
        for (const FlameSpan& span : spans) {
            QCOMPARE(span.start, layout->startOf(span.firstBar));
            for (std::uint32_t bar = span.firstBar; bar < span.firstBar + span.barCount; ++bar) {
                seen.push_back(bar);
                QCOMPARE(span.isMerged, static_cast<double>(layout->widthOf(bar)) < minimumWidth);
            }
            const std::uint32_t last = seen.back();
            QCOMPARE(span.end, layout->startOf(last) + layout->widthOf(last));
            QVERIFY(span.isMerged || span.barCount == 1);
        }
        std::vector<std::uint32_t> expected;
        for (auto bar = layout->levelBegin(level); bar < layout->levelBegin(level + 1); ++bar) {
            const double start = static_cast<double>(layout->startOf(bar));
            if (start < to && start + static_cast<double>(layout->widthOf(bar)) > from)
                expected.push_back(bar);
        }
        QCOMPARE(seen, expected);
    }
}

void FlameLayoutTest::findsFramesByPosition()
{
    const auto layout = layoutOf(treeFrom({QStringLiteral("a 10"), QStringLiteral("ab 30")}));
    QCOMPARE(letterOf(*layout, *layout->barAt(2, 0.0)), QStringLiteral("b"));
    QCOMPARE(letterOf(*layout, *layout->barAt(2, 29.9)), QStringLiteral("b"));
    QVERIFY(!layout->barAt(2, 30.0));
    QCOMPARE(letterOf(*layout, *layout->barAt(1, 39.9)), QStringLiteral("a"));
    QVERIFY(!layout->barAt(1, 40.0));
    QVERIFY(!layout->barAt(3, 0.0));
}

void FlameLayoutTest::walksByKeyboard()
{
    const auto layout = layoutOf(treeFrom({QStringLiteral("ab 30"), QStringLiteral("ac 50"),
                                           QStringLiteral("acd 1"), QStringLiteral("e 5")}));
    const auto at = [&](std::uint32_t level, double position) {
        return *layout->barAt(level, position);
    };
    const auto name = [&](std::optional<std::uint32_t> bar) {
        return bar ? letterOf(*layout, *bar) : QString();
    };
    QCOMPARE(name(layout->heaviestChildOf(0)), QStringLiteral("a"));
    QCOMPARE(name(layout->heaviestChildOf(at(1, 0))), QStringLiteral("c"));
    QCOMPARE(name(layout->heaviestChildOf(at(3, 0))), QString());
    QCOMPARE(name(layout->parentOf(at(2, 0))), QStringLiteral("a"));
    QCOMPARE(name(layout->parentOf(0)), QString());
    QCOMPARE(name(layout->rightOf(at(2, 0))), QStringLiteral("b"));
    QCOMPARE(name(layout->rightOf(at(2, 60))), QString());
    QCOMPARE(name(layout->leftOf(at(2, 60))), QStringLiteral("c"));
    QCOMPARE(name(layout->leftOf(at(2, 0))), QString());
    QCOMPARE(name(layout->deepestWithin(0)), QStringLiteral("d"));
    QCOMPARE(name(layout->deepestWithin(at(2, 60))), QStringLiteral("b"));
    QCOMPARE(layout->heightOf(0), 4u);
    QCOMPARE(layout->heightOf(at(2, 60)), 1u);
    QCOMPARE(layout->bar(at(3, 0)).level, 3u);
}

void FlameLayoutTest::layoutOfRandomTreesNests()
{
    for (const FlameOrder order : {FlameOrder::Weight, FlameOrder::Name}) {
        const auto tree = randomTree(3, 20000);
        const auto layout = layoutOf(tree, order);
        QCOMPARE(layout->wholeWidth(), tree->total(Metric::Time, tree->root()));
        for (std::uint32_t index = 1; index < layout->barCount(); ++index) {
            const FlameBar bar = layout->bar(index);
            const FlameBar parent = layout->bar(*layout->parentOf(index));
            QCOMPARE(layout->barOf(bar.node), std::optional(index));
            QCOMPARE(parent.level + 1, bar.level);
            QCOMPARE(bar.width, tree->total(Metric::Time, bar.node));
            QVERIFY(parent.start <= bar.start && bar.end() <= parent.end());
            const FlameBar before = layout->bar(index - 1);
            QVERIFY(before.level < bar.level || before.end() <= bar.start);
            const bool areSiblings = tree->parent(before.node) == tree->parent(bar.node);
            if (areSiblings)
                QCOMPARE(before.end(), bar.start);
            if (areSiblings && order == FlameOrder::Weight)
                QVERIFY(before.width >= bar.width);
            if (areSiblings && order == FlameOrder::Name)
                QVERIFY(tree->function(before.node) <= tree->function(bar.node));
        }
    }
}

void FlameLayoutTest::isAsDeepAsTheTree()
{
    constexpr std::uint32_t depth = 200'000;
    std::vector<CallTree::Input> nodes(depth);
    for (std::uint32_t i = 0; i < depth; ++i) {
        nodes[i] = {i == 0 ? UINT32_MAX : i - 1, FunctionId(i % 27), false, {}};
        nodes[i].self[0] = 1;
    }
    const auto layout = layoutOf(CallTree::build(nodes, onlyTime));
    QCOMPARE(layout->levelCount(), depth);
    QCOMPARE(layout->heightOf(0), depth);
    QCOMPARE(layout->levelOf(layout->deepestWithin(0)), depth - 1);
    std::vector<FlameSpan> spans;
    layout->findSpans(depth - 1, 0.0, depth, 1.0, spans);
    QCOMPARE(textOf(spans), QStringLiteral("0-1"));
}

void FlameLayoutTest::countsMatchesOncePerStack()
{
    const auto layout =
        layoutOf(treeFrom({QStringLiteral("a 1"), QStringLiteral("aba 2"), QStringLiteral("ab 3"),
                           QStringLiteral("ca 10"), QStringLiteral("d 100")}));
    std::vector<std::uint8_t> isMatch(27);
    isMatch[1] = 1;
    const FlameMatches matches = findFlameMatches(*layout, isMatch);
    QCOMPARE(matches.weight, 16u);
    QStringList found;
    for (const std::uint32_t bar : matches.bars)
        found << QStringLiteral("%1@%2").arg(layout->startOf(bar)).arg(layout->levelOf(bar));
    QCOMPARE(
        found,
        QStringList({QStringLiteral("100@2"), QStringLiteral("110@1"), QStringLiteral("110@3")}));
}

QTEST_APPLESS_MAIN(FlameLayoutTest)
#include "tst_flamelayout.moc"
