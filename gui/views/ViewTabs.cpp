// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/ViewTabs.h"

#include <QTabBar>

namespace perilune {

ViewTabs::ViewTabs(QWidget* parent)
    : QTabWidget(parent)
{
    setDocumentMode(true);
    setAccessibleName(tr("Views"));
    tabBar()->setExpanding(false);
}

void ViewTabs::addView(QWidget* view, const QString& name, const QString& title)
{
    view->setObjectName(name);
    const int index = addTab(view, title);
    if (index < 9)
        setTabToolTip(index, tr("%1 (Ctrl+%2)").arg(title).arg(index + 1));
}

void ViewTabs::showView(const QString& name)
{
    for (int index = 0; index < count(); ++index) {
        if (widget(index)->objectName() == name)
            setCurrentIndex(index);
    }
}

QString ViewTabs::currentView() const
{
    return currentWidget() ? currentWidget()->objectName() : QString();
}

void ViewTabs::showNext()
{
    setCurrentIndex((currentIndex() + 1) % count());
}

void ViewTabs::showPrevious()
{
    setCurrentIndex((currentIndex() + count() - 1) % count());
}

} // namespace perilune
