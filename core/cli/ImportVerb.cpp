// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ExitCode.h"
#include "core/cli/Verb.h"
#include "core/exchange/Import.h"
#include "core/session/Session.h"

#include <QFile>

#include <algorithm>
#include <cstdio>

namespace perilune::cli {

namespace {

void describe(QCommandLineParser& parser)
{
    parser.addOptions({
        {{QStringLiteral("o"), QStringLiteral("output")},
         QStringLiteral("The session that the run is added to; made if it is not there."),
         QStringLiteral("SESSION")},
        {QStringLiteral("name"), QStringLiteral("A name for the run."), QStringLiteral("TEXT")},
    });
}

std::string pathOf(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

/// Gives a run of a session a name.
Result<void> nameRun(Session& session, std::int64_t id, const QString& name)
{
    const auto runs = session.runs();
    if (!runs)
        return runs.error();
    const auto found = std::ranges::find(*runs, id, &RunSummary::id);
    if (found == runs->end())
        return {};
    RunSummary summary = *found;
    summary.name = name.toStdString();
    return session.updateRun(summary);
}

Result<std::int64_t> addToSession(const QString& path, const Profile& profile, const QString& name)
{
    auto session =
        QFile::exists(path) ? Session::open(pathOf(path)) : Session::create(pathOf(path));
    if (!session)
        return session.error();
    const auto id = session->addRun(profile);
    if (!id || name.isEmpty())
        return id;
    if (const auto named = nameRun(*session, *id, name); !named)
        return named.error();
    return id;
}

int fail(const Error& error)
{
    printError(QString::fromStdString(error.detail));
    return CannotRead;
}

int run(const QCommandLineParser& parser)
{
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1)
        return usageError(
            files.isEmpty()
                ? QStringLiteral("FILE is missing: a profile that another tool wrote.")
                : QStringLiteral("“%1” is one argument too many; an import is of one file.")
                      .arg(files[1]));
    if (!parser.isSet(QStringLiteral("output")))
        return usageError(
            QStringLiteral("-o SESSION is missing: the session that the run is added to."));
    const auto profile = importProfile(pathOf(files.first()));
    if (!profile)
        return fail(profile.error());
    const QString session = parser.value(QStringLiteral("output"));
    const auto id = addToSession(session, **profile, parser.value(QStringLiteral("name")));
    if (!id)
        return fail(id.error());
    for (const std::string& warning : (*profile)->run.warnings)
        printError(QStringLiteral("note: ") + QString::fromStdString(warning));
    std::printf("run %lld of %s\n", static_cast<long long>(*id), qUtf8Printable(session));
    return Success;
}

} // namespace

const Verb importVerb = {"import",
                         "FILE -o SESSION [--name TEXT]",
                         "Add a profile that another tool wrote to a session.",
                         Verb::Options::Anywhere,
                         describe,
                         run};

} // namespace perilune::cli
