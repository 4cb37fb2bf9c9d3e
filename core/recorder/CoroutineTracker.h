// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lua.hpp>

#include <array>
#include <cstddef>

namespace perilune {

/// Knows at every moment which coroutine of a Lua state runs, at the cost of two stores a resume.
///
/// Sampling has no events between samples, so `coroutine.resume` and `coroutine.wrap` are replaced
/// by functions that do the same and note whom they resume. The script sees no difference: they are
/// C functions under the same names with the same results, errors and stack depth. Coroutines
/// resumed by C modules themselves are not seen; their time belongs to the function that resumed
/// them.
class CoroutineTracker
{
public:
    /// Called in the thread that runs Lua after another coroutine has become the running one.
    using SwitchHandler = void (*)(void* context, lua_State* running);

    CoroutineTracker() = default;
    CoroutineTracker(const CoroutineTracker&) = delete;
    CoroutineTracker& operator=(const CoroutineTracker&) = delete;

    void begin(lua_State* main, SwitchHandler handler, void* context);

    /// Replaces the two functions in the loaded coroutine library, if there is one.
    void install(lua_State* state);
    void remove(lua_State* state);

    /// What `coroutine.wrap` returns a closure of.
    static lua_CFunction wrappedFunction() { return resumeWrapped; }
    /// The running coroutine; readable in a signal handler and from another thread.
    lua_State* running() const { return m_running; }
    /// Who resumed a coroutine that runs or waits for one it resumed; null for the main thread.
    lua_State* resumerOf(const lua_State* state) const;

private:
    static int resume(lua_State* state);
    static int wrap(lua_State* state);
    static int resumeWrapped(lua_State* state);
    static int transferAndResume(lua_State* state, lua_State* coroutine, int argumentCount);
    int run(lua_State* coroutine, lua_State* from, int argumentCount, int* resultCount);

    void switchTo(lua_State* state);

    lua_State* volatile m_running = nullptr;
    SwitchHandler m_handler = nullptr;
    void* m_context = nullptr;
    /// The main thread and the coroutines resumed from it, innermost last. Lua allows about 200
    /// nested resumes; whatever is deeper is not followed.
    std::array<lua_State*, 256> m_chain = {};
    std::size_t m_depth = 0;
};

} // namespace perilune
