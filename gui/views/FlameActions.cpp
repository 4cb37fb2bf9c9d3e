// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/FlameActions.h"

#include "core/analysis/CollapsedStacks.h"
#include "gui/views/FlameCanvas.h"
#include "gui/views/FlameExport.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>

namespace perilune {

namespace {

/// More than anyone pastes; text of deep trees grows with the square of their depth.
constexpr std::size_t clipboardLimit = 32u << 20;

void copyText(const std::string& text)
{
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
}

} // namespace

FlameActions::FlameActions(FlameCanvas& canvas, QWidget& scope)
    : QObject(&scope)
    , m_canvas(canvas)
    , m_scope(scope)
{
    createActions();
    connect(&m_canvas, &FlameCanvas::menuRequested, this, &FlameActions::showMenu);
}

void FlameActions::createActions()
{
    m_zoom = addAction(tr("&Zoom to frame"), {}, &FlameActions::zoomToCurrent);
    m_zoomOut = new QAction(tr("Show the &whole graph"), &m_canvas);
    connect(m_zoomOut, &QAction::triggered, &m_canvas, &FlameCanvas::resetZoom);
    m_copyName = addAction(tr("Copy &name"), QKeySequence::Copy, &FlameActions::copyName);
    m_copyStack = addAction(tr("Copy &stack"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                            &FlameActions::copyStack);
    m_copySubTree =
        addAction(tr("Copy sub-tree as &collapsed stacks"), {}, &FlameActions::copySubTree);
    m_showInTree = new QAction(tr("Show in call &tree"), this);
    connect(m_showInTree, &QAction::triggered, this, &FlameActions::callTreeRequested);
    m_exportSvg = addAction(tr("Export as S&VG…"), {}, &FlameActions::exportSvg);
    m_exportPng = addAction(tr("Export as &PNG, double size…"), {}, &FlameActions::exportPng);
    m_exportPdf = addAction(tr("Export as P&DF…"), {}, &FlameActions::exportPdf);
}

QAction* FlameActions::addAction(const QString& text, const QKeySequence& shortcut,
                                 void (FlameActions::*slot)())
{
    auto* action = new QAction(text, &m_canvas);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_canvas.addAction(action);
    connect(action, &QAction::triggered, this, slot);
    return action;
}

void FlameActions::addCopyActions(QMenu& menu) const
{
    menu.addActions({m_copyName, m_copyStack, m_copySubTree});
}

void FlameActions::addExportActions(QMenu& menu) const
{
    menu.addActions({m_exportSvg, m_exportPng, m_exportPdf});
}

void FlameActions::showMenu(const QPoint& globalPosition)
{
    updateEnabled();
    QMenu menu(&m_scope);
    menu.addActions({m_zoom, m_zoomOut, m_showInTree});
    menu.addSeparator();
    addCopyActions(menu);
    menu.addSeparator();
    addExportActions(menu);
    menu.exec(globalPosition);
}

void FlameActions::updateEnabled()
{
    const bool hasCurrent = m_canvas.currentBar().has_value();
    for (QAction* action : {m_zoom, m_copyName, m_copyStack, m_copySubTree, m_showInTree})
        action->setEnabled(hasCurrent);
    m_zoomOut->setEnabled(m_canvas.isZoomed());
}

void FlameActions::zoomToCurrent()
{
    if (const auto bar = m_canvas.currentBar())
        m_canvas.zoomTo(*bar);
}

QString FlameActions::currentName() const
{
    const auto bar = m_canvas.currentBar();
    if (!bar)
        return {};
    const FlameLayout& layout = *m_canvas.layout();
    const FunctionId function = layout.tree().function(layout.node(*bar));
    return QString::fromStdString(m_canvas.profile()->function(function).name);
}

QString FlameActions::currentStack() const
{
    const auto bar = m_canvas.currentBar();
    if (!bar)
        return {};
    const FlameLayout& layout = *m_canvas.layout();
    return QString::fromStdString(
        collapsedStack(*m_canvas.profile(), layout.tree(), layout.node(*bar)));
}

void FlameActions::copyName()
{
    if (!m_canvas.currentBar())
        return;
    QGuiApplication::clipboard()->setText(currentName());
    Q_EMIT messageShown(tr("Name copied"));
}

void FlameActions::copyStack()
{
    if (!m_canvas.currentBar())
        return;
    QGuiApplication::clipboard()->setText(currentStack());
    Q_EMIT messageShown(tr("Stack copied"));
}

void FlameActions::copySubTree()
{
    const auto bar = m_canvas.currentBar();
    if (!bar)
        return;
    const FlameLayout& layout = *m_canvas.layout();
    const CollapsedText collapsed = collapsedStacks(
        *m_canvas.profile(), layout.tree(), layout.node(*bar), layout.metric(), clipboardLimit);
    copyText(collapsed.text);
    Q_EMIT messageShown(collapsed.isComplete
                            ? tr("Sub-tree copied")
                            : tr("Only the first %1 MiB of the sub-tree were copied; "
                                 "File ▸ Export writes all of it")
                                  .arg(clipboardLimit >> 20));
}

void FlameActions::exportSvg()
{
    exportAs(FlamePicture::Svg, QStringLiteral("svg"), tr("SVG pictures (*.svg)"));
}

void FlameActions::exportPng()
{
    exportAs(FlamePicture::Png, QStringLiteral("png"), tr("PNG pictures (*.png)"));
}

void FlameActions::exportPdf()
{
    exportAs(FlamePicture::Pdf, QStringLiteral("pdf"), tr("PDF documents (*.pdf)"));
}

void FlameActions::exportAs(FlamePicture kind, const QString& suffix, const QString& filter)
{
    QFileDialog dialog(&m_scope, tr("Export flame graph"), {}, filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString path = dialog.selectedFiles().constFirst();
    const QString problem = writeFlamePicture(m_canvas, m_pictureTitle, kind, path);
    if (problem.isEmpty())
        Q_EMIT messageShown(tr("Exported to %1").arg(path));
    else
        QMessageBox::warning(&m_scope, tr("Export flame graph"),
                             tr("Could not write %1: %2").arg(path, problem));
}

} // namespace perilune
