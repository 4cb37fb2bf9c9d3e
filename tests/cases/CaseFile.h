// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace perilune::test {

/// A number that a header states: exact, a lower bound (`=>N`) or left open (`*`).
struct Expectation
{
    enum class Kind
    {
        Exactly,
        AtLeast,
        Anything
    };
    Kind kind = Kind::Exactly;
    std::uint64_t value = 0;

    bool accepts(std::uint64_t actual) const;
    QString text() const;
};

/// `expect:` a Lua function of the case; see README.md for all of these.
struct ExpectedFunction
{
    QString name;
    Expectation calls; ///< The truth.
    Expectation seen;  ///< What call events can show of it: `hook=`, or the truth.
    int line = 0;      ///< Of its definition; 0 is the main function.
    int ordinal = 0;   ///< K of `def=LINE#K`, else 0.
    QString chunk;     ///< Empty: the case itself.
};

struct ExpectedCFunction
{
    QString name;
    Expectation calls;
};

struct ExpectedEdge
{
    QString caller;
    QString callee;
    Expectation calls;
    bool isTail = false;
};

struct ExpectedDepth
{
    QString function;
    Expectation depth;
};

struct ExpectedLine
{
    int line = 0;
    Expectation hits;
};

struct ExpectedTime
{
    QString function;
    bool isSelf = false;
    bool isUpperBound = false;
    double seconds = 0;
};

/// What the header of a case says must come out.
struct CaseFile
{
    QString path;
    QString fileName;
    std::vector<ExpectedFunction> functions;
    std::vector<ExpectedCFunction> cFunctions;
    std::vector<ExpectedEdge> edges;
    std::vector<ExpectedDepth> depths;
    std::vector<ExpectedLine> lines;
    std::vector<ExpectedTime> times;
    int exitCode = 0;
    QRegularExpression output; ///< Empty pattern: anything.
    QRegularExpression errorOutput;
    QByteArray input;
    QStringList arguments;
    bool neverEnds = false;
    bool setsHooks = false;    ///< The script calls debug.sethook, which must not hide anything.
    double timeoutSeconds = 0; ///< After which one that never ends is killed.
    QStringList problems;      ///< Header lines that could not be understood.

    const ExpectedFunction* findFunction(const QString& name) const;
};

CaseFile readCase(const QString& path);

} // namespace perilune::test
