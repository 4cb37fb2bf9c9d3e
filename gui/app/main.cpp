// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/AppPaths.h"
#include "gui/app/Arguments.h"
#include "gui/app/MainWindow.h"
#include "gui/app/Settings.h"
#include "gui/models/EnglishPlurals.h"
#include "gui/views/Icons.h"
#include "gui/views/Theme.h"

#include <QApplication>
#include <QLocale>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

namespace {

void nameApplication()
{
    QApplication::setOrganizationName(QStringLiteral("perilune"));
    QApplication::setApplicationName(QStringLiteral("perilune"));
    QApplication::setApplicationDisplayName(QStringLiteral("Perilune"));
    QApplication::setApplicationVersion(QStringLiteral(PERILUNE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("perilune"));
}

/// The C locale groups no digits, which makes counts hard to read.
void chooseLocale()
{
    if (QLocale::system().language() == QLocale::C)
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

int showUsageError(const std::string& detail)
{
    std::fprintf(stderr, "perilune: %s\n", detail.c_str());
    return 2;
}

int print(const QString& text)
{
    std::fputs(text.toUtf8().constData(), stdout);
    return 0;
}

bool hasArgument(int argc, char** argv, std::initializer_list<std::string_view> names)
{
    return std::any_of(argv + 1, argv + argc, [names](const char* argument) {
        return std::find(names.begin(), names.end(), argument) != names.end();
    });
}

/// Help and version need no display, which QApplication would ask for.
bool isTextAsked(int argc, char** argv)
{
    return hasArgument(argc, argv, {"-h", "--help", "-v", "--version"});
}

int printText(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    nameApplication();
    const auto arguments = perilune::parseArguments(QCoreApplication::arguments());
    if (!arguments)
        return showUsageError(arguments.error().detail);
    if (arguments->showHelp)
        return print(perilune::usageText());
    return print(QStringLiteral("perilune " PERILUNE_VERSION "\n"));
}

/// Qt would say so in a dozen lines and abort.
bool isDisplayMissing(int argc, char** argv)
{
    return !qEnvironmentVariableIsSet("DISPLAY") && !qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
        && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")
        && !hasArgument(argc, argv, {"-platform", "--platform"});
}

} // namespace

int main(int argc, char** argv)
{
    if (isTextAsked(argc, argv))
        return printText(argc, argv);
    if (isDisplayMissing(argc, argv))
        return showUsageError("there is no display; perilune-cli works without one");
    QApplication application(argc, argv);
    nameApplication();
    QApplication::setWindowIcon(perilune::applicationIcon());
    chooseLocale();
    perilune::EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    const perilune::Result<perilune::Arguments> arguments =
        perilune::parseArguments(QApplication::arguments());
    if (!arguments)
        return showUsageError(arguments.error().detail);

    QTemporaryDir temporary;
    const perilune::AppPaths paths = arguments->noSettings
        ? perilune::AppPaths::below(temporary.path())
        : perilune::AppPaths::standard();
    perilune::Settings settings(paths.settingsFile);
    perilune::applyTheme(application, settings.colorScheme());
    QObject::connect(&settings, &perilune::Settings::colorSchemeChanged, &application,
                     [&application](perilune::ColorScheme scheme) {
                         perilune::applyTheme(application, scheme);
                     });

    perilune::MainWindow window(settings, paths);
    window.show();
    if (!arguments->file.isEmpty())
        window.openFile(arguments->file, arguments->run);
    return QApplication::exec();
}
