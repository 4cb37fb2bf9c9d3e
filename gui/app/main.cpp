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

#include <cstdio>

namespace {

void nameApplication()
{
    QApplication::setOrganizationName(QStringLiteral("perilune"));
    QApplication::setApplicationName(QStringLiteral("perilune"));
    QApplication::setApplicationDisplayName(QStringLiteral("Perilune"));
    QApplication::setApplicationVersion(QStringLiteral(PERILUNE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("perilune"));
    QApplication::setWindowIcon(perilune::applicationIcon());
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

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    nameApplication();
    chooseLocale();
    perilune::EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    const perilune::Result<perilune::Arguments> arguments =
        perilune::parseArguments(QApplication::arguments());
    if (!arguments)
        return showUsageError(arguments.error().detail);
    if (arguments->showHelp)
        return print(perilune::usageText());
    if (arguments->showVersion)
        return print(QStringLiteral("perilune " PERILUNE_VERSION "\n"));

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
