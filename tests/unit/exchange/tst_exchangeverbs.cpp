// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/Export.h"
#include "core/session/Session.h"
#include "tests/support/TestProfiles.h"
#include "tests/unit/exchange/ConformanceProfile.h"
#include "tests/unit/exchange/TemporaryFiles.h"

#include <QProcess>
#include <QtTest>

using namespace perilune;

/// `perilune-cli export` and `import`, as a user gives them.
class ExchangeVerbsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void exportsToStandardOutput();
    void exportsEveryFormat_data();
    void exportsEveryFormat();
    void importsWhatWasExported();
    void reportsUsage_data();
    void reportsUsage();

private:
    struct Outcome
    {
        int code = -1;
        QString output;
        QString errors;
    };

    Outcome runCli(const QStringList& arguments) const
    {
        QProcess process;
        process.start(QStringLiteral(BIN_DIR "/perilune-cli"), arguments);
        process.waitForFinished();
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

    std::shared_ptr<const Profile> m_profile =
        test::profileFrom({"[main] test.lua 10", "[main] test.lua;work@a.lua:3 30 calls=2",
                           "[main] test.lua;work@a.lua:3;[C] table.sort 5 calls=7"});
    test::TemporaryFiles m_files;
    QString m_session;
};

void ExchangeVerbsTest::initTestCase()
{
    m_session = m_files.path(QStringLiteral("a.perilune"));
    auto session = Session::create(m_session.toStdString());
    QVERIFY(session);
    QVERIFY(session->addRun(*m_profile));
    QVERIFY(session->addRun(*test::conformanceProfile()));
}

void ExchangeVerbsTest::exportsToStandardOutput()
{
    const Outcome outcome =
        runCli({QStringLiteral("export"), m_session, QStringLiteral("--run"), QStringLiteral("1"),
                QStringLiteral("--format"), QStringLiteral("collapsed")});
    QCOMPARE(outcome.errors, QString());
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.output,
             QStringLiteral("main chunk test.lua (test.lua) 10000\n"
                            "main chunk test.lua (test.lua);work (a.lua:3) 30000\n"
                            "main chunk test.lua (test.lua);work (a.lua:3);table.sort [C] 5000\n"));
}

void ExchangeVerbsTest::exportsEveryFormat_data()
{
    QTest::addColumn<int>("format");
    for (const ExportFormatInfo& info : exportFormats())
        QTest::newRow(std::string(info.name).c_str()) << int(info.format);
}

/// By the name of the output alone, and the same as the library writes.
void ExchangeVerbsTest::exportsEveryFormat()
{
    QFETCH(int, format);
    const QString out = m_files.path(
        QStringLiteral("out") + QString::fromLatin1(infoOf(ExportFormat(format)).suffix.data()));
    const Outcome outcome = runCli({QStringLiteral("export"), m_session, QStringLiteral("-o"), out,
                                    QStringLiteral("--run"), QStringLiteral("1")});
    QCOMPARE(outcome.errors, QString());
    QCOMPARE(outcome.code, 0);
    if (ExportFormat(format) != ExportFormat::Markdown
        && ExportFormat(format) != ExportFormat::Html)
        QCOMPARE(m_files.read(out),
                 m_files.read(m_files.exported(*m_profile, ExportFormat(format))));
    QVERIFY(!m_files.read(out).isEmpty());
}

void ExchangeVerbsTest::importsWhatWasExported()
{
    const QString file = m_files.exported(*test::conformanceProfile(), ExportFormat::Pprof);
    const QString target = m_files.path(QStringLiteral("imported.perilune"));
    const Outcome outcome = runCli({QStringLiteral("import"), file, QStringLiteral("-o"), target,
                                    QStringLiteral("--name"), QStringLiteral("from elsewhere")});
    QCOMPARE(outcome.errors, QString());
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.output.contains(target));
    const auto session = Session::open(target.toStdString());
    QVERIFY(session);
    const auto runs = session->runs();
    QVERIFY(runs);
    QCOMPARE(runs->size(), std::size_t(1));
    QCOMPARE(runs->front().name, std::string("from elsewhere"));
    const auto run = session->loadRun(runs->front().id);
    QVERIFY(run);
    QCOMPARE((*run)->tree->total(Metric::Time, NodeId(0)),
             test::conformanceProfile()->tree->total(Metric::Time, NodeId(0)));
}

void ExchangeVerbsTest::reportsUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const auto row = [this](const char* name, const QString& words, int code,
                            const QString& message) {
        QStringList arguments = words.split(QLatin1Char(' '));
        arguments.replaceInStrings(QStringLiteral("SESSION"), m_session);
        QTest::newRow(name) << arguments << code << message;
    };
    row("no file", QStringLiteral("export"), 2, QStringLiteral("FILE is missing"));
    row("no format", QStringLiteral("export SESSION"), 2, QStringLiteral("--format is missing"));
    row("unknown format", QStringLiteral("export SESSION --format x"), 2,
        QStringLiteral("not “x”"));
    row("no such run", QStringLiteral("export SESSION --format csv --run 9"), 4,
        QStringLiteral("has no run 9"));
    row("no such session", QStringLiteral("export /nonexistent --format csv"), 4,
        QStringLiteral("/nonexistent"));
    row("cannot write", QStringLiteral("export SESSION --format csv -o /nonexistent/a"), 4,
        QStringLiteral("/nonexistent/a"));
    row("import without output", QStringLiteral("import a"), 2,
        QStringLiteral("-o SESSION is missing"));
    row("import of nothing", QStringLiteral("import /nonexistent -o SESSION"), 4,
        QStringLiteral("/nonexistent"));
}

void ExchangeVerbsTest::reportsUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, message);
    const Outcome outcome = runCli(arguments);
    QCOMPARE(outcome.code, code);
    QVERIFY2(outcome.errors.contains(message), qPrintable(outcome.errors));
    QCOMPARE(outcome.errors.count(QLatin1Char('\n')), 1);
}

QTEST_GUILESS_MAIN(ExchangeVerbsTest)
#include "tst_exchangeverbs.moc"
