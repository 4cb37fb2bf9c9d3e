// SPDX-License-Identifier: GPL-3.0-or-later
#include "SampleProfile.h"
#include "core/analysis/FunctionTable.h"
#include "core/session/Session.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <random>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace perilune;

namespace {

std::string sql(const std::string& path, const std::string& query)
{
    sqlite3* database = nullptr;
    std::string answer;
    sqlite3_open(path.c_str(), &database);
    char* message = nullptr;
    sqlite3_exec(
        database, query.c_str(),
        [](void* result, int count, char** values, char**) {
            auto& text = *static_cast<std::string*>(result);
            for (int column = 0; column < count; ++column)
                text += (column == 0 ? "" : "|")
                    + std::string(values[column] ? values[column] : "NULL");
            text += '\n';
            return 0;
        },
        &answer, &message);
    if (message != nullptr)
        answer += std::string("error: ") + message;
    sqlite3_free(message);
    sqlite3_close(database);
    return answer;
}

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const std::string& path, const QByteArray& content)
{
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

} // namespace

class SessionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();

    void keepsEverything();
    void keepsAProfileWithoutAnything();
    void sharesFunctionsAndTexts();
    void listsRunsOldestFirst();
    void keepsWhatTheUserGave();
    void keepsManualMatches();
    void tellsWhatAFunctionCostOverTime();
    void removesRuns();
    void bringsARemovedRunBack();
    void answersSql_data();
    void answersSql();
    void answersTheDocumentedQueries();
    void isOneFile();
    void refusesOtherFiles_data();
    void refusesOtherFiles();
    void namesBothVersionsOfANewerFile();
    void readsTheFirstVersion();
    void runsNothingThatAFileBringsAlong();
    void createReplacesAtomically();
    void savesACopy();
    void copiesOntoItself();
    void readsWriteProtectedFiles();
    void fullDiskLosesNothing_data();
    void fullDiskLosesNothing();
    void killedWriterLosesNothing();
    void showsWhatIsLeftOfACutFile();
    void survivesFlippedBytes_data();
    void survivesFlippedBytes();
    void copiesWhatIsWholeOfADamagedFile();
    void opensManyRunsWithoutTheirTrees();

private:
    std::string path(const char* name = "a.perilune") const
    {
        return m_folder->filePath(QString::fromUtf8(name)).toStdString();
    }
    /// A session with some runs of sampleProfile().
    std::string sampleSession(unsigned runCount = 3) const;

    std::optional<QTemporaryDir> m_folder;
};

void SessionTest::init()
{
    // In memory where possible: every change is flushed to the disk, and there are thousands here.
    const QString memory = u"/dev/shm"_qs;
    if (QFileInfo(memory).isWritable())
        m_folder.emplace(memory + u"/tst_session-XXXXXX"_qs);
    else
        m_folder.emplace();
    QVERIFY(m_folder->isValid());
}

std::string SessionTest::sampleSession(unsigned runCount) const
{
    auto session = Session::create(path());
    for (unsigned run = 1; run <= runCount; ++run)
        (void)session->addRun(test::sampleProfile(run));
    return path();
}

void SessionTest::keepsEverything()
{
    const Profile profile = test::sampleProfile();
    {
        auto session = Session::create(path());
        QVERIFY2(session, session ? "" : session.error().detail.c_str());
        const auto id = session->addRun(profile);
        QVERIFY2(id, id ? "" : id.error().detail.c_str());
        QCOMPARE(*id, std::int64_t(1));
    }
    const auto session = Session::open(path());
    QVERIFY2(session, session ? "" : session.error().detail.c_str());
    const auto loaded = session->loadRun(1);
    QVERIFY(loaded);
    QCOMPARE(test::textOf(**loaded), test::textOf(profile));
    QVERIFY(session->problems().empty());
}

void SessionTest::keepsAProfileWithoutAnything()
{
    Profile profile;
    profile.run.status = RunStatus::CouldNotStart;
    profile.run.errorMessage = "no runner";
    auto session = Session::create(path());
    QVERIFY(session->addRun(profile));
    const auto loaded = session->loadRun(1);
    QVERIFY(loaded);
    QVERIFY(session->problems().empty());
    QVERIFY((*loaded)->run.status == RunStatus::CouldNotStart);
    QCOMPARE((*loaded)->tree->nodeCount(), 1u);
}

void SessionTest::sharesFunctionsAndTexts()
{
    auto session = Session::create(path());
    const Profile profile = test::sampleProfile();
    for (int run = 0; run < 3; ++run)
        QVERIFY(session->addRun(profile));
    QCOMPARE(sql(path(), "SELECT count(*) FROM function"),
             std::to_string(profile.functions.size()) + "\n");
    QCOMPARE(sql(path(), "SELECT count(*) FROM source_text"), std::string("2\n"));
}

void SessionTest::listsRunsOldestFirst()
{
    auto session = Session::create(path());
    for (const unsigned seed : {3u, 1u, 2u})
        QVERIFY(session->addRun(test::sampleProfile(seed)));
    const auto runs = session->runs();
    QVERIFY(runs);
    QCOMPARE(runs->size(), std::size_t(3));
    QCOMPARE((*runs)[0].id, std::int64_t(2));
    QCOMPARE((*runs)[1].id, std::int64_t(3));
    QCOMPARE((*runs)[2].id, std::int64_t(1));
    QCOMPARE((*runs)[0].info.script, std::string("dir/script 1.lua"));
    QVERIFY((*runs)[0].info.arguments == test::sampleProfile(1).run.arguments);
    QVERIFY((*runs)[0].info.environment == test::sampleProfile(1).run.environment);
    QCOMPARE((*runs)[0].functionCount, 7u);
    QCOMPARE((*runs)[0].nodeCount, 20u);
}

void SessionTest::keepsWhatTheUserGave()
{
    auto session = Session::open(sampleSession());
    RunSummary summary = session->runs()->at(1);
    summary.name = "Before";
    summary.notes = "Line 1\nLine 2";
    summary.tags = {"b", "a", "ä"};
    summary.isPinned = true;
    summary.isBaseline = true;
    summary.isLeftOut = true;
    QVERIFY(session->updateRun(summary));
    summary.tags = {"a"};
    QVERIFY(session->updateRun(summary));

    const auto again = Session::open(path());
    const auto runs = again->runs();
    QCOMPARE((*runs)[1].name, summary.name);
    QCOMPARE((*runs)[1].notes, summary.notes);
    QVERIFY((*runs)[1].tags == summary.tags);
    QVERIFY((*runs)[1].isPinned && (*runs)[1].isBaseline && (*runs)[1].isLeftOut);
    QVERIFY((*runs)[0].name.empty() && !(*runs)[0].isPinned);
}

void SessionTest::keepsManualMatches()
{
    auto session = Session::create(path());
    const std::vector<ManualMatch> matches = {{"a", "b"}, {"gone", ""}};
    QVERIFY(session->setManualMatches({{"x", "y"}}));
    QVERIFY(session->setManualMatches(matches));
    const auto again = Session::open(path())->manualMatches();
    QVERIFY(again && *again == matches);
}

void SessionTest::tellsWhatAFunctionCostOverTime()
{
    auto session = Session::create(path());
    Profile moved = test::sampleProfile(2);
    moved.functions[2].line += 10;
    QVERIFY(session->addRun(test::sampleProfile(1)));
    QVERIFY(session->addRun(moved));
    const auto history = session->functionHistory("f", "dir/script.lua");
    QVERIFY(history);
    QCOMPARE(history->size(), std::size_t(2));
    for (std::size_t run = 0; run < 2; ++run) {
        const FunctionResult& result = (*history)[run];
        const Profile profile = run == 0 ? test::sampleProfile(1) : moved;
        const auto table = FunctionTable::compute(profile);
        const FunctionCosts& costs = *table.find(FunctionId(2));
        QCOMPARE(result.runId, std::int64_t(run + 1));
        QCOMPARE(result.line, profile.functions[2].line);
        QCOMPARE(result.key, profile.key(FunctionId(2)));
        QVERIFY(result.calls == costs.calls && result.tailCalls == costs.tailCalls);
        QVERIFY(result.selfTime == costs.selfTime() && result.totalTime == costs.totalTime());
        QVERIFY(result.selfBytes == costs.self[static_cast<std::size_t>(Metric::Bytes)]);
        QVERIFY(result.totalBytes == costs.total[static_cast<std::size_t>(Metric::Bytes)]);
    }
    QVERIFY(session->functionHistory("f", "other.lua")->empty());
}

void SessionTest::removesRuns()
{
    auto session = Session::open(sampleSession(2));
    QVERIFY(session->removeRun(1));
    QCOMPARE(session->runs()->size(), std::size_t(1));
    QVERIFY(!session->loadRun(1));
    const auto rest = session->loadRun(2);
    QVERIFY(rest);
    QCOMPARE(test::textOf(**rest), test::textOf(test::sampleProfile(2)));
    QVERIFY(session->removeRun(2));
    for (const char* table :
         {"run", "run_argument", "run_environment", "run_warning", "run_tag", "function", "result",
          "edge", "line", "duration", "source", "source_text", "block"})
        QCOMPARE(sql(path(), std::string("SELECT count(*) FROM ") + table), std::string("0\n"));
}

void SessionTest::bringsARemovedRunBack()
{
    auto session = Session::open(sampleSession(3));
    RunSummary summary = session->runs()->at(1);
    summary.name = "Named";
    QVERIFY(session->updateRun(summary));
    const auto profile = session->loadRun(2);
    QVERIFY(session->removeRun(2));
    QVERIFY(session->addRun(test::sampleProfile(9)));
    const auto id = session->addRun(**profile, summary);
    QVERIFY(id);
    QCOMPARE(*id, std::int64_t(2));
    QCOMPARE(session->runs()->at(1).name, std::string("Named"));
    // Where the id is taken, as in another session, the run gets a new one.
    QCOMPARE(*session->addRun(**profile, summary), std::int64_t(5));
}

void SessionTest::answersSql_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("answer");
    QTest::newRow("self time of a function over all runs")
        << u"SELECT run_id, self_ns > 0 FROM function_cost WHERE function = 'f' ORDER BY started_at, 1"_qs
        << u"1|1\n2|1\n3|1\n"_qs;
    QTest::newRow("arguments")
        << u"SELECT value FROM run_argument WHERE run_id = 1 AND position = 1"_qs << u"a b\n"_qs;
    QTest::newRow("who calls") << u"SELECT count(*) > 0 FROM call_edge WHERE callee = 'f'"_qs
                               << u"1\n"_qs;
    QTest::newRow("lines") << u"SELECT count(*) > 0 FROM line WHERE run_id = 2"_qs << u"1\n"_qs;
    QTest::newRow("durations")
        << u"SELECT position, calls, maximum_ns FROM duration WHERE run_id = 1"_qs
        << u"1|10|300\n3|10|300\n5|10|300\n"_qs;
    QTest::newRow("integrity") << u"PRAGMA integrity_check"_qs << u"ok\n"_qs;
    QTest::newRow("identity") << u"PRAGMA application_id; PRAGMA user_version"_qs
                              << u"1349285230\n1\n"_qs;
}

void SessionTest::answersSql()
{
    QFETCH(QString, query);
    QFETCH(QString, answer);
    QCOMPARE(QString::fromStdString(sql(sampleSession(), query.toStdString())), answer);
}

void SessionTest::answersTheDocumentedQueries()
{
    const QString page =
        QString::fromUtf8(contentOf(TESTS_DIR "/../resources/help/session-format.md"));
    sampleSession();
    auto blocks = page.split(u"```sql\n"_qs).mid(1);
    QVERIFY(blocks.size() >= 6);
    for (const QString& block : blocks) {
        const std::string query = block.section(u"```"_qs, 0, 0).toStdString();
        const std::string answer = sql(path(), query);
        QVERIFY2(answer.find("error: ") == std::string::npos, (query + answer).c_str());
    }
}

void SessionTest::isOneFile()
{
    auto session = Session::open(sampleSession());
    QVERIFY(session->addRun(test::sampleProfile(8)));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{u"a.perilune"_qs});
}

void SessionTest::refusesOtherFiles_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("text") << QByteArray("local x = 1\n");
    QTest::newRow("a bare header") << QByteArray("SQLite format 3\0", 16);
    QTest::newRow("a recording") << QByteArray("PLREC\r\n\0", 8) + QByteArray(65536, '\0');
}

void SessionTest::refusesOtherFiles()
{
    QFETCH(QByteArray, content);
    write(path(), content);
    const auto session = Session::open(path());
    QVERIFY(!session);
    QVERIFY(session.error().code == Error::Code::NotASession);
    QVERIFY(
        QString::fromStdString(session.error().detail).contains(QString::fromStdString(path())));
    QCOMPARE(contentOf(path()), content);

    sql(path("other.db"), "CREATE TABLE t (x)");
    QVERIFY(Session::open(path("other.db")).error().code == Error::Code::NotASession);
    QVERIFY(Session::open(path("none")).error().code == Error::Code::FileNotFound);
    QVERIFY(Session::open(m_folder->path().toStdString()).error().code == Error::Code::NotASession);
}

void SessionTest::namesBothVersionsOfANewerFile()
{
    sql(sampleSession(), "UPDATE setting SET value = 'Perilune 99.5'; PRAGMA user_version = 7");
    const auto session = Session::open(path());
    QVERIFY(!session);
    QVERIFY(session.error().code == Error::Code::UnsupportedVersion);
    const QString detail = QString::fromStdString(session.error().detail);
    for (const QString& part : {u"format 7"_qs, u"Perilune 99.5"_qs, u"format 1"_qs,
                                QStringLiteral("Perilune " PERILUNE_VERSION)})
        QVERIFY2(detail.contains(part), qPrintable(detail));
}

void SessionTest::readsTheFirstVersion()
{
    write(path(), contentOf(TESTS_DIR "/unit/session/golden/version-1.perilune"));
    auto session = Session::open(path());
    QVERIFY2(session, session ? "" : session.error().detail.c_str());
    const auto runs = session->runs();
    QCOMPARE(runs->size(), std::size_t(2));
    QCOMPARE((*runs)[0].name, std::string("Golden"));
    for (const unsigned seed : {1u, 2u}) {
        const auto loaded = session->loadRun(seed);
        QVERIFY(loaded);
        QCOMPARE(test::textOf(**loaded), test::textOf(test::sampleProfile(seed)));
    }
    QVERIFY(session->problems().empty());
    QVERIFY(session->addRun(test::sampleProfile(3)));
}

void SessionTest::runsNothingThatAFileBringsAlong()
{
    sql(sampleSession(), "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM result; END");
    {
        auto session = Session::open(path());
        QVERIFY(session->addRun(test::sampleProfile(4)));
        QCOMPARE(test::textOf(**session->loadRun(1)), test::textOf(test::sampleProfile(1)));
    }
    // A view in the place of a table is no table.
    sql(path(),
        "DROP TRIGGER t; ALTER TABLE run RENAME TO stolen; CREATE VIEW run AS SELECT * FROM "
        "stolen");
    const auto session = Session::open(path());
    QVERIFY(!session);
    QVERIFY(session.error().code == Error::Code::Damaged);
}

void SessionTest::createReplacesAtomically()
{
    write(path(), "something else");
    QVERIFY(Session::create(path()));
    QCOMPARE(Session::open(path())->runs()->size(), std::size_t(0));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{u"a.perilune"_qs});

    const auto nowhere = Session::create(path("none/a.perilune"));
    QVERIFY(!nowhere);
    QVERIFY(nowhere.error().code == Error::Code::CannotWrite);
    const auto folder = Session::create(m_folder->path().toStdString());
    QVERIFY(!folder);
}

void SessionTest::savesACopy()
{
    auto session = Session::open(sampleSession());
    write(path("b.perilune"), "old");
    QVERIFY(session->saveCopy(path("b.perilune")));
    QVERIFY(session->removeRun(1));
    const auto copy = Session::open(path("b.perilune"));
    QCOMPARE(copy->runs()->size(), std::size_t(3));
    QCOMPARE(test::textOf(**copy->loadRun(1)), test::textOf(test::sampleProfile(1)));
    QVERIFY(!session->saveCopy(path("none/b.perilune")));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files).size(), 2);
}

void SessionTest::copiesOntoItself()
{
    auto session = Session::open(sampleSession());
    QVERIFY(session->saveCopy(path()));
    QVERIFY(session->addRun(test::sampleProfile(4)));
    QCOMPARE(Session::open(path())->runs()->size(), std::size_t(4));
}

/// For a while somebody who may not write everywhere, when we are root.
class Unprivileged
{
public:
    Unprivileged()
        : m_wasRoot(::geteuid() == 0 && ::seteuid(nobody) == 0)
    {
    }
    ~Unprivileged()
    {
        if (m_wasRoot)
            (void)!::seteuid(0);
    }

private:
    static constexpr uid_t nobody = 65534;
    bool m_wasRoot;
};

void SessionTest::readsWriteProtectedFiles()
{
    const QString file = QString::fromStdString(sampleSession());
    QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther));
    QVERIFY(QFile::setPermissions(m_folder->path(),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                      | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther
                                      | QFile::ExeOther));
    const Unprivileged unprivileged;
    auto session = Session::open(path());
    QVERIFY2(session, session ? "" : session.error().detail.c_str());
    QCOMPARE(session->runs()->size(), std::size_t(3));
    QVERIFY(session->loadRun(1));
    QVERIFY(!session->isWritable());
    const auto added = session->addRun(test::sampleProfile());
    QVERIFY(!added);
    QVERIFY(added.error().code == Error::Code::CannotWrite);
    const auto created = Session::create(path("b.perilune"));
    QVERIFY(!created);
    QVERIFY(created.error().code == Error::Code::CannotWrite);
}

/// Runs `check` in a process that sees a file system of `bytes` at `folder`; its answer, empty when
/// all is well. Nothing when the system does not let us have one.
static std::optional<QByteArray> onSmallDisk(const QString& folder, int bytes,
                                             const std::function<std::string()>& check)
{
    std::array<int, 2> pipe = {};
    if (::pipe(pipe.data()) != 0)
        return std::nullopt;
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string options = "size=" + std::to_string(bytes);
        const bool isAlone =
            ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
        if (!isAlone || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("none", qPrintable(folder), "tmpfs", 0, options.c_str()) != 0)
            ::_exit(1);
        const std::string answer = check();
        (void)!::write(pipe[1], answer.data(), answer.size());
        ::_exit(0);
    }
    ::close(pipe[1]);
    QFile reader;
    QByteArray answer;
    if (reader.open(pipe[0], QIODevice::ReadOnly, QFile::AutoCloseHandle))
        answer = reader.readAll();
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        return std::nullopt;
    return WIFEXITED(status) ? answer : QByteArray("the process crashed");
}

/// What is wrong with the answer to an attempt to write past the end of the disk.
template<typename T>
static std::string expectNoSpace(const char* what, const Result<T>& result, const std::string& path)
{
    if (result)
        return std::string(what) + " succeeded. ";
    if (result.error().code != Error::Code::NoSpace)
        return std::string(what) + ": " + result.error().detail + " ";
    if (result.error().detail.find(path) == std::string::npos)
        return std::string(what) + " names no file. ";
    return {};
}

void SessionTest::fullDiskLosesNothing_data()
{
    QTest::addColumn<int>("bytes");
    for (const int kibibytes : {256, 300, 400, 600})
        QTest::addRow("%d KiB", kibibytes) << kibibytes * 1024;
}

void SessionTest::fullDiskLosesNothing()
{
    QFETCH(int, bytes);
    const Profile large = test::largeProfile(20000, 50000);
    const auto answer = onSmallDisk(m_folder->path(), bytes, [&]() -> std::string {
        auto session = Session::open(sampleSession(1));
        if (!session)
            return session.error().detail;
        const QByteArray before = contentOf(path());
        std::string problems = expectNoSpace("addRun", session->addRun(large), path());
        if (contentOf(path()) != before)
            problems += "The file has changed. ";
        write(path("filler"), QByteArray(bytes, 'x')); // what fits of it
        problems +=
            expectNoSpace("saveCopy", session->saveCopy(path("b.perilune")), path("b.perilune"));
        problems +=
            expectNoSpace("create", Session::create(path("c.perilune")), path("c.perilune"));
        QFile::remove(QString::fromStdString(path("filler")));
        if (!session->addRun(test::sampleProfile(2)) || session->runs()->size() != 2)
            problems += "The session cannot be used any more. ";
        if (QDir(m_folder->path()).entryList(QDir::Files).size() != 1)
            problems += "Files were left over. ";
        return problems;
    });
    if (!answer)
        QSKIP("the system does not let this test mount a small file system");
    QCOMPARE(*answer, QByteArray());
}

void SessionTest::killedWriterLosesNothing()
{
    sampleSession(1);
    const Profile profile = test::largeProfile(2000, 5000);
    std::mt19937 random(7);
    for (int attempt = 0; attempt < 10; ++attempt) {
        const pid_t child = ::fork();
        if (child == 0) {
            auto session = Session::open(path());
            while (session->addRun(profile)) { }
            ::_exit(1);
        }
        ::usleep(static_cast<useconds_t>(20000 + random() % 60000));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        auto session = Session::open(path());
        QVERIFY2(session, session ? "" : session.error().detail.c_str());
        const auto runs = session->runs();
        QVERIFY(runs && !runs->empty());
        for (const RunSummary& run : *runs)
            QCOMPARE(run.nodeCount, run.id == 1 ? 20u : 5000u);
        QVERIFY(session->loadRun(runs->back().id));
        QVERIFY(session->problems().empty());
    }
    QCOMPARE(sql(path(), "PRAGMA integrity_check"), std::string("ok\n"));
}

void SessionTest::showsWhatIsLeftOfACutFile()
{
    sampleSession(20);
    const QByteArray whole = contentOf(path());
    std::size_t mostRuns = 0;
    for (int percent = 99; percent >= 0; percent -= 3) {
        write(path("cut.perilune"), whole.left(whole.size() * percent / 100));
        const auto session = Session::open(path("cut.perilune"));
        if (!session) {
            QVERIFY(!session.error().detail.empty());
            continue;
        }
        const auto runs = session->runs();
        QVERIFY(!session->problems().empty());
        QVERIFY(!session->isWritable());
        if (!runs)
            continue;
        mostRuns = std::max(mostRuns, runs->size());
        for (const RunSummary& run : *runs)
            (void)session->loadRun(run.id);
    }
    QVERIFY2(mostRuns >= 10, std::to_string(mostRuns).c_str());
}

void SessionTest::survivesFlippedBytes_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 8; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void SessionTest::survivesFlippedBytes()
{
    QFETCH(unsigned, seed);
    sampleSession(3);
    const QByteArray whole = contentOf(path());
    std::mt19937 random(seed);
    for (int attempt = 0; attempt < 150; ++attempt) {
        QByteArray damaged = whole;
        const int flips = 1 + static_cast<int>(random() % 8);
        for (int flip = 0; flip < flips; ++flip)
            damaged[static_cast<qsizetype>(random() % static_cast<unsigned>(damaged.size()))] =
                static_cast<char>(random());
        write(path("bad.perilune"), damaged);
        auto session = Session::open(path("bad.perilune"));
        if (!session)
            continue;
        const auto runs = session->runs();
        for (std::int64_t id = 1; id <= 3; ++id) {
            const auto profile = session->loadRun(id);
            if (profile)
                (void)FunctionTable::compute(**profile);
        }
        (void)session->saveCopy(path("copy.perilune"));
        (void)session->removeRun(1);
        (void)session->addRun(test::sampleProfile(5));
    }
}

void SessionTest::copiesWhatIsWholeOfADamagedFile()
{
    sampleSession(20);
    const QByteArray whole = contentOf(path());
    write(path("cut.perilune"), whole.left(whole.size() * 97 / 100));
    const auto session = Session::open(path("cut.perilune"));
    QVERIFY2(session, session ? "" : session.error().detail.c_str());
    const std::size_t count = session->runs()->size();
    QVERIFY(count > 0);
    const auto copied = session->saveCopy(path("copy.perilune"));
    QVERIFY2(copied, copied ? "" : copied.error().detail.c_str());
    auto copy = Session::open(path("copy.perilune"));
    QVERIFY(copy);
    QCOMPARE(copy->runs()->size(), count);
    QVERIFY(copy->isWritable());
    QVERIFY(copy->addRun(test::sampleProfile()));
    QVERIFY(copy->problems().empty());
}

void SessionTest::opensManyRunsWithoutTheirTrees()
{
    // What a list of runs reads must not grow with what the runs hold: the sizes of the answers are
    // checked here, the time is measured in tests/bench.
    auto session = Session::create(path());
    const Profile profile = test::largeProfile(500, 2000);
    for (int run = 0; run < 30; ++run)
        QVERIFY(session->addRun(profile));
    const auto runs = Session::open(path())->runs();
    QCOMPARE(runs->size(), std::size_t(30));
    QCOMPARE(runs->front().functionCount, 500u);
    QCOMPARE(runs->front().nodeCount, 2000u);
}

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
