// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A function definition found in source text, in the order of its `function` keywords.
struct FunctionDefinition
{
    std::string name; ///< "f", "a.b:c", "t.key" for `t.key = function` and `{ key = function`;
                      ///< empty if anonymous.
    int line = 0;     ///< Of the `function` keyword, from 1.
    int lastLine = 0; ///< Of its `end`.
};

/// Finds every `function` in Lua source text (5.1 to 5.4), skipping strings and comments; the n-th
/// element belongs to the n-th prototype in the compiler's order. Text that is not Lua gives what
/// could be recognised; it never fails.
std::vector<FunctionDefinition> findFunctionDefinitions(std::string_view text);

} // namespace perilune
