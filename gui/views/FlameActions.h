// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QObject>

#include <cstdint>
#include <optional>

class QAction;
class QMenu;
class QWidget;

namespace perilune {

class FlameCanvas;
enum class FlamePicture;

/// The actions of a flame graph's context menu: zoom, copy, export. Their shortcuts work while
/// `scope` has the focus.
class FlameActions : public QObject
{
    Q_OBJECT
public:
    /// Both outlive it; it becomes a child of `scope`.
    FlameActions(FlameCanvas& canvas, QWidget& scope);

    /// What a picture says above the graph: the script and what it weighs.
    void setPictureTitle(const QString& title) { m_pictureTitle = title; }

    /// Fills a menu; the entries that need a frame act on the current one.
    void addCopyActions(QMenu& menu) const;
    void addExportActions(QMenu& menu) const;
    void showMenu(const QPoint& globalPosition);

    QString currentName() const;
    QString currentStack() const;
    /// The current frame and all beneath it; cut, with a sign, where the clipboard would choke.
    void copySubTree();

Q_SIGNALS:
    /// Something to say in the status line: "Stack copied".
    void messageShown(const QString& text);
    /// The user asks for the current frame's place in the call tree.
    void callTreeRequested();

private:
    void createActions();
    QAction* addAction(const QString& text, const QKeySequence& shortcut,
                       void (FlameActions::*slot)());
    void zoomToCurrent();
    void copyName();
    void copyStack();
    void exportSvg();
    void exportPng();
    void exportPdf();
    void exportAs(FlamePicture kind, const QString& suffix, const QString& filter);
    void updateEnabled();

    FlameCanvas& m_canvas;
    QWidget& m_scope;
    QString m_pictureTitle;
    QAction* m_zoom = nullptr;
    QAction* m_zoomOut = nullptr;
    QAction* m_copyName = nullptr;
    QAction* m_copyStack = nullptr;
    QAction* m_copySubTree = nullptr;
    QAction* m_showInTree = nullptr;
    QAction* m_exportSvg = nullptr;
    QAction* m_exportPng = nullptr;
    QAction* m_exportPdf = nullptr;
};

} // namespace perilune
