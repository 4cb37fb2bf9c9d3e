// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/CommandLine.h"

#include "core/cli/ExitCode.h"
#include "core/cli/Verb.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace perilune::cli {

namespace {

constexpr std::array<const Verb*, 6> verbs = {&recordVerb,  &reportVerb, &compareVerb,
                                              &historyVerb, &exportVerb, &importVerb};

void print(std::FILE* file, const QString& text)
{
    std::fputs(text.toUtf8().constData(), file);
}

const Verb* findVerb(const QString& name)
{
    const auto found = std::find_if(verbs.begin(), verbs.end(), [&](const Verb* verb) {
        return name == QLatin1String(verb->name);
    });
    return found == verbs.end() ? nullptr : *found;
}

void setUp(QCommandLineParser& parser, const Verb& verb)
{
    parser.setOptionsAfterPositionalArgumentsMode(
        verb.options == Verb::Options::Anywhere ? QCommandLineParser::ParseAsOptions
                                                : QCommandLineParser::ParseAsPositionalArguments);
    parser.addOption(
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help.")});
    verb.describe(parser);
}

/// The usage line, the summary and the parser's list of options.
QString helpFor(const Verb& verb, const QCommandLineParser& parser)
{
    const QString all = parser.helpText();
    const auto options = all.indexOf(QStringLiteral("Options:"));
    return QStringLiteral("Usage: perilune-cli %1 %2\n%3\n\n%4")
        .arg(QLatin1String(verb.name), QString::fromUtf8(verb.usage),
             QString::fromUtf8(verb.summary), all.mid(options));
}

QString overview()
{
    QString text =
        QStringLiteral("perilune-cli records Lua scripts and reports where their time went.\n\n"
                       "Usage: perilune-cli VERB [options] …\n\nVerbs:\n");
    const auto line = [&](const char* name, const char* summary) {
        text += QStringLiteral("  %1 %2\n")
                    .arg(QLatin1String(name), -9)
                    .arg(QString::fromUtf8(summary));
    };
    for (const Verb* verb : verbs)
        line(verb->name, verb->summary);
    line("help", "Show this overview, or the options of a VERB.");
    line("version", "Show the version.");
    text += QStringLiteral(
        "\nExit codes: 0 done, 2 wrong usage, 3 compare found a clear slowdown past\n"
        "--fail-if-slower, 4 a file cannot be read or written; record passes on\n"
        "the exit code of the script.\n");
    return text;
}

int runVerb(const Verb& verb, const QStringList& arguments)
{
    QCommandLineParser parser;
    setUp(parser, verb);
    const bool isGood = parser.parse(arguments);
    if (parser.isSet(QStringLiteral("help"))) {
        print(stdout, helpFor(verb, parser));
        return Success;
    }
    if (!isGood)
        return usageError(parser.errorText());
    return verb.run(parser);
}

int showHelp(const QStringList& arguments)
{
    if (arguments.isEmpty()) {
        print(stdout, overview());
        return Success;
    }
    const Verb* verb = findVerb(arguments.first());
    if (verb == nullptr)
        return usageError(QStringLiteral("There is no verb “%1”.").arg(arguments.first()));
    QCommandLineParser parser;
    setUp(parser, *verb);
    print(stdout, helpFor(*verb, parser));
    return Success;
}

} // namespace

void printError(const QString& message)
{
    print(stderr, QStringLiteral("perilune-cli: %1\n").arg(message));
}

int usageError(const QString& message)
{
    QString sentence = message;
    if (!sentence.endsWith(u'.'))
        sentence += u'.';
    printError(sentence + QStringLiteral(" See perilune-cli help."));
    return UsageError;
}

std::optional<qint64> wholeNumber(const QCommandLineParser& parser, const QString& option,
                                  qint64 minimum, qint64 fallback)
{
    if (!parser.isSet(option))
        return fallback;
    bool isNumber = false;
    const qint64 number = parser.value(option).toLongLong(&isNumber);
    if (isNumber && number >= minimum)
        return number;
    usageError(QStringLiteral("--%1 needs a whole number of at least %2, not “%3”.")
                   .arg(option)
                   .arg(minimum)
                   .arg(parser.value(option)));
    return std::nullopt;
}

int runCommandLine(const QStringList& arguments)
{
    const QString name = arguments.value(1);
    const QStringList rest = arguments.mid(2);
    if (name.isEmpty())
        return usageError(QStringLiteral("A verb is missing: record, report, export, …"));
    if (name == QStringLiteral("help") || name == QStringLiteral("--help")
        || name == QStringLiteral("-h"))
        return showHelp(rest);
    if (name == QStringLiteral("version") || name == QStringLiteral("--version")) {
        print(stdout, QStringLiteral("Perilune " PERILUNE_VERSION "\n"));
        return Success;
    }
    const Verb* verb = findVerb(name);
    if (verb == nullptr)
        return usageError(QStringLiteral("There is no verb “%1”.").arg(name));
    return runVerb(*verb, QStringList{arguments.first()} + rest);
}

} // namespace perilune::cli
