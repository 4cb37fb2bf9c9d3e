// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/Document.h"
#include "tests/support/TestProfiles.h"

#include <QSignalSpy>
#include <QTest>

using namespace perilune;

namespace {

struct Loaded
{
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const FunctionTable> table;
};

Loaded load(const std::vector<std::string>& stacks)
{
    auto profile = test::profileFrom(stacks);
    auto table = std::make_shared<const FunctionTable>(FunctionTable::compute(*profile));
    return {profile, table};
}

FunctionId functionNamed(const Profile& profile, const std::string& name)
{
    for (std::uint32_t index = 0; index < profile.functions.size(); ++index) {
        if (profile.functions[index].name == name)
            return FunctionId(index);
    }
    return {};
}

/// The node reached from the root by these names.
NodeId nodeAt(const Profile& profile, const std::vector<std::string>& path)
{
    const CallTree& tree = *profile.tree;
    NodeId node = tree.root();
    for (const std::string& name : path) {
        NodeId next;
        for (std::uint32_t row = 0; row < tree.childCount(node); ++row) {
            const NodeId child = tree.child(node, row);
            if (profile.function(tree.function(child)).name == name)
                next = child;
        }
        if (!next.isValid())
            return {};
        node = next;
    }
    return node;
}

void show(Document& document, const Loaded& loaded)
{
    document.setProfile(loaded.profile, loaded.table);
}

} // namespace

class DocumentTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void beginsEmpty();
    void selectsFunctionsAndPaths();
    void emitsNothingWithoutChange();
    void goesBackAndForward();
    void forgetsWhatLayAhead();
    void linesMakeNoHistory();
    void nobodyGoesBackToNowhere();
    void findsTheSelectionInTheNextProfile();
    void clearsWhatIsGone();
    void clearForgets();
};

void DocumentTest::beginsEmpty()
{
    const Document document;
    QVERIFY(document.isEmpty());
    QVERIFY(document.profile());
    QVERIFY(document.table());
    QVERIFY(!document.currentFunction().isValid());
    QVERIFY(!document.canGoBack());
    QVERIFY(!document.canGoForward());
}

void DocumentTest::selectsFunctionsAndPaths()
{
    Document document;
    const Loaded loaded = load({"main;work@a.lua:7 30", "main;other;work@a.lua:7 5"});
    show(document, loaded);
    const FunctionId work = functionNamed(*loaded.profile, "work");
    document.setCurrentFunction(work);
    QCOMPARE(document.currentFunction(), work);
    QVERIFY(!document.currentNode().isValid());
    QCOMPARE(document.currentLine().line, 7);

    const NodeId node = nodeAt(*loaded.profile, {"main", "other", "work"});
    QVERIFY(node.isValid());
    document.setCurrentNode(node);
    QCOMPARE(document.currentNode(), node);
    QCOMPARE(document.currentFunction(), work);
    document.setCurrentFunction(work); // Leaves the path.
    QVERIFY(!document.currentNode().isValid());
}

void DocumentTest::emitsNothingWithoutChange()
{
    Document document;
    const Loaded loaded = load({"main;work 30"});
    show(document, loaded);
    const FunctionId work = functionNamed(*loaded.profile, "work");
    QSignalSpy functionSpy(&document, &Document::currentFunctionChanged);
    QSignalSpy weightSpy(&document, &Document::weightChanged);
    QSignalSpy searchSpy(&document, &Document::searchTextChanged);
    document.setCurrentFunction(work);
    document.setCurrentFunction(work);
    document.setWeight(Metric::Calls);
    document.setWeight(Metric::Calls);
    document.setSearchText(QStringLiteral("w"));
    document.setSearchText(QStringLiteral("w"));
    QCOMPARE(functionSpy.count(), 1);
    QCOMPARE(weightSpy.count(), 1);
    QCOMPARE(searchSpy.count(), 1);
}

void DocumentTest::goesBackAndForward()
{
    Document document;
    const Loaded loaded = load({"main;a 1", "main;b 1", "main;c 1"});
    show(document, loaded);
    const FunctionId a = functionNamed(*loaded.profile, "a");
    const FunctionId b = functionNamed(*loaded.profile, "b");
    const NodeId c = nodeAt(*loaded.profile, {"main", "c"});
    document.setCurrentFunction(a);
    document.setCurrentFunction(b);
    document.setCurrentNode(c);
    document.goBack();
    QCOMPARE(document.currentFunction(), b);
    document.goBack();
    QCOMPARE(document.currentFunction(), a);
    QVERIFY(!document.canGoBack());
    document.goForward();
    document.goForward();
    QCOMPARE(document.currentNode(), c);
    QVERIFY(!document.canGoForward());
    document.goTo(0);
    QCOMPARE(document.currentFunction(), a);
}

void DocumentTest::forgetsWhatLayAhead()
{
    Document document;
    const Loaded loaded = load({"main;a 1", "main;b 1", "main;c 1"});
    show(document, loaded);
    document.setCurrentFunction(functionNamed(*loaded.profile, "a"));
    document.setCurrentFunction(functionNamed(*loaded.profile, "b"));
    document.goBack();
    document.setCurrentFunction(functionNamed(*loaded.profile, "c"));
    QVERIFY(!document.canGoForward());
    document.goBack();
    QCOMPARE(document.currentFunction(), functionNamed(*loaded.profile, "a"));
}

void DocumentTest::linesMakeNoHistory()
{
    Document document;
    const Loaded loaded = load({"main;a@x.lua:3 1", "main;b@x.lua:9 1"});
    show(document, loaded);
    document.setCurrentFunction(functionNamed(*loaded.profile, "a"));
    const SourceLine line = {document.currentLine().source, 5};
    document.setCurrentLine(line);
    QVERIFY(!document.canGoBack());
    document.setCurrentFunction(functionNamed(*loaded.profile, "b"));
    QCOMPARE(document.currentLine().line, 9);
    document.goBack();
    QCOMPARE(document.currentLine(), line); // As it was left.
}

void DocumentTest::nobodyGoesBackToNowhere()
{
    Document document;
    const Loaded loaded = load({"main;a 1"});
    show(document, loaded);
    document.setCurrentFunction(functionNamed(*loaded.profile, "a"));
    QVERIFY(!document.canGoBack());
}

void DocumentTest::findsTheSelectionInTheNextProfile()
{
    Document document;
    const Loaded first = load({"main@p.lua:1;a@p.lua:2 1", "main@p.lua:1;b@p.lua:3;c@p.lua:4 5"});
    show(document, first);
    document.setCurrentFunction(functionNamed(*first.profile, "a"));
    document.setCurrentNode(nodeAt(*first.profile, {"main", "b", "c"}));

    // Other ids and another order: the new profile has more in front.
    const Loaded second =
        load({"main@p.lua:1;x@p.lua:5;y@p.lua:6 9", "main@p.lua:1;b@p.lua:3;z@p.lua:7 7",
              "main@p.lua:1;b@p.lua:3;c@p.lua:4 2", "main@p.lua:1;a@p.lua:2 3"});
    QSignalSpy profileSpy(&document, &Document::profileChanged);
    QSignalSpy functionSpy(&document, &Document::currentFunctionChanged);
    show(document, second);
    QCOMPARE(profileSpy.count(), 1);
    QCOMPARE(functionSpy.count(), 1);
    QCOMPARE(document.currentNode(), nodeAt(*second.profile, {"main", "b", "c"}));
    QCOMPARE(document.currentFunction(), functionNamed(*second.profile, "c"));
    document.goBack();
    QCOMPARE(document.currentFunction(), functionNamed(*second.profile, "a"));
}

void DocumentTest::clearsWhatIsGone()
{
    Document document;
    const Loaded first = load({"main@p.lua:1;b@p.lua:3;c@p.lua:4 5"});
    show(document, first);
    document.setCurrentNode(nodeAt(*first.profile, {"main", "b", "c"}));
    const Loaded movedAway = load({"main@p.lua:1;c@p.lua:4 5"});
    show(document, movedAway);
    QVERIFY(!document.currentNode().isValid());
    QCOMPARE(document.currentFunction(), functionNamed(*movedAway.profile, "c"));
    show(document, load({"main@p.lua:1;other@p.lua:8 5"}));
    QVERIFY(!document.currentFunction().isValid());
}

void DocumentTest::clearForgets()
{
    Document document;
    const Loaded loaded = load({"main;a 1", "main;b 1"});
    show(document, loaded);
    document.setCurrentFunction(functionNamed(*loaded.profile, "a"));
    document.setCurrentFunction(functionNamed(*loaded.profile, "b"));
    document.clear();
    QVERIFY(document.isEmpty());
    QVERIFY(!document.canGoBack());
    QVERIFY(!document.currentFunction().isValid());
}

QTEST_APPLESS_MAIN(DocumentTest)
#include "tst_document.moc"
