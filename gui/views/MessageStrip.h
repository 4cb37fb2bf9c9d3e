// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

#include <functional>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace perilune {

/// A coloured line above a view: what happened, and buttons for the next step. Hidden until it has
/// a message.
class MessageStrip : public QFrame
{
    Q_OBJECT
public:
    enum class Kind
    {
        Information,
        Warning,
        Error
    };
    struct Action
    {
        QString text;
        std::function<void()> run;
    };

    explicit MessageStrip(QWidget* parent = nullptr);

    /// Shows `text`, plain text in which linkActivated()'s anchors may be written as HTML.
    void showMessage(Kind kind, const QString& text, const QList<Action>& actions = {});
    void clear(); ///< Hides it.
    Kind kind() const { return m_kind; }
    QString text() const;

Q_SIGNALS:
    void linkActivated(const QString& link);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void createWidgets();
    void connectWidgets();
    void setActions(const QList<Action>& actions);
    void applyColors();

    Kind m_kind = Kind::Information;
    QLabel* m_icon = nullptr;
    QLabel* m_label = nullptr;
    QHBoxLayout* m_actionLayout = nullptr;
    QToolButton* m_closeButton = nullptr;
};

} // namespace perilune
