// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/FunctionLabels.h"

#include "core/exchange/Text.h"

#include <charconv>
#include <string_view>
#include <unordered_map>

namespace perilune {

namespace {

constexpr std::string_view cMark = " [C]";
constexpr std::string_view mainMark = "main chunk";

std::string fileOf(const Source& source, FileNaming naming)
{
    if (naming == FileNaming::Path && !source.path.empty())
        return singleLine(source.path);
    return singleLine(source.label);
}

FunctionLabel labelOf(const Profile& profile, const Function& function, FileNaming naming)
{
    FunctionLabel label;
    label.name = singleLine(function.name);
    if (const Source* source = profile.sourceOf(function))
        label.file = fileOf(*source, naming);
    else if (function.kind == FunctionKind::C)
        label.file = cFile;
    label.line = std::max(function.line, 0);
    if (label.name.empty())
        label.name = "(no name)";
    return label;
}

/// The place of the parenthesis that belongs to the one at the end of `text`, or npos.
std::size_t openingOfLast(std::string_view text)
{
    int depth = 0;
    for (std::size_t index = text.size(); index-- > 0;) {
        if (text[index] == ')')
            ++depth;
        else if (text[index] == '(' && --depth == 0)
            return index;
    }
    return std::string_view::npos;
}

/// Splits "a.lua:12" into file and line; without a line all of it is the file.
void splitPlace(std::string_view place, FunctionLabel& label)
{
    label.file = place;
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == place.size())
        return;
    const char* const end = place.data() + place.size();
    int line = 0;
    const auto [stop, error] = std::from_chars(place.data() + colon + 1, end, line);
    if (error != std::errc() || stop != end || line < 0)
        return;
    label.file = place.substr(0, colon);
    label.line = line;
}

} // namespace

FunctionLabels::FunctionLabels(const Profile& profile, FileNaming naming, bool lineTellsApart)
{
    m_labels.reserve(profile.functions.size());
    std::unordered_map<std::string, int> timesSeen;
    const auto keyOf = [&](const FunctionLabel& label) {
        std::string key = label.name + '\n' + label.file;
        if (lineTellsApart)
            key += '\n' + std::to_string(label.line);
        return key;
    };
    for (const Function& function : profile.functions) {
        FunctionLabel label = labelOf(profile, function, naming);
        const std::string plainName = label.name;
        for (int number = ++timesSeen[keyOf(label)]; number > 1;
             number = ++timesSeen[keyOf(label)]) {
            label.name = plainName + " #" + std::to_string(number);
        }
        m_labels.push_back(std::move(label));
    }
}

std::string frameText(const Function& function, const FunctionLabel& label)
{
    if (function.kind == FunctionKind::C)
        return label.name + std::string(cMark);
    if (label.file.empty())
        return label.name;
    std::string place = label.file;
    if (function.kind != FunctionKind::Main)
        place += ':' + std::to_string(label.line);
    return label.name + " (" + place + ')';
}

ParsedFrame parseFrameText(std::string_view text)
{
    ParsedFrame frame;
    if (text.ends_with(cMark) && text.size() > cMark.size()) {
        frame.label.name = text.substr(0, text.size() - cMark.size());
        frame.label.file = cFile;
        frame.kind = FunctionKind::C;
        return frame;
    }
    frame.label.name = text;
    const std::size_t opening = text.ends_with(')') ? openingOfLast(text) : std::string_view::npos;
    if (opening != std::string_view::npos && opening > 1 && text[opening - 1] == ' ') {
        frame.label.name = text.substr(0, opening - 1);
        splitPlace(text.substr(opening + 1, text.size() - opening - 2), frame.label);
    }
    frame.kind = guessKind(frame.label);
    return frame;
}

FunctionKind guessKind(const FunctionLabel& label)
{
    if (label.file == cFile)
        return FunctionKind::C;
    const bool isMain = label.name.starts_with(mainMark) && !label.file.empty() && label.line == 0;
    return isMain ? FunctionKind::Main : FunctionKind::Lua;
}

} // namespace perilune
