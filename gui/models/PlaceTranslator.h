// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/Document.h"

#include <unordered_map>

namespace perilune {

/// Finds places of one profile again in another, such as the next snapshot of the same run.
///
/// Cheap where ids have stayed the same, which is usual between snapshots; remembers what it has
/// found.
class PlaceTranslator
{
public:
    PlaceTranslator(const Profile& from, const Profile& to)
        : m_from(from)
        , m_to(to)
    {
    }

    /// A place without what is gone: a path that no longer exists leaves its function, and so on.
    Document::Place translate(const Document::Place& place);

private:
    FunctionId translateFunction(FunctionId function);
    FunctionId findFunction(FunctionId function) const;
    NodeId translateNode(NodeId node);
    SourceLine translateLine(SourceLine line) const;

    const Profile& m_from;
    const Profile& m_to;
    std::unordered_map<FunctionId, FunctionId> m_found;
};

} // namespace perilune
