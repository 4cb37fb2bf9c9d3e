// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/CallTreeModel.h"
#include "gui/models/CallTreeWalk.h"
#include "gui/models/Document.h"
#include "gui/models/ItemRoles.h"
#include "gui/views/CallTreeTable.h"
#include "gui/views/CallTreeView.h"
#include "tests/support/TestProfiles.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace perilune;

namespace {

using Chains = TopDownRows::Chains;
using Mode = QAbstractItemModelTester::FailureReportingMode;

QString cell(const QModelIndex& index, CallTreeColumn column)
{
    return index.siblingAtColumn(static_cast<int>(column)).data().toString();
}

/// Every row that can be made, indented: "f | self | total | % of parent | calls".
QStringList textOf(CallTreeModel& model)
{
    QStringList lines;
    std::vector<std::pair<QModelIndex, int>> open;
    const auto openChildren = [&](const QModelIndex& parent, int depth) {
        if (model.canFetchMore(parent))
            model.fetchMore(parent);
        for (int row = model.rowCount(parent); row-- > 0;)
            open.emplace_back(model.index(row, 0, parent), depth);
    };
    openChildren({}, 0);
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        QStringList cells{QString(depth * 2, QLatin1Char(' ')) + cell(index, CallTreeColumn::Name)};
        for (const CallTreeColumn column : {CallTreeColumn::Self, CallTreeColumn::Total,
                                            CallTreeColumn::ParentShare, CallTreeColumn::Calls})
            cells << cell(index, column);
        lines << cells.join(QStringLiteral(" | "));
        openChildren(index, depth + 1);
    }
    return lines;
}

QStringList list(std::initializer_list<const char*> lines)
{
    QStringList result;
    for (const char* line : lines)
        result << QString::fromUtf8(line);
    return result;
}

class Fixture
{
public:
    explicit Fixture(const std::vector<std::string>& stacks)
        : view(document)
    {
        setProfile(test::profileFrom(stacks));
        view.resize(1000, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.table().setFocus();
    }

    void setProfile(const std::shared_ptr<const Profile>& profile)
    {
        document.setProfile(profile,
                            std::make_shared<FunctionTable>(FunctionTable::compute(*profile)));
    }
    CallTreeTable& table() { return view.table(); }
    CallTreeModel& model() { return view.model(); }

    /// The row of a path such as "main;a".
    QModelIndex at(const char* path)
    {
        QModelIndex index;
        for (const QString& name : QString::fromUtf8(path).split(QLatin1Char(';'))) {
            if (model().canFetchMore(index))
                model().fetchMore(index);
            QModelIndex next;
            for (int row = 0; row < model().rowCount(index); ++row) {
                const QModelIndex child = model().index(row, 0, index);
                if (cell(child, CallTreeColumn::Name) == name)
                    next = child;
            }
            index = next;
        }
        return index;
    }
    QString current() { return cell(table().currentIndex(), CallTreeColumn::Name); }
    /// Names of the rows that can be seen, top to bottom.
    QStringList visible()
    {
        QStringList names;
        for (QModelIndex index = table().indexAt(QPoint(5, 5)); index.isValid();
             index = table().indexBelow(index))
            names << cell(index, CallTreeColumn::Name);
        return names;
    }
    bool hasLabel(const QString& text) const
    {
        const QList<QLabel*> labels = view.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text() == text; });
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&table(), static_cast<Qt::Key>(key), modifiers);
    }

    Document document;
    CallTreeView view;
};

const std::vector<std::string> program = {
    "main 10",      "main;a 5 calls=2",  "main;a;b 5",         "main;a;b;c 60 calls=30",
    "main;a;b;d 5", "main;e 5 calls=10", "main;e;[C] print 10"};

} // namespace

class CallTreeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void showsTree_data();
    void showsTree();
    void ordersByTheWeight();
    void hasMeansAndPlaces();
    void modelIsSound_data();
    void modelIsSound();
    void walksDeepTrees();

    void opensTheHeaviestChain();
    void followsTheHotPath();
    void opensSingleCalleesTogether();
    void opensEverythingBelow();
    void stopsOpeningAtALimit();
    void movesByArrows();
    void selectsInTheDocument();
    void followsTheDocument();
    void keepsItsStateOverANewRun();
    void showsPathsThroughTheSelection();
    void showsCallersBottomUp();
    void foldsChains();
    void copiesRows();
    void searches();
    void showsOneBranch();
    void reachesRowsOfAnyDepth();
    void saysWhenThereIsNothing();
    void remembersOptions();
};

void CallTreeTest::showsTree_data()
{
    QTest::addColumn<int>("shape");
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("top-down") << 0
                              << list({"main | 10.0 µs | 100.0 µs | 100.0 % | 1",
                                       "  a | 5.000 µs | 75.0 µs | 75.0 % | 2",
                                       "    b | 5.000 µs | 70.0 µs | 93.3 % | 1",
                                       "      c | 60.0 µs | 60.0 µs | 85.7 % | 30",
                                       "      d | 5.000 µs | 5.000 µs | 7.1 % | 1",
                                       "  e | 5.000 µs | 15.0 µs | 15.0 % | 10",
                                       "    print | 10.0 µs | 10.0 µs | 66.7 % | 1"});
    QTest::newRow("folded") << 1
                            << list({"main | 10.0 µs | 100.0 µs | 100.0 % | 1",
                                     "  a | 5.000 µs | 75.0 µs | 75.0 % | 2",
                                     "    b | 5.000 µs | 70.0 µs | 93.3 % | 1",
                                     "      c | 60.0 µs | 60.0 µs | 85.7 % | 30",
                                     "      d | 5.000 µs | 5.000 µs | 7.1 % | 1",
                                     "  e | 5.000 µs | 15.0 µs | 15.0 % | 10",
                                     "    print | 10.0 µs | 10.0 µs | 66.7 % | 1"});
    QTest::newRow("bottom-up of d")
        << 2
        << list({"d | 5.000 µs | 5.000 µs | 5.0 % | 1", "  b | 5.000 µs | 5.000 µs | 100.0 % | 1",
                 "    a | 5.000 µs | 5.000 µs | 100.0 % | 1",
                 "      main | 5.000 µs | 5.000 µs | 100.0 % | 1"});
}

FunctionId functionNamed(const Profile& profile, const std::string& name)
{
    for (std::uint32_t index = 0; index < profile.functions.size(); ++index) {
        if (profile.functions[index].name == name)
            return FunctionId(index);
    }
    return {};
}

std::shared_ptr<CallTreeRows> rowsOf(const Profile& profile, int shape, FunctionId only = {})
{
    if (shape == 2)
        return std::make_shared<BottomUpRows>(profile.tree, Metric::Time, only);
    return std::make_shared<TopDownRows>(profile.tree, Metric::Time,
                                         shape == 1 ? Chains::Folded : Chains::Open);
}

void CallTreeTest::showsTree()
{
    QFETCH(int, shape);
    QFETCH(QStringList, rows);
    CallTreeModel model;
    const auto profile = test::profileFrom(program);
    model.setContent(profile, rowsOf(*profile, shape, functionNamed(*profile, "d")), Metric::Time);
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    QCOMPARE(textOf(model), rows);
}

void CallTreeTest::ordersByTheWeight()
{
    CallTreeModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    const auto profile = test::profileFrom({"main;slow 90 calls=1", "main;often 5 calls=100"});
    model.setContent(profile,
                     std::make_shared<TopDownRows>(profile->tree, Metric::Calls, Chains::Open),
                     Metric::Calls);
    QCOMPARE(textOf(model),
             list({"main | 1 | 102 | 99.0 % | 1", "  often | 100 | 100 | 98.0 % | 100",
                   "  slow | 1 | 1 | 1.0 % | 1"}));
    QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Self, calls"));
}

void CallTreeTest::hasMeansAndPlaces()
{
    CallTreeModel model;
    const auto profile = test::profileFrom({"main;f@lib.lua:7 60 calls=30", "main;[C] print 1"});
    model.setContent(profile, rowsOf(*profile, 0), Metric::Time);
    const QModelIndex f = model.index(0, 0, model.index(0, 0));
    QCOMPARE(cell(f, CallTreeColumn::Mean), QStringLiteral("2.000 µs"));
    QCOMPARE(cell(f, CallTreeColumn::Location), QStringLiteral("lib.lua:7"));
    QCOMPARE(cell(f, CallTreeColumn::TotalBytes), QStringLiteral("–"));
    QCOMPARE(
        f.siblingAtColumn(static_cast<int>(CallTreeColumn::Self)).data(ExactTextRole).toString(),
        QStringLiteral("60000"));
    QVERIFY(
        f.siblingAtColumn(static_cast<int>(CallTreeColumn::SelfShare)).data(ShareRole).isValid());
    QVERIFY(f.data(Qt::ToolTipRole).toString().contains(QStringLiteral("lib.lua:7")));
    QVERIFY(!isMeasured(CallTreeColumn::SelfBytes, *profile, Metric::Time));
    QCOMPARE(model.headerData(static_cast<int>(CallTreeColumn::Self), Qt::Horizontal, ExactTextRole)
                 .toString(),
             QStringLiteral("Self (ns)"));
}

void CallTreeTest::modelIsSound_data()
{
    QTest::addColumn<int>("shape");
    QTest::newRow("top-down") << 0;
    QTest::newRow("folded") << 1;
    QTest::newRow("bottom-up") << 2;
}

/// Every index of a random tree leads back to itself by way of its parent.
void CallTreeTest::modelIsSound()
{
    QFETCH(int, shape);
    CallTreeModel model;
    const auto profile = test::largeProfile(500, 30, 3, 15);
    model.setContent(profile, rowsOf(*profile, shape), Metric::Time);
    // Made afterwards: it fetches rows while a reset is still being announced.
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    std::vector<QModelIndex> open{QModelIndex()};
    for (std::size_t i = 0; i < open.size() && i < 400; ++i) {
        const QModelIndex parent = open[i];
        if (model.canFetchMore(parent))
            model.fetchMore(parent);
        QCOMPARE(model.hasChildren(parent), model.rowCount(parent) > 0);
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex child = model.index(row, 0, parent);
            QCOMPARE(child.parent(), parent);
            QCOMPARE(child.row(), row);
            QCOMPARE(model.indexOf(model.rowAt(child)), child);
            open.push_back(child);
        }
    }
    QVERIFY(open.size() > 100u);
}

void CallTreeTest::walksDeepTrees()
{
    CallTreeModel model;
    const auto profile = test::deepProfile(200'000);
    model.setContent(profile, rowsOf(*profile, 0), Metric::Time);
    QModelIndex index = model.index(0, 0);
    int depth = 1;
    for (; model.rowCount(index) > 0; ++depth)
        index = model.index(0, 0, index);
    QCOMPARE(depth, 200'000);
    QCOMPARE(depthOf(index), 199'999);
    model.setContent(profile, rowsOf(*profile, 1), Metric::Time);
    QVERIFY(model.rowCount() == 1);
}

void CallTreeTest::opensTheHeaviestChain()
{
    Fixture test(program);
    QCOMPARE(test.visible(), list({"main", "a", "b", "c", "d", "e"}));
    test.setProfile(test::profileFrom({"p 30", "q 30", "r 30"}));
    QCOMPARE(test.visible(), list({"p", "q", "r"}));
    test.document.clear();
    test.setProfile(test::deepProfile(100));
    QCOMPARE(test.visible().size(), 6);
}

void CallTreeTest::followsTheHotPath()
{
    Fixture test(program);
    test.table().collapseAll();
    test.table().setCurrentIndex(test.at("main"));
    test.press(Qt::Key_H);
    QCOMPARE(test.current(), QStringLiteral("c"));
    QVERIFY(test.table().isExpanded(test.at("main;a;b")));
    test.press(Qt::Key_H);
    QVERIFY(test.view.notice().contains(QStringLiteral("ends here")));
    test.table().setCurrentIndex(test.at("main;e"));
    test.press(Qt::Key_H);
    QCOMPARE(test.current(), QStringLiteral("print"));
}

void CallTreeTest::opensSingleCalleesTogether()
{
    Fixture test({"main 10", "main;a;b;c 20", "main;a;b;d 20", "main;x 50"});
    test.table().collapseAll();
    test.table().expand(test.at("main"));
    QCOMPARE(test.visible(), list({"main", "x", "a"}));
    test.table().expand(test.at("main;a"));
    QCOMPARE(test.visible(), list({"main", "x", "a", "b", "c", "d"}));
}

void CallTreeTest::opensEverythingBelow()
{
    Fixture test(program);
    test.table().collapseAll();
    test.table().setCurrentIndex(test.at("main"));
    test.press(Qt::Key_Asterisk);
    QCOMPARE(test.visible(), list({"main", "a", "b", "c", "d", "e", "print"}));
    QVERIFY(test.view.notice().contains(QStringLiteral("path")));
}

void CallTreeTest::stopsOpeningAtALimit()
{
    Fixture test(program);
    test.setProfile(test::largeProfile(30'000, 100));
    const QModelIndex first = test.model().index(0, 0);
    test.table().collapseAll();
    test.table().setCurrentIndex(first);
    test.press(Qt::Key_Asterisk);
    QVERIFY2(test.view.notice().contains(QStringLiteral("heaviest first")),
             qPrintable(test.view.notice()));
}

void CallTreeTest::movesByArrows()
{
    Fixture test(program);
    test.table().setCurrentIndex(test.at("main;e"));
    QVERIFY(!test.table().isExpanded(test.at("main;e")));
    test.press(Qt::Key_Right);
    QVERIFY(test.table().isExpanded(test.at("main;e")));
    test.press(Qt::Key_Right);
    QCOMPARE(test.current(), QStringLiteral("print"));
    test.press(Qt::Key_Left);
    QCOMPARE(test.current(), QStringLiteral("e"));
    test.press(Qt::Key_Left);
    QVERIFY(!test.table().isExpanded(test.at("main;e")));
    test.press(Qt::Key_Up);
    QCOMPARE(test.current(), QStringLiteral("d"));
}

void CallTreeTest::selectsInTheDocument()
{
    Fixture test(program);
    QSignalSpy activated(&test.view, &CallTreeView::functionActivated);
    QTest::mouseClick(test.table().viewport(), Qt::LeftButton, {},
                      test.table().visualRect(test.at("main;a;b;c")).center());
    QCOMPARE(test.document.currentFunction(), functionNamed(*test.document.profile(), "c"));
    QCOMPARE(test.document.profile()->tree->depth(test.document.currentNode()), 4u);
    QVERIFY(activated.isEmpty());
    test.press(Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
}

void CallTreeTest::followsTheDocument()
{
    Fixture test(program);
    const CallTree& tree = *test.document.profile()->tree;
    NodeId print;
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        if (tree.function(NodeId(node)) == functionNamed(*test.document.profile(), "print"))
            print = NodeId(node);
    }
    test.document.setCurrentNode(print);
    QCOMPARE(test.current(), QStringLiteral("print"));
    QVERIFY(test.table().isExpanded(test.at("main;e")));
    test.document.setCurrentFunction(functionNamed(*test.document.profile(), "a"));
    QVERIFY(!test.table().currentIndex().isValid());
    test.document.goBack();
    QCOMPARE(test.current(), QStringLiteral("print"));
}

void CallTreeTest::keepsItsStateOverANewRun()
{
    Fixture test(program);
    test.table().expand(test.at("main;e"));
    test.table().collapse(test.at("main;a"));
    test.table().setCurrentIndex(test.at("main;e;print"));
    std::vector<std::string> changed = program;
    changed.push_back("main;new 500");
    test.setProfile(test::profileFrom(changed));
    QCOMPARE(test.visible(), list({"main", "new", "a", "e", "print"}));
    QCOMPARE(test.current(), QStringLiteral("print"));
}

void CallTreeTest::showsPathsThroughTheSelection()
{
    Fixture test({"main 10", "main;a;f 20", "main;a;f;g 5", "main;b;f 1", "main;b;x 100"});
    test.view.setShape(CallTreeView::Shape::PathsThroughCurrent);
    QVERIFY(!test.table().isVisible());
    test.document.setCurrentFunction(functionNamed(*test.document.profile(), "f"));
    QVERIFY(test.table().isVisible());
    test.table().setCurrentIndex(test.at("main"));
    test.press(Qt::Key_Asterisk);
    QCOMPARE(test.visible(), list({"main", "a", "f", "g", "b", "f"}));
    QCOMPARE(cell(test.at("main"), CallTreeColumn::Total), QStringLiteral("26.0 µs"));
    // Moving within the paths keeps them; a choice elsewhere changes them.
    test.table().setCurrentIndex(test.at("main;a"));
    QCOMPARE(test.visible().size(), 6);
    QCOMPARE(test.document.currentFunction(), functionNamed(*test.document.profile(), "a"));
    test.document.setCurrentFunction(functionNamed(*test.document.profile(), "x"));
    QVERIFY(test.at("main;b;x").isValid());
    QVERIFY(!test.at("main;a").isValid());
}

void CallTreeTest::showsCallersBottomUp()
{
    Fixture test(program);
    test.view.setShape(CallTreeView::Shape::BottomUp);
    QCOMPARE(test.visible().constFirst(), QStringLiteral("c"));
    test.table().setCurrentIndex(test.at("c"));
    QCOMPARE(test.document.currentFunction(), functionNamed(*test.document.profile(), "c"));
    test.press(Qt::Key_Right);
    QCOMPARE(test.visible().mid(0, 4), list({"c", "b", "a", "main"}));
    test.document.setCurrentFunction(functionNamed(*test.document.profile(), "e"));
    QCOMPARE(test.current(), QStringLiteral("e"));
}

void CallTreeTest::foldsChains()
{
    Fixture test({"main;run;loop 0.1", "main;run;loop;f 60", "main;run;loop;g 40"});
    test.view.setChainsFolded(true);
    QCOMPARE(test.visible(), list({"main › run › loop", "f", "g"}));
    const QModelIndex chain = test.model().index(0, 0);
    QCOMPARE(cell(chain, CallTreeColumn::Total), QStringLiteral("100.1 µs"));
    QCOMPARE(cell(chain, CallTreeColumn::Self), QStringLiteral("100 ns"));
    test.table().setCurrentIndex(chain);
    QCOMPARE(test.document.currentFunction(), functionNamed(*test.document.profile(), "loop"));
    test.view.setChainsFolded(false);
    QCOMPARE(test.current(), QStringLiteral("loop"));
}

void CallTreeTest::copiesRows()
{
    Fixture test(program);
    QSignalSpy copied(&test.view, &CallTreeView::rowsCopied);
    test.table().setCurrentIndex(test.at("main;a"));
    test.press(Qt::Key_Down, Qt::ShiftModifier);
    test.press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied.value(0).value(0).toInt(), 2);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QVERIFY(lines[0].startsWith(QStringLiteral("Function\tSelf\tSelf %\tTotal")));
    QVERIFY(lines[1].startsWith(QStringLiteral("a\t5.000 µs\t5.0 %\t75.0 µs")));
    QVERIFY(lines[2].startsWith(QStringLiteral("b\t")));
}

void CallTreeTest::searches()
{
    Fixture test(program);
    test.document.setSearchText(QStringLiteral("print"));
    QVERIFY(test.hasLabel(QStringLiteral("1 path(s), 10.0 % of time")));
    QVERIFY(test.at("main;e;print").data(Qt::FontRole).isValid());
    QVERIFY(!test.at("main;e").data(Qt::FontRole).isValid());
    test.view.showNextMatch();
    QCOMPARE(test.current(), QStringLiteral("print"));
    test.document.setSearchText(QStringLiteral("/^[ce] /"));
    test.view.showNextMatch();
    QCOMPARE(test.current(), QStringLiteral("c"));
    test.view.showNextMatch();
    QCOMPARE(test.current(), QStringLiteral("e"));
    test.view.showPreviousMatch();
    QCOMPARE(test.current(), QStringLiteral("c"));
    test.document.setSearchText(QStringLiteral("nowhere"));
    test.view.showNextMatch();
    QCOMPARE(test.current(), QStringLiteral("c"));
    QVERIFY(test.hasLabel(QStringLiteral("No match")));
}

void CallTreeTest::showsOneBranch()
{
    Fixture test(program);
    test.table().setTop(test.at("main;a"));
    QCOMPARE(test.visible().constFirst(), QStringLiteral("b"));
    test.document.setCurrentNode(test.model().rows().node(test.model().rowAt(test.at("main;e"))));
    QVERIFY(!test.table().hasTop());
    QCOMPARE(test.current(), QStringLiteral("e"));
}

void CallTreeTest::reachesRowsOfAnyDepth()
{
    Fixture test(program);
    test.setProfile(test::deepProfile(200'000));
    QTRY_COMPARE(test.model().profile().tree->nodeCount(), 200'001u);
    test.document.setCurrentNode(NodeId(150'000));
    QCOMPARE(test.model().rows().node(test.model().rowAt(test.table().currentIndex())),
             NodeId(150'000));
    QVERIFY(test.table().hasTop());
    QVERIFY(test.table().visualRect(test.table().currentIndex()).isValid());
    for (int i = 0; i < 40; ++i)
        test.press(Qt::Key_H);
    QVERIFY(test.view.grab().width() > 0);
}

void CallTreeTest::saysWhenThereIsNothing()
{
    Fixture test(program);
    test.document.clear();
    QVERIFY(!test.table().isVisible());
    test.setProfile(test::profileFrom(program));
    QVERIFY(test.table().isVisible());
}

void CallTreeTest::remembersOptions()
{
    Fixture first(program);
    first.view.setChainsFolded(true);
    first.view.setShape(CallTreeView::Shape::BottomUp);
    Fixture second(program);
    second.view.restoreOptions(first.view.saveOptions());
    QCOMPARE(second.view.saveOptions(), first.view.saveOptions());
    QCOMPARE(second.view.shape(), CallTreeView::Shape::BottomUp);
}

QTEST_MAIN(CallTreeTest)
#include "tst_calltreeview.moc"
