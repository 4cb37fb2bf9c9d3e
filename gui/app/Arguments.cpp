// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/Arguments.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>

namespace perilune {

namespace {

Error usageError(const QString& detail)
{
    return {Error::Code::InvalidArgument, detail.toStdString()};
}

void describe(QCommandLineParser& parser)
{
    parser.setApplicationDescription(
        QCoreApplication::translate("Arguments", "The desktop profiler for Lua."));
    parser.addPositionalArgument(
        QStringLiteral("file"),
        QCoreApplication::translate(
            "Arguments", "A session (.perilune), a Lua script, or a recording (.plrec)."),
        QStringLiteral("[FILE]"));
    parser.addOption({QStringLiteral("run"),
                      QCoreApplication::translate("Arguments", "Run the script at once.")});
    parser.addOption({QStringLiteral("no-settings"),
                      QCoreApplication::translate(
                          "Arguments", "Start with default settings and remember nothing.")});
    parser.addHelpOption();
    parser.addVersionOption();
}

} // namespace

Result<Arguments> parseArguments(const QStringList& arguments)
{
    QCommandLineParser parser;
    describe(parser);
    if (!parser.parse(arguments))
        return usageError(parser.errorText());
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1) {
        return usageError(
            QCoreApplication::translate("Arguments", "One file at a time: unexpected “%1”")
                .arg(files.at(1)));
    }
    Arguments result;
    result.run = parser.isSet(QStringLiteral("run"));
    result.noSettings = parser.isSet(QStringLiteral("no-settings"));
    result.showHelp = parser.isSet(QStringLiteral("help"));
    result.showVersion = parser.isSet(QStringLiteral("version"));
    if (!files.isEmpty())
        result.file = QFileInfo(files.first()).absoluteFilePath();
    if (result.run && result.file.isEmpty())
        return usageError(QCoreApplication::translate("Arguments", "--run needs a script"));
    return result;
}

QString usageText()
{
    QCommandLineParser parser;
    describe(parser);
    return parser.helpText();
}

} // namespace perilune
