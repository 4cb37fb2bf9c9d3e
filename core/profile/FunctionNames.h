// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A function definition found in source text, in the order of its `function` keywords.
struct FunctionDefinition
{
    /// What the function is assigned to: "f", "a.b:c", "t.key" for `t.key = function` and for
    /// `t = { key = function`, "t[2]" for the second in a list; empty if anonymous.
    std::string name;
    /// Where the compiler says that it begins, from 1: the line of its `function` keyword, except
    /// where the parameters begin on a later one.
    int line = 0;
    int lastLine = 0; ///< Of its `end`.
};

/// Finds every `function` in Lua source text (5.1 to 5.4), skipping strings and comments; the n-th
/// element belongs to the n-th prototype in the compiler's order. Text that is not Lua gives what
/// could be recognised; it never fails.
std::vector<FunctionDefinition> findFunctionDefinitions(std::string_view text);

/// The definition that was compiled to the function between `line` and `lastLine`, whose keyword is
/// the `ordinal`-th of the text; null when the text is another or it cannot be told. Where the
/// ordinal is not known or does not fit, the lines decide if only one function has them.
const FunctionDefinition* findDefinition(const std::vector<FunctionDefinition>& definitions,
                                         std::size_t ordinal, int line, int lastLine);

} // namespace perilune
