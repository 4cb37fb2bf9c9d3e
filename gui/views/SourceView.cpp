// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/SourceView.h"

#include "gui/views/Theme.h"

#include <QEvent>
#include <QFontDatabase>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

constexpr int numberMargin = 0;
constexpr int figureMargin = 1;
constexpr int columnWidth = 10;   ///< Characters of a figure.
constexpr int matchIndicator = 8; ///< The first that lexers leave to programs.

QString figureRow(const QString& calls, const QString& self, const QString& total)
{
    return calls.rightJustified(columnWidth) + self.rightJustified(columnWidth)
        + total.rightJustified(columnWidth) + QLatin1Char(' ');
}

} // namespace

SourceView::SourceView(QWidget* parent)
    : QsciScintilla(parent)
    , m_lexer(new QsciLexerLua(this))
{
    setUtf8(true);
    setReadOnly(true);
    setLexer(m_lexer);
    setTabWidth(4);
    setCaretLineVisible(true);
    SendScintilla(SCI_SETCARETLINEVISIBLEALWAYS, 1);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Source text"));
    SendScintilla(SCI_SETHSCROLLBAR, 1);
    SendScintilla(SCI_SETSCROLLWIDTH, 1);
    SendScintilla(SCI_SETSCROLLWIDTHTRACKING, 1);
    setUpMargins();
    applyColors();
    connect(this, &QsciScintilla::cursorPositionChanged, this, [this](int line, int) {
        if (!m_isMoving)
            Q_EMIT lineChosen(line + 1);
    });
    connect(this, &QsciScintilla::marginClicked, this,
            [this](int, int line, Qt::KeyboardModifiers) { Q_EMIT functionLineClicked(line + 1); });
}

SourceView::~SourceView() = default;

void SourceView::setUpMargins()
{
    setMarginType(numberMargin, NumberMargin);
    setMarginType(figureMargin, TextMarginRightJustified);
    setMarginSensitivity(figureMargin, true);
    setMarginWidth(2, 0);
    m_figureStyle = std::make_unique<QsciStyle>();
    indicatorDefine(FullBoxIndicator, matchIndicator);
    setIndicatorDrawUnder(true, matchIndicator);
}

void SourceView::setSourceText(const QString& text)
{
    const QScopedValueRollback moving(m_isMoving, true);
    clearMarginText();
    setText(text);
    SendScintilla(SCI_SETSCROLLWIDTH, 1);
    setMarginWidth(numberMargin, QString::number(std::max(lines(), 1000)) + QLatin1Char('0'));
}

void SourceView::setFigures(std::map<int, LineFigures> figures, TimeUnit unit)
{
    m_figures = std::move(figures);
    m_unit = unit;
    writeFigures();
}

void SourceView::writeFigures()
{
    clearMarginText();
    for (const auto& [line, figures] : m_figures) {
        if (line > lines())
            break;
        setMarginText(line - 1,
                      figureRow(formatCount(figures.calls), formatDuration(figures.self, m_unit),
                                formatDuration(figures.total, m_unit)),
                      *m_figureStyle);
    }
    setMarginWidth(figureMargin, m_figures.empty() ? QString() : figureRow({}, {}, {}));
}

void SourceView::showLine(int line)
{
    const QScopedValueRollback moving(m_isMoving, true);
    const int index = std::clamp(line - 1, 0, std::max(lines() - 1, 0));
    setCursorPosition(index, 0);
    const int visible = static_cast<int>(SendScintilla(SCI_LINESONSCREEN));
    const int first = firstVisibleLine();
    if (index < first + 1 || index >= first + visible - 2)
        setFirstVisibleLine(std::max(index - visible / 3, 0));
}

int SourceView::currentLine() const
{
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    return line + 1;
}

int SourceView::highlight(const QString& text)
{
    m_searched = text;
    clearIndicatorRange(0, 0, lines(), 0, matchIndicator);
    if (text.isEmpty())
        return 0;
    const QByteArray wanted = text.toUtf8();
    const long end = SendScintilla(SCI_GETLENGTH);
    SendScintilla(SCI_SETSEARCHFLAGS, 0L);
    SendScintilla(SCI_SETINDICATORCURRENT, matchIndicator);
    int count = 0;
    long from = 0;
    while (from < end) {
        SendScintilla(SCI_SETTARGETSTART, from);
        SendScintilla(SCI_SETTARGETEND, end);
        const long found = SendScintilla(SCI_SEARCHINTARGET, wanted.size(), wanted.constData());
        if (found < 0)
            break;
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(found),
                      static_cast<long>(wanted.size()));
        from = found + wanted.size();
        ++count;
    }
    return count;
}

void SourceView::showMatch(bool isForward)
{
    if (m_searched.isEmpty())
        return;
    if (!isForward) {
        int line = 0;
        int column = 0;
        int lineEnd = 0;
        int columnEnd = 0;
        getSelection(&line, &column, &lineEnd, &columnEnd);
        if (line >= 0)
            setCursorPosition(line, column); // Else the search finds the selected match again.
    }
    findFirst(m_searched, false, false, false, true, isForward);
}

QString SourceView::figureTitles()
{
    return figureRow(tr("calls"), tr("self"), tr("total"));
}

int SourceView::figureOffset() const
{
    return marginWidth(numberMargin);
}

QFont SourceView::figureFont() const
{
    return m_figureStyle->font();
}

void SourceView::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange && m_figureStyle)
        applyColors();
}

void SourceView::applyColors()
{
    const QPalette colors = palette();
    const QColor base = colors.color(QPalette::Base);
    const QColor text = colors.color(QPalette::Text);
    const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    applySyntaxColors();
    setMarginsFont(font);
    setMarginsBackgroundColor(colors.color(QPalette::AlternateBase));
    setMarginsForegroundColor(colors.color(QPalette::PlaceholderText));
    setCaretForegroundColor(text);
    setCaretLineBackgroundColor(themeColors(colors).currentLine);
    setSelectionBackgroundColor(colors.color(QPalette::Highlight));
    setSelectionForegroundColor(colors.color(QPalette::HighlightedText));
    setPaper(base);
    setIndicatorForegroundColor(themeColors(colors).matchBackground, matchIndicator);
    SendScintilla(SCI_INDICSETALPHA, matchIndicator, 255L);
    m_figureStyle->setFont(font);
    m_figureStyle->setColor(text);
    m_figureStyle->setPaper(colors.color(QPalette::AlternateBase));
    writeFigures();
}

void SourceView::applySyntaxColors()
{
    const QPalette colors = palette();
    const ThemeColors theme = themeColors(colors);
    m_lexer->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lexer->setPaper(colors.color(QPalette::Base));
    m_lexer->setDefaultPaper(colors.color(QPalette::Base));
    m_lexer->setDefaultColor(colors.color(QPalette::Text));
    m_lexer->setColor(colors.color(QPalette::Text));
    const std::pair<int, QColor> styles[] = {
        {QsciLexerLua::Comment, theme.comment},
        {QsciLexerLua::LineComment, theme.comment},
        {QsciLexerLua::Number, theme.number},
        {QsciLexerLua::Keyword, theme.keyword},
        {QsciLexerLua::String, theme.string},
        {QsciLexerLua::Character, theme.string},
        {QsciLexerLua::LiteralString, theme.string},
        {QsciLexerLua::UnclosedString, theme.error},
        {QsciLexerLua::BasicFunctions, theme.libraryName},
        {QsciLexerLua::StringTableMathsFunctions, theme.libraryName},
        {QsciLexerLua::CoroutinesIOSystemFacilities, theme.libraryName},
    };
    for (const auto& [style, color] : styles)
        m_lexer->setColor(color, style);
}

} // namespace perilune
