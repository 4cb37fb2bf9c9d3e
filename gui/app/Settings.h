// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/LaunchSpec.h"
#include "gui/models/NumberFormat.h"
#include "gui/views/Theme.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

class QSettings;

namespace perilune {

/// What the program remembers from one start to the next. Changes apply at once and are written by
/// themselves.
class Settings : public QObject
{
    Q_OBJECT
public:
    /// With an empty `file` nothing is kept.
    explicit Settings(const QString& file, QObject* parent = nullptr);
    ~Settings() override;

    ColorScheme colorScheme() const;
    void setColorScheme(ColorScheme scheme);
    TimeUnit timeUnit() const;
    void setTimeUnit(TimeUnit unit);
    /// With %f, %l and %c for file, line and column; empty: the desktop's program for the file.
    QString editorCommand() const;
    void setEditorCommand(const QString& command);
    /// How many runs of each script stay in a session that was never saved; 0: all.
    int keptRuns() const;
    void setKeptRuns(int count);

    QStringList
    recentFiles() const; ///< Scripts and sessions, latest first; those that still exist.
    QStringList recentScripts() const;
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    /// How a script was last launched.
    std::optional<LaunchSpec> launchOf(const QString& script) const;
    void rememberLaunch(const LaunchSpec& spec);

    QByteArray state(const QString& name) const;
    void setState(const QString& name, const QByteArray& state);
    void removeStates();

Q_SIGNALS:
    void colorSchemeChanged(perilune::ColorScheme scheme);
    void timeUnitChanged(perilune::TimeUnit unit);
    void recentFilesChanged();

private:
    QVariant value(const QString& key, const QVariant& fallback = {}) const;
    void setValue(const QString& key, const QVariant& value);

    std::unique_ptr<QSettings> m_store;
};

} // namespace perilune
