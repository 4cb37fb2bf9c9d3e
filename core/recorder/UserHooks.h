// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/PointerMap.h"

#include <lua.hpp>

namespace perilune {

/// The script's own `debug.sethook` beside the recorder's hook.
///
/// `debug.sethook` and `debug.gethook` are replaced by functions with the same contract: the
/// script's hook fires for the events it asked for, the recorder's goes on, and the script is told
/// only what it set itself.
class UserHooks
{
public:
    /// `recorderMask` are the events that the recorder's own hook always needs.
    UserHooks(lua_Hook recorderHook, int recorderMask)
        : m_recorderHook(recorderHook)
        , m_recorderMask(recorderMask)
    {
    }

    /// Replaces the two functions in the loaded debug library, if there is one.
    void install(lua_State* state);
    void remove(lua_State* state);

    /// Whether any hook of the script has been set.
    bool isActive() const { return m_isActive; }
    /// Calls the script's hook for this event, if it asked for it. May raise a Lua error.
    void dispatch(lua_State* state, lua_Debug* record);
    /// What the recorder's hook has to be set to for a coroutine, with the script's wishes.
    int maskFor(lua_State* state);
    int countFor(lua_State* state);
    /// The coroutine is no more; another one may get its address.
    void forget(const lua_State* thread);

private:
    struct Wish
    {
        int mask = 0;
        int count = 0;
    };

    static int setHook(lua_State* state);
    static int getHook(lua_State* state);
    static int countOf(const Wish& wish);
    Wish inheritedWish(lua_State* thread) const;

    lua_Hook m_recorderHook;
    int m_recorderMask;
    PointerMap<Wish> m_wishes; ///< By coroutine; the hook function itself is in the registry.
    bool m_isActive = false;
};

} // namespace perilune
