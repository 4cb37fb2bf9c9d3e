// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameBreadcrumbs.h"

#include "gui/views/FlameCanvas.h"
#include "gui/views/Icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace perilune {

namespace {

constexpr std::size_t crumbsAtEnd = 3;
constexpr std::size_t crumbsInMenu = 40;
constexpr int longestName = 28;

QString shortened(const QString& name)
{
    if (name.size() <= longestName)
        return name;
    return name.left(longestName / 2) + QChar(0x2026) + name.right(longestName / 2 - 1);
}

} // namespace

FlameBreadcrumbs::FlameBreadcrumbs(FlameCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas)
    , m_back(new QToolButton(this))
    , m_crumbs(new QHBoxLayout)
{
    m_back->setIcon(themedIcon(QStringLiteral("back")));
    m_back->setAutoRaise(true);
    m_back->setToolTip(tr("One zoom step back (Backspace)"));
    m_back->setAccessibleName(tr("Zoom back"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_back);
    m_crumbs->setSpacing(0);
    layout->addLayout(m_crumbs);
    layout->addStretch(1);
    connect(m_back, &QToolButton::clicked, &m_canvas, &FlameCanvas::goBack);
    connect(&m_canvas, &FlameCanvas::zoomChanged, this, &FlameBreadcrumbs::showPath);
    showPath();
}

QStringList FlameBreadcrumbs::texts() const
{
    QStringList result;
    for (int i = 0; i < m_crumbs->count(); ++i) {
        if (const auto* button = qobject_cast<QToolButton*>(m_crumbs->itemAt(i)->widget()))
            result << button->text();
    }
    return result;
}

std::vector<std::uint32_t> FlameBreadcrumbs::pathToZoomed() const
{
    std::vector<std::uint32_t> path;
    const FlameLayout& layout = *m_canvas.layout();
    if (layout.barCount() == 0)
        return path;
    for (std::optional bar(m_canvas.zoomedBar()); bar; bar = layout.parentOf(*bar))
        path.push_back(*bar);
    std::reverse(path.begin(), path.end());
    return path;
}

void FlameBreadcrumbs::showPath()
{
    m_back->setEnabled(m_canvas.canGoBack());
    clearCrumbs();
    const std::vector<std::uint32_t> path = pathToZoomed();
    const std::size_t omittedEnd = path.size() > crumbsAtEnd + 2 ? path.size() - crumbsAtEnd : 1;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i == 1 && omittedEnd > 1) {
            addOmitted({path.begin() + 1, path.begin() + static_cast<std::ptrdiff_t>(omittedEnd)});
            i = omittedEnd;
        }
        addCrumb(path[i], i + 1 == path.size());
    }
}

void FlameBreadcrumbs::addCrumb(std::uint32_t bar, bool isLast)
{
    if (m_crumbs->count() > 0)
        m_crumbs->addWidget(new QLabel(QStringLiteral("›"), this));
    auto* button = new QToolButton(this);
    const QString name = nameOf(bar);
    button->setText(shortened(name));
    button->setToolTip(name);
    button->setAccessibleName(tr("Zoom to %1").arg(name));
    button->setAutoRaise(true);
    QFont font = button->font();
    font.setBold(isLast);
    button->setFont(font);
    m_crumbs->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, bar] { m_canvas.zoomTo(bar); });
}

/// A menu of the last ones left out, the innermost first.
void FlameBreadcrumbs::addOmitted(const std::vector<std::uint32_t>& bars)
{
    m_crumbs->addWidget(new QLabel(QStringLiteral("›"), this));
    auto* button = new QToolButton(this);
    button->setText(QStringLiteral("…"));
    button->setAutoRaise(true);
    button->setToolTip(tr("%Ln frame(s) in between", nullptr, static_cast<int>(bars.size())));
    button->setAccessibleName(button->toolTip());
    auto* menu = new QMenu(button);
    const std::size_t count = std::min(bars.size(), crumbsInMenu);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t bar = bars[bars.size() - 1 - i];
        menu->addAction(nameOf(bar), this, [this, bar] { m_canvas.zoomTo(bar); });
    }
    connect(button, &QToolButton::clicked, menu,
            [button, menu] { menu->popup(button->mapToGlobal(QPoint(0, button->height()))); });
    m_crumbs->addWidget(button);
}

/// Deletes later: a crumb that was clicked is still in its own signal.
void FlameBreadcrumbs::clearCrumbs()
{
    while (QLayoutItem* item = m_crumbs->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

QString FlameBreadcrumbs::nameOf(std::uint32_t bar) const
{
    const FlameLayout& layout = *m_canvas.layout();
    const FunctionId function = layout.tree().function(layout.node(bar));
    const Profile& profile = *m_canvas.profile();
    if (function.value() >= profile.functions.size())
        return QStringLiteral("?");
    return displayName(profile.function(function));
}

} // namespace perilune
