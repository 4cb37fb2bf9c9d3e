// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/RunLauncher.h"

#include <QByteArray>
#include <QStringDecoder>
#include <QTextCharFormat>
#include <QWidget>

#include <array>
#include <deque>
#include <memory>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTemporaryFile;
class QTimer;
class QToolButton;

namespace perilune {

class MessageStrip;

/// What the script writes, standard error in italics, and the line that feeds its standard input.
///
/// A script may write faster than text can be laid out: what comes in waits in a bounded queue and
/// is shown in portions. The last few megabytes are kept here and all of it in a temporary file.
class OutputPane : public QWidget
{
    Q_OBJECT
public:
    using Channel = RunLauncher::Channel;

    /// How much text is kept in the pane.
    static constexpr qsizetype keptBytes = 4 * 1024 * 1024;

    explicit OutputPane(QWidget* parent = nullptr);
    ~OutputPane() override;

    /// Empties the pane for a new run.
    void startRun();
    void append(const QByteArray& bytes, Channel channel);
    /// The run is over: what is left is shown, and input makes no sense any more.
    void endRun();
    void setInputEnabled(bool isEnabled);
    void showInputAwaited();
    QString text() const;
    QString notice() const;

Q_SIGNALS:
    void inputEntered(const QByteArray& bytes);
    void inputEnded();
    /// Escape was pressed in the pane.
    void stopRequested();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Chunk
    {
        QByteArray bytes;
        Channel channel;
    };

    void createWidgets();
    void layOut();
    void connectWidgets();
    void applyFormats();
    void showPortion();
    void insert(const QString& text, Channel channel);
    void trim();
    void keepAll(const QByteArray& bytes);
    void dropOldestPending();
    void updateNotice();
    void sendLine();
    void saveAll();

    QPlainTextEdit* m_view = nullptr;
    MessageStrip* m_notice = nullptr;
    QWidget* m_inputRow = nullptr;
    QLabel* m_inputLabel = nullptr;
    QLineEdit* m_input = nullptr;
    QPushButton* m_endInput = nullptr;
    QTimer* m_timer = nullptr;

    std::deque<Chunk> m_pending;
    qsizetype m_pendingBytes = 0;
    qint64 m_receivedBytes = 0;
    bool m_isCut = false;
    std::array<QStringDecoder, 2> m_decoders;
    std::array<QTextCharFormat, 2> m_formats;
    std::unique_ptr<QTemporaryFile> m_all; ///< Null when it cannot be written.
};

} // namespace perilune
