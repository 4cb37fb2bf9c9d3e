// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCommandLineParser>
#include <QString>
#include <QStringList>

#include <optional>

namespace perilune::cli {

/// A command of perilune-cli. One file each; the table of all is in CommandLine.cpp.
struct Verb
{
    enum class Options
    {
        Anywhere,
        BeforeFirstWord ///< What follows a word that is no option belongs to a script.
    };

    const char* name;
    const char* usage;   ///< What follows the name, for help.
    const char* summary; ///< One line, for the list of verbs.
    Options options;
    /// Adds the verb's options.
    void (*describe)(QCommandLineParser& parser);
    /// Does the work with parsed options and returns the exit code.
    int (*run)(const QCommandLineParser& parser);
};

extern const Verb recordVerb;
extern const Verb reportVerb;
extern const Verb compareVerb;
extern const Verb historyVerb;
extern const Verb exportVerb;
extern const Verb importVerb;

/// Prints "perilune-cli: MESSAGE" to standard error.
void printError(const QString& message);
/// Prints an error about how the command was given, names the help, and returns UsageError.
int usageError(const QString& message);

/// The value of an option as a whole number of at least `minimum`; prints an error and gives
/// nothing when it is none, `fallback` when the option is not given.
std::optional<qint64> wholeNumber(const QCommandLineParser& parser, const QString& option,
                                  qint64 minimum, qint64 fallback);

} // namespace perilune::cli
