// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/PlaceTranslator.h"

namespace perilune {

Document::Place PlaceTranslator::translate(const Document::Place& place)
{
    Document::Place result;
    result.function = translateFunction(place.function);
    if (result.function.isValid())
        result.node = translateNode(place.node);
    result.line = translateLine(place.line);
    return result;
}

FunctionId PlaceTranslator::translateFunction(FunctionId function)
{
    if (!function.isValid() || function.value() >= m_from.functions.size())
        return {};
    const auto known = m_found.find(function);
    if (known != m_found.end())
        return known->second;
    const FunctionId found = findFunction(function);
    m_found.emplace(function, found);
    return found;
}

FunctionId PlaceTranslator::findFunction(FunctionId function) const
{
    const std::string key = m_from.key(function);
    const std::string& name = m_from.function(function).name;
    const auto matches = [&](std::uint32_t index) {
        return m_to.functions[index].name == name && m_to.key(FunctionId(index)) == key;
    };
    if (function.value() < m_to.functions.size() && matches(function.value()))
        return function;
    for (std::uint32_t index = 0; index < m_to.functions.size(); ++index) {
        if (matches(index))
            return FunctionId(index);
    }
    return {};
}

/// Walks the path of `node` from the root of the other tree, function by function.
NodeId PlaceTranslator::translateNode(NodeId node)
{
    const CallTree& from = *m_from.tree;
    const CallTree& to = *m_to.tree;
    if (!node.isValid() || node.value() >= from.nodeCount())
        return {};
    std::vector<NodeId> path;
    for (NodeId step = node; step != from.root(); step = from.parent(step))
        path.push_back(step);
    NodeId result = to.root();
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
        const FunctionId wanted = translateFunction(from.function(*step));
        NodeId next;
        for (std::uint32_t row = 0; wanted.isValid() && row < to.childCount(result); ++row) {
            if (to.function(to.child(result, row)) == wanted)
                next = to.child(result, row);
        }
        if (!next.isValid())
            return {};
        result = next;
    }
    return result;
}

SourceLine PlaceTranslator::translateLine(SourceLine line) const
{
    if (!line.source.isValid() || line.source.value() >= m_from.sources.size())
        return {};
    const std::string& label = m_from.sources[line.source.value()].label;
    const auto matches = [&](std::uint32_t index) { return m_to.sources[index].label == label; };
    if (line.source.value() < m_to.sources.size() && matches(line.source.value()))
        return line;
    for (std::uint32_t index = 0; index < m_to.sources.size(); ++index) {
        if (matches(index))
            return {SourceId(index), line.line};
    }
    return {};
}

} // namespace perilune
