// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/FunctionTableModel.h"
#include "gui/models/ItemRoles.h"
#include "gui/models/TableText.h"
#include "tests/gui/ModelText.h"
#include "tests/support/TestProfiles.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace perilune;

namespace {

constexpr int nameColumn = static_cast<int>(FunctionColumn::Name);
constexpr int selfColumn = static_cast<int>(FunctionColumn::SelfTime);
constexpr int callsColumn = static_cast<int>(FunctionColumn::Calls);
constexpr int locationColumn = static_cast<int>(FunctionColumn::Location);

const std::vector<std::string> program = {
    "[main] main.lua;parse@lib/parser.lua:10 30 calls=3",
    "[main] main.lua;parse@lib/parser.lua:10;[C] string.find 10 calls=300",
    "[main] main.lua;emit@lib/writer.lua:9 30 calls=2",
    "[main] main.lua;Emit@lib/writer.lua:100 30 calls=1",
    "[main] main.lua 0 calls=1",
};

class Fixture
{
public:
    FunctionTableModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    explicit Fixture(const std::vector<std::string>& stacks = program) { show(stacks); }

    void show(const std::vector<std::string>& stacks)
    {
        const auto profile = test::profileFrom(stacks);
        model.setProfile(profile,
                         std::make_shared<const FunctionTable>(FunctionTable::compute(*profile)));
    }

    QStringList names() const { return test::rowsOf(model, {nameColumn}); }

    FunctionFilter textFilter(const QString& text) const
    {
        FunctionFilter filter;
        filter.text = text;
        return filter;
    }
};

} // namespace

class FunctionTableModelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void showsTheDefaultColumns();
    void sortsBySelfAtFirst();
    void sortsColumns_data();
    void sortsColumns();
    void tiesKeepTheirEarlierOrder();
    void sortKeepsPersistentIndexes();
    void filters_data();
    void filters();
    void saysWhatIsWrongWithAPattern();
    void tellsTheShareShown();
    void findsRows();
    void headerExplains();
    void copiesText();
    void showsNoMeanWithoutCalls();
    void survivesProfileChanges();
};

void FunctionTableModelTest::showsTheDefaultColumns()
{
    const Fixture fixture;
    QStringList titles;
    for (int column = 0; column < defaultFunctionColumnCount; ++column)
        titles.append(fixture.model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    QCOMPARE(titles.join(QStringLiteral(" · ")),
             QStringLiteral(
                 "Function · Self · Self % · Total · Total % · Calls · Mean/call · Location"));
    const int row = static_cast<int>(fixture.names().indexOf(QStringLiteral("parse")));
    QCOMPARE(test::rowsOf(fixture.model, {0, 1, 2, 3, 4, 5, 6, 7}).at(row),
             QStringLiteral(
                 "parse | 30.0 µs | 30.0 % | 40.0 µs | 40.0 % | 3 | 13.3 µs | lib/parser.lua:10"));
}

void FunctionTableModelTest::sortsBySelfAtFirst()
{
    const Fixture fixture;
    QCOMPARE(fixture.model.sortColumn(), selfColumn);
    // Equal times by name, whatever the case; the two emits are equal there too and stay as they
    // came.
    QCOMPARE(fixture.names().mid(0, 4),
             (QStringList{QStringLiteral("emit"), QStringLiteral("Emit"), QStringLiteral("parse"),
                          QStringLiteral("string.find")}));
}

void FunctionTableModelTest::sortsColumns_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("order");
    QTest::addColumn<QStringList>("firstTwo");
    const auto list = [](const char* a, const char* b) {
        return QStringList{QString::fromUtf8(a), QString::fromUtf8(b)};
    };
    QTest::newRow("calls down") << callsColumn << int(Qt::DescendingOrder)
                                << list("string.find", "parse");
    QTest::newRow("mean down") << int(FunctionColumn::MeanTime) << int(Qt::DescendingOrder)
                               << list("(interpreter)", "main.lua");
    // By line as a number: 9 before 100.
    QTest::newRow("location up") << locationColumn << int(Qt::AscendingOrder)
                                 << list("parse", "emit");
    QTest::newRow("name down") << nameColumn << int(Qt::DescendingOrder)
                               << list("string.find", "parse");
}

void FunctionTableModelTest::sortsColumns()
{
    QFETCH(int, column);
    QFETCH(int, order);
    QFETCH(QStringList, firstTwo);
    Fixture fixture;
    fixture.model.sort(column, static_cast<Qt::SortOrder>(order));
    const QStringList names = fixture.names();
    QVERIFY2(names.at(0).contains(firstTwo.at(0)), qPrintable(names.join(QLatin1Char(' '))));
    QVERIFY2(names.at(1).contains(firstTwo.at(1)), qPrintable(names.join(QLatin1Char(' '))));
}

void FunctionTableModelTest::tiesKeepTheirEarlierOrder()
{
    Fixture fixture({"main;a 5 calls=1", "main;b 5 calls=2", "main;c 5 calls=3"});
    fixture.model.sort(callsColumn, Qt::DescendingOrder);
    fixture.model.sort(selfColumn, Qt::DescendingOrder);
    QCOMPARE(fixture.names().mid(0, 3),
             (QStringList{QStringLiteral("c"), QStringLiteral("b"), QStringLiteral("a")}));
}

void FunctionTableModelTest::sortKeepsPersistentIndexes()
{
    Fixture fixture;
    const int row = static_cast<int>(fixture.names().indexOf(QStringLiteral("parse")));
    const QPersistentModelIndex index = fixture.model.index(row, callsColumn);
    QSignalSpy resets(&fixture.model, &QAbstractItemModel::modelReset);
    fixture.model.sort(callsColumn, Qt::DescendingOrder);
    fixture.model.sort(nameColumn, Qt::AscendingOrder);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(QModelIndex(index).siblingAtColumn(nameColumn).data().toString(),
             QStringLiteral("parse"));
    QCOMPARE(index.column(), callsColumn);
}

void FunctionTableModelTest::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("share");
    QTest::addColumn<QStringList>("names");
    const auto list = [](const char* names) {
        return QString::fromUtf8(names).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    };
    QTest::newRow("a word of the name") << "PARSE"
                                        << "" << -1 << 0.0 << list("parse");
    QTest::newRow("a word of the location") << "writer"
                                            << "" << -1 << 0.0 << list("emit Emit");
    QTest::newRow("two words") << "writer :9"
                               << "" << -1 << 0.0 << list("emit");
    QTest::newRow("a pattern") << "/^(parse|string)/"
                               << "" << -1 << 0.0 << list("parse string.find");
    QTest::newRow("an excluded word") << "lib not:[C] not:parser"
                                      << "" << -1 << 0.0 << list("emit Emit");
    QTest::newRow("an excluded pattern") << "lib not:/emit$|:9/"
                                         << "" << -1 << 0.0 << list("Emit parse");
    QTest::newRow("a pattern and a word") << "/^e/ :100"
                                          << "" << -1 << 0.0 << list("Emit");
    QTest::newRow("a broken pattern keeps all") << "/(/"
                                                << "" << -1 << 0.2 << list("");
    QTest::newRow("a file") << ""
                            << "lib/writer.lua" << -1 << 0.0 << list("emit Emit");
    QTest::newRow("an unknown file") << ""
                                     << "no.lua" << -1 << 0.0 << list("");
    QTest::newRow("C functions") << ""
                                 << "" << int(FunctionKind::C) << 0.0 << list("string.find");
    QTest::newRow("a share") << "lib"
                             << "" << -1 << 0.35 << list("parse");
    QTest::newRow("nothing") << "xyzzy"
                             << "" << -1 << 0.0 << list("");
}

void FunctionTableModelTest::filters()
{
    QFETCH(QString, text);
    QFETCH(QString, file);
    QFETCH(int, kind);
    QFETCH(double, share);
    QFETCH(QStringList, names);
    Fixture fixture;
    FunctionFilter filter;
    filter.text = text;
    filter.file = file;
    if (kind >= 0)
        filter.kind = static_cast<FunctionKind>(kind);
    filter.minimumShare = share;
    fixture.model.setFilter(filter);
    if (filter.problem().isEmpty())
        QCOMPARE(fixture.names(), names);
    else
        QVERIFY(fixture.model.rowCount() > 0);
    QCOMPARE(fixture.model.allCount(), 6);
    fixture.model.setFilter({});
    QCOMPARE(fixture.model.rowCount(), 6);
}

void FunctionTableModelTest::saysWhatIsWrongWithAPattern()
{
    const Fixture fixture;
    QVERIFY(fixture.textFilter(QStringLiteral("/a+/")).problem().isEmpty());
    QVERIFY(!fixture.textFilter(QStringLiteral("/a(/")).problem().isEmpty());
    QVERIFY(fixture.textFilter(QStringLiteral("a(")).problem().isEmpty());
}

void FunctionTableModelTest::tellsTheShareShown()
{
    Fixture fixture;
    QCOMPARE(fixture.model.shownSelfShare(), 1.0);
    fixture.model.setFilter(fixture.textFilter(QStringLiteral("parse")));
    QCOMPARE(fixture.model.shownSelfShare(), 0.3);
}

void FunctionTableModelTest::findsRows()
{
    Fixture fixture;
    const FunctionId parse = fixture.model.functionAt(2);
    QCOMPARE(fixture.model.rowOf(parse), 2);
    QCOMPARE(fixture.model.rowOf(FunctionId()), -1);
    QCOMPARE(fixture.model.functionAt(99), FunctionId());
    fixture.model.setFilter(fixture.textFilter(QStringLiteral("emit")));
    QCOMPARE(fixture.model.rowOf(parse), -1);
    QCOMPARE(fixture.model.index(0, 0).data(FunctionRole).toUInt(),
             fixture.model.functionAt(0).value());
}

void FunctionTableModelTest::headerExplains()
{
    const Fixture fixture;
    for (int column = 0; column < functionColumnCount; ++column)
        QVERIFY(!fixture.model.headerData(column, Qt::Horizontal, Qt::ToolTipRole)
                     .toString()
                     .isEmpty());
    QCOMPARE(fixture.model.headerData(selfColumn, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
             int(Qt::DescendingOrder));
    QCOMPARE(fixture.model.headerData(nameColumn, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
             int(Qt::AscendingOrder));
}

void FunctionTableModelTest::copiesText()
{
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const Fixture fixture;
    const int row = static_cast<int>(fixture.names().indexOf(QStringLiteral("string.find")));
    const QList<int> columns = {nameColumn, selfColumn, callsColumn};
    QCOMPARE(tableText(fixture.model, {row}, columns, TableFormat::TabSeparated),
             QStringLiteral("Function\tSelf\tCalls\nstring.find\t10.0 µs\t300\n"));
    QCOMPARE(tableText(fixture.model, {row}, columns, TableFormat::TabSeparatedExact),
             QStringLiteral("Function\tSelf (ns)\tCalls\nstring.find\t10000\t300\n"));
    QCOMPARE(tableText(fixture.model, {row}, columns, TableFormat::Csv),
             QStringLiteral("Function,Self (ns),Calls\nstring.find,10000,300\n"));
    QCOMPARE(tableText(fixture.model, {row}, columns, TableFormat::Markdown),
             QStringLiteral("| Function | Self | Calls |\n| --- | ---: | ---: |\n| string.find | "
                            "10.0 µs | 300 |\n"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

void FunctionTableModelTest::showsNoMeanWithoutCalls()
{
    const Fixture fixture({"main;f 5 calls=0"});
    const int row = static_cast<int>(fixture.names().indexOf(QStringLiteral("f")));
    QCOMPARE(fixture.model.index(row, static_cast<int>(FunctionColumn::MeanTime)).data().toString(),
             QStringLiteral("–"));
}

void FunctionTableModelTest::survivesProfileChanges()
{
    Fixture fixture;
    fixture.model.setFilter(fixture.textFilter(QStringLiteral("p")));
    fixture.show({"main;p 1", "main;q 2", "main;pp 3"});
    QCOMPARE(fixture.names().mid(0, 2), (QStringList{QStringLiteral("pp"), QStringLiteral("p")}));
    fixture.model.setProfile(Profile::empty(), std::make_shared<FunctionTable>());
    QCOMPARE(fixture.model.rowCount(), 0);
}

QTEST_GUILESS_MAIN(FunctionTableModelTest)
#include "tst_functiontablemodel.moc"
