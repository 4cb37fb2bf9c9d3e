// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <QWidget>

#include <string>

class QComboBox;
class QLabel;
class QStackedLayout;
class QToolButton;

namespace perilune {

class EmptyState;
class FindField;
class MessageStrip;
class SourceView;

/// The text of a source as it was during the run, at the current line, with what its functions
/// cost.
class SourcePane : public QWidget
{
    Q_OBJECT
public:
    explicit SourcePane(Document& document, QWidget* parent = nullptr);

    SourceView& view() { return *m_view; }
    MessageStrip& strip() { return *m_strip; }
    EmptyState& emptyState() { return *m_empty; }

public Q_SLOTS:
    void focusSearch();
    void showNextMatch() { showMatch(true); }
    void showPreviousMatch() { showMatch(false); }

Q_SIGNALS:
    /// Open a file at a line in the user's editor.
    void editorRequested(const QString& path, int line);

private:
    void createWidgets();
    void layOut();
    void connectWidgets();

    void showProfile();
    void showCurrentLine();
    void showSource(SourceId source);
    void showText(const QString& text);
    void showFigures();
    void compareWithDisk(const Source& source);
    void showDiskText();
    void showStoredText();
    void showNoSource(const QString& title, const QString& explanation);
    void explainCurrentFunction();
    void fillFileCombo();
    void chooseFile(int index);
    void chooseLine(int line);
    void chooseFunctionAt(int line);
    void requestEditor();
    void showMatch(bool isForward);
    void updateMatches();
    const Source* shownSource() const;

    Document& m_document;
    QComboBox* m_file = nullptr;
    QToolButton* m_editor = nullptr;
    FindField* m_find = nullptr;
    MessageStrip* m_strip = nullptr;
    QWidget* m_header = nullptr;
    SourceView* m_view = nullptr;
    QWidget* m_sourcePage = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    SourceId m_shown;
    std::string m_shownLabel; ///< Of m_shown, to know the source again in the next profile.
    QString m_diskText;       ///< Where it differs from the stored text.
    bool m_isDiskShown = false;
};

} // namespace perilune
