// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"
#include "gui/models/NumberFormat.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace perilune {

struct FunctionOrder;

/// A line of a source file, the current one of the Source tab.
struct SourceLine
{
    SourceId source;
    int line = 0;
    friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// What all panes of one window show: one profile, one selection, one search, one weight.
///
/// Panes read it, change it through its setters and follow its signals; they never talk to each
/// other. A setter that changes nothing emits nothing. GUI thread only.
class Document : public QObject
{
    Q_OBJECT
public:
    /// A point of the selection's history.
    struct Place
    {
        FunctionId function;
        NodeId node;
        SourceLine line;
        friend bool operator==(const Place&, const Place&) = default;
    };

    explicit Document(QObject* parent = nullptr);

    /// Never null; Profile::empty() when nothing is open.
    std::shared_ptr<const Profile> profile() const { return m_profile; }
    /// The flat table and edges of profile(); never null.
    std::shared_ptr<const FunctionTable> table() const { return m_table; }
    /// Replaces the profile. The selection and its history are found again: functions by their key,
    /// paths by the keys along them, lines by their source's label; what is gone is cleared.
    /// `table` belongs to `profile` and is computed off the GUI thread by whoever loads it.
    /// Emits profileChanged() and then the three signals of the selection, since their ids are new.
    void setProfile(std::shared_ptr<const Profile> profile,
                    std::shared_ptr<const FunctionTable> table,
                    std::shared_ptr<const FunctionOrder> order = nullptr);
    /// The alphabetical order of table(); null where whoever loaded the profile has not computed
    /// it.
    std::shared_ptr<const FunctionOrder> functionOrder() const { return m_order; }
    /// Shows nothing, as at the start, and forgets the history.
    void clear();
    bool isEmpty() const { return m_profile->functions.empty(); }

    FunctionId currentFunction() const { return m_place.function; } ///< May be invalid.
    NodeId currentNode() const { return m_place.node; } ///< May be invalid: no path chosen.
    SourceLine currentLine() const { return m_place.line; }

    /// Selects a function without a path; the current line becomes its definition.
    void setCurrentFunction(FunctionId function);
    /// Selects a path; the current function becomes the node's.
    void setCurrentNode(NodeId node);
    /// Selects a line; function and node stay. Makes no entry in the history: it belongs to the
    /// place.
    void setCurrentLine(SourceLine line);

    /// The metric that views weigh by; Time unless the user chose another that the run has.
    Metric weight() const { return m_weight; }
    void setWeight(Metric metric);

    /// The unit of all times on the screen.
    TimeUnit timeUnit() const { return m_timeUnit; }
    void setTimeUnit(TimeUnit unit);

    /// What search fields highlight everywhere; nothing is filtered by it.
    QString searchText() const { return m_searchText; }
    void setSearchText(const QString& text);

    bool canGoBack() const { return m_historyIndex > 0; }
    bool canGoForward() const { return m_historyIndex + 1 < m_history.size(); }
    void goBack();
    void goForward();
    /// The visited places, oldest first, and which of them is shown.
    const std::vector<Place>& history() const { return m_history; }
    std::size_t historyIndex() const { return m_historyIndex; }
    void goTo(std::size_t historyIndex);

Q_SIGNALS:
    void profileChanged();
    void currentFunctionChanged(perilune::FunctionId function);
    void currentNodeChanged(perilune::NodeId node);
    void currentLineChanged(perilune::SourceLine line);
    void weightChanged(perilune::Metric metric);
    void timeUnitChanged(perilune::TimeUnit unit);
    void searchTextChanged(const QString& text);
    void historyChanged();

private:
    void visit(const Place& place);
    void show(const Place& place);
    void announcePlace();
    SourceLine definitionOf(FunctionId function) const;

    std::shared_ptr<const Profile> m_profile = Profile::empty();
    std::shared_ptr<const FunctionTable> m_table = std::make_shared<FunctionTable>();
    std::shared_ptr<const FunctionOrder> m_order;
    Place m_place;
    std::vector<Place> m_history{Place()}; ///< Never empty; m_history[m_historyIndex] is m_place.
    std::size_t m_historyIndex = 0;
    Metric m_weight = Metric::Time;
    TimeUnit m_timeUnit = TimeUnit::Automatic;
    QString m_searchText;
};

} // namespace perilune
