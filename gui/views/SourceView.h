// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/NumberFormat.h"
#include "gui/models/SourceFigures.h"
#include "gui/views/Scintilla.h"

#include <map>
#include <memory>

namespace perilune {

/// Lua text with a margin that shows calls, self and total where functions begin.
class SourceView : public QsciScintilla
{
    Q_OBJECT
public:
    explicit SourceView(QWidget* parent = nullptr);
    ~SourceView() override;

    void setSourceText(const QString& text);
    void setFigures(std::map<int, LineFigures> figures, TimeUnit unit);
    /// Puts the cursor on a line, from 1, and brings it to the upper third of the view.
    void showLine(int line);
    int currentLine() const; ///< From 1.
    /// Marks every occurrence of `text`, whatever its case; returns how many there are.
    int highlight(const QString& text);
    /// Selects the next (or previous) occurrence, going round.
    void showMatch(bool isForward);

    /// The titles above the figures' columns, and where the columns begin in pixels from the left.
    static QString figureTitles();
    int figureOffset() const;
    QFont figureFont() const;

Q_SIGNALS:
    void lineChosen(int line);          ///< By the cursor.
    void functionLineClicked(int line); ///< In the margin.

protected:
    void changeEvent(QEvent* event) override;

private:
    void setUpMargins();
    void applyColors();
    void applySyntaxColors();
    void writeFigures();

    QsciLexerLua* m_lexer = nullptr;
    std::unique_ptr<QsciStyle> m_figureStyle;
    std::map<int, LineFigures> m_figures;
    TimeUnit m_unit = TimeUnit::Automatic;
    QString m_searched;
    bool m_isMoving = false; ///< showLine() moves the cursor, not the user.
};

} // namespace perilune
