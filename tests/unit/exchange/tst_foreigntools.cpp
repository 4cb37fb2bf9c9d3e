// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/exchange/ConformanceProfile.h"
#include "tests/unit/exchange/TemporaryFiles.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

using namespace perilune;

/// What we write, read by the programs that others wrote for it.
class ForeignToolsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void callgrindAnnotate();
    void pythonReadsCsv();
    void pythonReadsSpeedscope();
    void pythonReadsPprof();
    void pythonReadsHtml();
    void goToolPprof();

private:
    std::shared_ptr<const Profile> m_profile = test::conformanceProfile();
    test::TemporaryFiles m_files;
};

namespace {

/// The standard output of a program, or nothing, with its errors in the test's output.
QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(120000);
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        qWarning("%s: %s", qPrintable(program), process.readAllStandardError().constData());
        return {};
    }
    return process.readAllStandardOutput();
}

bool isMissing(const QString& program)
{
    return QStandardPaths::findExecutable(program).isEmpty();
}

QString toQString(const std::string& text)
{
    return QString::fromStdString(text);
}

/// Runs a Python program that gets `file` as its argument and prints "name<TAB>number" lines.
std::map<std::string, std::uint64_t> numbersFromPython(const char* program, const QString& file)
{
    std::map<std::string, std::uint64_t> numbers;
    const QByteArray output = outputOf(QStringLiteral("python3"),
                                       {QStringLiteral("-c"), QString::fromUtf8(program), file});
    for (const QByteArray& line : output.split('\n')) {
        const qsizetype tab = line.lastIndexOf('\t');
        if (tab > 0)
            numbers[line.left(tab).toStdString()] += line.mid(tab + 1).toULongLong();
    }
    return numbers;
}

/// The self times of the profile, with names as they are on one line of valid UTF-8 and numbered
/// where two functions look alike.
std::map<std::string, std::uint64_t> cleanTimes(const Profile& profile)
{
    auto times = test::selfTimesByName(profile);
    const auto rename = [&times](const std::string& from, const std::string& to) {
        auto node = times.extract(from);
        node.key() = to;
        times.insert(std::move(node));
    };
    rename("two\nlines\r\n", "two lines");
    rename("bad\xFF\xC3(bytes", "bad\uFFFD\uFFFD(bytes");
    times["function <dir/hard.lua:50>"] = 11;
    times["function <dir/hard.lua:50> #2"] = 22;
    return times;
}

} // namespace

void ForeignToolsTest::callgrindAnnotate()
{
    const QString tool = QStringLiteral("callgrind_annotate");
    if (isMissing(tool))
        QSKIP("callgrind_annotate is not installed (Debian package valgrind)");
    const QString file = m_files.exported(*m_profile, ExportFormat::Callgrind);
    const QString output = QString::fromUtf8(
        outputOf(tool,
                 {QStringLiteral("--threshold=100"), QStringLiteral("--show-percs=no"),
                  QStringLiteral("--auto=no"), file}));
    QString plain = output;
    plain.remove(QLatin1Char(','));
    for (const auto& [name, time] : cleanTimes(*m_profile)) {
        if (time == 0)
            continue;
        // "   1001  /home/…/file.lua:a;b … [object]"
        QString shown = toQString(name);
        shown.remove(QLatin1Char(','));
        const QRegularExpression row(
            QStringLiteral("^ *%1 .*:%2(?= |$)").arg(time).arg(QRegularExpression::escape(shown)),
            QRegularExpression::MultilineOption);
        QVERIFY2(row.match(plain).hasMatch(), qPrintable(shown + QLatin1Char('\n') + output));
    }
    const auto total = m_profile->tree->total(Metric::Time, NodeId(0));
    QVERIFY(plain.contains(QStringLiteral("%1  PROGRAM TOTALS").arg(total)));
    const QByteArray tree =
        outputOf(tool, {QStringLiteral("--inclusive=yes"), QStringLiteral("--tree=both"), file});
    QVERIFY(tree.contains("(4x)")); // table.sort was called 4 times
}

void ForeignToolsTest::pythonReadsCsv()
{
    if (isMissing(QStringLiteral("python3")))
        QSKIP("python3 is not installed");
    ExportOptions options;
    options.guardFormulas = false;
    const auto numbers = numbersFromPython(
        "import csv, sys\n"
        "for row in csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8')):\n"
        "    print(row['function'].replace('\\r', '').replace('\\n', '|'), row['self_ns'], "
        "sep='\\t')\n",
        m_files.exported(*m_profile, ExportFormat::CsvFunctions, options));
    // Line breaks are kept within quotes; functions of one name are two rows.
    QCOMPARE(numbers.at("two|lines|"), 1004u);
    QCOMPARE(numbers.at("=1+1, \"x\""), 1003u);
    QCOMPARE(numbers.at("bad\uFFFD\uFFFD(bytes"), 1006u);
    QCOMPARE(numbers.at("function <dir/hard.lua:50>"), 33u);
    std::uint64_t sum = 0;
    for (const auto& [name, number] : numbers)
        sum += number;
    QCOMPARE(sum, m_profile->tree->total(Metric::Time, NodeId(0)));
}

void ForeignToolsTest::pythonReadsSpeedscope()
{
    if (isMissing(QStringLiteral("python3")))
        QSKIP("python3 is not installed");
    auto expected = cleanTimes(*m_profile);
    expected.erase("without time");
    QCOMPARE(numbersFromPython(
                 "import json, sys\n"
                 "data = json.load(open(sys.argv[1], encoding='utf-8'))\n"
                 "frames, profile = data['shared']['frames'], data['profiles'][0]\n"
                 "assert profile['unit'] == 'nanoseconds' and profile['type'] == 'sampled'\n"
                 "for sample, weight in zip(profile['samples'], profile['weights'], strict=True):\n"
                 "    print(frames[sample[-1]]['name'], weight, sep='\\t')\n",
                 m_files.exported(*m_profile, ExportFormat::Speedscope)),
             expected);
}

/// A reader of the wire format that shares nothing with ours.
void ForeignToolsTest::pythonReadsPprof()
{
    if (isMissing(QStringLiteral("python3")))
        QSKIP("python3 is not installed");
    const auto numbers = numbersFromPython(R"(
import gzip, sys
def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]; at += 1
        value |= (byte & 127) << shift; shift += 7
        if byte < 128: return value, at
def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value
def numbers(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values
strings, functions, locations, types, samples = [], {}, {}, [], []
for field, value in fields(gzip.open(sys.argv[1]).read()):
    if field == 6: strings.append(value.decode())
    elif field == 5:
        function = dict(fields(value)); functions[function[1]] = function[2]
    elif field == 4:
        location = dict(fields(value)); locations[location[1]] = dict(fields(location[4]))[1]
    elif field == 1: types.append(dict(fields(value)))
    elif field == 2: samples.append({key: numbers(part) for key, part in fields(value)})
assert strings[0] == '' and 0 not in functions and 0 not in locations
assert [strings[type[2]] for type in types] == ['count', 'count', 'bytes', 'nanoseconds']
for sample in samples:
    assert len(sample[2]) == len(types)
    print(strings[functions[locations[sample[1][0]]]], sample[2][3], sep='\t')
)",
                                           m_files.exported(*m_profile, ExportFormat::Pprof));
    auto expected = cleanTimes(*m_profile);
    expected.emplace("(interpreter)", 0); // it has a call
    QCOMPARE(numbers, expected);
}

void ForeignToolsTest::pythonReadsHtml()
{
    if (isMissing(QStringLiteral("python3")))
        QSKIP("python3 is not installed");
    auto expected = cleanTimes(*m_profile);
    expected.erase("function <dir/hard.lua:50> #2"); // the table does not number
    expected["function <dir/hard.lua:50>"] = 33;
    expected.emplace("(interpreter)", 0);
    QCOMPARE(numbersFromPython(R"(
import html.parser, sys
class Rows(html.parser.HTMLParser):
    cells, inside, value = [], False, None
    def handle_starttag(self, tag, attributes):
        if tag == 'tr': self.cells = []
        if tag == 'td':
            self.inside = True
            self.cells.append([dict(attributes).get('data-v'), ''])
    def handle_endtag(self, tag):
        if tag == 'td': self.inside = False
        if tag == 'tr' and self.cells: print(self.cells[0][1], self.cells[1][0], sep='\t')
    def handle_data(self, data):
        if self.inside: self.cells[-1][1] += data
Rows().feed(open(sys.argv[1], encoding='utf-8').read())
)",
                               m_files.exported(*m_profile, ExportFormat::Html)),
             expected);
}

void ForeignToolsTest::goToolPprof()
{
    if (isMissing(QStringLiteral("go")))
        QSKIP("go is not installed: its Debian package takes 400 MB, so this check is optional");
    const QString output = QString::fromUtf8(outputOf(
        QStringLiteral("go"),
        {QStringLiteral("tool"), QStringLiteral("pprof"), QStringLiteral("-top"),
         QStringLiteral("-unit=ns"), QStringLiteral("-nodecount=1000"),
         QStringLiteral("-nodefraction=0"), m_files.exported(*m_profile, ExportFormat::Pprof)}));
    QVERIFY(!output.isEmpty());
    for (const auto& [name, time] : cleanTimes(*m_profile)) {
        if (time == 0 || name == "huge")
            continue; // the tool shows numbers as floating-point ones
        const QRegularExpression row(QStringLiteral("^ *%1ns .* %2")
                                         .arg(time)
                                         .arg(QRegularExpression::escape(toQString(name))),
                                     QRegularExpression::MultilineOption);
        QVERIFY2(row.match(output).hasMatch(), qPrintable(toQString(name) + u'\n' + output));
    }
}

QTEST_GUILESS_MAIN(ForeignToolsTest)
#include "tst_foreigntools.moc"
