// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace perilune {

class WindowActions;

/// All keys of the window on one page.
class ShortcutSheet : public QDialog
{
    Q_OBJECT
public:
    explicit ShortcutSheet(const WindowActions& actions, QWidget* parent = nullptr);
};

} // namespace perilune
