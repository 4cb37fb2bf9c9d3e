// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cases/OracleCounts.h"
#include "tests/cases/ScriptProcess.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>

using namespace perilune;
using namespace perilune::test;

namespace {

constexpr int programsPerProcess = 500;
constexpr int processes = 8;

/// The first seed: PERILUNE_FUZZ_SEED, or another one at every run.
quint64 firstSeed()
{
    bool isGiven = false;
    const int given = qEnvironmentVariableIntValue("PERILUNE_FUZZ_SEED", &isGiven);
    if (isGiven)
        return static_cast<quint64>(given);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<quint64>(std::chrono::duration_cast<std::chrono::seconds>(now).count())
        % 1000000000;
}

} // namespace

/// Thousands of random programs, each counted by the oracle and by the recorder in one process.
class TestRandomPrograms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithOracle_data();
    void agreesWithOracle();

private:
    QTemporaryDir m_folder;
};

void TestRandomPrograms::agreesWithOracle_data()
{
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<bool>("byPrototype");
    QTest::addColumn<bool>("useLayout");
    const quint64 first = firstSeed();
    qInfo("PERILUNE_FUZZ_SEED=%llu", static_cast<unsigned long long>(first));
    for (int process = 0; process < processes; ++process) {
        const quint64 seed = first + static_cast<quint64>(process);
        // With -p the oracle keeps each prototype alive; without, their addresses are used again.
        // Only with the layout are the functions of one line told apart.
        const bool useLayout = process % 4 != 3;
        const bool byPrototype = useLayout && process % 2 == 0;
        QTest::addRow("seed %llu%s%s", static_cast<unsigned long long>(seed),
                      byPrototype ? " by prototype" : "", useLayout ? "" : " API")
            << seed << byPrototype << useLayout;
    }
}

void TestRandomPrograms::agreesWithOracle()
{
    QFETCH(quint64, seed);
    QFETCH(bool, byPrototype);
    QFETCH(bool, useLayout);
    const QString counts = m_folder.filePath(QStringLiteral("oracle.tsv"));
    const QString recording = m_folder.filePath(QStringLiteral("oracle.plrec"));
    ScriptProcess script;
    script.program = QStringLiteral(TEST_TOOLS_DIR "/oracle_with_recorder");
    script.arguments = QStringList{QStringLiteral("-o"), counts};
    if (byPrototype)
        script.arguments.append(QStringLiteral("-p"));
    script.arguments += QStringList{QStringLiteral(TESTS_DIR "/fuzz/random_programs.lua"),
                                    QString::number(seed), QString::number(programsPerProcess)};
    script.environment.append(QStringLiteral("ORACLE_RECORDING=") + recording);
    if (!useLayout)
        script.environment.append(QStringLiteral("PERILUNE_NO_LAYOUT=1"));
    const ScriptResult result = runToEnd(script);
    QVERIFY(result.hasStarted);
    QCOMPARE(QString::fromUtf8(result.errorOutput), QString());
    QCOMPARE(result.exitCode, 0);
    const auto snapshot = readRecording(recording.toStdString());
    QVERIFY2(bool(snapshot), snapshot ? "" : snapshot.error().detail.c_str());
    const OracleNames names = byPrototype ? OracleNames::ByPrototype : OracleNames::ByLine;
    const NamedCalls oracle = readOracle(counts);
    QVERIFY(oracle.totalCalls() > 100 * programsPerProcess);
    // A function's chunk, "=pN", names the program: random_programs.lua SEED COUNT print N shows
    // it.
    QCOMPARE(differences(oracle, namedCalls(RecordedCalls(*snapshot), names)).join(u'\n'),
             QString());
}

QTEST_GUILESS_MAIN(TestRandomPrograms)
#include "tst_random_programs.moc"
