// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

namespace perilune {

/// The tabs in the centre of the window, one for each big view. Known to others by their names,
/// which also address them in the remembered layout.
class ViewTabs : public QTabWidget
{
    Q_OBJECT
public:
    explicit ViewTabs(QWidget* parent = nullptr);

    /// `name` is untranslated and stays the view's object name.
    void addView(QWidget* view, const QString& name, const QString& title);
    void showView(const QString& name);
    /// The name of the view in front.
    QString currentView() const;
    void showNext();
    void showPrevious();
};

} // namespace perilune
