// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cases/CaseFile.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>

#include <algorithm>

namespace perilune::test {

namespace {

/// The words of a header line of the form `A B key=value …`.
class Words
{
public:
    explicit Words(const QString& text)
    {
        for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
            const qsizetype equals = word.indexOf(u'=');
            if (equals > 0 && word.at(equals - 1).isLetter())
                m_values.insert(word.left(equals), word.mid(equals + 1));
            else
                plain.append(word);
        }
    }
    QString value(const QString& key) const { return m_values.value(key); }
    QStringList plain;

private:
    QHash<QString, QString> m_values;
};

Expectation parseExpectation(const QString& text)
{
    if (text == u"*")
        return {Expectation::Kind::Anything, 0};
    const bool isBound = text.startsWith(u">=");
    return {isBound ? Expectation::Kind::AtLeast : Expectation::Kind::Exactly,
            text.mid(isBound ? 2 : 0).toULongLong()};
}

bool parseFunction(const QString& text, CaseFile& result)
{
    const Words words(text);
    const QStringList place = words.value(QStringLiteral("def")).split(u'#');
    if (words.plain.size() != 1 || place.first().isEmpty())
        return false;
    ExpectedFunction function;
    function.name = words.plain.first();
    function.calls = parseExpectation(words.value(QStringLiteral("calls")));
    const QString seen = words.value(QStringLiteral("hook"));
    function.seen = seen.isEmpty() ? function.calls : parseExpectation(seen);
    function.line = place.first().toInt();
    function.ordinal = place.size() > 1 ? place.at(1).toInt() : 0;
    function.chunk = words.value(QStringLiteral("chunk"));
    result.functions.push_back(function);
    return true;
}

bool parseCFunction(const QString& text, CaseFile& result)
{
    const Words words(text);
    if (words.plain.size() != 1)
        return false;
    result.cFunctions.push_back(
        {words.plain.first(), parseExpectation(words.value(QStringLiteral("calls")))});
    return true;
}

bool parseEdge(const QString& text, bool isTail, CaseFile& result)
{
    const Words words(text);
    if (words.plain.size() != 3 || words.plain.at(1) != u"->")
        return false;
    result.edges.push_back({words.plain.at(0), words.plain.at(2),
                            parseExpectation(words.value(QStringLiteral("calls"))), isTail});
    return true;
}

bool parseCallEdge(const QString& text, CaseFile& result)
{
    return parseEdge(text, false, result);
}

bool parseTailEdge(const QString& text, CaseFile& result)
{
    return parseEdge(text, true, result);
}

bool parseDepth(const QString& text, CaseFile& result)
{
    const Words words(text);
    if (words.plain.size() != 1)
        return false;
    result.depths.push_back(
        {words.plain.first(), parseExpectation(words.value(QStringLiteral("max")))});
    return true;
}

bool parseLine(const QString& text, CaseFile& result)
{
    const Words words(text);
    if (words.plain.size() != 1)
        return false;
    result.lines.push_back(
        {words.plain.first().toInt(), parseExpectation(words.value(QStringLiteral("hits")))});
    return true;
}

bool parseTimes(const QString& text, CaseFile& result)
{
    static const QRegularExpression pattern(QStringLiteral(R"((\S+) (incl|self)([<>])([\d.]+))"));
    const std::size_t before = result.times.size();
    for (auto match = pattern.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch time = match.next();
        result.times.push_back({time.captured(1), time.captured(2) == u"self",
                                time.captured(3) == u"<", time.captured(4).toDouble()});
    }
    return result.times.size() > before;
}

bool parseExit(const QString& text, CaseFile& result)
{
    static const QRegularExpression pattern(
        QStringLiteral(R"(^(\d+|timeout)(?: stdout~(.*?))?(?: stderr~(.*))?$)"));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return false;
    result.neverEnds = match.captured(1) == u"timeout";
    result.exitCode = match.captured(1).toInt();
    result.output.setPattern(match.captured(2));
    result.errorOutput.setPattern(match.captured(3));
    return true;
}

bool parseInput(const QString& text, CaseFile& result)
{
    result.input = text.toUtf8();
    return true;
}

bool parseArguments(const QString& text, CaseFile& result)
{
    result.arguments = text.split(u' ', Qt::SkipEmptyParts);
    return true;
}

bool parseTimeout(const QString& text, CaseFile& result)
{
    result.timeoutSeconds = text.toDouble();
    return result.timeoutSeconds > 0;
}

/// Lines for people, or for other tools.
bool ignore(const QString&, CaseFile&)
{
    return true;
}

bool parseHeaderLine(const QString& key, const QString& text, CaseFile& result)
{
    using Parser = bool (*)(const QString&, CaseFile&);
    static const QHash<QString, Parser> parsers = {
        {QStringLiteral("case"), ignore},
        {QStringLiteral("invariant"), ignore},
        {QStringLiteral("oracle"), ignore},
        {QStringLiteral("expect"), parseFunction},
        {QStringLiteral("expect-c"), parseCFunction},
        {QStringLiteral("edge"), parseCallEdge},
        {QStringLiteral("tail"), parseTailEdge},
        {QStringLiteral("depth"), parseDepth},
        {QStringLiteral("line"), parseLine},
        {QStringLiteral("time"), parseTimes},
        {QStringLiteral("exit"), parseExit},
        {QStringLiteral("stdin"), parseInput},
        {QStringLiteral("args"), parseArguments},
        {QStringLiteral("timeout"), parseTimeout},
    };
    const Parser parser = parsers.value(key);
    return parser && parser(text, result);
}

} // namespace

bool Expectation::accepts(std::uint64_t actual) const
{
    switch (kind) {
    case Kind::Exactly:
        return actual == value;
    case Kind::AtLeast:
        return actual >= value;
    case Kind::Anything:
        break;
    }
    return true;
}

QString Expectation::text() const
{
    if (kind == Kind::Anything)
        return QStringLiteral("any");
    return (kind == Kind::AtLeast ? QStringLiteral("at least ") : QString())
        + QString::number(value);
}

const ExpectedFunction* CaseFile::findFunction(const QString& name) const
{
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const auto& function) { return function.name == name; });
    return found != functions.end() ? &*found : nullptr;
}

CaseFile readCase(const QString& path)
{
    static const QRegularExpression headerLine(QStringLiteral("^(?:\uFEFF)?-- ([a-z-]+): (.*)$"));
    CaseFile result;
    result.path = path;
    result.fileName = QFileInfo(path).fileName();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        result.problems.append(file.errorString());
        return result;
    }
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        const QRegularExpressionMatch match = headerLine.match(line);
        if (match.hasMatch()) {
            if (!parseHeaderLine(match.captured(1), match.captured(2), result))
                result.problems.append(line);
        } else if (!line.startsWith(u"#!")) {
            result.setsHooks =
                file.readAll().contains("debug.sethook") || line.contains(u"debug.sethook");
            break;
        }
    }
    return result;
}

} // namespace perilune::test
