// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/Comparison.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace perilune {

/// "Where did the difference go?": from A's whole to B's, one bar for each of the functions that
/// moved most, and one for all others. Always in self costs, which add up.
class WaterfallChart : public QWidget
{
    Q_OBJECT
public:
    explicit WaterfallChart(QWidget* parent = nullptr);
    ~WaterfallChart() override;

    void setComparison(std::shared_ptr<const Comparison> comparison);
    void setCurrentFunction(std::size_t function);
    /// Writes the picture as .png, .svg or .pdf; returns an empty text, or why it could not.
    QString writePicture(const QString& path);

    /// The middle of a function's bar, in this widget; nothing for one without a bar.
    std::optional<QPoint> positionOf(std::size_t function) const;
    QSize sizeHint() const override { return {700, 520}; }

Q_SIGNALS:
    void functionChosen(std::size_t function);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> m_d;
};

} // namespace perilune
