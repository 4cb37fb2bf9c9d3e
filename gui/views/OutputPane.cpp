// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/OutputPane.h"

#include "gui/models/NumberFormat.h"
#include "gui/views/MessageStrip.h"
#include "gui/views/Theme.h"

#include <QEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryFile>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>

namespace perilune {

namespace {

constexpr int portionIntervalMs = 50;
constexpr qsizetype portionBytes = 64 * 1024; ///< Laid out well within a frame.

std::size_t indexOf(OutputPane::Channel channel)
{
    return channel == OutputPane::Channel::Output ? 0 : 1;
}

/// Text without terminal escapes and other control characters, which would only show as boxes.
QString printable(QString text)
{
    static const QRegularExpression escapes(QStringLiteral(
        "\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]"));
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    if (text.contains(escapes))
        text.remove(escapes);
    return text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
}

} // namespace

OutputPane::OutputPane(QWidget* parent)
    : QWidget(parent)
{
    createWidgets();
    layOut();
    connectWidgets();
    applyFormats();
    startRun();
    setInputEnabled(false);
}

OutputPane::~OutputPane() = default;

void OutputPane::createWidgets()
{
    m_notice = new MessageStrip(this);
    m_view = new QPlainTextEdit(this);
    m_view->setReadOnly(true);
    m_view->setUndoRedoEnabled(false);
    m_view->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_view->setWordWrapMode(QTextOption::WrapAnywhere);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAccessibleName(tr("Output of the script"));
    m_view->setPlaceholderText(
        tr("What the script prints appears here; standard error is in italics."));
    m_inputRow = new QWidget(this);
    m_inputLabel = new QLabel(tr("Input:"), m_inputRow);
    m_input = new QLineEdit(m_inputRow);
    m_input->setFont(m_view->font());
    m_input->setPlaceholderText(tr("A line for the script's standard input, sent with Enter"));
    m_input->setAccessibleName(tr("Standard input of the script"));
    m_inputLabel->setBuddy(m_input);
    m_endInput = new QPushButton(tr("End of input"), m_inputRow);
    m_endInput->setToolTip(tr("Closes the script's standard input, as Ctrl+D does in a terminal."));
    m_timer = new QTimer(this);
    m_timer->setInterval(portionIntervalMs);
}

void OutputPane::layOut()
{
    auto* inputLayout = new QHBoxLayout(m_inputRow);
    inputLayout->setContentsMargins(6, 4, 6, 4);
    inputLayout->addWidget(m_inputLabel);
    inputLayout->addWidget(m_input, 1);
    inputLayout->addWidget(m_endInput);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notice);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_inputRow);
}

void OutputPane::connectWidgets()
{
    connect(m_timer, &QTimer::timeout, this, &OutputPane::showPortion);
    connect(m_input, &QLineEdit::returnPressed, this, &OutputPane::sendLine);
    connect(m_endInput, &QPushButton::clicked, this, [this] {
        setInputEnabled(false);
        Q_EMIT inputEnded();
    });
}

void OutputPane::applyFormats()
{
    m_formats[indexOf(Channel::Error)].setForeground(themeColors(palette()).error);
    m_formats[indexOf(Channel::Error)].setFontItalic(true);
}

void OutputPane::startRun()
{
    m_timer->stop();
    m_pending.clear();
    m_pendingBytes = 0;
    m_receivedBytes = 0;
    m_isCut = false;
    for (QStringDecoder& decoder : m_decoders)
        decoder = QStringDecoder(QStringDecoder::Utf8);
    m_view->clear();
    m_notice->clear();
    m_all = std::make_unique<QTemporaryFile>();
    if (!m_all->open())
        m_all.reset();
}

void OutputPane::append(const QByteArray& bytes, Channel channel)
{
    m_receivedBytes += bytes.size();
    keepAll(bytes);
    m_pending.push_back({bytes, channel});
    m_pendingBytes += bytes.size();
    dropOldestPending();
    if (!m_timer->isActive())
        m_timer->start();
}

void OutputPane::endRun()
{
    setInputEnabled(false);
}

void OutputPane::setInputEnabled(bool isEnabled)
{
    m_inputRow->setVisible(isEnabled);
    m_inputLabel->setText(tr("Input:"));
}

void OutputPane::showInputAwaited()
{
    if (m_inputRow->isHidden())
        return;
    m_inputLabel->setText(tr("Waiting for input:"));
    m_input->setFocus();
}

QString OutputPane::text() const
{
    return m_view->toPlainText();
}

QString OutputPane::notice() const
{
    return m_notice->text();
}

void OutputPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange && m_view != nullptr)
        applyFormats();
}

void OutputPane::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT stopRequested();
    else
        QWidget::keyPressEvent(event);
}

/// Shows some of what waits; the rest comes with the next tick, so that the window stays alive.
void OutputPane::showPortion()
{
    QScrollBar* bar = m_view->verticalScrollBar();
    const bool wasAtEnd = bar->value() >= bar->maximum() - 2;
    qsizetype left = portionBytes;
    while (left > 0 && !m_pending.empty()) {
        Chunk& chunk = m_pending.front();
        const QByteArray portion = chunk.bytes.left(left);
        const QString decoded = m_decoders[indexOf(chunk.channel)].decode(portion);
        insert(printable(decoded), chunk.channel);
        left -= portion.size();
        m_pendingBytes -= portion.size();
        if (portion.size() == chunk.bytes.size())
            m_pending.pop_front();
        else
            chunk.bytes.remove(0, portion.size());
    }
    trim();
    if (wasAtEnd)
        bar->setValue(bar->maximum());
    if (m_pending.empty())
        m_timer->stop();
    updateNotice();
}

void OutputPane::insert(const QString& text, Channel channel)
{
    QTextCursor cursor(m_view->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text, m_formats[indexOf(channel)]);
}

/// Removes whole lines, or the beginning of one endless line, from the top.
void OutputPane::trim()
{
    const int excess = m_view->document()->characterCount() - static_cast<int>(keptBytes);
    if (excess <= 0)
        return;
    m_isCut = true;
    QTextCursor cursor(m_view->document());
    cursor.setPosition(excess, QTextCursor::KeepAnchor);
    const QTextBlock next = cursor.block().next();
    if (next.isValid() && next.position() - excess < 4096)
        cursor.setPosition(next.position(), QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
}

void OutputPane::keepAll(const QByteArray& bytes)
{
    if (m_all && m_all->write(bytes) != bytes.size())
        m_all.reset();
}

void OutputPane::dropOldestPending()
{
    while (m_pendingBytes > keptBytes && m_pending.size() > 1) {
        m_pendingBytes -= m_pending.front().bytes.size();
        m_pending.pop_front();
        m_isCut = true;
    }
}

void OutputPane::updateNotice()
{
    if (!m_isCut)
        return;
    QList<MessageStrip::Action> actions;
    if (m_all)
        actions.append({tr("Save all of it…"), [this] { saveAll(); }});
    m_notice->showMessage(MessageStrip::Kind::Information,
                          tr("Showing the last %1 of %2.")
                              .arg(formatBytes(static_cast<std::uint64_t>(keptBytes)),
                                   formatBytes(static_cast<std::uint64_t>(m_receivedBytes))),
                          actions);
}

void OutputPane::sendLine()
{
    const QString line = m_input->text();
    m_input->clear();
    m_inputLabel->setText(tr("Input:"));
    insert(line + QLatin1Char('\n'), Channel::Output);
    Q_EMIT inputEntered(line.toUtf8() + '\n');
}

void OutputPane::saveAll()
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save output"), QStringLiteral("output.txt"));
    if (path.isEmpty() || !m_all)
        return;
    m_all->flush();
    QFile::remove(path);
    if (!QFile::copy(m_all->fileName(), path))
        QMessageBox::warning(this, tr("Save output"), tr("%1 could not be written.").arg(path));
}

} // namespace perilune
