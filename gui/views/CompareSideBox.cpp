// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/CompareSideBox.h"

#include "gui/views/ElidedLabel.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace perilune {

namespace {

constexpr int shortestListInCharacters = 24;

QString listText(const RunChoice& choice)
{
    return choice.isBaseline ? QStringLiteral("★ ") + choice.title : choice.title;
}

} // namespace

CompareSideBox::CompareSideBox(const QString& letter, const QString& role, QWidget* parent)
    : QFrame(parent)
{
    setFrameShape(QFrame::StyledPanel);
    auto* title = new QLabel(letter, this);
    QFont font = title->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.5);
    title->setFont(font);
    title->setAlignment(Qt::AlignCenter);
    auto* roleLabel = new QLabel(role, this);
    roleLabel->setForegroundRole(QPalette::PlaceholderText);
    m_list = new QComboBox(this);
    m_list->setAccessibleName(tr("%1, %2").arg(letter, role));
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_list->setMinimumContentsLength(shortestListInCharacters);
    m_detail = new ElidedLabel(this);
    m_detail->setForegroundRole(QPalette::PlaceholderText);

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setHorizontalSpacing(10);
    layout->setVerticalSpacing(2);
    layout->addWidget(title, 0, 0);
    layout->addWidget(m_list, 0, 1);
    layout->addWidget(roleLabel, 1, 0);
    layout->addWidget(m_detail, 1, 1);
    layout->setColumnStretch(1, 1);
    connect(m_list, &QComboBox::activated, this, &CompareSideBox::choose);
    fillList();
}

void CompareSideBox::setChoices(const std::vector<RunChoice>& choices)
{
    m_choices = choices;
    // A choice that was made anew (a run renamed, a group grown) shows its new text.
    const auto same = std::find(m_choices.begin(), m_choices.end(), m_choice);
    if (same != m_choices.end())
        m_choice = *same;
    fillList();
}

void CompareSideBox::setChoice(const RunChoice& choice)
{
    m_choice = choice;
    fillList();
}

void CompareSideBox::fillList()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    if (!m_choice.isEmpty()
        && std::find(m_choices.begin(), m_choices.end(), m_choice) == m_choices.end())
        m_choices.insert(m_choices.begin(), m_choice);
    for (const RunChoice& choice : m_choices) {
        m_list->addItem(listText(choice));
        m_list->setItemData(m_list->count() - 1, choice.detail, Qt::ToolTipRole);
    }
    if (!m_choices.empty())
        m_list->insertSeparator(m_list->count());
    m_list->addItem(tr("From another session…"));
    const auto current = std::find(m_choices.begin(), m_choices.end(), m_choice);
    m_list->setCurrentIndex(
        current == m_choices.end() ? -1 : static_cast<int>(current - m_choices.begin()));
    m_list->setPlaceholderText(tr("Choose a run"));
    showDetail();
}

void CompareSideBox::choose(int index)
{
    if (index == m_list->count() - 1) {
        fillList();
        Q_EMIT otherSessionRequested();
        return;
    }
    if (index < 0 || index >= static_cast<int>(m_choices.size()))
        return;
    m_choice = m_choices[static_cast<std::size_t>(index)];
    showDetail();
    Q_EMIT choiceChanged(m_choice);
}

void CompareSideBox::showDetail()
{
    m_detail->setText(m_choice.isEmpty() ? tr("Nothing chosen") : m_choice.detail);
    m_list->setToolTip(m_choice.isEmpty() ? QString() : QFileInfo(m_choice.file).fileName());
}

} // namespace perilune
