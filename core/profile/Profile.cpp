// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/Profile.h"

namespace perilune {

std::shared_ptr<const Profile> Profile::empty()
{
    static const std::shared_ptr<const Profile> profile = std::make_shared<Profile>();
    return profile;
}

const Source* Profile::sourceOf(const Function& function) const
{
    return function.source.isValid() && function.source.value() < sources.size()
        ? &sources[function.source.value()]
        : nullptr;
}

std::string Profile::location(const Function& function) const
{
    const Source* source = sourceOf(function);
    if (!source)
        return function.kind == FunctionKind::C ? "[C]" : "";
    return function.line > 0 ? source->label + ":" + std::to_string(function.line) : source->label;
}

std::string Profile::key(FunctionId id) const
{
    const Function& function = functions[id.value()];
    const Source* source = sourceOf(function);
    std::string key =
        source ? source->label : std::string(function.kind == FunctionKind::C ? "[C]" : "");
    key += '\x1f';
    key += function.name;
    if (source && function.line >= 0) {
        key += '\x1f';
        key += std::to_string(function.line);
        if (function.ordinal != format::none)
            key += "#" + std::to_string(function.ordinal);
    }
    return key;
}

} // namespace perilune
