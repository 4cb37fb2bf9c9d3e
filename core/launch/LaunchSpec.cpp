// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/LaunchSpec.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace perilune {

namespace {

/// Splits as POSIX shells do (Shell Command Language, 2.2 Quoting), without any expansion.
class ArgumentSplitter
{
public:
    explicit ArgumentSplitter(const QString& line)
        : m_line(line)
    {
    }

    Result<QStringList> split()
    {
        while (m_next < m_line.size()) {
            const QChar character = m_line[m_next++];
            if (character.isSpace())
                endWord();
            else if (character == u'\\')
                takeEscaped();
            else if (character != u'\'' && character != u'"')
                add(character);
            else if (!takeQuoted(character))
                return unclosed(character);
        }
        endWord();
        return m_words;
    }

private:
    void add(QChar character)
    {
        m_word += character;
        m_inWord = true;
    }

    void endWord()
    {
        if (m_inWord)
            m_words += m_word;
        m_word.clear();
        m_inWord = false;
    }

    void takeEscaped()
    {
        if (m_next == m_line.size())
            add(u'\\');
        else if (m_line[m_next] == u'\n')
            ++m_next; // a continued line
        else
            add(m_line[m_next++]);
    }

    /// False when the quote is never closed.
    bool takeQuoted(QChar quote)
    {
        m_inWord = true; // '' is an empty word
        m_quoteStart = m_next - 1;
        while (m_next < m_line.size()) {
            const QChar character = m_line[m_next++];
            if (character == quote)
                return true;
            if (character == u'\\' && quote == u'"' && isEscapableInQuotes())
                takeEscaped();
            else
                m_word += character;
        }
        return false;
    }

    bool isEscapableInQuotes() const
    {
        return m_next < m_line.size() && QStringLiteral("$`\"\\\n").contains(m_line[m_next]);
    }

    Error unclosed(QChar quote) const
    {
        const QString text =
            QStringLiteral("The %1 quote at %2 is not closed.")
                .arg(quote == u'"' ? QStringLiteral("double") : QStringLiteral("single"),
                     m_line.mid(m_quoteStart, 20));
        return {Error::Code::InvalidArgument, text.toStdString()};
    }

    const QString& m_line;
    qsizetype m_next = 0;
    qsizetype m_quoteStart = 0;
    QString m_word;
    bool m_inWord = false;
    QStringList m_words;
};

bool needsQuotes(const QString& argument)
{
    const auto isSpecial = [](QChar character) {
        return character.isSpace() || character == u'\'' || character == u'"' || character == u'\\';
    };
    return argument.isEmpty() || std::any_of(argument.begin(), argument.end(), isSpecial);
}

QString quoted(const QString& argument)
{
    if (!argument.contains(u'\''))
        return u'\'' + argument + u'\'';
    QString escaped = argument;
    escaped.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    escaped.replace(u'$', QStringLiteral("\\$")).replace(u'`', QStringLiteral("\\`"));
    return u'"' + escaped + u'"';
}

Error launchError(Error::Code code, const QString& text)
{
    return {code, text.toStdString()};
}

Result<void> checkWorkingDirectory(const QString& path)
{
    if (path.isEmpty())
        return {};
    const QFileInfo info(path);
    if (!info.exists())
        return launchError(Error::Code::FileNotFound,
                           QStringLiteral("The working directory “%1” does not exist; create it or "
                                          "choose another.")
                               .arg(path));
    if (!info.isDir())
        return launchError(
            Error::Code::InvalidArgument,
            QStringLiteral("“%1” is no directory; choose another working directory.").arg(path));
    if (!info.isExecutable())
        return launchError(
            Error::Code::CannotRead,
            QStringLiteral("The working directory “%1” may not be entered; check its "
                           "permissions.")
                .arg(path));
    return {};
}

Result<void> checkReadableFile(const QString& path, const QString& what)
{
    const QFileInfo info(path);
    if (!info.exists())
        return launchError(Error::Code::FileNotFound,
                           QStringLiteral("The %1 “%2” does not exist; check the path.")
                               .arg(what, info.absoluteFilePath()));
    if (info.isDir())
        return launchError(Error::Code::CannotRead,
                           QStringLiteral("The %1 “%2” is a directory; choose a file in it.")
                               .arg(what, info.absoluteFilePath()));
    if (!info.isReadable())
        return launchError(Error::Code::CannotRead,
                           QStringLiteral("The %1 “%2” may not be read; check its permissions.")
                               .arg(what, info.absoluteFilePath()));
    return {};
}

} // namespace

Result<QStringList> splitArguments(const QString& line)
{
    return ArgumentSplitter(line).split();
}

QString joinArguments(const QStringList& arguments)
{
    QStringList words;
    for (const QString& argument : arguments)
        words += needsQuotes(argument) ? quoted(argument) : argument;
    return words.join(u' ');
}

QString scriptPath(const LaunchSpec& spec)
{
    return QDir(spec.workingDirectory).absoluteFilePath(spec.script);
}

Result<void> checkLaunch(const LaunchSpec& spec)
{
    if (spec.script.isEmpty())
        return launchError(Error::Code::InvalidArgument,
                           QStringLiteral("No script is given; choose a .lua file."));
    if (const auto directory = checkWorkingDirectory(spec.workingDirectory); !directory)
        return directory.error();
    if (const auto script = checkReadableFile(scriptPath(spec), QStringLiteral("script")); !script)
        return script.error();
    if (spec.standardInput.isEmpty())
        return {};
    return checkReadableFile(spec.standardInput, QStringLiteral("standard input file"));
}

} // namespace perilune
