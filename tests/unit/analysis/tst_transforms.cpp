// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/FunctionTable.h"
#include "core/analysis/Transforms.h"
#include "tests/support/TestProfiles.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace perilune;

namespace {

using Kind = Transform::Kind;
using ProfilePointer = std::shared_ptr<const Profile>;
using Figures = std::array<std::uint64_t, metricCount>;

constexpr auto callsMetric = static_cast<std::size_t>(Metric::Calls);

struct Frame
{
    FunctionId function;
    bool isTailCall = false;
    friend auto operator<=>(const Frame&, const Frame&) = default;
};
using Stack = std::vector<Frame>; // without the host
using Stacks = std::map<Stack, Figures>;

Stack stackOf(const CallTree& tree, NodeId node)
{
    Stack stack;
    for (; tree.parent(node).isValid(); node = tree.parent(node))
        stack.push_back({tree.function(node), tree.isTailCall(node)});
    std::reverse(stack.begin(), stack.end());
    return stack;
}

void add(Stacks& stacks, const Stack& stack, std::size_t metric, std::uint64_t value)
{
    if (value > 0)
        stacks[stack][metric] += value;
}

Stacks stacksOf(const CallTree& tree)
{
    Stacks stacks;
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index)
        for (std::size_t metric = 0; metric < metricCount; ++metric)
            add(stacks, stackOf(tree, NodeId(index)), metric,
                tree.self(static_cast<Metric>(metric), NodeId(index)));
    return stacks;
}

void forgetCalls(Stacks& stacks)
{
    for (auto& [stack, figures] : stacks)
        figures[callsMetric] = 0;
    std::erase_if(stacks, [](const auto& entry) { return entry.second == Figures(); });
}

/// What a transform makes of one stack, by its definition and nothing else.
class StackTransform
{
public:
    StackTransform(const Profile& profile, const Transform& transform)
        : m_profile(profile)
        , m_transform(transform)
        , m_collapsed(FunctionId(static_cast<std::uint32_t>(profile.functions.size())))
    {
    }

    /// Nothing when the stack is left out.
    std::optional<Stack> operator()(const Stack& stack) const
    {
        switch (m_transform.kind) {
        case Kind::Focus: {
            const auto first = std::find_if(stack.begin(), stack.end(), isFunction());
            if (first == stack.end())
                return std::nullopt;
            Stack result(first, stack.end());
            result.front().isTailCall = false;
            return result;
        }
        case Kind::PathsThrough:
            return contains(stack) ? std::optional(stack) : std::nullopt;
        case Kind::Exclude:
            return contains(stack) ? std::nullopt : std::optional(stack);
        case Kind::MergeIntoCaller:
        case Kind::HideCFunctions: {
            Stack result = stack;
            std::erase_if(result, [this](const Frame& frame) { return isTakenOut(frame); });
            return result;
        }
        case Kind::CollapseRecursion:
            return collapseRecursion(stack);
        case Kind::CollapseFile:
            return collapseFile(stack);
        case Kind::ReplaceTailCallers:
            return replaceTailCallers(stack);
        }
        return stack;
    }

    /// Whether calls of the last frame are calls in the transformed stack, too.
    bool countsCalls(const Stack& stack) const
    {
        if (stack.empty())
            return true;
        const auto last = stack.end() - 1;
        switch (m_transform.kind) {
        case Kind::MergeIntoCaller:
        case Kind::HideCFunctions:
            return !isTakenOut(*last);
        case Kind::CollapseRecursion: {
            Stack before(stack.begin(), last);
            before = collapseRecursion(before);
            const bool isRecursive = std::any_of(before.begin(), before.end(), [&](Frame frame) {
                return frame.function == last->function;
            });
            return !isRecursive || (m_transform.function.isValid() && !isFunction()(*last));
        }
        case Kind::CollapseFile:
            return !isInFile(*last) || stack.size() == 1 || !isInFile(*(last - 1));
        default:
            return true;
        }
    }

private:
    std::function<bool(const Frame&)> isFunction() const
    {
        return [function = m_transform.function](const Frame& frame) {
            return frame.function == function;
        };
    }
    bool contains(const Stack& stack) const
    {
        return std::any_of(stack.begin(), stack.end(), isFunction());
    }
    bool isTakenOut(const Frame& frame) const
    {
        if (m_transform.kind == Kind::HideCFunctions)
            return m_profile.function(frame.function).kind == FunctionKind::C;
        return frame.function == m_transform.function;
    }
    bool isInFile(const Frame& frame) const
    {
        return frame.function == m_collapsed
            || m_profile.function(frame.function).source == m_transform.source;
    }
    Stack collapseRecursion(const Stack& stack) const
    {
        Stack result;
        for (const Frame& frame : stack) {
            const auto outer = std::find_if(result.begin(), result.end(), [&](const Frame& other) {
                return other.function == frame.function;
            });
            const bool isMeant =
                !m_transform.function.isValid() || frame.function == m_transform.function;
            if (isMeant && outer != result.end())
                result.erase(outer + 1, result.end());
            else
                result.push_back(frame);
        }
        return result;
    }
    Stack collapseFile(const Stack& stack) const
    {
        Stack result;
        for (const Frame& frame : stack) {
            if (!isInFile(frame))
                result.push_back(frame);
            else if (result.empty() || result.back().function != m_collapsed)
                result.push_back({m_collapsed, frame.isTailCall});
        }
        return result;
    }
    static Stack replaceTailCallers(const Stack& stack)
    {
        Stack result;
        for (const Frame& frame : stack) {
            if (frame.isTailCall && !result.empty())
                result.pop_back();
            result.push_back({frame.function, false});
        }
        return result;
    }

    const Profile& m_profile;
    const Transform& m_transform;
    FunctionId m_collapsed;
};

Stacks slowlyTransformed(const Profile& profile, const Transform& transform)
{
    const CallTree& tree = *profile.tree;
    const StackTransform transformed(profile, transform);
    Stacks stacks;
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index) {
        const Stack stack = stackOf(tree, NodeId(index));
        const std::optional<Stack> target = transformed(stack);
        for (std::size_t metric = 0; target && metric < metricCount; ++metric)
            if (metric != callsMetric)
                add(stacks, *target, metric, tree.self(static_cast<Metric>(metric), NodeId(index)));
        const bool isAbove = transform.kind == Kind::PathsThrough && !target;
        if (target && transformed.countsCalls(stack))
            add(stacks, *target, callsMetric, tree.callCount(NodeId(index)));
        else if (stack.empty())
            add(stacks, stack, callsMetric, tree.callCount(NodeId(index)));
        else if (isAbove) {
            // Callers of the function keep their calls if the function is beneath them.
            bool leadsToIt = false;
            for (std::uint32_t other = 0; other < tree.nodeCount(); ++other) {
                const Stack longer = stackOf(tree, NodeId(other));
                leadsToIt = leadsToIt
                    || (longer.size() > stack.size() && transformed(longer)
                        && std::equal(stack.begin(), stack.end(), longer.begin()));
            }
            if (leadsToIt)
                add(stacks, stack, callsMetric, tree.callCount(NodeId(index)));
        }
    }
    return stacks;
}

/// A random tree of functions in two files and in C, in which siblings differ, with folded tail
/// calls that come back to a node of their own chain.
ProfilePointer randomProfile(std::uint32_t nodeCount, std::uint32_t seed, bool hasTailEdges)
{
    std::mt19937 random(seed);
    auto profile = std::make_shared<Profile>();
    profile->sources.resize(2);
    profile->sources[0].label = "a.lua";
    profile->sources[1].label = "b.lua";
    const std::uint32_t functionCount = 3 + random() % 8;
    profile->functions.resize(functionCount);
    for (std::uint32_t index = 0; index < functionCount; ++index) {
        Function& function = profile->functions[index];
        function.name = "f" + std::to_string(index);
        function.kind = index == 0 ? FunctionKind::Host
            : index % 4 == 0       ? FunctionKind::C
                                   : FunctionKind::Lua;
        if (function.kind == FunctionKind::Lua)
            function.source = SourceId(index % 2);
    }
    std::vector<CallTree::Input> nodes(1);
    nodes[0].function = FunctionId(0);
    std::map<std::pair<std::uint32_t, Frame>, int> children;
    while (nodes.size() < nodeCount) {
        CallTree::Input node;
        node.parent = static_cast<std::uint32_t>(random() % nodes.size());
        node.function = FunctionId(1 + random() % (functionCount - 1));
        node.isTailCall = node.parent != 0 && random() % 3 == 0;
        for (std::uint64_t& value : node.self)
            value = random() % 4 == 0 ? 0 : random() % 100;
        if (children.try_emplace({node.parent, Frame{node.function, node.isTailCall}}).second)
            nodes.push_back(node);
    }
    std::vector<TailEdge> edges;
    for (std::uint32_t index = 1; hasTailEdges && index < nodes.size(); ++index) {
        if (!nodes[index].isTailCall || random() % 2 == 0)
            continue;
        std::uint32_t to = index;
        while (nodes[to].isTailCall && random() % 3 != 0)
            to = nodes[to].parent;
        const std::uint64_t calls = 1 + random() % 9;
        edges.push_back({NodeId(index), NodeId(to), calls});
        nodes[to].self[callsMetric] += calls;
    }
    std::vector<std::uint32_t> newIndex;
    profile->tree = CallTree::build(nodes, (1u << metricCount) - 1, &newIndex);
    for (const TailEdge& edge : edges)
        profile->tailEdges.push_back(
            {NodeId(newIndex[edge.from.value()]), NodeId(newIndex[edge.to.value()]), edge.calls});
    return profile;
}

Transform randomTransform(const Profile& profile, std::mt19937& random)
{
    Transform transform;
    transform.kind = static_cast<Kind>(random() % 8);
    transform.function =
        FunctionId(1 + static_cast<std::uint32_t>(random() % (profile.functions.size() - 1)));
    if (transform.kind == Kind::CollapseRecursion && random() % 2 == 0)
        transform.function = FunctionId();
    transform.source = SourceId(random() % 2);
    return transform;
}

bool keepsAllTime(Kind kind)
{
    return kind != Kind::Focus && kind != Kind::PathsThrough && kind != Kind::Exclude;
}

FunctionId idOf(const Profile& profile, const QString& name)
{
    for (std::uint32_t index = 0; index < profile.functions.size(); ++index)
        if (profile.functions[index].name == name.toStdString())
            return FunctionId(index);
    return {};
}

SourceId sourceOf(const Profile& profile, const QString& label)
{
    for (std::uint32_t index = 0; index < profile.sources.size(); ++index)
        if (profile.sources[index].label == label.toStdString())
            return SourceId(index);
    return {};
}

std::vector<std::string> linesOf(const QStringList& texts)
{
    std::vector<std::string> lines;
    for (const QString& text : texts)
        lines.push_back(text.toStdString());
    return lines;
}

QStringList treeText(const Profile& profile)
{
    QStringList list;
    for (const std::string& line : test::textOf(profile))
        list.append(QString::fromStdString(line));
    return list;
}

std::uint64_t callsOf(const Profile& profile, const char* name)
{
    const FunctionCosts* row =
        FunctionTable::compute(profile).find(idOf(profile, QString::fromUtf8(name)));
    return row ? row->calls : 0;
}

} // namespace

Q_DECLARE_METATYPE(Transform::Kind)

class TransformsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void transforms_data();
    void transforms();
    void equalsSlowReference();
    void listsOfTransformsEqualSlowReference();
    void totalsStayRight();
    void recursionCallsAreThoseFromOutside();
    void callsIntoACollapsedFile();
    void replacedTailCallsKeepTheirEdges();
    void foldedTailCallsFollowTheirNodes();
    void linesAndSlowCallsFollowTheirNodes();
    void unknownFunctionsChangeNothing();
    void survivesDepth();
};

void TransformsTest::transforms_data()
{
    QTest::addColumn<QStringList>("stacks");
    QTest::addColumn<Transform::Kind>("kind");
    QTest::addColumn<QString>("subject"); // a function or source
    QTest::addColumn<QStringList>("rows");
    const QStringList sample{u"main 1"_qs, u"main;f 2 calls=3"_qs, u"main;f;g 4 calls=5"_qs,
                             u"main;g 8"_qs, u"main;g;f 16"_qs};
    QTest::newRow("focus") << sample << Kind::Focus << u"g"_qs
                           << QStringList{u"g self=12 total=28 calls=6"_qs,
                                          u"  f self=16 total=16 calls=1"_qs};
    QTest::newRow("paths through")
        << sample << Kind::PathsThrough << u"g"_qs
        << QStringList{u"main self=0 total=28 calls=1"_qs, u"  g self=8 total=24 calls=1"_qs,
                       u"    f self=16 total=16 calls=1"_qs, u"  f self=0 total=4 calls=3"_qs,
                       u"    g self=4 total=4 calls=5"_qs};
    QTest::newRow("exclude") << sample << Kind::Exclude << u"g"_qs
                             << QStringList{u"main self=1 total=3 calls=1"_qs,
                                            u"  f self=2 total=2 calls=3"_qs};
    QTest::newRow("merge into caller")
        << sample << Kind::MergeIntoCaller << u"g"_qs
        << QStringList{u"main self=9 total=31 calls=1"_qs, u"  f self=22 total=22 calls=4"_qs};
    QTest::newRow("merge the outermost")
        << sample << Kind::MergeIntoCaller << u"main"_qs
        << QStringList{u"g self=8 total=24 calls=1"_qs, u"  f self=16 total=16 calls=1"_qs,
                       u"f self=2 total=6 calls=3"_qs, u"  g self=4 total=4 calls=5"_qs};
    QTest::newRow("collapse recursion")
        << QStringList{u"f 1"_qs, u"f;x 2"_qs, u"f;x;f 4 calls=9"_qs, u"f;x;f;y 8"_qs}
        << Kind::CollapseRecursion << u"f"_qs
        << QStringList{u"f self=5 total=15 calls=1"_qs, u"  y self=8 total=8 calls=1"_qs,
                       u"  x self=2 total=2 calls=1"_qs};
    QTest::newRow("collapse all recursion")
        << QStringList{u"f;x;y;x;f;y 1"_qs, u"f;f;f 2"_qs} << Kind::CollapseRecursion << QString()
        << QStringList{u"f self=2 total=3 calls=1"_qs, u"  y self=1 total=1 calls=1"_qs,
                       u"  x self=0 total=0 calls=1"_qs, u"    y self=0 total=0 calls=1"_qs};
    QTest::newRow("collapse file")
        << QStringList{u"a@a.lua:1 1"_qs, u"a@a.lua:1;b@a.lua:2 2 calls=7"_qs,
                       u"a@a.lua:1;b@a.lua:2;[C] c 4"_qs,
                       u"a@a.lua:1;b@a.lua:2;[C] c;a@a.lua:1 8"_qs, u"d@d.lua:1;b@a.lua:2 16"_qs}
        << Kind::CollapseFile << u"a.lua"_qs
        << QStringList{u"d self=0 total=16 calls=1"_qs, u"  a.lua self=16 total=16 calls=1"_qs,
                       u"a.lua self=3 total=15 calls=1"_qs, u"  c self=4 total=12 calls=1"_qs,
                       u"    a.lua self=8 total=8 calls=1"_qs};
    QTest::newRow("hide C functions")
        << QStringList{u"main;[C] sort 1"_qs, u"main;[C] sort;less 2 calls=5"_qs, u"main;less 4"_qs}
        << Kind::HideCFunctions << QString()
        << QStringList{u"main self=1 total=7 calls=1"_qs, u"  less self=6 total=6 calls=6"_qs};
    QTest::newRow("replace tail callers")
        << QStringList{u"main;f 1 calls=2"_qs, u"main;f;>g 2 calls=2"_qs, u"main;f;>g;h 4"_qs,
                       u"main;f;>g;>k 8 calls=2"_qs, u"main;g 16"_qs}
        << Kind::ReplaceTailCallers << QString()
        << QStringList{u"main self=0 total=31 calls=1"_qs, u"  g self=18 total=22 calls=3"_qs,
                       u"    h self=4 total=4 calls=1"_qs, u"  k self=8 total=8 calls=2"_qs,
                       u"  f self=1 total=1 calls=2"_qs};
}

void TransformsTest::transforms()
{
    QFETCH(QStringList, stacks);
    QFETCH(Transform::Kind, kind);
    QFETCH(QString, subject);
    QFETCH(QStringList, rows);
    const auto profile = test::profileFrom(linesOf(stacks));
    Transform transform;
    transform.kind = kind;
    transform.function = idOf(*profile, subject);
    transform.source = sourceOf(*profile, subject);
    const auto result = applyTransform(profile, transform);
    QCOMPARE(treeText(*result), rows);
    QCOMPARE(result->functions.size() - profile->functions.size(),
             std::size_t(kind == Kind::CollapseFile ? 1 : 0));
}

void TransformsTest::equalsSlowReference()
{
    std::mt19937 random(3);
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        const auto profile = randomProfile(60, seed, false);
        const Transform transform = randomTransform(*profile, random);
        const auto result = applyTransform(profile, transform);
        QVERIFY2(stacksOf(*result->tree) == slowlyTransformed(*profile, transform),
                 qPrintable(QStringLiteral("seed %1, transform %2")
                                .arg(seed)
                                .arg(static_cast<int>(transform.kind))));
    }
}

void TransformsTest::listsOfTransformsEqualSlowReference()
{
    std::mt19937 random(4);
    for (std::uint32_t seed = 1000; seed < 1100; ++seed) {
        ProfilePointer step = randomProfile(80, seed, false);
        std::vector<Transform> transforms;
        const ProfilePointer start = step;
        for (int count = 0; count < 4; ++count) {
            transforms.push_back(randomTransform(*step, random));
            Stacks wanted = slowlyTransformed(*step, transforms.back());
            // The reference does not know what becomes of folded tail calls, which
            // ReplaceTailCallers makes.
            const bool hasTailEdges = !step->tailEdges.empty();
            step = applyTransform(step, transforms.back());
            Stacks found = stacksOf(*step->tree);
            if (hasTailEdges) {
                forgetCalls(wanted);
                forgetCalls(found);
            }
            QVERIFY(found == wanted);
        }
        QVERIFY(stacksOf(*applyTransforms(start, transforms)->tree) == stacksOf(*step->tree));
    }
    const auto profile = randomProfile(10, 1, false);
    QCOMPARE(applyTransforms(profile, {}), profile);
}

void TransformsTest::totalsStayRight()
{
    std::mt19937 random(5);
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const auto profile = randomProfile(60, seed, true);
        const Transform transform = randomTransform(*profile, random);
        const auto result = applyTransform(profile, transform);
        const auto sumOf = [](const Profile& of, Metric metric) {
            return of.tree->total(metric, of.tree->root());
        };
        for (const Metric metric : {Metric::Time, Metric::RawTime, Metric::Bytes, Metric::Samples})
            if (keepsAllTime(transform.kind))
                QCOMPARE(sumOf(*result, metric), sumOf(*profile, metric));
            else
                QVERIFY(sumOf(*result, metric) <= sumOf(*profile, metric));
        // A function that is looked at keeps its own total.
        const bool isKept = transform.kind == Kind::Focus || transform.kind == Kind::PathsThrough
            || transform.kind == Kind::CollapseRecursion;
        if (!isKept || !transform.function.isValid())
            continue;
        const FunctionTable before = FunctionTable::compute(*profile);
        const FunctionTable after = FunctionTable::compute(*result);
        const FunctionCosts* rowBefore = before.find(transform.function);
        const FunctionCosts* rowAfter = after.find(transform.function);
        QCOMPARE(rowBefore != nullptr, rowAfter != nullptr);
        if (rowBefore)
            QCOMPARE(rowAfter->total[0], rowBefore->total[0]);
    }
}

void TransformsTest::recursionCallsAreThoseFromOutside()
{
    const auto profile = test::profileFrom(
        {"fib 10", "fib;fib 20 calls=100", "loop 5 calls=1000", "loop => loop calls=999"});
    const auto fib = applyTransform(
        profile, {Kind::CollapseRecursion, idOf(*profile, QStringLiteral("fib")), {}});
    QCOMPARE(callsOf(*fib, "fib"), std::uint64_t(1));
    QCOMPARE(callsOf(*fib, "loop"), std::uint64_t(1000));
    QCOMPARE(fib->tailEdges.size(), std::size_t(1));
    const auto all = applyTransform(profile, {Kind::CollapseRecursion, {}, {}});
    QCOMPARE(callsOf(*all, "fib"), std::uint64_t(1));
    QCOMPARE(callsOf(*all, "loop"), std::uint64_t(1));
    QVERIFY(all->tailEdges.empty());
}

void TransformsTest::callsIntoACollapsedFile()
{
    // a and b are in one file; b tail-calls c of another file, which tail-calls b again; a and b
    // tail-call each other, too.
    const auto profile =
        test::profileFrom({"a@x.lua:1 1 calls=11", "a@x.lua:1;>b@x.lua:2 2 calls=25",
                           "a@x.lua:1;>b@x.lua:2;>c@y.lua:1 4 calls=20",
                           "a@x.lua:1;>b@x.lua:2;>c@y.lua:1 => a@x.lua:1;>b@x.lua:2 calls=15",
                           "a@x.lua:1;>b@x.lua:2 => a@x.lua:1 calls=10"});
    const auto result = applyTransform(
        profile, {Kind::CollapseFile, {}, sourceOf(*profile, QStringLiteral("x.lua"))});
    // One call from the host, 15 from c.
    QCOMPARE(callsOf(*result, "x.lua"), std::uint64_t(16));
    QCOMPARE(callsOf(*result, "c"), std::uint64_t(20));
    const FunctionTable table = FunctionTable::compute(*result);
    const auto callers = table.callersOf(idOf(*result, QStringLiteral("x.lua")));
    QCOMPARE(callers.size(), std::size_t(2));
    QCOMPARE(callers[0].calls, std::uint64_t(1));
    QCOMPARE(callers[1].calls, std::uint64_t(15));
    QCOMPARE(result->function(idOf(*result, QStringLiteral("x.lua"))).kind, FunctionKind::Folded);
}

void TransformsTest::replacedTailCallsKeepTheirEdges()
{
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const auto profile = randomProfile(60, seed, true);
        const auto result = applyTransform(profile, {Kind::ReplaceTailCallers, {}, {}});
        const FunctionTable before = FunctionTable::compute(*profile);
        const FunctionTable after = FunctionTable::compute(*result);
        QCOMPARE(after.rows().size(), before.rows().size());
        for (const FunctionCosts& row : before.rows()) {
            QCOMPARE(after.find(row.function)->calls, row.calls);
            QCOMPARE(after.find(row.function)->tailCalls, row.tailCalls);
            QVERIFY(after.find(row.function)->self == row.self);
        }
        const auto callsByEdge = [](const FunctionTable& table) {
            std::map<std::pair<FunctionId, FunctionId>, std::pair<std::uint64_t, std::uint64_t>>
                map;
            for (const Edge& edge : table.edges())
                if (edge.calls > 0)
                    map[{edge.caller, edge.callee}] = {edge.calls, edge.tailCalls};
            return map;
        };
        QVERIFY(callsByEdge(after) == callsByEdge(before));
        for (std::uint32_t index = 0; index < result->tree->nodeCount(); ++index)
            QVERIFY(!result->tree->isTailCall(NodeId(index)));
    }
}

void TransformsTest::foldedTailCallsFollowTheirNodes()
{
    const auto profile = test::profileFrom(
        {"main;a 9 calls=5", "main;a;>b 2 calls=4", "main;a;>b => main;a calls=4", "main;a;x 50"});
    const auto idIn = [](const Profile& of, const char* name) {
        return idOf(of, QString::fromUtf8(name));
    };
    // b becomes a, and so a calls itself.
    const auto merged = applyTransform(profile, {Kind::MergeIntoCaller, idIn(*profile, "b"), {}});
    QCOMPARE(merged->tailEdges.size(), std::size_t(1));
    QCOMPARE(merged->tree->function(merged->tailEdges[0].from), idIn(*profile, "a"));
    QCOMPARE(merged->tree->function(merged->tailEdges[0].to), idIn(*profile, "a"));
    QCOMPARE(callsOf(*merged, "a"), std::uint64_t(5));
    // Without b nobody is left who made the calls, but a ran as often as it ran.
    const auto without = applyTransform(profile, {Kind::Exclude, idIn(*profile, "b"), {}});
    QVERIFY(without->tailEdges.empty());
    QCOMPARE(callsOf(*without, "a"), std::uint64_t(5));
    const auto focused = applyTransform(profile, {Kind::Focus, idIn(*profile, "b"), {}});
    QVERIFY(focused->tailEdges.empty());
}

void TransformsTest::linesAndSlowCallsFollowTheirNodes()
{
    auto profile = std::make_shared<Profile>(*test::profileFrom({"a;f 1", "b;f 2", "a;g 4"}));
    const CallTree& tree = *profile->tree;
    const FunctionId f = idOf(*profile, QStringLiteral("f"));
    for (std::uint32_t index = 0; index < tree.nodeCount(); ++index)
        if (tree.function(NodeId(index)) == f) {
            profile->lines.push_back(
                {NodeId(index), 7, 3, Duration::fromNanoseconds(10), Duration(), 1});
            profile->slowCalls.push_back({NodeId(index), Duration(), Duration()});
        }
    profile->durations.resize(profile->functions.size());
    const ProfilePointer start = profile;
    const auto focused = applyTransform(start, {Kind::Focus, f, {}});
    QCOMPARE(focused->lines.size(), std::size_t(1)); // both became one node
    QCOMPARE(focused->lines[0].hits, std::uint64_t(6));
    QCOMPARE(focused->lines[0].selfTime, Duration::fromNanoseconds(20));
    QCOMPARE(focused->tree->function(focused->lines[0].node), f);
    QCOMPARE(focused->slowCalls.size(), std::size_t(2));
    const auto without = applyTransform(start, {Kind::MergeIntoCaller, f, {}});
    QVERIFY(without->lines.empty());
    QVERIFY(without->slowCalls.empty());
    const auto collapsed = applyTransform(start, {Kind::CollapseFile, {}, SourceId(0)});
    QVERIFY(collapsed->lines.empty());
    QCOMPARE(collapsed->durations.size(), collapsed->functions.size());
}

void TransformsTest::unknownFunctionsChangeNothing()
{
    const ProfilePointer profile = test::profileFrom({"a;f 1"});
    for (const Kind kind : {Kind::Focus, Kind::PathsThrough, Kind::Exclude, Kind::MergeIntoCaller})
        for (const FunctionId function : {FunctionId(), FunctionId(0), FunctionId(99)})
            QCOMPARE(applyTransform(profile, {kind, function, {}}), profile);
    QCOMPARE(applyTransform(profile, {Kind::CollapseFile, {}, SourceId(9)}), profile);
    QCOMPARE(applyTransform(profile, {Kind::CollapseRecursion, FunctionId(9), {}}), profile);
    for (const Kind kind : {Kind::HideCFunctions, Kind::ReplaceTailCallers, Kind::Focus})
        QCOMPARE(applyTransform(Profile::empty(), {kind, {}, {}}), Profile::empty());
}

void TransformsTest::survivesDepth()
{
    const auto profile = test::deepProfile(200000, 50);
    const FunctionId function(7);
    for (int kind = 0; kind < 8; ++kind) {
        const auto result =
            applyTransform(profile, {static_cast<Kind>(kind), function, SourceId(0)});
        QVERIFY(result->tree->nodeCount() > 1);
        if (keepsAllTime(static_cast<Kind>(kind)))
            QCOMPARE(result->tree->totalTime(result->tree->root()), profile->run.wallTime);
    }
    const auto all = applyTransform(profile, {Kind::CollapseRecursion, {}, {}});
    QCOMPARE(all->tree->nodeCount(), 50u); // the host and one node for each of 49 functions
}

QTEST_APPLESS_MAIN(TransformsTest)
#include "tst_transforms.moc"
