// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/RunChoices.h"

#include <QFrame>

#include <vector>

class QComboBox;
class QLabel;

namespace perilune {

class ElidedLabel;

/// One side of a comparison: its letter, a list to choose a run or group from, and what is chosen.
class CompareSideBox : public QFrame
{
    Q_OBJECT
public:
    /// `letter` is "A" or "B", `role` what it stands for.
    CompareSideBox(const QString& letter, const QString& role, QWidget* parent = nullptr);

    /// What can be chosen; a choice that is not among them stays chosen.
    void setChoices(const std::vector<RunChoice>& choices);
    void setChoice(const RunChoice& choice);
    const RunChoice& choice() const { return m_choice; }

Q_SIGNALS:
    void choiceChanged(const perilune::RunChoice& choice);
    /// The user wants to choose from another session file.
    void otherSessionRequested();

private:
    void fillList();
    void choose(int index);
    void showDetail();

    std::vector<RunChoice> m_choices; ///< As listed.
    RunChoice m_choice;
    QComboBox* m_list = nullptr;
    ElidedLabel* m_detail = nullptr;
};

} // namespace perilune
