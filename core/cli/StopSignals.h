// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <array>
#include <memory>

namespace perilune::cli {

/// While one exists, the signals that would end this program behave as a user of lua5.4 expects of
/// a script: Ctrl+C is left to the script, which gets it too, and SIGTERM and SIGHUP become
/// stopRequested(). One at a time.
class StopSignals : public QObject
{
    Q_OBJECT
public:
    explicit StopSignals(QObject* parent = nullptr);
    ~StopSignals() override;

Q_SIGNALS:
    void stopRequested();

private:
    void takeRequest();

    std::array<int, 2> m_pipe = {-1, -1};
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace perilune::cli
