// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/ShortcutSheet.h"

#include "gui/app/WindowActions.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace perilune {

namespace {

using Line = std::pair<QString, QString>; ///< What it does, and its keys.

struct Section
{
    QString title;
    std::vector<Line> lines;
};

/// Keys that views handle themselves and that are no actions of the window.
Section viewKeys()
{
    return {ShortcutSheet::tr("In tables and trees"),
            {{ShortcutSheet::tr("Show the source of the function"), ShortcutSheet::tr("Enter")},
             {ShortcutSheet::tr("Copy the selected rows"), QStringLiteral("Ctrl+C")},
             {ShortcutSheet::tr("Select all rows"), QStringLiteral("Ctrl+A")},
             {ShortcutSheet::tr("Rename a run"), QStringLiteral("F2")},
             {ShortcutSheet::tr("Delete a run"), ShortcutSheet::tr("Del")},
             {ShortcutSheet::tr("View 1, 2, …"), QStringLiteral("Ctrl+1, Ctrl+2, …")},
             {ShortcutSheet::tr("Back, forward"), ShortcutSheet::tr("Mouse buttons 4 and 5")},
             {ShortcutSheet::tr("Stop, in the Output pane"), ShortcutSheet::tr("Esc")}}};
}

std::vector<Section> sectionsOf(const WindowActions& actions)
{
    std::vector<Section> sections;
    for (const WindowActions::Group& group : actions.groups()) {
        Section section = {group.title, {}};
        for (const QAction* action : group.actions) {
            QString text = action->text();
            text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
            if (!action->shortcuts().isEmpty())
                section.lines.push_back({text, WindowActions::keysOf(*action)});
        }
        sections.push_back(std::move(section));
    }
    sections.push_back(viewKeys());
    return sections;
}

QWidget* createSection(const Section& section, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 10);
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(3);
    auto* title = new QLabel(section.title, box);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    grid->addWidget(title, 0, 0, 1, 2);
    int row = 1;
    for (const auto& [text, keys] : section.lines) {
        auto* keyLabel = new QLabel(keys, box);
        keyLabel->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(new QLabel(text, box), row, 0);
        grid->addWidget(keyLabel, row, 1, Qt::AlignRight);
        ++row;
    }
    grid->setColumnStretch(0, 1);
    return box;
}

} // namespace

ShortcutSheet::ShortcutSheet(const WindowActions& actions, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Shortcuts"));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(36);
    const std::vector<Section> sections = sectionsOf(actions);
    std::size_t next = 0;
    for (const std::size_t count : {std::size_t(2), std::size_t(2), sections.size() - 4}) {
        auto* column = new QVBoxLayout;
        for (std::size_t i = 0; i < count && next < sections.size(); ++i)
            column->addWidget(createSection(sections[next++], this));
        column->addStretch(1);
        columns->addLayout(column);
    }
    auto* note = new QLabel(tr("F5 runs the script, as in other development tools; "
                               "reloading a session has no key."),
                            this);
    note->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(columns);
    layout->addWidget(note);
    layout->addWidget(buttons);
}

} // namespace perilune
