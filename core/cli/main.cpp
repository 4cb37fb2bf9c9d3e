// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cli/CommandLine.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    return perilune::cli::runCommandLine(QCoreApplication::arguments());
}
