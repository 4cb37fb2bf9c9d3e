// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/RecordedSources.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>

namespace perilune {

namespace {

constexpr std::size_t longestStringLabel = 60;

bool isNamed(const Source& source)
{
    return !source.chunkName.empty()
        && (source.chunkName.front() == '@' || source.chunkName.front() == '=');
}

/// The first bytes of a text in UTF-8, without half a character at the end.
std::string_view headOf(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80)
        --bytes;
    return text.substr(0, bytes);
}

std::string stringLabel(const Source& source)
{
    const std::string_view head = headOf(source.chunkName, longestStringLabel);
    std::string label(head);
    std::replace_if(
        label.begin(), label.end(),
        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
    const bool isCut = head.size() < source.chunkName.size() || head.size() < source.text.size();
    return "[string \"" + label + (isCut ? "…" : "") + "\"]";
}

std::string fileLabel(std::string_view name, std::string_view workingDirectory)
{
    if (!workingDirectory.empty() && name.starts_with(workingDirectory)
        && name.substr(workingDirectory.size()).starts_with('/'))
        name.remove_prefix(workingDirectory.size() + 1);
    while (name.starts_with("./") && name.size() > 2)
        name.remove_prefix(2);
    return std::string(name);
}

std::string shortLabel(const Source& source, std::string_view workingDirectory)
{
    if (!isNamed(source))
        return stringLabel(source);
    const std::string_view name = std::string_view(source.chunkName).substr(1);
    // Lua's name for a chunk whose debug information is gone.
    if (source.chunkName == "=?")
        return "stripped bytecode";
    if (name.empty())
        return "unnamed chunk";
    return source.chunkName.front() == '@' ? fileLabel(name, workingDirectory) : std::string(name);
}

/// Where a short label stands for several sources, they get their full names, then numbers.
void makeUnique(std::vector<Source>& sources)
{
    std::unordered_map<std::string, std::size_t> uses;
    for (const Source& source : sources)
        ++uses[source.label];
    for (Source& source : sources)
        if (uses[source.label] > 1 && source.chunkName.starts_with('@')
            && source.chunkName.size() > 1)
            source.label = source.chunkName.substr(1);
    std::unordered_map<std::string, std::size_t> numbers;
    for (Source& source : sources) {
        const std::size_t number = ++numbers[source.label];
        if (number > 1)
            source.label += " #" + std::to_string(number);
    }
}

} // namespace

std::vector<Source> recordedSources(const RecordingSnapshot& snapshot,
                                    std::string_view workingDirectory)
{
    std::vector<Source> sources;
    sources.reserve(snapshot.sources.size());
    for (const format::SourceRecord& record : snapshot.sources) {
        Source source;
        source.chunkName = snapshot.string(record.chunkName);
        source.path = snapshot.string(record.path);
        source.text = snapshot.sourceText(record);
        source.hash = record.hash;
        source.kind = record.kind;
        source.isComplete = record.isComplete != 0;
        source.label = shortLabel(source, workingDirectory);
        sources.push_back(std::move(source));
    }
    makeUnique(sources);
    return sources;
}

} // namespace perilune
