// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace perilune {

/// One of the icons of resources/icons by its file name without suffix, drawn in the colour of the
/// palette's text at the time of painting, so that it fits light and dark alike.
QIcon themedIcon(const QString& name);

/// What an icon is for, where its colour should help to find it; it never says anything alone.
enum class IconTint
{
    Plain,
    Go,
    Halt
};

/// The same, in the colour of a purpose.
QIcon themedIcon(const QString& name, IconTint tint);

/// The same, in a colour of its own.
QIcon tintedIcon(const QString& name, const QColor& color);

/// The icon of the program.
QIcon applicationIcon();

} // namespace perilune
