// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/Document.h"

#include "gui/models/PlaceTranslator.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

/// Far more than anyone goes back; keeps the translation to a new profile short.
constexpr std::size_t historyLimit = 200;

} // namespace

Document::Document(QObject* parent)
    : QObject(parent)
{
}

void Document::setProfile(std::shared_ptr<const Profile> profile,
                          std::shared_ptr<const FunctionTable> table,
                          std::shared_ptr<const FunctionOrder> order)
{
    Q_ASSERT(profile && table);
    PlaceTranslator translator(*m_profile, *profile);
    for (Place& place : m_history)
        place = translator.translate(place);
    m_place = m_history[m_historyIndex];
    m_profile = std::move(profile);
    m_table = std::move(table);
    m_order = std::move(order);
    Q_EMIT profileChanged();
    announcePlace();
    Q_EMIT historyChanged();
}

void Document::clear()
{
    m_history.assign(1, Place());
    m_historyIndex = 0;
    setProfile(Profile::empty(), std::make_shared<FunctionTable>());
}

void Document::setCurrentFunction(FunctionId function)
{
    if (function == m_place.function && !m_place.node.isValid())
        return;
    visit({function, NodeId(), definitionOf(function)});
}

void Document::setCurrentNode(NodeId node)
{
    if (node == m_place.node)
        return;
    const FunctionId function = node.isValid() ? m_profile->tree->function(node) : m_place.function;
    const bool staysInFunction = function == m_place.function;
    visit({function, node, staysInFunction ? m_place.line : definitionOf(function)});
}

void Document::setCurrentLine(SourceLine line)
{
    if (line == m_place.line)
        return;
    m_place.line = line;
    m_history[m_historyIndex] = m_place;
    Q_EMIT currentLineChanged(line);
}

void Document::setWeight(Metric metric)
{
    if (metric == m_weight)
        return;
    m_weight = metric;
    Q_EMIT weightChanged(metric);
}

void Document::setTimeUnit(TimeUnit unit)
{
    if (unit == m_timeUnit)
        return;
    m_timeUnit = unit;
    Q_EMIT timeUnitChanged(unit);
}

void Document::setSearchText(const QString& text)
{
    if (text == m_searchText)
        return;
    m_searchText = text;
    Q_EMIT searchTextChanged(text);
}

void Document::goBack()
{
    if (canGoBack())
        goTo(m_historyIndex - 1);
}

void Document::goForward()
{
    if (canGoForward())
        goTo(m_historyIndex + 1);
}

void Document::goTo(std::size_t historyIndex)
{
    if (historyIndex >= m_history.size() || historyIndex == m_historyIndex)
        return;
    m_historyIndex = historyIndex;
    show(m_history[historyIndex]);
    Q_EMIT historyChanged();
}

/// Goes to a new place: what lay ahead in the history is gone, and nobody goes back to nowhere.
void Document::visit(const Place& place)
{
    m_history.resize(m_historyIndex + 1);
    if (m_place == Place())
        m_history.pop_back();
    m_history.push_back(place);
    if (m_history.size() > historyLimit)
        m_history.erase(m_history.begin());
    m_historyIndex = m_history.size() - 1;
    show(place);
    Q_EMIT historyChanged();
}

void Document::show(const Place& place)
{
    const Place before = std::exchange(m_place, place);
    if (before.function != place.function)
        Q_EMIT currentFunctionChanged(place.function);
    if (before.node != place.node)
        Q_EMIT currentNodeChanged(place.node);
    if (before.line != place.line)
        Q_EMIT currentLineChanged(place.line);
}

void Document::announcePlace()
{
    Q_EMIT currentFunctionChanged(m_place.function);
    Q_EMIT currentNodeChanged(m_place.node);
    Q_EMIT currentLineChanged(m_place.line);
}

SourceLine Document::definitionOf(FunctionId function) const
{
    if (!function.isValid() || function.value() >= m_profile->functions.size())
        return {};
    const Function& definition = m_profile->function(function);
    if (!definition.source.isValid())
        return {};
    return {definition.source, std::max(definition.line, 1)};
}

} // namespace perilune
