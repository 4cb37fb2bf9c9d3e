// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/Problems.h"

#include "core/recording/Format.h"
#include "gui/models/RunText.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <utility>

namespace perilune {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Problems", text);
}

/// Splits "a.lua:12: text" into its parts; what has no such beginning stays text.
Problem locatedProblem(const Profile& profile, Problem::Severity severity, const QString& line)
{
    static const QRegularExpression located(
        QStringLiteral("^(\\[string \".*?\"\\]|[^:\\n]+):(\\d+):\\s*(.*)$"),
        QRegularExpression::DotMatchesEverythingOption);
    Problem problem;
    problem.severity = severity;
    const QRegularExpressionMatch match = located.match(line);
    if (!match.hasMatch()) {
        problem.text = line;
        return problem;
    }
    problem.text = match.captured(3);
    problem.location = match.captured(1) + QLatin1Char(':') + match.captured(2);
    const SourceId source = findSource(profile, match.captured(1));
    if (source.isValid())
        problem.line = {source, match.captured(2).toInt()};
    return problem;
}

std::vector<Problem> tracebackOf(const Profile& profile)
{
    std::vector<Problem> frames;
    const QString traceback = QString::fromStdString(profile.run.traceback);
    for (const QString& line : traceback.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (line.startsWith(QLatin1Char('\t')))
            frames.push_back(locatedProblem(profile, Problem::Severity::Detail, line.trimmed()));
    }
    return frames;
}

/// The lines behind the first of Lua's message, such as the files that require tried.
std::vector<Problem> furtherLines(const QStringList& lines)
{
    std::vector<Problem> details;
    for (const QString& line : lines.mid(1)) {
        Problem detail;
        detail.severity = Problem::Severity::Detail;
        detail.text = line.trimmed();
        if (!detail.text.isEmpty())
            details.push_back(std::move(detail));
    }
    return details;
}

Problem failureOf(const Profile& profile)
{
    const QStringList lines =
        QString::fromStdString(profile.run.errorMessage).split(QLatin1Char('\n'));
    Problem problem = locatedProblem(profile, Problem::Severity::Error, lines.first());
    problem.details = furtherLines(lines);
    for (Problem& frame : tracebackOf(profile))
        problem.details.push_back(std::move(frame));
    return problem;
}

Problem warning(const QString& text)
{
    Problem problem;
    problem.severity = Problem::Severity::Warning;
    problem.text = text;
    return problem;
}

void addLimits(std::vector<Problem>& problems, std::uint32_t limits)
{
    const std::array<std::pair<std::uint32_t, QString>, 6> texts = {{
        {format::NodeLimit,
         tr("The call tree reached its limit: further paths were folded together.")},
        {format::DepthLimit, tr("Very deep calls were folded together.")},
        {format::StringLimit,
         tr("Some names or source texts are missing: their limit was reached.")},
        {format::DiskFull, tr("The disk was full: recording ended there.")},
        {format::StackCut, tr("Some stacks were deeper than the sampler looks.")},
        {format::EventsLost, tr("The timeline kept only the latest events.")},
    }};
    for (const auto& [bit, text] : texts) {
        if ((limits & bit) != 0)
            problems.push_back(warning(text));
    }
}

} // namespace

std::vector<Problem> problemsOf(const Profile& profile)
{
    std::vector<Problem> problems;
    if (!profile.run.errorMessage.empty())
        problems.push_back(failureOf(profile));
    else if (profile.run.status == RunStatus::Killed)
        problems.push_back(
            locatedProblem(profile, Problem::Severity::Error, statusExplanation(profile.run)));
    addLimits(problems, profile.run.limits);
    for (const std::string& text : profile.run.warnings)
        problems.push_back(warning(QString::fromStdString(text)));
    return problems;
}

SourceId findSource(const Profile& profile, const QString& name)
{
    const std::string wanted = name.toStdString();
    const bool isCut = name.startsWith(QStringLiteral("..."));
    for (std::uint32_t index = 0; index < profile.sources.size(); ++index) {
        const Source& source = profile.sources[index];
        const std::string chunk =
            source.chunkName.empty() ? std::string() : source.chunkName.substr(1);
        if (wanted == chunk || wanted == source.label || wanted == source.path)
            return SourceId(index);
        if (isCut && QString::fromStdString(chunk).endsWith(name.mid(3)))
            return SourceId(index);
    }
    return {};
}

} // namespace perilune
