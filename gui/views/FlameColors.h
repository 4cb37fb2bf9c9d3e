// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FlameLayout.h"
#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <QColor>
#include <QCoreApplication>
#include <QHash>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;
class QPalette;
class QRectF;

namespace perilune {

/// What the colour of a frame tells.
enum class FlameColorMode
{
    File,
    Function,
    Package, ///< The folder of a file, the library of a C function.
    Kind,
    SelfShare
};

enum class FlameColorSet
{
    Many,           ///< 48 colours around the whole circle.
    ColorBlindSafe, ///< Eight that stay apart with every kind of colour blindness.
};

/// What is drawn over the colour of a frame.
enum class FlamePattern
{
    None,
    Hatched,
    Dotted ///< An outline.
};

/// Colours the frames of a flame graph and explains them in a legend.
class FlameScheme
{
public:
    struct LegendEntry
    {
        QString text;
        QColor color;
        FlamePattern pattern = FlamePattern::None;
    };
    struct Legend
    {
        /// Heaviest first; behind a gradient where there is one.
        std::vector<LegendEntry> entries;
        /// From one end to the other, evenly spaced; empty for entries alone.
        std::vector<LegendEntry> gradient;
        /// What colours the frames, for people: "file".
        QString title;
    };

    virtual ~FlameScheme() = default;
    virtual QRgb colorOf(const FlameLayout& layout, std::uint32_t bar) const = 0;
    virtual FlamePattern patternOf(const FlameLayout&, std::uint32_t) const
    {
        return FlamePattern::None;
    }
    virtual Legend legend() const = 0;
};

/// The colours of one profile. A colour comes from the hash of what it stands for, never from an
/// order of cost, so that a function looks the same in each run and after each edit of others. Only
/// where the hashes of two files (or packages) meet does one of them give way, the same one each
/// time.
class FlameColors : public FlameScheme
{
    Q_DECLARE_TR_FUNCTIONS(perilune::FlameColors)
public:
    /// `table` belongs to `profile`; the legend is sorted by its self costs in `weight`.
    FlameColors(std::shared_ptr<const Profile> profile, const FunctionTable& table, Metric weight,
                FlameColorMode mode, FlameColorSet set, const QPalette& palette);

    QRgb colorOf(const FlameLayout& layout, std::uint32_t bar) const override;
    Legend legend() const override { return m_legend; }

    /// The colour of a function; nothing where colours do not follow the function.
    std::optional<QColor> colorOfFunction(FunctionId function) const;

private:
    struct Group
    {
        QString text;
        QRgb color = 0;
    };

    /// A place among the colours: 16 hues (or seven safe colours) and three shades.
    struct Slot
    {
        unsigned hue = 0;
        unsigned shade = 0;
    };

    Group groupOf(const Function& function, FunctionId id) const;
    QString groupNameOf(const Function& function) const;
    void placeGroups();
    Group groupOfKind(FunctionKind kind) const;
    QString fileOf(const Function& function) const;
    QString packageOf(const Function& function) const;
    static Slot slotOf(const QByteArray& key);
    QRgb colorOfSlot(Slot slot) const;
    QRgb neutralColor() const;
    QRgb libraryColor() const;
    QRgb shadeOf(QRgb color, FunctionId function) const;
    QRgb colorOfShare(double share) const;
    void colorFunctions(const FunctionTable& table, Metric weight);
    void makeGradient();
    QString modeTitle() const;

    std::shared_ptr<const Profile> m_profile;
    FlameColorMode m_mode;
    FlameColorSet m_set;
    bool m_isDark;
    QHash<QString, QRgb> m_colorOfGroup; ///< Files or packages.
    std::vector<QRgb> m_colorOfFunction;
    std::vector<QRgb> m_colorOfShare; ///< By hundredths; for SelfShare only.
    Legend m_legend;
};

/// A colour by perceived lightness (0 to 1), chroma (0 to about 0.3) and hue in degrees (Oklch), so
/// that colours of one lightness look equally light whatever their hue.
QColor colorFromOklch(double lightness, double chroma, double hue);

/// Black or white, whichever is easier to read on `background`.
QRgb textColorOn(QRgb background);

/// Draws the pattern of a frame of this colour.
void paintFlamePattern(QPainter& painter, const QRectF& box, FlamePattern pattern, QRgb color);

} // namespace perilune
