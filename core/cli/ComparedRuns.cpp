// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/ComparedRuns.h"

#include "core/cli/ProfileFile.h"
#include "core/session/RunSets.h"
#include "core/session/Session.h"

#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace perilune::cli {

namespace {

constexpr std::int64_t mostRuns = 100000;

/// A session with its runs, opened once for both sides where they are one file.
struct OpenSession
{
    Session session;
    std::vector<RunSummary> runs;
};

Result<OpenSession> openSession(const QString& file)
{
    Result<Session> session = Session::open(QFile::encodeName(file).toStdString());
    if (!session)
        return session.error();
    Result<std::vector<RunSummary>> runs = session->runs();
    if (!runs)
        return runs.error();
    return OpenSession{*std::move(session), *std::move(runs)};
}

std::vector<std::int64_t> idsOf(const std::vector<RunSummary>& runs, const RunSet& set)
{
    std::vector<std::int64_t> ids;
    for (const std::size_t run : set.runs)
        ids.push_back(runs[run].id);
    return ids;
}

RunSet setOfIds(const std::vector<RunSummary>& runs, const std::vector<std::int64_t>& ids)
{
    RunSet set;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (std::find(ids.begin(), ids.end(), runs[i].id) != ids.end())
            set.runs.push_back(i);
    return set;
}

Result<ComparedSide> loadSide(const QString& file, const OpenSession& open,
                              const std::vector<std::int64_t>& runs)
{
    ComparedSide side{file, runs, {}};
    for (const std::int64_t run : runs) {
        const bool isThere =
            std::any_of(open.runs.begin(), open.runs.end(),
                        [run](const RunSummary& summary) { return summary.id == run; });
        if (!isThere)
            return Error{Error::Code::InvalidArgument,
                         "“" + file.toStdString() + "” has no run " + std::to_string(run) + "."};
        auto profile = open.session.loadRun(run);
        if (!profile)
            return profile.error();
        side.group.push_back(ComparedRun::of(*std::move(profile)));
    }
    if (side.group.empty())
        return Error{Error::Code::InvalidArgument,
                     "“" + file.toStdString() + "” has no run to compare; name runs with --run."};
    return side;
}

Result<ComparedSide> loadRecordingSide(const SideRequest& request)
{
    const auto number = request.runs ? std::optional<qint64>(request.runs->front()) : std::nullopt;
    auto profile = loadProfile(request.file, number);
    if (!profile)
        return profile.error();
    return ComparedSide{request.file, {1}, {ComparedRun::of(*std::move(profile))}};
}

Result<ComparedSide> loadOwnSide(const SideRequest& request, std::vector<ManualMatch>& manual)
{
    if (!isSessionFile(QFile::encodeName(request.file).toStdString()))
        return loadRecordingSide(request);
    const Result<OpenSession> open = openSession(request.file);
    if (!open)
        return open.error();
    if (const auto matches = open->session.manualMatches(); matches)
        manual.insert(manual.end(), matches->begin(), matches->end());
    return loadSide(request.file, *open,
                    request.runs.value_or(idsOf(open->runs, newestRunSet(open->runs))));
}

bool isSameFile(const QString& left, const QString& right)
{
    return left == right || QFileInfo(left) == QFileInfo(right);
}

Result<ComparedSides> loadFromOneSession(const SideRequest& a, const SideRequest& b)
{
    const Result<OpenSession> open = openSession(b.file);
    if (!open)
        return open.error();
    // B first: without it there is no way to choose A.
    const auto runsB = b.runs.value_or(idsOf(open->runs, newestRunSet(open->runs)));
    Result<ComparedSide> sideB = loadSide(b.file, *open, runsB);
    if (!sideB)
        return sideB.error();
    const RunSet before = baselineFor(open->runs, setOfIds(open->runs, runsB));
    const auto runsA = a.runs.value_or(idsOf(open->runs, before));
    if (runsA.empty())
        return Error{Error::Code::InvalidArgument,
                     "“" + a.file.toStdString()
                         + "” has nothing to compare these runs with; name both sides with --run."};
    Result<ComparedSide> sideA = loadSide(a.file, *open, runsA);
    if (!sideA)
        return sideA.error();
    ComparedSides sides{*std::move(sideA), *std::move(sideB), {}};
    if (const auto matches = open->session.manualMatches(); matches)
        sides.manualMatches = *matches;
    return sides;
}

} // namespace

std::optional<std::vector<std::int64_t>> parseRunNumbers(const QString& text)
{
    std::vector<std::int64_t> runs;
    const QStringList parts = text.split(u',');
    for (const QString& part : parts) {
        const QStringList ends = part.split(u'-');
        bool isFirstNumber = false;
        bool isLastNumber = false;
        const qint64 first = ends.first().toLongLong(&isFirstNumber);
        const qint64 last = ends.last().toLongLong(&isLastNumber);
        if (ends.size() > 2 || !isFirstNumber || !isLastNumber || first < 1 || last < first
            || last - first > mostRuns)
            return std::nullopt;
        for (qint64 run = first; run <= last; ++run)
            runs.push_back(run);
    }
    return runs;
}

Result<ComparedSides> loadSides(const SideRequest& a, const SideRequest& b)
{
    if (isSameFile(a.file, b.file) && isSessionFile(QFile::encodeName(b.file).toStdString()))
        return loadFromOneSession(a, b);
    std::vector<ManualMatch> manual;
    Result<ComparedSide> sideA = loadOwnSide(a, manual);
    if (!sideA)
        return sideA.error();
    Result<ComparedSide> sideB = loadOwnSide(b, manual);
    if (!sideB)
        return sideB.error();
    return ComparedSides{*std::move(sideA), *std::move(sideB), std::move(manual)};
}

} // namespace perilune::cli
