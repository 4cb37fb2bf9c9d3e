// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/FunctionTable.h"
#include "core/profile/Profile.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace perilune {

/// A line of a source file, the current one of the Source tab.
struct SourceLine
{
    SourceId source;
    int line = 0;
    friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// What all panes of one window show: one profile, one selection, one search, one weight.
///
/// Panes read it, change it through its setters and follow its signals; they never talk to each other.
/// A setter that changes nothing emits nothing. GUI thread only.
class Document : public QObject
{
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);

    /// Never null; Profile::empty() when nothing is open.
    std::shared_ptr<const Profile> profile() const { return m_profile; }
    /// The flat table and edges of profile(); never null.
    std::shared_ptr<const FunctionTable> table() const { return m_table; }
    /// Replaces the profile; the selection is found again by function key, else cleared.
    /// `table` belongs to `profile` and is computed off the GUI thread by whoever loads it.
    void setProfile(std::shared_ptr<const Profile> profile, std::shared_ptr<const FunctionTable> table);

    FunctionId currentFunction() const { return m_place.function; } ///< May be invalid.
    NodeId currentNode() const { return m_place.node; }             ///< May be invalid: no path chosen.
    SourceLine currentLine() const { return m_place.line; }

    /// Selects a function without a path; the current line becomes its definition.
    void setCurrentFunction(FunctionId function);
    /// Selects a path; the current function becomes the node's.
    void setCurrentNode(NodeId node);
    /// Selects a line; function and node stay.
    void setCurrentLine(SourceLine line);

    /// The metric that views weigh by; Time unless the user chose another that the run has.
    Metric weight() const { return m_weight; }
    void setWeight(Metric metric);

    /// What search fields highlight everywhere; nothing is filtered by it.
    QString searchText() const { return m_searchText; }
    void setSearchText(const QString& text);

    bool canGoBack() const;
    bool canGoForward() const;
    void goBack();
    void goForward();

Q_SIGNALS:
    void profileChanged();
    void currentFunctionChanged(perilune::FunctionId function);
    void currentNodeChanged(perilune::NodeId node);
    void currentLineChanged(perilune::SourceLine line);
    void weightChanged(perilune::Metric metric);
    void searchTextChanged(const QString& text);
    void historyChanged();

private:
    struct Place
    {
        FunctionId function;
        NodeId node;
        SourceLine line;
        friend bool operator==(const Place&, const Place&) = default;
    };

    void visit(const Place& place);
    void show(const Place& place);

    std::shared_ptr<const Profile> m_profile = Profile::empty();
    std::shared_ptr<const FunctionTable> m_table = std::make_shared<FunctionTable>();
    Place m_place;
    std::vector<Place> m_history; ///< m_history[m_historyIndex] is the current place.
    std::size_t m_historyIndex = 0;
    Metric m_weight = Metric::Time;
    QString m_searchText;
};

} // namespace perilune
