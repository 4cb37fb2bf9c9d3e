// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/Profile.h"

#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// How a function is called in a file that is written: one line of valid UTF-8 each.
struct FunctionLabel
{
    std::string name;
    std::string file; ///< "[C]" for C functions, empty for the host.
    int line = 0;     ///< 0 where there is none, as for main chunks.
};

/// Which of a source's names stands for its file.
enum class FileNaming
{
    Label, ///< Short, as on the screen.
    Path,  ///< Absolute where it is known, so that other tools find the text.
};

/// The labels of all functions of a profile, by FunctionId. Functions that would have the same name
/// and file (and line, with `lineTellsApart`) get a number behind their name: readers of the
/// formats take such functions for one.
class FunctionLabels
{
public:
    FunctionLabels(const Profile& profile, FileNaming naming, bool lineTellsApart);

    const FunctionLabel& operator[](FunctionId id) const { return m_labels[id.value()]; }
    std::size_t size() const { return m_labels.size(); }

private:
    std::vector<FunctionLabel> m_labels;
};

/// Name of the host in profiles, and its file.
inline constexpr std::string_view hostName = "(interpreter)";
inline constexpr std::string_view cFile = "[C]";

/// One text per function that says all of its label: "f (a.lua:3)", "string.format [C]",
/// "main chunk a.lua (a.lua)".
std::string frameText(const Function& function, const FunctionLabel& label);

/// What frameText() was made from, as far as it can be told.
struct ParsedFrame
{
    FunctionLabel label;
    FunctionKind kind = FunctionKind::Lua;
};
ParsedFrame parseFrameText(std::string_view text);

/// The kind of a function of which only the label is known, as in files of other tools.
FunctionKind guessKind(const FunctionLabel& label);

} // namespace perilune
