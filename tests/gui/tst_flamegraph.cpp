// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/Document.h"
#include "gui/views/FlameActions.h"
#include "gui/views/FlameBreadcrumbs.h"
#include "gui/views/FlameCanvas.h"
#include "gui/views/FlameExport.h"
#include "gui/views/FlameGraphView.h"
#include "gui/views/Theme.h"
#include "tests/support/TestProfiles.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace perilune;

namespace {

const std::vector<std::string> stacks = {
    "main 10",          "main;parse 20 calls=4", "main;parse;next@lex.lua:7 30 calls=900",
    "main;[C] print 5", "main;emit 15",          "main;emit;parse 20"};

/// A view with a profile, of 1000 pixels' width so that 1 % of it is 10 pixels.
class Fixture
{
public:
    explicit Fixture(const std::vector<std::string>& lines = stacks)
        : view(document)
    {
        setProfile(test::profileFrom(lines));
        view.resize(1000, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }

    void setProfile(const std::shared_ptr<const Profile>& profile)
    {
        document.setProfile(profile,
                            std::make_shared<FunctionTable>(FunctionTable::compute(*profile)));
    }

    FlameCanvas& canvas() { return view.canvas(); }
    const FlameLayout& layout() { return *canvas().layout(); }

    QString nameOf(std::optional<std::uint32_t> bar)
    {
        if (!bar)
            return {};
        const FunctionId function = layout().tree().function(layout().node(*bar));
        return displayName(canvas().profile()->function(function));
    }

    /// The n-th bar of this name, by level and from left to right.
    std::uint32_t barNamed(const QString& name, int n = 0)
    {
        for (std::uint32_t bar = 0; bar < layout().barCount(); ++bar) {
            if (nameOf(bar) == name && n-- == 0)
                return bar;
        }
        return UINT32_MAX;
    }

    QPoint centreOf(std::uint32_t bar)
    {
        return canvas().rectOfBar(bar).intersected(canvas().viewport()->rect()).center();
    }
    void click(std::uint32_t bar)
    {
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, centreOf(bar));
    }
    void doubleClick(std::uint32_t bar)
    {
        QTest::mouseDClick(canvas().viewport(), Qt::LeftButton, {}, centreOf(bar));
    }
    void wheel(const QPoint& point, int delta, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(point, canvas().viewport()->mapToGlobal(point), {}, QPoint(0, delta),
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas().viewport(), &event);
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&canvas(), static_cast<Qt::Key>(key), modifiers);
    }
    /// The share of the whole that is visible, in percent.
    int visiblePercent()
    {
        return static_cast<int>(std::lround((canvas().visibleTo() - canvas().visibleFrom()) * 100.0
                                            / static_cast<double>(layout().wholeWidth())));
    }

    Document document;
    FlameGraphView view;
};

std::vector<std::string> wideStacks()
{
    std::vector<std::string> lines{"main;big 1000000"};
    for (int i = 0; i < 500; ++i)
        lines.push_back("main;small" + std::to_string(i) + " 1");
    return lines;
}

} // namespace

class FlameGraphTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void selectsByClick();
    void followsTheDocument();
    void zoomsByDoubleClickAndBack();
    void zoomsFreelyByWheel();
    void pansByDragging();
    void scrollsDepthByWheel();
    void walksByKeys_data();
    void walksByKeys();
    void zoomsByKeys();
    void mergesSmallFrames();
    void searchCountsOncePerStack();
    void searchGoesRound();
    void followsTheWeight();
    void keepsTheZoomOverANewRun();
    void showsBreadcrumbs();
    void describesFrames();
    void copies();
    void coloursAreStable();
    void coloursOfFilesDiffer();
    void textIsReadable_data();
    void textIsReadable();
    void rootCanBeAtTheBottom();
    void remembersOptions();
    void exportsPictures();
    void speaksToScreenReaders();
    void saysWhenThereIsNothing();
    void isAsDeepAsTheTree();
    void laysOutLargeTreesElsewhere();
    void paintsInEveryScheme_data();
    void paintsInEveryScheme();
};

void FlameGraphTest::selectsByClick()
{
    Fixture test;
    test.click(test.barNamed(QStringLiteral("next")));
    const NodeId node = test.document.currentNode();
    QVERIFY(node.isValid());
    QCOMPARE(test.document.profile()->function(test.document.currentFunction()).name, "next");
    QCOMPARE(test.nameOf(test.canvas().currentBar()), QStringLiteral("next"));
}

void FlameGraphTest::followsTheDocument()
{
    Fixture test;
    const std::uint32_t bar = test.barNamed(QStringLiteral("parse"), 1);
    test.document.setCurrentNode(test.layout().node(bar));
    QCOMPARE(test.canvas().currentBar(), std::optional(bar));
    test.document.setCurrentFunction(FunctionId(1));
    QVERIFY(!test.canvas().currentBar());
}

void FlameGraphTest::zoomsByDoubleClickAndBack()
{
    Fixture test;
    QSignalSpy zoomed(&test.canvas(), &FlameCanvas::zoomChanged);
    test.doubleClick(test.barNamed(QStringLiteral("parse")));
    QCOMPARE(test.visiblePercent(), 50);
    QCOMPARE(test.nameOf(test.canvas().zoomedBar()), QStringLiteral("parse"));
    QVERIFY(zoomed.count() >= 1);
    test.doubleClick(test.barNamed(QStringLiteral("next")));
    QCOMPARE(test.visiblePercent(), 30);
    test.press(Qt::Key_Backspace);
    QCOMPARE(test.visiblePercent(), 50);
    test.press(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(test.visiblePercent(), 100);
    QVERIFY(!test.canvas().canGoBack());
}

void FlameGraphTest::zoomsFreelyByWheel()
{
    Fixture test;
    const QPoint point = test.centreOf(test.barNamed(QStringLiteral("emit")));
    const double before = test.canvas().geometryOfView().positionAt(point.x());
    for (int i = 0; i < 4; ++i)
        test.wheel(point, 120, Qt::ControlModifier);
    QVERIFY(test.visiblePercent() < 50);
    const double after = test.canvas().geometryOfView().positionAt(point.x());
    QVERIFY(std::abs(after - before) < 0.002 * static_cast<double>(test.layout().wholeWidth()));
    test.canvas().goBack();
    QCOMPARE(test.visiblePercent(), 100);
    for (int i = 0; i < 30; ++i)
        test.wheel(point, -120, Qt::ControlModifier);
    QCOMPARE(test.visiblePercent(), 100);
}

void FlameGraphTest::pansByDragging()
{
    Fixture test;
    test.canvas().zoomTo(test.barNamed(QStringLiteral("parse")));
    const double before = test.canvas().visibleFrom();
    QWidget* viewport = test.canvas().viewport();
    QTest::mousePress(viewport, Qt::LeftButton, {}, QPoint(600, 20));
    QTest::mouseMove(viewport, QPoint(500, 20));
    QTest::mouseMove(viewport, QPoint(400, 20));
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, QPoint(400, 20));
    QVERIFY(test.canvas().visibleFrom() > before);
    QCOMPARE(test.visiblePercent(), 50);
    QVERIFY(!test.document.currentNode().isValid());
}

void FlameGraphTest::scrollsDepthByWheel()
{
    Fixture test;
    test.setProfile(test::deepProfile(200));
    QVERIFY(test.canvas().verticalScrollBar()->maximum() > 0);
    test.wheel(QPoint(100, 50), -120, Qt::NoModifier);
    QVERIFY(test.canvas().verticalScrollBar()->value() > 0);
    QCOMPARE(test.visiblePercent(), 100);
}

void FlameGraphTest::walksByKeys_data()
{
    QTest::addColumn<QList<int>>("keys");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* title, QList<int> keys, const char* name) {
        QTest::newRow(title) << keys << QString::fromLatin1(name);
    };
    row("starts at the root", {Qt::Key_Down}, "(interpreter)");
    row("down", {Qt::Key_Down, Qt::Key_Down}, "main");
    row("heaviest child", {Qt::Key_Down, Qt::Key_Down, Qt::Key_Down}, "parse");
    row("sibling", {Qt::Key_Down, Qt::Key_Down, Qt::Key_Down, Qt::Key_Right}, "emit");
    row("ends at the last sibling",
        {Qt::Key_Down, Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Right, Qt::Key_Right},
        "print");
    row("back", {Qt::Key_Down, Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Left}, "parse");
    row("up", {Qt::Key_Down, Qt::Key_Down, Qt::Key_Down, Qt::Key_Up}, "main");
    row("end", {Qt::Key_End}, "next");
    row("home", {Qt::Key_End, Qt::Key_Home}, "(interpreter)");
}

void FlameGraphTest::walksByKeys()
{
    QFETCH(QList<int>, keys);
    QFETCH(QString, name);
    Fixture test;
    for (const int key : keys)
        test.press(key);
    QCOMPARE(test.nameOf(test.canvas().currentBar()), name);
    QCOMPARE(test.document.currentNode(), test.layout().node(*test.canvas().currentBar()));
}

void FlameGraphTest::zoomsByKeys()
{
    Fixture test;
    test.click(test.barNamed(QStringLiteral("next")));
    test.press(Qt::Key_Return);
    QCOMPARE(test.visiblePercent(), 30);
    test.press(Qt::Key_Minus);
    QVERIFY(test.visiblePercent() > 30);
    test.press(Qt::Key_Plus);
    QCOMPARE(test.visiblePercent(), 30);
    test.press(Qt::Key_Escape);
    QCOMPARE(test.visiblePercent(), 100);
}

void FlameGraphTest::mergesSmallFrames()
{
    Fixture test(wideStacks());
    const int y = test.canvas().rectOfBar(test.barNamed(QStringLiteral("big"))).center().y();
    const QRect run = test.canvas().rectOfBar(test.barNamed(QStringLiteral("small0")));
    const auto hit = test.canvas().hitAt(QPoint(run.left(), y));
    QVERIFY(hit);
    QVERIFY(hit->isMerged);
    QCOMPARE(hit->barCount, 500u);
    QTest::mouseMove(test.canvas().viewport(), QPoint(run.left(), y));
    QVERIFY2(test.view.detailsText().startsWith(QStringLiteral("500 small frame")),
             qPrintable(test.view.detailsText()));
    QTest::mouseDClick(test.canvas().viewport(), Qt::LeftButton, {}, QPoint(run.left(), y));
    const auto inside = test.canvas().hitAt(QPoint(500, y));
    QVERIFY(inside);
    QVERIFY(!inside->isMerged || inside->barCount < 500);
}

void FlameGraphTest::searchCountsOncePerStack()
{
    Fixture test;
    test.document.setSearchText(QStringLiteral("parse"));
    QVERIFY2(test.view.searchResult().endsWith(QStringLiteral("70.0 % of time")),
             qPrintable(test.view.searchResult()));
    QVERIFY(test.view.searchResult().startsWith(QLatin1Char('2')));
    test.document.setSearchText(QStringLiteral("/^(parse|next)/"));
    QVERIFY2(test.view.searchResult().endsWith(QStringLiteral("70.0 % of time")),
             qPrintable(test.view.searchResult()));
    test.document.setSearchText(QStringLiteral("nowhere"));
    QCOMPARE(test.view.searchResult(), QStringLiteral("No match"));
    test.document.setSearchText(QString());
    QCOMPARE(test.view.searchResult(), QString());
}

void FlameGraphTest::searchGoesRound()
{
    Fixture test;
    test.document.setSearchText(QStringLiteral("parse"));
    test.press(Qt::Key_F3);
    const std::uint32_t first = test.barNamed(QStringLiteral("parse"), 0);
    const std::uint32_t second = test.barNamed(QStringLiteral("parse"), 1);
    QCOMPARE(test.canvas().currentBar(), std::optional(first));
    test.press(Qt::Key_F3);
    QCOMPARE(test.canvas().currentBar(), std::optional(second));
    test.press(Qt::Key_F3);
    QCOMPARE(test.canvas().currentBar(), std::optional(first));
    test.press(Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(test.canvas().currentBar(), std::optional(second));
    QVERIFY(test.view.searchResult().startsWith(QStringLiteral("2 of 2")));
}

void FlameGraphTest::followsTheWeight()
{
    Fixture test;
    test.document.setWeight(Metric::Calls);
    QCOMPARE(test.layout().metric(), Metric::Calls);
    const std::uint32_t next = test.barNamed(QStringLiteral("next"));
    QCOMPARE(test.layout().widthOf(next), 900u);
}

void FlameGraphTest::keepsTheZoomOverANewRun()
{
    Fixture test;
    test.canvas().zoomTo(test.barNamed(QStringLiteral("next")));
    test.setProfile(test::profileFrom({"main 1", "main;parse;next@lex.lua:7 500", "other 499"}));
    QCOMPARE(test.nameOf(test.canvas().zoomedBar()), QStringLiteral("next"));
    QCOMPARE(test.visiblePercent(), 50);
    test.view.setOrder(FlameOrder::Name);
    QCOMPARE(test.nameOf(test.canvas().zoomedBar()), QStringLiteral("next"));
    test.setProfile(test::profileFrom({"other 500"}));
    QCOMPARE(test.visiblePercent(), 100);
}

void FlameGraphTest::showsBreadcrumbs()
{
    Fixture test;
    const auto* crumbs = test.view.findChild<FlameBreadcrumbs*>();
    QCOMPARE(crumbs->texts(), QStringList{QStringLiteral("(interpreter)")});
    test.canvas().zoomTo(test.barNamed(QStringLiteral("next")));
    QCOMPARE(crumbs->texts(),
             QStringList({QStringLiteral("(interpreter)"), QStringLiteral("main"),
                          QStringLiteral("parse"), QStringLiteral("next")}));
    test.setProfile(test::deepProfile(200));
    test.canvas().zoomTo(test.canvas().layout()->barCount() - 1);
    QCOMPARE(crumbs->texts().size(), 5);
    QCOMPARE(crumbs->texts().at(1), QStringLiteral("…"));
}

void FlameGraphTest::describesFrames()
{
    Fixture test;
    test.click(test.barNamed(QStringLiteral("next")));
    const QString text = test.view.detailsText();
    for (const char* part :
         {"next", "lex.lua:7", "self 30.0 µs (30.0 %)", "total 30.0 µs", "900 call"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    QVERIFY(test.canvas()
                .describe({test.barNamed(QStringLiteral("next")), 1, 0, 1, false})
                .contains(QStringLiteral("30,000 ns")));
}

void FlameGraphTest::copies()
{
    Fixture test;
    test.click(test.barNamed(QStringLiteral("parse"), 0));
    test.press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("parse"));
    QCOMPARE(test.view.actions().currentStack(), QStringLiteral("main;parse"));
    test.view.actions().copySubTree();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("parse 20000\nparse;next 30000\n"));
}

void FlameGraphTest::coloursAreStable()
{
    const auto colorOfNext = [](const std::vector<std::string>& lines, FlameColorMode mode) {
        Fixture test(lines);
        test.view.setColors(mode, FlameColorSet::Many);
        const std::uint32_t bar = test.barNamed(QStringLiteral("next"));
        return test.canvas().scheme()->colorOf(test.layout(), bar);
    };
    const std::vector<std::string> other = {"main;next@lex.lua:7 2", "main;zzz 3", "main 900"};
    for (const FlameColorMode mode :
         {FlameColorMode::File, FlameColorMode::Function, FlameColorMode::Package})
        QCOMPARE(colorOfNext(stacks, mode), colorOfNext(other, mode));
}

void FlameGraphTest::coloursOfFilesDiffer()
{
    std::vector<std::string> lines;
    for (int i = 0; i < 16; ++i)
        lines.push_back("main@main.lua:1;f" + std::to_string(i) + "@file" + std::to_string(i)
                        + ".lua:1 10");
    lines.erase(lines.begin());
    Fixture test(lines);
    QSet<QRgb> hues;
    for (const FlameScheme::LegendEntry& entry : test.canvas().scheme()->legend().entries)
        hues.insert(entry.color.rgb());
    QCOMPARE(hues.size(), 17); // 16 files and the interpreter
}

void FlameGraphTest::textIsReadable_data()
{
    QTest::addColumn<ColorScheme>("scheme");
    QTest::newRow("light") << ColorScheme::Light;
    QTest::newRow("dark") << ColorScheme::Dark;
    QTest::newRow("contrast") << ColorScheme::HighContrast;
}

void FlameGraphTest::textIsReadable()
{
    QFETCH(ColorScheme, scheme);
    const auto profile = test::largeProfile(3000, 500);
    const FunctionTable table = FunctionTable::compute(*profile);
    const auto layout = FlameLayout::build(profile->tree, Metric::Time, FlameOrder::Weight, {});
    for (const FlameColorSet set : {FlameColorSet::Many, FlameColorSet::ColorBlindSafe}) {
        for (const FlameColorMode mode : {FlameColorMode::File, FlameColorMode::Function,
                                          FlameColorMode::Kind, FlameColorMode::SelfShare}) {
            const FlameColors colors(profile, table, Metric::Time, mode, set,
                                     paletteForScheme(scheme, QPalette()));
            for (std::uint32_t bar = 0; bar < layout->barCount(); ++bar) {
                const QRgb color = colors.colorOf(*layout, bar);
                QVERIFY(contrastRatio(QColor(color), QColor(textColorOn(color))) >= 4.5);
            }
        }
    }
}

void FlameGraphTest::rootCanBeAtTheBottom()
{
    Fixture test;
    const std::uint32_t next = test.barNamed(QStringLiteral("next"));
    QVERIFY(test.canvas().rectOfBar(0).top() < test.canvas().rectOfBar(next).top());
    test.view.setDirection(FlameDirection::Flame);
    QVERIFY(test.canvas().rectOfBar(0).top() > test.canvas().rectOfBar(next).top());
    QCOMPARE(test.canvas().rectOfBar(0).bottom(), test.canvas().viewport()->rect().bottom());
    test.click(0);
    test.press(Qt::Key_Up);
    QCOMPARE(test.nameOf(test.canvas().currentBar()), QStringLiteral("main"));
}

void FlameGraphTest::remembersOptions()
{
    Fixture first;
    first.view.setOrder(FlameOrder::Name);
    first.view.setDirection(FlameDirection::Flame);
    first.view.setColors(FlameColorMode::Kind, FlameColorSet::ColorBlindSafe);
    Fixture second;
    QSignalSpy changed(&second.view, &FlameGraphView::optionsChanged);
    second.view.restoreOptions(first.view.saveOptions());
    QCOMPARE(second.view.saveOptions(), first.view.saveOptions());
    QCOMPARE(second.canvas().direction(), FlameDirection::Flame);
    QCOMPARE(second.layout().order(), FlameOrder::Name);
    QVERIFY(!changed.isEmpty());
}

void FlameGraphTest::exportsPictures()
{
    Fixture test({"main 10", "main;a<b>&\"c\" 20"});
    QTemporaryDir folder;
    const auto pathOf = [&](const char* name) {
        return folder.filePath(QString::fromLatin1(name));
    };
    const QString title = QStringLiteral("t<i>tle");
    QCOMPARE(writeFlamePicture(test.canvas(), title, FlamePicture::Svg, pathOf("a.svg")),
             QString());
    QCOMPARE(writeFlamePicture(test.canvas(), title, FlamePicture::Png, pathOf("a.png")),
             QString());
    QCOMPARE(writeFlamePicture(test.canvas(), title, FlamePicture::Pdf, pathOf("a.pdf")),
             QString());
    QSvgRenderer svg(pathOf("a.svg"));
    QVERIFY(svg.isValid());
    const QByteArray text = flameSvg(test.canvas(), title, 1000);
    QVERIFY(text.contains("a&lt;b&gt;&amp;&quot;c&quot;"));
    QVERIFY(text.contains("<title>"));
    const QImage image(pathOf("a.png"));
    QVERIFY(image.width() >= 2 * test.canvas().viewport()->width());
    QFile pdf(pathOf("a.pdf"));
    QVERIFY(pdf.open(QIODevice::ReadOnly));
    QVERIFY(pdf.read(5) == "%PDF-");
    const QString problem = writeFlamePicture(test.canvas(), title, FlamePicture::Png,
                                              QStringLiteral("/nowhere/a.png"));
    QVERIFY(!problem.isEmpty());
}

void FlameGraphTest::speaksToScreenReaders()
{
    Fixture test;
    QAccessibleInterface* graph = QAccessible::queryAccessibleInterface(&test.canvas());
    QVERIFY(graph);
    QCOMPARE(graph->role(), QAccessible::Tree);
    QVERIFY(!graph->text(QAccessible::Name).isEmpty());
    QCOMPARE(graph->childCount(), 7);
    QAccessibleInterface* frame = graph->child(1);
    QVERIFY(frame && frame->isValid());
    QCOMPARE(frame->role(), QAccessible::TreeItem);
    QCOMPARE(frame->text(QAccessible::Name), QStringLiteral("main"));
    QVERIFY(frame->text(QAccessible::Value).contains(QStringLiteral("100.0")));
    QVERIFY(frame->rect().width() > 900);
    QCOMPARE(graph->indexOfChild(frame), 1);
    test.click(1);
    QCOMPARE(graph->focusChild(), frame);
    QVERIFY(frame->state().selected);
    test.setProfile(test::profileFrom({"other 1"}));
    QCOMPARE(graph->childCount(), 2);
    QCOMPARE(graph->child(1)->text(QAccessible::Name), QStringLiteral("other"));
}

void FlameGraphTest::saysWhenThereIsNothing()
{
    Fixture test;
    QVERIFY(test.canvas().isVisible());
    test.document.setWeight(Metric::Bytes);
    QVERIFY(!test.canvas().isVisible());
    test.document.setWeight(Metric::Time);
    QVERIFY(test.canvas().isVisible());
    test.document.clear();
    QVERIFY(!test.canvas().isVisible());
}

void FlameGraphTest::isAsDeepAsTheTree()
{
    Fixture test;
    test.setProfile(test::deepProfile(200'000));
    QTRY_COMPARE(test.layout().levelCount(), 200'001u);
    test.press(Qt::Key_End);
    QCOMPARE(test.layout().levelOf(*test.canvas().currentBar()), 200'000u);
    test.press(Qt::Key_Return);
    QVERIFY(test.canvas().isZoomed());
    QVERIFY(!test.canvas().viewport()->grab().isNull());
    test.press(Qt::Key_Home);
    QCOMPARE(test.canvas().currentBar(), std::optional(0u));
}

void FlameGraphTest::laysOutLargeTreesElsewhere()
{
    Fixture test;
    test.setProfile(test::largeProfile(60'000, 1000));
    test.setProfile(test::largeProfile(70'000, 1000));
    QTRY_COMPARE(test.layout().tree().nodeCount(), 70'000u);
    QTest::qWait(50); // the first of the two must not come late
    QCOMPARE(test.layout().tree().nodeCount(), 70'000u);
}

void FlameGraphTest::paintsInEveryScheme_data()
{
    textIsReadable_data();
}

/// The structure of the picture: a row of frames per level, edge to edge, and the background
/// beneath.
void FlameGraphTest::paintsInEveryScheme()
{
    QFETCH(ColorScheme, scheme);
    Fixture test;
    test.view.setPalette(paletteForScheme(scheme, QPalette()));
    const QImage image = test.canvas().viewport()->grab().toImage();
    const QRgb background = test.canvas().palette().color(QPalette::Base).rgb();
    const auto colorAt = [&](const QPoint& point) { return image.pixel(point) | 0xff000000; };
    for (std::uint32_t bar = 0; bar < test.layout().barCount(); ++bar) {
        const QRect box = test.canvas().rectOfBar(bar);
        const QRgb expected = test.canvas().scheme()->colorOf(test.layout(), bar);
        QCOMPARE(colorAt(box.bottomRight() - QPoint(5, 2)), expected | 0xff000000);
    }
    const QPoint beneath(20, test.canvas().rectOfBar(test.layout().barCount() - 1).bottom() + 30);
    QCOMPARE(colorAt(beneath), background | 0xff000000);
}

QTEST_MAIN(FlameGraphTest)
#include "tst_flamegraph.moc"
