// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/Settings.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryFile>
#include <QVariantMap>

namespace perilune {

namespace {

constexpr int recentLimit = 12;
constexpr int launchLimit = 60;

const QString colorSchemeKey = QStringLiteral("display/colorScheme");
const QString timeUnitKey = QStringLiteral("display/timeUnit");
const QString editorKey = QStringLiteral("source/editorCommand");
const QString keptRunsKey = QStringLiteral("runs/kept");
const QString recentKey = QStringLiteral("recent/files");
const QString launchGroup = QStringLiteral("launches");
const QString stateGroup = QStringLiteral("state");

QString launchKey(const QString& script)
{
    const QByteArray hash =
        QCryptographicHash::hash(script.toUtf8(), QCryptographicHash::Sha1).toHex();
    return launchGroup + QLatin1Char('/') + QString::fromLatin1(hash.left(16));
}

QVariantList environmentToVariant(const LaunchSpec& spec)
{
    QVariantList list;
    for (const auto& [name, value] : spec.environment)
        list.append(QVariant(value ? QStringList{name, *value} : QStringList{name}));
    return list;
}

void environmentFromVariant(LaunchSpec& spec, const QVariantList& list)
{
    for (const QVariant& entry : list) {
        const QStringList parts = entry.toStringList();
        if (parts.size() == 1)
            spec.environment.append({parts[0], std::nullopt});
        else if (parts.size() == 2)
            spec.environment.append({parts[0], parts[1]});
    }
}

QVariantMap toVariant(const LaunchSpec& spec)
{
    QVariantMap map;
    map[QStringLiteral("script")] = spec.script;
    map[QStringLiteral("arguments")] = spec.arguments;
    map[QStringLiteral("workingDirectory")] = spec.workingDirectory;
    map[QStringLiteral("environment")] = environmentToVariant(spec);
    map[QStringLiteral("standardInput")] = spec.standardInput;
    map[QStringLiteral("timeLimitMs")] =
        spec.timeLimit ? static_cast<qlonglong>(spec.timeLimit->count()) : 0;
    map[QStringLiteral("mode")] = static_cast<int>(spec.mode);
    map[QStringLiteral("samplingIntervalNs")] =
        static_cast<qlonglong>(spec.samplingInterval.count());
    map[QStringLiteral("clock")] = static_cast<int>(spec.clock);
    map[QStringLiteral("lines")] = spec.lines;
    map[QStringLiteral("memory")] = spec.memory;
    map[QStringLiteral("durations")] = spec.durations;
    map[QStringLiteral("timeline")] = spec.timeline;
    map[QStringLiteral("referenceRun")] = spec.referenceRun;
    map[QStringLiteral("cpuClock")] = spec.clock == ClockKind::Cpu;
    map[QStringLiteral("clockSource")] = spec.clockSource;
    map[QStringLiteral("maximumNodes")] = spec.maximumNodes.value_or(0);
    map[QStringLiteral("maximumDepth")] = spec.maximumDepth.value_or(0);
    map[QStringLiteral("maximumStringBytes")] =
        static_cast<qulonglong>(spec.maximumStringBytes.value_or(0));
    return map;
}

LaunchSpec fromVariant(const QVariantMap& map)
{
    LaunchSpec spec;
    spec.script = map[QStringLiteral("script")].toString();
    spec.arguments = map[QStringLiteral("arguments")].toStringList();
    spec.workingDirectory = map[QStringLiteral("workingDirectory")].toString();
    environmentFromVariant(spec, map[QStringLiteral("environment")].toList());
    spec.standardInput = map[QStringLiteral("standardInput")].toString();
    if (const qlonglong limit = map[QStringLiteral("timeLimitMs")].toLongLong(); limit > 0)
        spec.timeLimit = std::chrono::milliseconds(limit);
    spec.mode = static_cast<ProfilingMode>(map[QStringLiteral("mode")].toInt());
    if (const qlonglong interval = map[QStringLiteral("samplingIntervalNs")].toLongLong();
        interval > 0)
        spec.samplingInterval = std::chrono::nanoseconds(interval);
    spec.clock = static_cast<ClockKind>(map[QStringLiteral("clock")].toInt());
    spec.lines = map[QStringLiteral("lines")].toBool();
    spec.memory = map[QStringLiteral("memory")].toBool();
    spec.durations = map[QStringLiteral("durations")].toBool();
    spec.timeline = map[QStringLiteral("timeline")].toBool();
    spec.referenceRun = map[QStringLiteral("referenceRun")].toBool();
    spec.clock = map[QStringLiteral("cpuClock")].toBool() ? ClockKind::Cpu : ClockKind::Wall;
    spec.clockSource = map[QStringLiteral("clockSource")].toString();
    if (const uint nodes = map[QStringLiteral("maximumNodes")].toUInt(); nodes > 0)
        spec.maximumNodes = nodes;
    if (const uint depth = map[QStringLiteral("maximumDepth")].toUInt(); depth > 0)
        spec.maximumDepth = depth;
    if (const qulonglong bytes = map[QStringLiteral("maximumStringBytes")].toULongLong(); bytes > 0)
        spec.maximumStringBytes = bytes;
    return spec;
}

/// QSettings needs a file; this one goes away with it.
QString forgottenFile()
{
    QTemporaryFile file;
    file.open();
    return file.fileName();
}

} // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent)
    , m_store(std::make_unique<QSettings>(file.isEmpty() ? forgottenFile() : file,
                                          QSettings::IniFormat))
{
}

Settings::~Settings() = default;

QVariant Settings::value(const QString& key, const QVariant& fallback) const
{
    return m_store->value(key, fallback);
}

void Settings::setValue(const QString& key, const QVariant& value)
{
    m_store->setValue(key, value);
}

ColorScheme Settings::colorScheme() const
{
    return static_cast<ColorScheme>(value(colorSchemeKey, 0).toInt());
}

void Settings::setColorScheme(ColorScheme scheme)
{
    if (scheme == colorScheme())
        return;
    setValue(colorSchemeKey, static_cast<int>(scheme));
    Q_EMIT colorSchemeChanged(scheme);
}

TimeUnit Settings::timeUnit() const
{
    return static_cast<TimeUnit>(value(timeUnitKey, 0).toInt());
}

void Settings::setTimeUnit(TimeUnit unit)
{
    if (unit == timeUnit())
        return;
    setValue(timeUnitKey, static_cast<int>(unit));
    Q_EMIT timeUnitChanged(unit);
}

QString Settings::editorCommand() const
{
    return value(editorKey).toString();
}

void Settings::setEditorCommand(const QString& command)
{
    setValue(editorKey, command);
}

int Settings::keptRuns() const
{
    return value(keptRunsKey, 0).toInt();
}

void Settings::setKeptRuns(int count)
{
    setValue(keptRunsKey, count);
}

QStringList Settings::recentFiles() const
{
    QStringList existing;
    for (const QString& path : value(recentKey).toStringList()) {
        if (QFileInfo::exists(path))
            existing.append(path);
    }
    return existing;
}

QStringList Settings::recentScripts() const
{
    QStringList scripts;
    for (const QString& path : recentFiles()) {
        if (!path.endsWith(QStringLiteral(".perilune")))
            scripts.append(path);
    }
    return scripts;
}

void Settings::addRecentFile(const QString& path)
{
    QStringList files = value(recentKey).toStringList();
    files.removeAll(path);
    files.prepend(path);
    setValue(recentKey, QStringList(files.mid(0, recentLimit)));
    Q_EMIT recentFilesChanged();
}

void Settings::clearRecentFiles()
{
    setValue(recentKey, QStringList());
    Q_EMIT recentFilesChanged();
}

std::optional<LaunchSpec> Settings::launchOf(const QString& script) const
{
    const QVariantMap map = value(launchKey(script)).toMap();
    const LaunchSpec spec = fromVariant(map);
    if (spec.script != script)
        return {};
    return spec;
}

void Settings::rememberLaunch(const LaunchSpec& spec)
{
    m_store->beginGroup(launchGroup);
    const bool isFull = m_store->childKeys().size() >= launchLimit;
    m_store->endGroup();
    if (isFull)
        m_store->remove(launchGroup);
    setValue(launchKey(spec.script), toVariant(spec));
}

QByteArray Settings::state(const QString& name) const
{
    return value(stateGroup + QLatin1Char('/') + name).toByteArray();
}

void Settings::setState(const QString& name, const QByteArray& state)
{
    setValue(stateGroup + QLatin1Char('/') + name, state);
}

void Settings::removeStates()
{
    m_store->remove(stateGroup);
}

} // namespace perilune
