// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/FileQuestions.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

namespace perilune {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("FileQuestions", text);
}

const QString sessionSuffix = QStringLiteral(".perilune");

} // namespace

QString askForFile(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Open"), folder,
                                        tr("All that Perilune opens (*.lua *.perilune *.plrec)")
                                            + QStringLiteral(";;") + tr("Lua scripts (*.lua)")
                                            + QStringLiteral(";;") + tr("All files (*)"));
}

QString askForSession(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, tr("Open session"), folder,
                                        tr("Sessions and recordings (*.perilune *.plrec)")
                                            + QStringLiteral(";;") + tr("All files (*)"));
}

QString askForSavePath(QWidget* parent, const QString& suggestion)
{
    QString path = QFileDialog::getSaveFileName(parent, tr("Save session"), suggestion,
                                                tr("Sessions (*.perilune)"));
    if (!path.isEmpty() && !path.endsWith(sessionSuffix))
        path += sessionSuffix;
    return path;
}

UnsavedAnswer askAboutUnsaved(QWidget* parent, int runCount)
{
    QMessageBox box(QMessageBox::Question, tr("Unsaved runs"),
                    QCoreApplication::translate(
                        "FileQuestions", "Save the %Ln run(s) of this session?", nullptr, runCount),
                    QMessageBox::Cancel, parent);
    box.setInformativeText(
        tr("Runs that are kept without saving are offered again at the next start."));
    QPushButton* save = box.addButton(tr("&Save…"), QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(tr("&Keep for later"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(save);
    box.exec();
    if (box.clickedButton() == save)
        return UnsavedAnswer::Save;
    if (box.clickedButton() == keep)
        return UnsavedAnswer::Keep;
    return box.clickedButton() == discard ? UnsavedAnswer::Discard : UnsavedAnswer::Cancel;
}

bool askToStop(QWidget* parent)
{
    return QMessageBox::question(parent, tr("A script is running"),
                                 tr("Stop the running script and close? What it measured is lost."),
                                 QMessageBox::Yes | QMessageBox::Cancel)
        == QMessageBox::Yes;
}

} // namespace perilune
