// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace perilune {

/// A line of arguments as in a shell, with the words it splits into shown below, so that quoting is
/// never a guess.
class ArgumentsField : public QWidget
{
    Q_OBJECT
public:
    explicit ArgumentsField(QWidget* parent = nullptr);

    void setArguments(const QStringList& arguments);
    /// The words; empty while the line cannot be split, see isValid().
    QStringList arguments() const { return m_arguments; }
    bool isValid() const { return m_isValid; }
    QLineEdit& line() { return *m_line; }
    QString splitText() const;

Q_SIGNALS:
    void argumentsChanged();
    void returnPressed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void split();
    void showWords();
    void showError(const QString& error);

    QLineEdit* m_line = nullptr;
    QLabel* m_split = nullptr;
    QStringList m_arguments;
    bool m_isValid = true;
};

} // namespace perilune
