// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/WindowActions.h"

#include "gui/views/Icons.h"

#include <QAction>
#include <QCoreApplication>
#include <QStringList>
#include <QWidget>

#include <array>

namespace perilune {

namespace {

struct ActionSpec
{
    ActionId id;
    const char* group;
    const char* text;
    const char* toolTip;
    const char* icon;
    QKeySequence::StandardKey standardKey;
    const char*
        keys; ///< Further keys, separated by blanks; used alone where the standard key is unknown.
};

constexpr const char* fileGroup = QT_TRANSLATE_NOOP("WindowActions", "Files");
constexpr const char* runGroup = QT_TRANSLATE_NOOP("WindowActions", "Running");
constexpr const char* findGroup = QT_TRANSLATE_NOOP("WindowActions", "Finding");
constexpr const char* goGroup = QT_TRANSLATE_NOOP("WindowActions", "Moving around");
constexpr const char* windowGroup = QT_TRANSLATE_NOOP("WindowActions", "Window");
constexpr QKeySequence::StandardKey noKey = QKeySequence::UnknownKey;

/// Fallbacks are given where Qt has no key on a bare platform: Quit, SaveAs, Preferences.
const std::array specs = {
    ActionSpec{ActionId::OpenScript, fileGroup, QT_TRANSLATE_NOOP("WindowActions", "&Open script…"),
               QT_TRANSLATE_NOOP("WindowActions", "Choose a Lua script, a session or a recording"),
               "open", QKeySequence::Open, ""},
    ActionSpec{ActionId::OpenSession, fileGroup,
               QT_TRANSLATE_NOOP("WindowActions", "Open s&ession…"), "", "session", noKey,
               "Ctrl+Shift+O"},
    ActionSpec{ActionId::Save, fileGroup, QT_TRANSLATE_NOOP("WindowActions", "&Save session"), "",
               "save", QKeySequence::Save, ""},
    ActionSpec{ActionId::SaveAs, fileGroup, QT_TRANSLATE_NOOP("WindowActions", "Save session &as…"),
               "", "save-as", QKeySequence::SaveAs, "Ctrl+Shift+S"},
    ActionSpec{ActionId::CloseSession, fileGroup,
               QT_TRANSLATE_NOOP("WindowActions", "&Close session"), "", "", QKeySequence::Close,
               ""},
    ActionSpec{ActionId::Settings, fileGroup, QT_TRANSLATE_NOOP("WindowActions", "Se&ttings…"), "",
               "settings", QKeySequence::Preferences, "Ctrl+,"},
    ActionSpec{ActionId::Quit, fileGroup, QT_TRANSLATE_NOOP("WindowActions", "&Quit"), "", "",
               QKeySequence::Quit, "Ctrl+Q"},
    ActionSpec{ActionId::Run, runGroup, QT_TRANSLATE_NOOP("WindowActions", "&Run"),
               QT_TRANSLATE_NOOP("WindowActions", "Run the script and profile it"), "run", noKey,
               "F5 Ctrl+R"},
    ActionSpec{ActionId::Stop, runGroup, QT_TRANSLATE_NOOP("WindowActions", "&Stop"),
               QT_TRANSLATE_NOOP("WindowActions", "Stop the script; what was measured is kept"),
               "stop", noKey, "Shift+F5"},
    ActionSpec{ActionId::Again, runGroup, QT_TRANSLATE_NOOP("WindowActions", "A&gain"),
               QT_TRANSLATE_NOOP("WindowActions", "Run once more, exactly as the last time"),
               "again", noKey, "Ctrl+Shift+R"},
    ActionSpec{ActionId::Launch, runGroup, QT_TRANSLATE_NOOP("WindowActions", "&Launch settings…"),
               QT_TRANSLATE_NOOP("WindowActions",
                                 "Working directory, environment, input, time limit and more"),
               "launch", noKey, "Ctrl+L"},
    ActionSpec{
        ActionId::Find, findGroup, QT_TRANSLATE_NOOP("WindowActions", "&Find"),
        QT_TRANSLATE_NOOP("WindowActions", "Highlight matches in all views; nothing is hidden"),
        "search", QKeySequence::Find, ""},
    ActionSpec{ActionId::FindNext, findGroup, QT_TRANSLATE_NOOP("WindowActions", "Next match"), "",
               "", QKeySequence::FindNext, ""},
    ActionSpec{ActionId::FindPrevious, findGroup,
               QT_TRANSLATE_NOOP("WindowActions", "Previous match"), "", "",
               QKeySequence::FindPrevious, ""},
    ActionSpec{ActionId::Filter, findGroup, QT_TRANSLATE_NOOP("WindowActions", "F&ilter functions"),
               QT_TRANSLATE_NOOP("WindowActions", "Keep only the functions that match"), "filter",
               noKey, "Ctrl+Shift+F"},
    ActionSpec{ActionId::GoToFunction, findGroup,
               QT_TRANSLATE_NOOP("WindowActions", "&Go to function…"), "", "functions", noKey,
               "Ctrl+K"},
    ActionSpec{ActionId::Back, goGroup, QT_TRANSLATE_NOOP("WindowActions", "&Back"),
               QT_TRANSLATE_NOOP("WindowActions", "The function selected before"), "back",
               QKeySequence::Back, ""},
    ActionSpec{ActionId::Forward, goGroup, QT_TRANSLATE_NOOP("WindowActions", "&Forward"),
               QT_TRANSLATE_NOOP("WindowActions", "The function selected after"), "forward",
               QKeySequence::Forward, ""},
    ActionSpec{ActionId::NextView, goGroup, QT_TRANSLATE_NOOP("WindowActions", "&Next view"), "",
               "", QKeySequence::NextChild, ""},
    ActionSpec{ActionId::PreviousView, goGroup,
               QT_TRANSLATE_NOOP("WindowActions", "&Previous view"), "", "",
               QKeySequence::PreviousChild, ""},
    ActionSpec{ActionId::OpenInEditor, goGroup,
               QT_TRANSLATE_NOOP("WindowActions", "Open in &editor"), "", "external", noKey,
               "Ctrl+E"},
    ActionSpec{ActionId::SetBaseline, goGroup,
               QT_TRANSLATE_NOOP("WindowActions", "Set as base&line"), "", "star", noKey, "Ctrl+B"},
    ActionSpec{ActionId::ResetLayout, windowGroup,
               QT_TRANSLATE_NOOP("WindowActions", "&Reset layout"), "", "", noKey, ""},
    ActionSpec{ActionId::FullScreen, windowGroup,
               QT_TRANSLATE_NOOP("WindowActions", "&Full screen"), "", "", QKeySequence::FullScreen,
               "F11"},
    ActionSpec{ActionId::Help, windowGroup, QT_TRANSLATE_NOOP("WindowActions", "&Help"), "", "info",
               QKeySequence::HelpContents, ""},
    ActionSpec{ActionId::ShortcutSheet, windowGroup,
               QT_TRANSLATE_NOOP("WindowActions", "&Shortcuts"), "", "", noKey, "?"},
    ActionSpec{ActionId::About, windowGroup, QT_TRANSLATE_NOOP("WindowActions", "&About Perilune"),
               "", "", noKey, ""},
};

QString translated(const char* text)
{
    return QCoreApplication::translate("WindowActions", text);
}

/// The standard keys of the platform, and ours where it has none or we have more.
QList<QKeySequence> keysFor(const ActionSpec& spec)
{
    QList<QKeySequence> keys;
    if (spec.standardKey != noKey)
        keys = QKeySequence::keyBindings(spec.standardKey);
    if (spec.standardKey == QKeySequence::Back)
        keys.removeAll(
            QKeySequence(Qt::Key_Backspace)); // Belongs to text fields and the flame graph.
    // Media keys of the same name belong to Back and Forward.
    if (spec.id == ActionId::NextView || spec.id == ActionId::PreviousView) {
        keys.removeAll(QKeySequence(Qt::Key_Back));
        keys.removeAll(QKeySequence(Qt::Key_Forward));
    }
    const QStringList further =
        QString::fromLatin1(spec.keys).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& key : further) {
        if (!keys.contains(QKeySequence(key)))
            keys.append(QKeySequence(key));
    }
    return keys;
}

} // namespace

WindowActions::WindowActions(QWidget* window)
    : QObject(window)
    , m_actions(specs.size())
{
    for (const ActionSpec& spec : specs) {
        auto* action = new QAction(translated(spec.text), this);
        if (*spec.icon != '\0')
            action->setIcon(themedIcon(QString::fromLatin1(spec.icon)));
        action->setShortcuts(keysFor(spec));
        QString toolTip = *spec.toolTip != '\0' ? translated(spec.toolTip)
                                                : action->text().remove(QLatin1Char('&'));
        if (!action->shortcuts().isEmpty())
            toolTip += QStringLiteral(" (%1)").arg(keysOf(*action));
        action->setToolTip(toolTip);
        if (spec.id == ActionId::Run)
            action->setIcon(themedIcon(QStringLiteral("run"), IconTint::Go));
        if (spec.id == ActionId::Stop)
            action->setIcon(themedIcon(QStringLiteral("stop"), IconTint::Halt));
        window->addAction(action);
        m_actions[static_cast<std::size_t>(spec.id)] = action;
    }
}

std::vector<WindowActions::Group> WindowActions::groups() const
{
    std::vector<Group> groups;
    for (const ActionSpec& spec : specs) {
        const QString title = translated(spec.group);
        if (groups.empty() || groups.back().title != title)
            groups.push_back({title, {}});
        groups.back().actions.append((*this)[spec.id]);
    }
    return groups;
}

QString WindowActions::keysOf(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts()) {
        if (keys.size() < 2)
            keys.append(key.toString(QKeySequence::NativeText)
                            .replace(QStringLiteral("Backtab"), QStringLiteral("Tab")));
    }
    return keys.join(QCoreApplication::translate("WindowActions", " or "));
}

} // namespace perilune
