// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameColors.h"

#include "gui/views/FlameLabels.h"
#include "gui/views/Theme.h"

#include <QHash>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>

namespace perilune {

namespace {

/// FNV-1a: stable over runs, machines and versions of Qt, which qHash is not.
std::uint64_t stableHash(const QByteArray& bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3u;
    }
    // Short texts that differ in one letter differ in few bits; spread them (Murmur3's finisher).
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
}

int toChannel(double linear)
{
    const double clamped = std::clamp(linear, 0.0, 1.0);
    const double value =
        clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1.0 / 2.4) - 0.055;
    return static_cast<int>(std::lround(value * 255.0));
}

double luminance(QRgb color)
{
    const auto linear = [](int channel) {
        const double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color))
        + 0.0722 * linear(qBlue(color));
}

/// Masataka Okabe's and Kei Ito's set, without black.
constexpr std::array<QRgb, 7> safeColors = {0xffe69f00, 0xff56b4e9, 0xff009e73, 0xfff0e442,
                                            0xff0072b2, 0xffd55e00, 0xffcc79a7};

constexpr unsigned hueCount = 16;
constexpr unsigned shadeCount = 3;
/// Has no divisor in common with the number of hues of either set.
constexpr unsigned hueStep = 5;

QRgb scaled(QRgb color, double factor)
{
    const auto channel = [factor](int value) {
        return std::clamp(static_cast<int>(std::lround(value * factor)), 0, 255);
    };
    return qRgb(channel(qRed(color)), channel(qGreen(color)), channel(qBlue(color)));
}

} // namespace

QColor colorFromOklch(double lightness, double chroma, double hue)
{
    // Björn Ottosson's matrices, from Oklab by way of cone responses to linear sRGB.
    const double radians = hue * 3.14159265358979323846 / 180.0;
    const double a = chroma * std::cos(radians);
    const double b = chroma * std::sin(radians);
    const auto cube = [](double value) { return value * value * value; };
    const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return {toChannel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            toChannel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            toChannel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

QRgb textColorOn(QRgb background)
{
    // Both texts have the same contrast, 4.58, on this luminance.
    return luminance(background) > 0.179 ? qRgb(0, 0, 0) : qRgb(255, 255, 255);
}

void paintFlamePattern(QPainter& painter, const QRectF& box, FlamePattern pattern, QRgb color)
{
    QColor ink(textColorOn(color));
    if (pattern == FlamePattern::Hatched) {
        ink.setAlphaF(0.30f);
        painter.fillRect(box, QBrush(ink, Qt::BDiagPattern));
    } else if (pattern == FlamePattern::Dotted && box.width() > 4.0) {
        QPen pen(ink, 1.5, Qt::DotLine);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(1.0, 1.0, -1.0, -1.0));
    }
}

FlameColors::FlameColors(std::shared_ptr<const Profile> profile, const FunctionTable& table,
                         Metric weight, FlameColorMode mode, FlameColorSet set,
                         const QPalette& palette)
    : m_profile(std::move(profile))
    , m_mode(mode)
    , m_set(set)
    , m_isDark(themeColors(palette).isDark)
{
    m_legend.title = modeTitle();
    if (m_mode == FlameColorMode::SelfShare)
        makeGradient();
    else
        colorFunctions(table, weight);
}

QRgb FlameColors::colorOf(const FlameLayout& layout, std::uint32_t bar) const
{
    const NodeId node = layout.node(bar);
    if (m_mode == FlameColorMode::SelfShare) {
        const double self = static_cast<double>(layout.tree().self(layout.metric(), node));
        return colorOfShare(self / static_cast<double>(layout.widthOf(bar)));
    }
    const FunctionId function = layout.tree().function(node);
    return function.value() < m_colorOfFunction.size() ? m_colorOfFunction[function.value()]
                                                       : neutralColor();
}

std::optional<QColor> FlameColors::colorOfFunction(FunctionId function) const
{
    if (function.value() >= m_colorOfFunction.size())
        return {};
    return QColor(m_colorOfFunction[function.value()]);
}

void FlameColors::colorFunctions(const FunctionTable& table, Metric weight)
{
    struct Sum
    {
        QRgb color = 0;
        std::uint64_t self = 0;
    };
    if (m_mode == FlameColorMode::File || m_mode == FlameColorMode::Package)
        placeGroups();
    QHash<QString, Sum> sums;
    const auto count = static_cast<std::uint32_t>(m_profile->functions.size());
    m_colorOfFunction.reserve(count);
    for (std::uint32_t index = 0; index < count; ++index) {
        const FunctionId id(index);
        const Group group = groupOf(m_profile->function(id), id);
        m_colorOfFunction.push_back(shadeOf(group.color, id));
        const FunctionCosts* costs = table.find(id);
        Sum& sum = sums[group.text];
        sum.color = group.color;
        sum.self += costs ? costs->self[static_cast<std::size_t>(weight)] : 0;
    }
    std::vector<std::pair<QString, Sum>> sorted(sums.keyValueBegin(), sums.keyValueEnd());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second.self != b.second.self ? a.second.self > b.second.self : a.first < b.first;
    });
    for (const auto& [text, sum] : sorted)
        m_legend.entries.push_back({text, QColor(sum.color)});
}

FlameColors::Group FlameColors::groupOf(const Function& function, FunctionId id) const
{
    if (m_mode == FlameColorMode::Kind)
        return groupOfKind(function.kind);
    if (function.kind == FunctionKind::Host || function.kind == FunctionKind::Folded)
        return {displayName(function), neutralColor()};
    if (m_mode == FlameColorMode::Function) {
        const Slot slot = slotOf(QByteArray::fromStdString(m_profile->key(id)));
        return {displayName(function), colorOfSlot(slot)};
    }
    const QString name = groupNameOf(function);
    return {name, m_colorOfGroup.value(name, libraryColor())};
}

/// The file or package of a function.
QString FlameColors::groupNameOf(const Function& function) const
{
    if (m_mode == FlameColorMode::Package)
        return packageOf(function);
    return function.kind == FunctionKind::C ? tr("C functions") : fileOf(function);
}

/// Gives each file (or package) the hue of its hash, or a free one if another has it already.
void FlameColors::placeGroups()
{
    QStringList names;
    for (const Function& function : m_profile->functions) {
        const bool isNeutral = function.kind == FunctionKind::Host
            || function.kind == FunctionKind::Folded
            || (function.kind == FunctionKind::C && m_mode == FlameColorMode::File);
        if (!isNeutral && (names.isEmpty() || names.constLast() != groupNameOf(function)))
            names << groupNameOf(function);
    }
    names.sort();
    names.removeDuplicates();
    const unsigned hues = m_set == FlameColorSet::ColorBlindSafe ? safeColors.size() : hueCount;
    std::vector<int> used(hues);
    int round = 1;
    int left = static_cast<int>(hues);
    for (const QString& name : std::as_const(names)) {
        Slot slot = slotOf(name.toUtf8());
        slot.hue %= hues;
        // A third of the circle on, which reaches every hue in turn.
        while (used[slot.hue] >= round)
            slot.hue = (slot.hue + hueStep) % hues;
        ++used[slot.hue];
        m_colorOfGroup.insert(name, colorOfSlot(slot));
        if (--left == 0) {
            left = static_cast<int>(hues);
            ++round;
        }
    }
}

FlameColors::Group FlameColors::groupOfKind(FunctionKind kind) const
{
    const bool isSafe = m_set == FlameColorSet::ColorBlindSafe;
    const auto color = [&](double hue, std::size_t safe) {
        if (isSafe)
            return scaled(safeColors[safe], m_isDark ? 0.75 : 1.0);
        return colorFromOklch(m_isDark ? 0.52 : 0.82, 0.10, hue).rgb();
    };
    switch (kind) {
    case FunctionKind::Main:
        return {tr("Main chunks"), color(145, 2)};
    case FunctionKind::Lua:
        return {tr("Lua functions"), color(250, 1)};
    case FunctionKind::C:
        return {tr("C functions"), color(60, 0)};
    case FunctionKind::Folded:
        return {tr("Folded by a limit"), color(340, 6)};
    case FunctionKind::Host:
        break;
    }
    return {tr("Host program"), neutralColor()};
}

QString FlameColors::fileOf(const Function& function) const
{
    const Source* source = m_profile->sourceOf(function);
    return source ? QString::fromStdString(source->label) : tr("no source");
}

QString FlameColors::packageOf(const Function& function) const
{
    if (function.kind == FunctionKind::C) {
        const QString name = QString::fromStdString(function.name);
        const auto dot = name.lastIndexOf(QLatin1Char('.'));
        return dot > 0 ? name.left(dot) : tr("C functions");
    }
    const QString file = fileOf(function);
    const auto slash = file.lastIndexOf(QLatin1Char('/'));
    return slash > 0 ? file.left(slash + 1) : tr("script folder");
}

FlameColors::Slot FlameColors::slotOf(const QByteArray& key)
{
    const std::uint64_t hash = stableHash(key);
    return {static_cast<unsigned>(hash % (hueCount * safeColors.size())),
            static_cast<unsigned>(hash / 1000 % shadeCount)};
}

QRgb FlameColors::colorOfSlot(Slot slot) const
{
    if (m_set == FlameColorSet::ColorBlindSafe)
        return scaled(safeColors[slot.hue % safeColors.size()], m_isDark ? 0.75 : 1.0);
    const double hue = (slot.hue % hueCount) * (360.0 / hueCount);
    const double step = static_cast<double>(slot.shade) - 1.0;
    return colorFromOklch((m_isDark ? 0.51 : 0.82) + 0.045 * step, 0.095 - 0.015 * step, hue).rgb();
}

QRgb FlameColors::neutralColor() const
{
    return m_isDark ? 0xff4a4f5a : 0xffd3d7df;
}

QRgb FlameColors::libraryColor() const
{
    return m_isDark ? 0xff56657f : 0xffb4c2d8;
}

/// Functions of one group differ a little, so that neighbours can be told apart.
QRgb FlameColors::shadeOf(QRgb color, FunctionId function) const
{
    if (m_mode == FlameColorMode::Function)
        return color;
    const std::uint64_t hash = stableHash(QByteArray::fromStdString(m_profile->key(function)));
    return scaled(color, 0.95 + 0.025 * static_cast<double>(hash % 4));
}

QRgb FlameColors::colorOfShare(double share) const
{
    const auto index = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * 100.0));
    return m_colorOfShare[index];
}

/// One hue whose lightness runs one way, which every eye and a grey print can follow.
void FlameColors::makeGradient()
{
    const double fromLightness = m_isDark ? 0.38 : 0.90;
    const double toLightness = m_isDark ? 0.74 : 0.60;
    for (int percent = 0; percent <= 100; ++percent) {
        const double share = percent / 100.0;
        const double lightness = fromLightness + (toLightness - fromLightness) * share;
        m_colorOfShare.push_back(
            colorFromOklch(lightness, 0.02 + 0.14 * share, 85 - 45 * share).rgb());
    }
    for (const int percent : {0, 25, 50, 75, 100})
        m_legend.gradient.push_back(
            {tr("%1 %").arg(percent), QColor(m_colorOfShare[static_cast<std::size_t>(percent)])});
}

QString FlameColors::modeTitle() const
{
    switch (m_mode) {
    case FlameColorMode::File:
        return tr("File");
    case FlameColorMode::Function:
        return tr("Function");
    case FlameColorMode::Package:
        return tr("Package");
    case FlameColorMode::Kind:
        return tr("Kind");
    case FlameColorMode::SelfShare:
        break;
    }
    return tr("Self as a share of total");
}

} // namespace perilune
