// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/SourcePane.h"

#include "gui/views/EmptyState.h"
#include "gui/views/FindField.h"
#include "gui/views/Icons.h"
#include "gui/views/MessageStrip.h"
#include "gui/views/SourceView.h"

#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QPainter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace perilune {

namespace {

/// Writes the titles of the margin's columns above them.
class FigureHeader : public QWidget
{
public:
    FigureHeader(const SourceView& view, QWidget* parent)
        : QWidget(parent)
        , m_view(view)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

    QSize sizeHint() const override
    {
        return {100, QFontMetrics(m_view.figureFont()).height() + 4};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
        painter.setFont(m_view.figureFont());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(m_view.figureOffset(), 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, SourceView::figureTitles());
    }

private:
    const SourceView& m_view;
};

QString textOnDisk(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

SourcePane::SourcePane(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    createWidgets();
    layOut();
    connectWidgets();
    showProfile();
    showCurrentLine();
}

void SourcePane::createWidgets()
{
    m_sourcePage = new QWidget(this);
    m_file = new QComboBox(m_sourcePage);
    m_file->setAccessibleName(tr("Source file"));
    m_file->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_file->setMinimumContentsLength(24);
    m_editor = new QToolButton(m_sourcePage);
    m_editor->setIcon(themedIcon(QStringLiteral("external")));
    m_editor->setText(tr("Open in editor"));
    m_editor->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_editor->setToolTip(
        tr("Opens this file at this line in the editor chosen in the settings (Ctrl+E)"));
    m_editor->setAutoRaise(true);
    m_find = new FindField(m_document, m_sourcePage);
    m_find->setMaximumWidth(280);
    m_strip = new MessageStrip(m_sourcePage);
    m_view = new SourceView(m_sourcePage);
    m_header = new FigureHeader(*m_view, m_sourcePage);
    m_empty = new EmptyState(this);
}

void SourcePane::layOut()
{
    auto* top = new QHBoxLayout;
    top->setContentsMargins(6, 6, 6, 6);
    top->addWidget(m_file, 1);
    top->addWidget(m_find);
    top->addWidget(m_editor);
    auto* page = new QVBoxLayout(m_sourcePage);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addLayout(top);
    page->addWidget(m_strip);
    page->addWidget(m_header);
    page->addWidget(m_view, 1);

    m_stack = new QStackedLayout(this);
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_sourcePage);
}

void SourcePane::connectWidgets()
{
    connect(&m_document, &Document::profileChanged, this, &SourcePane::showProfile);
    connect(&m_document, &Document::currentFunctionChanged, this, &SourcePane::showCurrentLine);
    connect(&m_document, &Document::currentLineChanged, this, &SourcePane::showCurrentLine);
    connect(&m_document, &Document::timeUnitChanged, this, &SourcePane::showFigures);
    connect(m_file, &QComboBox::activated, this, &SourcePane::chooseFile);
    connect(m_view, &SourceView::lineChosen, this, &SourcePane::chooseLine);
    connect(m_view, &SourceView::functionLineClicked, this, &SourcePane::chooseFunctionAt);
    connect(&m_document, &Document::searchTextChanged, this, &SourcePane::updateMatches);
    connect(m_find, &FindField::nextRequested, this, &SourcePane::showNextMatch);
    connect(m_find, &FindField::previousRequested, this, &SourcePane::showPreviousMatch);
    connect(m_editor, &QToolButton::clicked, this, &SourcePane::requestEditor);
}

/// A new profile: the same source stays open if its text is the same, with new figures.
void SourcePane::showProfile()
{
    fillFileCombo();
    const auto& sources = m_document.profile()->sources;
    const bool isSameSource = m_shown.isValid() && m_shown.value() < sources.size()
        && sources[m_shown.value()].label == m_shownLabel
        && m_view->text() == QString::fromStdString(sources[m_shown.value()].text);
    if (isSameSource)
        showFigures();
    else
        m_shown = SourceId();
}

void SourcePane::showCurrentLine()
{
    const SourceLine line = m_document.currentLine();
    if (!line.source.isValid()) {
        explainCurrentFunction();
        return;
    }
    if (line.source != m_shown)
        showSource(line.source);
    if (m_view->currentLine() != line.line)
        m_view->showLine(line.line);
}

void SourcePane::showSource(SourceId id)
{
    m_shown = id;
    const Source& source = *shownSource();
    m_shownLabel = source.label;
    m_file->setCurrentIndex(m_file->findData(id.value()));
    m_editor->setEnabled(!source.path.empty());
    m_strip->clear();
    m_isDiskShown = false;
    if (source.text.empty()) {
        const QString label = QString::fromStdString(source.label);
        showNoSource(
            tr("The text of %1 is not known").arg(label),
            tr("The program loaded it from bytecode or from a string that was not recorded, "
               "so there is nothing to show. Its times are complete all the same."));
        return;
    }
    showText(QString::fromStdString(source.text));
    compareWithDisk(source);
    m_stack->setCurrentWidget(m_sourcePage);
}

void SourcePane::showText(const QString& text)
{
    m_view->setSourceText(text);
    showFigures();
    updateMatches();
}

void SourcePane::showFigures()
{
    if (!m_shown.isValid())
        return;
    auto lines = functionLines(*m_document.profile(), *m_document.table(), m_shown);
    m_header->setVisible(!lines.empty());
    m_view->setFigures(std::move(lines), m_document.timeUnit());
    m_header->update();
}

void SourcePane::compareWithDisk(const Source& source)
{
    if (source.path.empty())
        return;
    const QString path = QString::fromStdString(source.path);
    if (!QFile::exists(path)) {
        m_strip->showMessage(MessageStrip::Kind::Information,
                             tr("The file is no longer at %1. Showing the stored text.").arg(path));
        return;
    }
    m_diskText = textOnDisk(path);
    if (m_diskText != QString::fromStdString(source.text))
        showStoredText();
}

void SourcePane::showStoredText()
{
    if (m_isDiskShown) {
        m_isDiskShown = false;
        showText(QString::fromStdString(shownSource()->text));
    }
    m_strip->showMessage(MessageStrip::Kind::Warning,
                         tr("File changed since this run. Showing the stored text."),
                         {{tr("Show file on disk"), [this] { showDiskText(); }}});
}

void SourcePane::showDiskText()
{
    m_isDiskShown = true;
    const int line = m_view->currentLine();
    m_view->setSourceText(m_diskText);
    m_view->setFigures({}, m_document.timeUnit());
    m_view->showLine(line);
    m_strip->showMessage(MessageStrip::Kind::Warning,
                         tr("Showing the file on disk, which differs from what ran; "
                            "costs are shown with the stored text."),
                         {{tr("Show stored text"), [this] { showStoredText(); }}});
}

void SourcePane::showNoSource(const QString& title, const QString& explanation)
{
    m_empty->setContent(title, explanation);
    m_stack->setCurrentWidget(m_empty);
}

/// There is no current line: says why.
void SourcePane::explainCurrentFunction()
{
    m_shown = SourceId();
    const FunctionId id = m_document.currentFunction();
    if (!id.isValid()) {
        showNoSource(tr("No function selected"), tr("Select a function to see its source."));
        return;
    }
    const Function& function = m_document.profile()->function(id);
    const QString name = QString::fromStdString(function.name);
    switch (function.kind) {
    case FunctionKind::C:
        showNoSource(tr("%1 is a C function").arg(name),
                     tr("It is part of Lua or of a C module and has no Lua source. "
                        "The callers show where your program uses it."));
        break;
    case FunctionKind::Host:
        showNoSource(
            tr("%1 is the host program").arg(name),
            tr("Its time was spent outside of Lua functions: loading the script and leaving it."));
        break;
    case FunctionKind::Folded:
        showNoSource(
            tr("%1 stands for many calls").arg(name),
            tr("The call tree reached its limit, and calls beyond it were counted together."));
        break;
    case FunctionKind::Main:
    case FunctionKind::Lua:
        showNoSource(tr("The source of %1 is not known").arg(name),
                     tr("It was loaded from bytecode without debug information."));
        break;
    }
}

void SourcePane::fillFileCombo()
{
    m_file->clear();
    const auto& sources = m_document.profile()->sources;
    for (std::uint32_t index = 0; index < sources.size(); ++index)
        m_file->addItem(QString::fromStdString(sources[index].label), index);
    if (m_shown.isValid())
        m_file->setCurrentIndex(m_file->findData(m_shown.value()));
}

void SourcePane::chooseFile(int index)
{
    m_document.setCurrentLine({SourceId(m_file->itemData(index).toUInt()), 1});
}

void SourcePane::chooseLine(int line)
{
    if (m_shown.isValid() && !m_isDiskShown)
        m_document.setCurrentLine({m_shown, line});
}

void SourcePane::chooseFunctionAt(int line)
{
    if (!m_shown.isValid() || m_isDiskShown)
        return;
    const auto lines = functionLines(*m_document.profile(), *m_document.table(), m_shown);
    const auto found = lines.find(line);
    if (found != lines.end())
        m_document.setCurrentFunction(found->second.functions.front());
}

void SourcePane::focusSearch()
{
    m_find->focusText();
}

void SourcePane::showMatch(bool isForward)
{
    m_view->showMatch(isForward);
}

void SourcePane::updateMatches()
{
    const QString text = m_document.searchText();
    const int count = m_view->highlight(text);
    m_find->setResult(text.isEmpty() ? QString() : tr("%Ln match(es)", nullptr, count));
}

void SourcePane::requestEditor()
{
    const Source* source = shownSource();
    if (source != nullptr && !source->path.empty())
        Q_EMIT editorRequested(QString::fromStdString(source->path), m_view->currentLine());
}

const Source* SourcePane::shownSource() const
{
    return m_shown.isValid() ? &m_document.profile()->sources[m_shown.value()] : nullptr;
}

} // namespace perilune
